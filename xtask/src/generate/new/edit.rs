//! Changes of existing files for a new IP.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::name::Names;
use super::skeleton::Lines;

/// A file with the lines of a new IP.
pub struct Edit {
    pub path: String,
    pub text: String,
}

/// Returns the files with the lines of a new IP.
pub fn edits(root: &Path, names: &Names, lines: &[Lines]) -> Result<Vec<Edit>> {
    let edit = |(path, lines): &Lines| {
        let mut text =
            fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        for (before, line) in *lines {
            let mut places = text.match_indices(before).map(|(at, _)| at);
            let (Some(at), None) = (places.next(), places.next()) else {
                bail!("{path} does not have once: {}", before.trim());
            };
            text.insert_str(at, &names.put_into(line));
        }
        Ok(Edit { path: (*path).to_owned(), text })
    };
    lines.iter().map(edit).collect()
}

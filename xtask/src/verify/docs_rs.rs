//! Builds the documentation of each package for the targets that its manifest requests, with the features and flags of
//! docs.rs.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use crate::verify::arm::{Toolchain, or_skip};
use crate::verify::crates;

/// Flags of rustdoc: pages show the feature that an item needs, and each warning is an error.
pub const FLAGS: &str = "--cfg docsrs --deny warnings";

/// Builds the pages of packages whose names contain `part`; a warning is a failure. A test checks that the manifest of
/// each package lists targets for docs.rs.
pub fn build(root: &Path, part: &str) -> Result<()> {
    let mut of_targets: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in crates::published(root)?.iter().filter(|one| one.name.contains(part)) {
        let targets = package.metadata["docs"]["rs"]["targets"].as_array().into_iter().flatten();
        for target in targets.filter_map(Value::as_str) {
            of_targets.entry(target.to_owned()).or_default().push(package.name.clone());
        }
    }
    for (target, names) in of_targets {
        let Some(toolchain) = or_skip(
            &format!("pages for {target}"),
            Toolchain::of_figures(root, String::leak(target.clone())),
        )?
        else {
            continue;
        };
        outln!("{target}: {}", names.join(", "));
        let mut arguments = vec!["--quiet", "--release", "--no-deps", "--all-features", "--lib"];
        for name in &names {
            arguments.extend(["--package", name]);
        }
        toolchain.documentation(root, &arguments, FLAGS).run()?;
    }
    Ok(())
}

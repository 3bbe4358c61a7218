//! `cargo xtask new`: creates the skeleton of a new IP.
//!
//! The files under `xtask/template` belong to IPs called `skeleton-ip`: one with its own driver,
//! and one for each architecture. `cargo xtask new` copies these files with the names changed.
//! `gen` creates all other files of an architecture's IP.

mod name;
mod skeleton;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::generate::files::{self, Change};
use crate::generate::spec::read::{shown, suggest};
use crate::generate::{implementation, load};
use name::Names;
use skeleton::{Lines, Skeleton};

#[derive(clap::Args)]
pub struct Arguments {
    /// Name of the crate, of the directory of its specs, and of the feature of the facade
    #[arg(value_name = "IP")]
    name: String,
    /// Title in the documentation, for example "CoreLink CCI-600"; default: the name in capitals
    #[arg(long)]
    title: Option<String>,
    /// Architecture whose registers and driver the IP has, for example "cci5xx"; default: its own
    #[arg(long, value_name = "NAME")]
    architecture: Option<String>,
}

pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let names = Names::new(&arguments.name, arguments.title.as_deref())?;
    let skeleton = match &arguments.architecture {
        Some(architecture) => skeleton_of(root, architecture)?,
        None => &skeleton::OWN,
    };
    make(root, &names, arguments.architecture.as_deref(), skeleton)
}

fn skeleton_of(root: &Path, architecture: &str) -> Result<&'static Skeleton> {
    let known = load::architectures(root)?;
    if !known.iter().any(|known| known == architecture) {
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        bail!(
            "there is no architecture `{}`; {}",
            shown(architecture),
            suggest(architecture, &known)
        );
    }
    match Skeleton::of_architecture(architecture) {
        Some(skeleton) => Ok(skeleton),
        None => bail!(
            "xtask/src/generate/new/skeleton.rs has no skeleton of an IP with the architecture `{architecture}`"
        ),
    }
}

fn make(root: &Path, names: &Names, architecture: Option<&str>, skeleton: &Skeleton) -> Result<()> {
    names.are_free(root)?;
    let write = |path: &str, text| Change::Write { path: root.join(path), text, old: None };
    let mut files = Vec::new();
    for (path, template) in skeleton.files {
        files.push(write(&names.put_into(path), names.put_into(template)));
    }
    let directory = format!("crates/{}", names.ip.package);
    match architecture {
        // `gen` creates the other files of the crate. Without a manifest, cargo rejects the
        // workspace.
        Some(architecture) => files.push(write(
            &format!("{directory}/Cargo.toml"),
            implementation::manifest(architecture, &names.ip.package, &names.title, true)?,
        )),
        None => files.extend(implementation::LINKS.iter().map(|name| Change::Link {
            path: root.join(&directory).join(name),
            to: format!("../../{name}"),
        })),
    }
    for (path, text) in edits(root, names, skeleton.lines)? {
        files.push(write(path, text));
    }
    files::apply(&files)?;
    let package = &names.ip.package;
    outln!("{} files written. Next:", files.len());
    outln!("  1. cargo xtask gen && cargo fmt && cargo test -p {package} -p xtask");
    outln!("     passes: the made-up numbers and events are consistent");
    for (number, step) in (2..).zip(skeleton.next) {
        outln!("  {number}. {}", names.put_into(step));
    }
    Ok(())
}

/// Returns the files with the lines of a new IP.
fn edits(root: &Path, names: &Names, lines: &[Lines]) -> Result<Vec<(&'static str, String)>> {
    let edit = |(path, lines): &Lines| {
        let mut text =
            fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        for (before, line) in *lines {
            let mut places = text.match_indices(before).map(|(at, _)| at);
            let (Some(at), None) = (places.next(), places.next()) else {
                bail!("{path} must contain exactly once: {}", before.trim());
            };
            text.insert_str(at, &names.put_into(line));
        }
        Ok((*path, text))
    };
    lines.iter().map(edit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_architecture_has_a_skeleton() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let names = Names::new("made-up", None).expect("a name");
        for architecture in load::architectures(&root).expect("the specs") {
            let skeleton = skeleton_of(&root, &architecture).expect("a skeleton");
            assert_eq!(edits(&root, &names, skeleton.lines).expect("places").len(), 1);
        }
        // The skeleton of an IP without an architecture.
        assert_eq!(edits(&root, &names, skeleton::OWN.lines).expect("places").len(), 2);
    }
}

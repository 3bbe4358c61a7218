//! Checks the texts for a release.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Checks that the version, the changelog and the address of the repository are ready for a
/// release.
pub fn check(root: &Path) -> Result<()> {
    let read = |name: &str| fs::read_to_string(root.join(name)).with_context(|| name.to_owned());
    let wrong = missing(&read("Cargo.toml")?, &read("CHANGELOG.md")?, env!("CARGO_PKG_VERSION"));
    ensure!(wrong.is_empty(), "before a release:\n{}", wrong.join("\n"));
    Ok(())
}

/// Returns what these files lack for a release of this version.
fn missing(manifest: &str, changelog: &str, version: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let address = manifest.lines().find_map(|line| line.strip_prefix("repository = \""));
    if !address.is_some_and(|address| address.starts_with("https://")) {
        wrong.push("Cargo.toml: `repository` has no address".to_owned());
    }
    let mut sections = changelog.split("\n## [").skip(1);
    let unreleased = sections.next().and_then(|section| section.strip_prefix("Unreleased]"));
    if !unreleased.is_some_and(|entries| entries.trim().is_empty()) {
        wrong.push(
            "CHANGELOG.md: `## [Unreleased]` is not the first section, or not empty".to_owned(),
        );
    }
    match sections.next().filter(|section| section.starts_with(&format!("{version}] - "))) {
        None => wrong.push(format!("CHANGELOG.md: no heading `## [{version}]` followed by a date")),
        Some(section) if !section.contains(CODES) => {
            wrong.push(format!("CHANGELOG.md: no `{CODES}` in the section of {version}"));
        }
        Some(_) => {}
    }
    wrong
}

/// Heading under which the changelog lists corrected codes, or states that there are none.
const CODES: &str = "### Corrected codes";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changelog_lists_corrected_codes() {
        let changelog = include_str!("../../../CHANGELOG.md");
        assert!(changelog.contains("\n## [Unreleased]\n") && changelog.contains(CODES));
    }
}

//! The crates that users can depend on.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::generate::load;

/// The crates that run on target, beside the IPs' crates.
const COMMON: [&str; 3] = ["arm-pmu", "arm-pmu-core", "smmuv3-pmcg"];

/// The crates that do not.
const OF_THE_HOST: [&str; 4] =
    ["arm-pmu-derive", "arm-pmu-lookup", "arm-pmu-sim", "arm-pmu-tables"];

/// The features of the libraries that are off by default.
pub const FORMATS: [&str; 2] = ["defmt", "serde"];

/// The crates that users can depend on.
///
/// # Errors
///
/// If the directories under `specs/` cannot be listed.
pub fn all(root: &Path) -> Result<Vec<String>> {
    Ok(OF_THE_HOST.into_iter().map(str::to_owned).chain(on_target(root)?).collect())
}

/// Those that run on target.
///
/// # Errors
///
/// If the directories under `specs/` cannot be listed.
pub fn on_target(root: &Path) -> Result<Vec<String>> {
    Ok(COMMON.into_iter().map(str::to_owned).chain(load::crates(root)?).collect())
}

/// The examples of a crate, by their names.
///
/// # Errors
///
/// If a directory cannot be read.
pub fn examples(root: &Path, package: &str) -> Result<Vec<String>> {
    examples_in(&root.join("crates").join(package))
}

/// The examples of the crate in a directory, by their names.
///
/// # Errors
///
/// If a directory cannot be read.
pub fn examples_in(package: &Path) -> Result<Vec<String>> {
    let directory = package.join("examples");
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(&directory)? {
        let path = entry?.path();
        let file = path.extension().is_some_and(|extension| extension == "rs");
        // Or a directory, for an example of several files.
        if (file || path.join("main.rs").is_file())
            && let Some(name) = path.file_stem()
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_a_crate_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let found = examples(&root, "arm-pmu").expect("a directory");
        assert_eq!(found, ["budget", "core_and_interconnect", "every_pmu", "two_pmus"]);
        assert!(examples(&root, "arm-pmu-derive").expect("none").is_empty());
    }
}

//! The generator does not depend on its output, so it can be built while generated files are wrong.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

#[test]
fn no_dependency_has_generated_files() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(here)
        .output()
        .expect("cargo");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let mut seen = BTreeSet::from([here.to_owned()]);
    let mut next = vec![here.to_owned()];
    while let Some(folder) = next.pop() {
        let is = |package: &&Value| {
            let manifest = package["manifest_path"].as_str().expect("a path");
            Path::new(manifest).parent() == Some(&folder)
        };
        let package = packages.iter().find(is).expect("a package of this workspace");
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        // Tests may depend on the tested crates.
        for dependency in dependencies.iter().filter(|one| one["kind"] != "dev") {
            let Some(path) = dependency["path"].as_str().map(PathBuf::from) else { continue };
            if seen.insert(path.clone()) {
                next.push(path);
            }
        }
    }
    assert!(seen.len() > 1, "{seen:?}");
    let generated: Vec<_> =
        seen.iter().filter(|folder| folder.join("src/generated").is_dir()).collect();
    assert!(generated.is_empty(), "xtask depends on its output: {generated:?}");
}

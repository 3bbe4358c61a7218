//! The generator does not depend on its output, so it can be built while generated files are wrong.

use std::path::Path;
use std::process::Command;

#[test]
fn no_dependency_has_generated_files() {
    let tree = ["tree", "--package", "xtask", "--edges", "normal,build", "--prefix", "none"];
    let output = Command::new(env!("CARGO")).args(tree).output().expect("cargo");
    let output = String::from_utf8(output.stdout).expect("text");
    // Packages of this workspace: `arm-pmu-spec v0.1.0 (/path)`.
    let folders = output.lines().filter_map(|line| line.split_once(" (/")?.1.split_once(')'));
    let folders: Vec<_> = folders.map(|(folder, _)| Path::new("/").join(folder)).collect();
    assert!(folders.len() > 1, "{output}");
    let generated: Vec<_> =
        folders.iter().filter(|folder| folder.join("src/generated").is_dir()).collect();
    assert!(generated.is_empty(), "xtask depends on its output: {generated:?}");
}

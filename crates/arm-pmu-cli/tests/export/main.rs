//! Tests of `arm-pmu export`. `cargo xtask ci exports` reads JSON, CSV and SVD with other programs.

use std::fs;
use std::path::Path;

mod c;
#[path = "../program/mod.rs"]
mod program;
mod svd;

fn run_in(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    program::run(program::command().arg("export").args(arguments).current_dir(directory))
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    run_in(&std::env::temp_dir(), arguments)
}

fn one(arguments: &[&str]) -> String {
    let (status, text, error) = run(arguments);
    assert_eq!(status, 0, "{error}");
    text
}

#[test]
fn several_files_need_a_directory() {
    let out = tempfile::tempdir().expect("a directory");
    assert!(one(&["c", "cci550"]).starts_with("/* Registers and events of the CoreLink CCI-550"));
    assert_eq!(one(&["c", "zynqmp:cci"]), one(&["c", "cci400"]));
    assert_eq!(one(&["json", "--platform", "zynqmp:cci"]), one(&["json", "cci400"]));
    assert!(one(&["json", "CCI-400:r0", "cci400"]).contains("\"name\": \"cci400\""));
    for arguments in [&["c"][..], &["csv", "cci550"], &["c", "cci550", "cci500"]] {
        let (status, text, error) = run_in(out.path(), arguments);
        assert!(status == 2 && text.is_empty() && error.contains("with --out"), "{error}");
    }
    let (status, _, error) = run_in(out.path(), &["c", "cci550", "zebra", "--out", "."]);
    assert!(status == 1 && error.contains("no IP `zebra`"), "{error}");
    fs::write(out.path().join("file"), "").expect("a file");
    let (status, _, error) = run_in(out.path(), &["c", "cci550", "--out", "file"]);
    assert!(status == 2 && error.contains("cannot be written"), "{error}");
    assert_eq!(fs::read_dir(out.path()).expect("a list").count(), 1, "nothing else was written");
    let (status, text, _) = run_in(out.path(), &["c", "cci550", "--out", "."]);
    assert!(status == 0 && text.trim_end().ends_with("cci550.h"), "{text}");
    // A second export replaces the file.
    assert_eq!(run_in(out.path(), &["c", "cci550", "--out", "."]).0, 0);
    assert_eq!(fs::read_dir(out.path()).expect("a list").count(), 2);
}

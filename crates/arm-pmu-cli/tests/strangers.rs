//! Inputs in the forms of public files: device trees, output of perf, names in manuals.
//!
//! Each row of `strangers/*.tsv` is a command without `arm-pmu`, texts that its output must contain, and texts that it
//! must not; ` ; ` separates texts. The commands run in a copy of that folder. A command after `! ` must fail; after
//! `first five: `, only the first five lines count. `tree FILE.dts` stands for three commands: `platform new` of the
//! compiled tree, and `platform` and `device-tree` of the file that it writes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

mod program;

/// A table with one row for each case.
fn check(table: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/strangers");
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("strangers").join(table);
    copy_files(&source, &copy);
    let rows = fs::read_to_string(source.join(table).with_extension("tsv")).expect("a table");
    let mut wrong = Vec::new();
    let mut rows = rows.lines().filter(|row| !row.starts_with('#')).peekable();
    assert!(rows.peek().is_some(), "{table} has no rows");
    for row in rows {
        let [command, contains, lacks] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not three columns: {row}");
        };
        let (command, fails) = command.strip_prefix("! ").map_or((command, false), |it| (it, true));
        let (command, lines) =
            command.strip_prefix("first five: ").map_or((command, usize::MAX), |it| (it, 5));
        let Some((succeeded, output)) = answer(&copy, command, lines) else { continue };
        let missing =
            texts(contains).filter(|text| !output.contains(text)).map(|it| format!("lacks {it:?}"));
        let surplus =
            texts(lacks).filter(|text| output.contains(text)).map(|it| format!("contains {it:?}"));
        let status = (succeeded == fails).then(|| format!("succeeded: {succeeded}"));
        let faults: Vec<_> = missing.chain(surplus).chain(status).collect();
        if !faults.is_empty() {
            wrong.push(format!("{command}\n  {}\n  {output}", faults.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn texts(column: &str) -> impl Iterator<Item = &str> {
    column.split(" ; ").map(str::trim).filter(|text| !text.is_empty())
}

/// Whether the command succeeded, and its output with single blanks. None without dtc, outside of CI.
fn answer(folder: &Path, command: &str, lines: usize) -> Option<(bool, String)> {
    let Some(tree) = command.strip_prefix("tree ") else {
        return Some(run(folder, &command.split(' ').collect::<Vec<_>>(), lines));
    };
    let blob = folder.join(tree).with_extension("dtb");
    let mut dtc = Command::new("dtc");
    let dtc =
        dtc.args(["-q", "-I", "dts", "-O", "dtb", "-o"]).arg(&blob).arg(folder.join(tree)).status();
    if dtc.is_err() && std::env::var_os("CI").is_none() {
        return None;
    }
    assert!(dtc.expect("dtc").success(), "{tree}");
    let output = program::command().args(["platform", "new", "--from"]).arg(&blob).output();
    let output = output.expect("the program");
    let text = String::from_utf8_lossy(&output.stdout);
    let Some(name) = text.lines().find_map(|line| line.strip_prefix("platform: ")) else {
        return Some((false, String::from_utf8_lossy(&output.stderr).into_owned()));
    };
    let file = format!("./{name}.yaml");
    fs::write(folder.join(&file), &output.stdout).expect("a platform");
    let (shown, platform) = run(folder, &["platform", &file], lines);
    let (printed, nodes) = run(folder, &["device-tree", &file], lines);
    let all = [single_blanks(&text), platform, nodes].join("\n  ");
    Some((output.status.success() && shown && printed, all))
}

fn run(folder: &Path, arguments: &[&str], lines: usize) -> (bool, String) {
    let output =
        program::command().args(arguments).current_dir(folder).output().expect("the program");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let first: Vec<_> = text.lines().take(lines).collect();
    (output.status.success(), single_blanks(&first.join("\n")))
}

fn single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn copy_files(from: &Path, to: &PathBuf) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let copy = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_files(&path, &copy);
        } else {
            fs::copy(&path, &copy).expect("a copy");
        }
    }
}

#[test]
fn strangers_device_trees_are_read() {
    check("trees");
}

#[test]
fn strangers_perf_output_is_read() {
    check("perf");
}

#[test]
fn strangers_faults_in_perf_output_are_found() {
    check("doctor");
}

#[test]
fn strangers_names_are_known() {
    check("names");
}

#[test]
fn strangers_searches_and_filters_are_answered() {
    check("search");
}

#[test]
fn strangers_mistakes_are_explained() {
    check("mistakes");
}

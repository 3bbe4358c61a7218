//! Tests of documents: `console` blocks must show the current outputs, and all other command lines must run.
//!
//! `cargo xtask store` stores the outputs. `xtask/src/tests/documented.rs` checks that every other command exists, and
//! the Linux bench runs the blocks that need a board.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use documents::{Document, without_remark};
use snapbox::{Data, assert_data_eq};

use super::program::{self, place};

/// A directory that contains the files named in documents. `path` is a value of PATH with which a
/// shell finds the command.
struct Shell {
    directory: PathBuf,
    path: OsString,
}

impl Shell {
    fn new(name: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(directory.join("specs/platforms")).expect("a directory");
        for folder in ["tests/perf/6.12/cci400-r1", "tests/runs", "tests/dumps", "tests/trees"] {
            for file in fs::read_dir(place(folder)).expect("a directory") {
                let file = file.expect("a file");
                fs::copy(file.path(), directory.join(file.file_name())).expect("a copy");
            }
        }
        fs::copy(place("tests/trees/clusters.dtb"), directory.join("board.dtb")).expect("a tree");
        let bin = directory.join("bin");
        fs::create_dir_all(&bin).expect("a directory");
        symlink(program::path(), bin.join("arm-pmu")).expect("a link");
        let mut path = bin.into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").expect("a path"));
        Self { directory, path }
    }

    /// Runs a line. `None` if the shell is not installed; CI requires all shells.
    fn run(&self, shell: &str, line: &str) -> Option<Output> {
        let mut run = Command::new(shell);
        run.args(["-c", line]).current_dir(&self.directory);
        run.env("PATH", &self.path).env("HOME", &self.directory);
        let output = run.env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR").output();
        if output.is_err() {
            assert!(std::env::var_os("CI").is_none(), "there is no {shell}");
            eprintln!("skipped: there is no {shell} for `{line}`");
        }
        output.ok()
    }

    /// Replaces the output of each command in a block.
    fn with_outputs(&self, block: &str) -> String {
        let mut text = String::new();
        let mut is_kept = false;
        for line in block.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                is_kept = may_have_skeletons(command);
                text += &format!("{line}\n");
                if !is_kept {
                    let output = self.run("sh", command).expect("a shell");
                    text += &String::from_utf8_lossy(&output.stdout);
                    text += &String::from_utf8_lossy(&output.stderr);
                }
            } else if is_kept {
                text += &format!("{line}\n");
            }
        }
        text
    }
}

/// Whether an output can name an IP that `cargo xtask new` has just created. Documents omit such an IP until it has
/// events.
fn may_have_skeletons(command: &str) -> bool {
    let is_of_all = command == "arm-pmu list"
        || command.starts_with("arm-pmu find ") && !command.contains("--ip");
    is_of_all && arm_pmu_tables::IPS.iter().any(|ip| ip.manual.id == "000000")
}

fn root() -> PathBuf {
    place("../..")
}

#[test]
fn documents_show_the_outputs_of_their_commands() {
    let shell = Shell::new("console");
    let mut commands = 0;
    for document in documents::all(&root()) {
        let mut made = document.text.clone();
        // Blocks are edited from the last to the first, so that earlier positions stay valid.
        for block in document.blocks().into_iter().rev().filter(|block| block.kind == "console") {
            assert!(block.text.starts_with("$ arm-pmu "), "{}: {}", document.path, block.text);
            commands += block.text.matches("$ arm-pmu ").count();
            let printed = shell.with_outputs(&block.text);
            // The README of the command also shows rejected inputs.
            let has_failed =
                document.path.starts_with("guides/") && printed.contains("\narm-pmu: ");
            assert!(!has_failed, "{}: a command failed: {printed}", document.path);
            made.replace_range(block.range, &printed);
        }
        if made != document.text {
            assert_data_eq!(made, Data::read_from(&root().join(&document.path), None).raw());
        }
    }
    assert!(commands >= 30, "{commands}");
}

/// Returns the `arm-pmu` command line in a line of a document, if there is one.
fn own(line: &str) -> Option<String> {
    if let Some(own) = line.strip_prefix("cargo run -p arm-pmu-cli -- ") {
        return Some(format!("arm-pmu {own}"));
    }
    let is_own = line.starts_with("arm-pmu ") || line.starts_with("source <(arm-pmu ");
    is_own.then(|| line.to_owned())
}

/// Whether a line can run here: it has arguments and no placeholder, and needs no PMU.
fn runs_here(line: &str) -> bool {
    let needs_a_board = ["arm-pmu stat ", "arm-pmu check", "arm-pmu doctor --live"];
    let is_name = line.split(' ').count() < 3 && !line.starts_with("source ");
    !is_name
        && !needs_a_board.iter().any(|counting| line.starts_with(counting))
        && !line.contains("<ip>")
        && !line.ends_with("..")
}

fn lines(document: &Document) -> impl Iterator<Item = String> {
    let lines = document.shell_lines().into_iter().map(|line| without_remark(&line).to_owned());
    lines.chain(document.spans()).filter_map(|line| own(&line)).filter(|line| runs_here(line))
}

#[test]
fn arm_pmu_lines_in_documents_succeed() {
    let shell = Shell::new("lines");
    let mut runs = 0;
    for document in documents::all(&root()) {
        // `cargo xtask ci` runs the commands of this guide in a folder of their own.
        if document.path == "guides/c.md" {
            continue;
        }
        for line in lines(&document) {
            let name = match &line {
                line if line.contains("<(") => "bash",
                line if line.ends_with("| source") => "fish",
                _ => "sh",
            };
            let Some(output) = shell.run(name, &line) else { continue };
            let error = String::from_utf8_lossy(&output.stderr);
            // Warnings are allowed. The shell must not print `not found`, and written files must exist.
            let is_good = output.status.success() && !error.contains("not found");
            assert!(is_good, "{}: `{line}`: {} {error}", document.path, output.status);
            if let Some((_, file)) = line.split_once(" > ") {
                let length = fs::metadata(shell.directory.join(file)).expect("a file").len();
                assert!(length > 100, "{}: `{line}` wrote {length} bytes", document.path);
            }
            runs += 1;
        }
    }
    assert!(runs >= 10, "{runs}");
}

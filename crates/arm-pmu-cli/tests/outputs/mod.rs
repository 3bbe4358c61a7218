//! What the commands in a text print.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::program;

pub fn command(arguments: &[&str]) -> Command {
    let mut command = program::command();
    command.args(arguments).env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
    // It needs no checkout.
    command.current_dir(program::empty_directory());
    command
}

pub fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Whether the output of a command may name an IP that was just made by `cargo xtask new`: its manual has no
/// number yet, and the README does not name it before it has events.
fn may_have_skeletons(line: &str) -> bool {
    let is_of_all = line.split(" | ").next() == Some("list")
        || line.starts_with("find ") && !line.contains("--ip");
    is_of_all && arm_pmu_tables::IPS.iter().any(|ip| ip.manual.id == "000000")
}

/// What a filter, as `sed -n 1,5p`, makes of a text.
fn filtered(filter: &str, text: &str) -> String {
    let mut words = filter.split(' ');
    let mut command = Command::new(words.next().expect("a program"));
    let command = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("a filter");
    // The texts are smaller than a pipe.
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("a text");
    let output = child.wait_with_output().expect("an end");
    String::from_utf8(output.stdout).expect("text")
}

/// A text with what each command after a `$` prints now.
pub fn with_outputs(readme: &str) -> String {
    // Nothing but what was recorded.
    let recordings = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recordings");
    fs::create_dir_all(&recordings).expect("a directory");
    for file in fs::read_dir(place("tests/perf/6.12/cci400-r1")).expect("a directory") {
        let file = file.expect("a file");
        fs::copy(file.path(), recordings.join(file.file_name())).expect("a copy");
    }
    fs::copy(place("tests/runs/compared.jsonl"), recordings.join("compared.jsonl"))
        .expect("a copy");
    let mut text = String::new();
    let mut inside = false;
    let mut is_kept = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            let Some(line) = line.strip_prefix("$ arm-pmu ") else {
                if is_kept {
                    text += &format!("{line}\n");
                }
                continue;
            };
            is_kept = may_have_skeletons(line);
            if is_kept {
                text += &format!("$ arm-pmu {line}\n");
                continue;
            }
            let (own, filter) = line.split_once(" | ").unzip();
            let own: Vec<_> = own.unwrap_or(line).split_whitespace().collect();
            let mut command = command(&own);
            if line.starts_with("report ") {
                command.current_dir(&recordings);
            } else if line.starts_with("platform new ") {
                command.current_dir(place("tests/trees"));
            } else if line.starts_with("doctor ") {
                command.current_dir(place("tests/dumps"));
            }
            let Output { stdout, stderr, .. } = command.output().expect("a run");
            let text_of = |bytes| String::from_utf8(bytes).expect("text");
            let stdout = match filter {
                Some(filter) => filtered(filter, &text_of(stdout)),
                None => text_of(stdout),
            };
            text += &format!("$ arm-pmu {line}\n{stdout}{}", text_of(stderr));
            continue;
        }
        text += &format!("{line}\n");
    }
    text
}

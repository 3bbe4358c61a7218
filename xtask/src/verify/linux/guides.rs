//! Commands of documents for a board, which must run.
//!
//! Each `sh board` block runs as root, in a folder with a program `work`. For a `console board`
//! block, the outputs are compared too, except numbers and spaces.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use arm_pmu_spec::problem::{File, Problems};
use arm_pmu_spec::yaml::{self, Node};
use documents::{Document, without_numbers};

use super::claims::{Check, Claim};
use super::guest::Output;

/// Board on which the commands run.
pub const BOARD: &str = "cci400-combined";

/// Creates a folder with the files that a user of the guides has.
const FOLDER: &str = "rm -rf /tmp/guide; mkdir /tmp/guide; cd /tmp/guide; \
                      printf '#!/bin/sh\\nexec work 1000000\\n' > work; chmod +x work; cp work bench; cp work base; ";

/// First line of each report of `arm-pmu check`, as text and as JSON. Its exit status can be 1 on QEMU, which
/// has no traffic at an interconnect.
const REPORTS: [&str; 2] = ["Known work, expected and counted", "  \"tool\": "];

/// Comment after a line that the user ends with Ctrl-C.
const ENDLESS: &str = "until Ctrl-C";

/// Returns the commands of all documents.
///
/// # Errors
///
/// Returns an error if the documents have too few commands.
pub fn claims(root: &Path) -> Result<Vec<Claim>> {
    let mut claims: Vec<_> = documents::all(root).iter().flat_map(of_document).collect();
    claims.push(workflow(root)?);
    ensure!(claims.len() >= 10, "the documents have {} blocks to type on a board", claims.len());
    Ok(claims)
}

/// Steps of a workflow that need neither Cargo nor the network.
const STEPS: [&str; 3] = ["Permit counting", "Count", "Gate"];

/// Returns the steps of the workflow for Arm runners. The guest runs them as an Arm runner would.
fn workflow(root: &Path) -> Result<Claim> {
    let text = fs::read_to_string(root.join(".github/workflows/silicon.yml"))?;
    let parsed = yaml::parse(File::Platform, &text, &mut Problems::default());
    let parsed = parsed.context("the workflow cannot be parsed")?;
    let steps = ["jobs", "count", "steps"].iter().try_fold(&parsed, |node, key| node.get(key));
    let steps = steps.context("the workflow has no steps")?.items();
    let mut script =
        "sudo() { \"$@\"; }; rm -rf /tmp/flow; mkdir /tmp/flow; cd /tmp/flow; set -e\n".to_owned();
    for name in &STEPS {
        let step = steps.iter().find(|step| step.get("name").and_then(Node::text) == Some(*name));
        let run = step.and_then(|step| step.get("run")?.text());
        script += run.with_context(|| format!("the workflow has no step {name}"))?;
    }
    Ok(Claim {
        promise:
            "The workflow counts; its gate passes for equal programs, and fails for a slower one."
                .to_owned(),
        command: format!("{}\n", STEPS.join(", ")),
        script: quick(&script),
        check: Box::new(|Output { status, text }| {
            let is_told = text.contains("`INST_RETIRED > +1%` is exceeded: the change is +");
            ensure!(*status == 0 && is_told, "status {status}:\n{text}");
            Ok(())
        }),
    })
}

fn of_document(document: &Document) -> Vec<Claim> {
    let claim = |command, script: &str, check| Claim {
        promise: format!("{} can be typed on a board.", document.path),
        command,
        script: format!("{FOLDER}{script}\n"),
        check,
    };
    let blocks = document.code("sh board").into_iter().map(|block| {
        let script: Vec<_> = block.lines().map(typed).collect();
        let reports = block.matches("arm-pmu check").count();
        let check: Check = Box::new(move |output| succeeded(output, reports));
        claim(block, &script.join(" && "), check)
    });
    // A command, and its output.
    let consoles = document.code("console board").into_iter().map(|block| {
        let (command, expected) = block.split_once('\n').unwrap_or((&block, ""));
        let command = command.trim_start_matches("$ ");
        let script = format!("{}{}", prepared(command), quick(command));
        let expected = expected.to_owned();
        let check: Check = Box::new(move |output| same_but_for_numbers(output, &expected));
        claim(format!("{command}\n"), &script, check)
    });
    blocks.chain(consoles).collect()
}

/// Checks that all lines ended with status 0, and that `arm-pmu check` printed this number of
/// reports.
fn succeeded(output: &Output, reports: usize) -> Result<()> {
    let Output { status, text } = output;
    ensure!(*status == 0, "status {status}:\n{text}");
    // Also checks the printed messages, because if a program fails, a later program can still end with status 0.
    ensure!(!text.contains("not found"), "a program is missing:\n{text}");
    ensure!(!text.lines().any(|line| line.starts_with("arm-pmu: ")), "a message:\n{text}");
    let is_report = |line: &&str| REPORTS.iter().any(|first| line.starts_with(first));
    let printed = text.lines().filter(is_report).count();
    ensure!(
        printed == reports,
        "`arm-pmu check` printed {printed} reports instead of {reports}:\n{text}"
    );
    Ok(())
}

fn same_but_for_numbers(output: &Output, expected: &str) -> Result<()> {
    let (found, wanted) = (without_numbers(&output.text), without_numbers(expected));
    ensure!(
        found == wanted,
        "expected is\n{expected}except for numbers, and printed\n{}",
        output.text
    );
    Ok(())
}

/// Returns a line in the form that runs on the bench.
fn typed(line: &str) -> String {
    let (command, remark) = line.split_once("  # ").unwrap_or((line, ""));
    let command = command.trim();
    if remark.contains(ENDLESS) {
        return format!("{{ {command} & sleep 2; kill -INT $!; wait $!; }}");
    }
    if command.contains("arm-pmu check") {
        return format!("{{ {}; [ $? -le 1 ]; }}", quick(command));
    }
    command.to_owned()
}

/// Makes `arm-pmu check` use less memory, so that the command is faster.
fn quick(command: &str) -> String {
    match command.contains("--size ") {
        true => command.to_owned(),
        false => command.replace("arm-pmu check", "arm-pmu check --size 4"),
    }
}

/// Returns the commands that create the files and settings for a `console board` command.
fn prepared(command: &str) -> &'static str {
    if command.contains("--base 0x5fa00000") {
        // Writes PMCR of a CCI-400 with four counters into unused memory.
        "device 5fa00100=2000 > /dev/null; "
    } else if command.contains("--device all") {
        // In each millisecond, the device adds one more than the lowest byte of SMR0: 0x43, or 0x100 without a filter.
        "printf '#!/bin/sh\\nexec device \"~600:5f320a00,0,5f330000\"\\n' > work; "
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\n```sh board\none\ntwo   # a remark\n```\n```sh\nno\n```\n```sh board\n\
                        three  # until Ctrl-C\n```\n```sh board\narm-pmu check > a; cat a\n```\n\
                        ```console board\n$ four\n  12 of\n```\n";

    fn document() -> Document {
        Document { path: "a guide".to_owned(), text: TEXT.to_owned() }
    }

    #[test]
    fn a_failure_before_another_command_is_found() {
        let claims = of_document(&document());
        let of = |number: usize, status, text: &str| {
            (claims[number].check)(&Output { status, text: text.to_owned() }).is_ok()
        };
        assert!(of(0, 0, "anything\n") && !of(0, 1, "") && !of(0, 0, "sh: two: not found\n"));
        // The exit status is 0, because it is the status of `cat`.
        let message = "arm-pmu: --platform zynqpm: there is no such platform\n";
        assert!(!of(2, 0, message) && !of(2, 0, ""));
        assert!(of(2, 0, &format!("{}\nboard     a board\n", REPORTS[0])));
        assert!(!of(2, 0, &format!("{}\n{message}", REPORTS[0])));
        assert!(of(2, 0, "{\n  \"tool\": \"arm-pmu 0\",\n"));
        // But for numbers.
        assert!(of(3, 0, "13 of\n") && !of(3, 0, "13 off\n") && !of(3, 0, ""));
    }
}

//! The documents: their commands for a board have to run.
//!
//! Each block of `sh board` is run as root, in a folder with a program `work`. Of a block of `console board`, the
//! outputs are compared too, but for numbers and spaces.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use documents::{Document, without_numbers};

use super::board::{self, Board};
use super::guest::Guest;
use crate::output::{errln, outln};

/// A folder as a user has it.
const FOLDER: &str = "export NO_COLOR=1; rm -rf /tmp/guide; mkdir /tmp/guide; cd /tmp/guide; \
                      printf '#!/bin/sh\\nexec work 1000000\\n' > work; chmod +x work; cp work bench; ";

/// Begins each report of `arm-pmu check`, as text and as JSON. Its status is 1 on QEMU, which has no caches.
const REPORTS: [&str; 2] = ["Known memory traffic, expected and counted", "  \"tool\": "];

/// A remark behind a line that ends with Ctrl-C.
const ENDLESS: &str = "until Ctrl-C";

/// What a document says to type.
struct Block {
    document: String,
    /// As it stands there, for messages.
    text: String,
    script: String,
    expected: Expected,
}

enum Expected {
    /// All lines end with 0, and `arm-pmu check` prints this number of reports.
    Success { reports: usize },
    /// This is printed, but for numbers.
    Output(String),
}

/// # Errors
///
/// If a line ends with another status than 0, or prints something else than the document says.
pub fn test(root: &Path, guest: &Guest) -> Result<()> {
    let boards = board::all();
    let board = board::find(&boards, "cci400-r1")?;
    let mut blocks = Vec::new();
    for document in documents::all(root) {
        blocks.extend(on_board(&document));
        for (command, output) in consoles(&document) {
            blocks.push(Block {
                document: document.path.clone(),
                script: format!("{}{}", prepared(&command, board)?, quick(&command)),
                text: command,
                expected: Expected::Output(output),
            });
        }
    }
    if blocks.len() < 10 {
        bail!("the documents have {} blocks to type on a board", blocks.len());
    }
    let commands: Vec<_> = blocks.iter().map(|block| format!("{FOLDER}{}", block.script)).collect();
    let outputs = guest.run(board, &commands)?;
    let mut failed = 0;
    for (block, output) in blocks.iter().zip(&outputs) {
        if let Err(why) = block.compare(output.status, &output.text) {
            errln!("{}: `{}`: {why:#}; it printed:\n{}", block.document, block.text, output.text);
            failed += 1;
        }
    }
    if failed > 0 {
        bail!("{failed} of {} blocks of the documents do not run", blocks.len());
    }
    outln!("{} blocks of guides and README run on the board", blocks.len());
    Ok(())
}

impl Block {
    fn compare(&self, status: u8, text: &str) -> Result<()> {
        match &self.expected {
            Expected::Success { reports } => {
                ensure!(status == 0, "status {status}");
                // Checks the messages of the shell and of the command: a later program can hide a failed status.
                ensure!(!text.contains("not found"), "a program is missing");
                ensure!(!text.lines().any(|line| line.starts_with("arm-pmu: ")), "a message");
                let printed =
                    text.lines().filter(|line| REPORTS.iter().any(|first| line.starts_with(first)));
                let printed = printed.count();
                ensure!(printed == *reports, "{printed} reports of `arm-pmu check`, not {reports}");
            }
            Expected::Output(expected) => {
                let (found, expected) = (without_numbers(text), without_numbers(expected));
                ensure!(found == expected, "without numbers, expected is\n{}", expected.join("\n"));
            }
        }
        Ok(())
    }
}

/// The blocks of a document that are typed on a board.
fn on_board(document: &Document) -> Vec<Block> {
    let block = |lines: String| Block {
        document: document.path.clone(),
        script: lines.lines().map(typed).collect::<Vec<_>>().join(" && "),
        expected: Expected::Success { reports: lines.matches("arm-pmu check").count() },
        text: lines,
    };
    document.code("sh board").into_iter().map(block).collect()
}

/// A line as it runs here.
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

/// With less memory, which takes less time.
fn quick(command: &str) -> String {
    match command.contains("--size ") {
        true => command.to_owned(),
        false => command.replace("arm-pmu check", "arm-pmu check --size 4"),
    }
}

/// The commands of blocks of `console board`, each with its output.
fn consoles(document: &Document) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in document.code("console board").iter().flat_map(|block| block.lines()) {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    commands
}

/// What has to be there before a command of `console board`.
///
/// # Errors
///
/// If the board lacks a PMU.
fn prepared(command: &str, board: &Board) -> Result<String> {
    if command.contains("--base 0x5fa00000") {
        // PMCR of a CCI-400 with four counters, in memory that nothing uses.
        return Ok("device 5fa00100=2000 > /dev/null; ".to_owned());
    }
    if command.contains("--device all") {
        // The device adds the lowest byte of SMR0, plus 1, in each millisecond: 0x43, and 0x100 without a filter.
        let tbu = board.pmu("smmuv3_pmcg_5f320").context("a TBU")?;
        let counter = tbu.counters[0].value_address();
        let work = format!("#!/bin/sh\\nexec device \"~600:5f320a00,0,{counter}\"\\n");
        return Ok(format!("printf '{work}' > work; "));
    }
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\n```sh board\none\ntwo   # a remark\n```\n```sh\nno\n```\n```sh board\n\
                        three  # until Ctrl-C\n```\n```sh board\narm-pmu check > a; cat a\n```\n\
                        ```console board\n$ four\n  12 of\n$ five\n```\n";

    fn document() -> Document {
        Document { path: "a guide".to_owned(), text: TEXT.to_owned() }
    }

    #[test]
    fn blocks_for_a_board_are_found() {
        let scripts: Vec<_> = on_board(&document()).into_iter().map(|block| block.script).collect();
        assert_eq!(
            scripts,
            [
                "one && two",
                "{ three & sleep 2; kill -INT $!; wait $!; }",
                "{ arm-pmu check --size 4 > a; cat a; [ $? -le 1 ]; }"
            ]
        );
        let expected = [("four", "  12 of\n"), ("five", "")];
        assert_eq!(
            consoles(&document()),
            expected.map(|(one, other)| (one.to_owned(), other.to_owned()))
        );
    }

    #[test]
    fn a_failure_before_another_command_is_found() {
        let blocks = on_board(&document());
        let of = |number: usize, status, text: &str| blocks[number].compare(status, text).is_ok();
        assert!(of(0, 0, "anything\n") && !of(0, 1, "") && !of(0, 0, "sh: two: not found\n"));
        // The status is from `cat`.
        let message = "arm-pmu: --platform zynqpm: there is no such platform\n";
        assert!(!of(2, 0, message) && !of(2, 0, ""));
        assert!(of(2, 0, &format!("{}\nboard     a board\n", REPORTS[0])));
        assert!(!of(2, 0, &format!("{}\n{message}", REPORTS[0])));
        assert!(of(2, 0, "{\n  \"tool\": \"arm-pmu 0\",\n"));
    }

    #[test]
    fn outputs_are_compared_but_for_numbers() {
        let output = |text: &str| Block {
            document: String::new(),
            text: String::new(),
            script: String::new(),
            expected: Expected::Output(text.to_owned()),
        };
        let stored = output("~66,928  51 %  TRANSACTION\n");
        assert!(stored.compare(0, " ~1,2    3 %  TRANSACTION\n").is_ok());
        assert!(stored.compare(0, "66,928  51 %  TRANSACTION\n").is_err());
        assert!(stored.compare(0, "").is_err());
    }
}

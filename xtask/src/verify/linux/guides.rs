//! The guides: what they say to type on a board has to run.
//!
//! Each block of `sh board` in `guides/` is run as root, in a folder with a program `work`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::board;
use super::guest::Guest;
use crate::output::{errln, outln};

/// A folder as a user has it.
const FOLDER: &str = "export NO_COLOR=1; rm -rf /tmp/guide; mkdir /tmp/guide; cd /tmp/guide; \
                      printf '#!/bin/sh\\nexec work 1000000\\n' > work; chmod +x work; ";

/// # Errors
///
/// If a line ends with another status than 0.
pub fn test(root: &Path, guest: &Guest) -> Result<()> {
    let mut blocks = Vec::new();
    for file in fs::read_dir(root.join("guides")).context("guides")? {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).context("a guide")?;
        blocks.extend(on_board(&text).into_iter().map(|block| (name.clone(), block)));
    }
    if blocks.is_empty() {
        bail!("no guide has anything to type on a board");
    }
    let boards = board::all();
    let commands: Vec<_> = blocks.iter().map(|(_, block)| format!("{FOLDER}{block}")).collect();
    let outputs = guest.run(board::find(&boards, "cci400-r1")?, &commands)?;
    let mut failed = 0;
    for ((name, block), output) in blocks.iter().zip(&outputs) {
        // A shell that does not find a program says so, whatever follows.
        if output.status != 0 || output.text.contains("not found") {
            errln!("{name}: `{block}` ended with {}:\n{}", output.status, output.text);
            failed += 1;
        }
    }
    if failed > 0 {
        bail!("{failed} of {} blocks of the guides do not run", blocks.len());
    }
    outln!("{} blocks of the guides run on the board", blocks.len());
    Ok(())
}

/// The blocks of a guide that are typed on a board, each as one line.
fn on_board(text: &str) -> Vec<String> {
    let blocks = text.split("\n```sh board\n").skip(1);
    let lines = blocks.filter_map(|rest| rest.split("\n```").next());
    lines.map(|lines| lines.lines().collect::<Vec<_>>().join(" && ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_for_a_board_are_found() {
        let text = "a\n```sh board\none\ntwo\n```\n```sh\nno\n```\n```sh board\nthree\n```\n";
        assert_eq!(on_board(text), ["one && two", "three"]);
    }
}

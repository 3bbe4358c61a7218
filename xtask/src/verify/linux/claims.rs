//! Claims about Linux: commands for a guest, with the required output. The claims are in
//! `xtask/linux/claims`, with register values from manuals, not from the specs.
//!
//! ```text
//! = cci400-r1 cci400-r0
//! # A promise.
//! $ a line of a shell
//! > its next line
//! what it prints; `[..]` stands for any part of a line
//! ```
//!
//! Each named board boots and runs the commands of its section.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use regex::Regex;

use super::board::{self, Board};
use super::guest::{Guest, Output};
use super::script::{self, Entry};
use anstream::eprintln as errln;

/// Folder of the claims. Each kind of guest has a subfolder, named like its architecture in Debian.
const FOLDER: &str = "xtask/linux/claims";

/// Checks the output of a command.
pub type Check = Box<dyn Fn(&Output) -> Result<()>>;

pub struct Claim {
    pub promise: String,
    /// The command as it stands in the file or document.
    pub command: String,
    pub script: String,
    pub check: Check,
}

/// Claims of one boot.
pub struct Boot {
    pub board: Board,
    pub claims: Vec<Claim>,
}

/// Returns all claims for a kind of guest.
///
/// # Errors
///
/// Returns an error if a file with claims cannot be read or is malformed.
pub fn all(root: &Path, architecture: &str) -> Result<Vec<Boot>> {
    let folder = root.join(FOLDER).join(architecture);
    let files = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut files = files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    files.sort();
    let mut boots = Vec::new();
    for file in files {
        let name = || file.display().to_string();
        let text = fs::read_to_string(&file).with_context(name)?;
        for section in script::parse(&text).with_context(name)? {
            for board in &section.boards {
                let board = board::find(root, board).with_context(name)?;
                let claims = section.entries.iter().map(Claim::new);
                match boots.iter_mut().find(|boot: &&mut Boot| boot.board.name == board.name) {
                    Some(boot) => boot.claims.extend(claims),
                    None => {
                        let claims = claims.collect();
                        boots.push(Boot { board, claims });
                    }
                }
            }
        }
    }
    Ok(boots)
}

impl Claim {
    fn new(entry: &Entry) -> Self {
        let Entry { remark: promise, command, below } = entry.clone();
        let check = Box::new(move |output: &Output| compare(&below, output));
        Self { promise, script: command.clone(), command, check }
    }
}

fn compare(expected: &str, Output { status, text }: &Output) -> Result<()> {
    let any = regex::escape(expected).replace(r"\[\.\.\]", ".*");
    let is_expected = Regex::new(&format!("^{any}$"))?.is_match(text);
    ensure!(is_expected, "expected:\n{expected}printed, with status {status}:\n{text}");
    Ok(())
}

/// Runs all claims, and lists the claims that do not hold.
///
/// # Errors
///
/// Returns an error if a claim does not hold, or if a guest does not finish.
pub fn hold(guest: &Guest, boots: &[Boot]) -> Result<()> {
    let commands: Vec<_> = boots
        .iter()
        .map(|boot| (&boot.board, boot.claims.iter().map(|claim| claim.script.clone()).collect()))
        .collect();
    let outputs = guest.run_all(&commands)?;
    let (mut held, mut failed) = (0, 0);
    for (boot, outputs) in boots.iter().zip(&outputs) {
        for (claim, output) in boot.claims.iter().zip(outputs) {
            if let Err(why) = (claim.check)(output) {
                failed += 1;
                let Claim { promise, command, .. } = claim;
                errln!("{}: not true: {promise}\n{command}{why:#}\n", boot.board.name);
            } else {
                held += 1;
            }
        }
    }
    if failed > 0 {
        bail!("{failed} of {} claims about Linux do not hold", held + failed);
    }
    let (boots, Guest { kernel, qemu, .. }) = (boots.len(), guest);
    outln!("{held} claims hold in {boots} guests on kernel {kernel}, {qemu}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_compared_line_by_line() {
        let output = |text: &str| Output { status: 0, text: text.to_owned() };
        let holds = |text| compare("1\na[..]c[..]\n", &output(text)).is_ok();
        assert!(holds("1\nabc\n") && holds("1\nacbcd\n"));
        assert!(!holds("1\nabd\n") && !holds("1\nabc\n2\n") && !holds("1\n") && !holds("abc\n1\n"));
    }
}

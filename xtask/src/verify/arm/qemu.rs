//! Runs the test images on QEMU machines.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail, ensure};

use super::image::{IMAGES, Image};
use super::missing::or_skip;
use super::toolchain::Toolchain;
use crate::command::{Program, output};
use anstream::eprintln as errln;

/// Oldest QEMU that is known to count on a Cortex-A8; 7.2 never counts there. `.ci/run` installs
/// it.
const OLDEST: u32 = 10;

/// Time limit for an image. An image takes less than a second, but needed two minutes on a busy machine.
const LIMIT: Duration = Duration::from_secs(300);

/// Arguments for all machines: no devices except a console. An image outputs its text and exit
/// status by semihosting.
const COMMON: [&str; 12] = [
    "-nographic",
    "-audio",
    "none",
    "-nic",
    "none",
    "-serial",
    "none",
    "-monitor",
    "none",
    "-semihosting-config",
    "enable=on,target=native",
    "-kernel",
];

/// Builds each image, or only `one`, and runs it on its machines. A missing tool is printed; in CI, it is an error.
///
/// # Errors
///
/// Runs all images, and then returns an error if a check failed or an image did not end.
pub fn test(root: &Path, one: Option<&str>) -> Result<()> {
    let mut failed = Vec::new();
    let selected = || IMAGES.iter().filter(|image| one.is_none_or(|name| image.name == name));
    ensure!(selected().next().is_some(), "there is no such image");
    for image in selected() {
        let tools = Toolchain::of_figures(root, image.target)
            .and_then(|toolchain| usable(image.emulator).map(|()| toolchain));
        let Some(toolchain) = or_skip(image.name, tools)? else { continue };
        let file = image.build(root, &toolchain)?;
        for (board, core) in image.machines() {
            let title = format!("{} on {board}, {core}", image.name);
            outln!("{title}");
            if let Err(problem) = run(image, board, &core, &file) {
                errln!("{title}: {problem:#}");
                failed.push(title);
            }
        }
    }
    if !failed.is_empty() {
        bail!("failed: {}", failed.join("; "));
    }
    Ok(())
}

/// Runs an image until it ends, and prints its output.
fn run(image: &Image, board: &str, core: &str, file: &Path) -> Result<()> {
    let mut last_line = String::new();
    let status = Program::new(image.emulator)
        .arguments(["-M", board, "-cpu", core])
        // Each instruction takes the same time, so that each run has the same counts.
        .arguments(["-icount".to_owned(), format!("shift={},sleep=off", image.shift)])
        .arguments(COMMON)
        .arguments([file])
        .run_within(LIMIT, |line| {
            outln!("  {line}");
            line.clone_into(&mut last_line);
        })?;
    if !status.success() {
        bail!("ended with {status}");
    }
    // QEMU also ends with status 0 for other reasons.
    if !last_line.ends_with(" checks, 0 failed") {
        bail!("ended before its last check");
    }
    Ok(())
}

/// Checks that QEMU is installed and new enough.
///
/// # Errors
///
/// Returns the reason if QEMU is missing or too old.
pub fn usable(emulator: &str) -> Result<(), String> {
    let text = output(emulator, &["--version"]).ok_or_else(|| format!("there is no {emulator}"))?;
    let version = version(&text).ok_or_else(|| format!("{emulator} has no version"))?;
    if version < OLDEST {
        return Err(format!(
            "{emulator} has version {version}; the oldest version known to count on a Cortex-A8 is {OLDEST}"
        ));
    }
    Ok(())
}

/// Returns the major version: 10 for `QEMU emulator version 10.0.2 (..)`.
fn version(text: &str) -> Option<u32> {
    let number = text.split_once("version ")?.1.split('.').next()?;
    number.parse().ok()
}

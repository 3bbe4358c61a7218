//! Tests the first steps of a user with C firmware: runs each command of the guide, from making the
//! header to printing a count.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::command::{Program, output};
use crate::verify::arm::{qemu_is_usable, skip};
use crate::verify::built;

/// Guide for using the header in a program without an operating system, on QEMU.
const GUIDE: &str = "guides/c.md";

/// Name that the guide uses for the folder.
const FOLDER: &str = "../count";

/// Follows the guide, with the command of this workspace.
pub fn in_c(root: &Path) -> Result<()> {
    let compiler = output("aarch64-linux-gnu-gcc", &["--version"]);
    let compiler = compiler.ok_or_else(|| "aarch64-linux-gnu-gcc is missing".to_owned());
    if let Err(missing) = compiler.and_then(|_| qemu_is_usable("qemu-system-aarch64")) {
        return skip("the first steps in C", &missing);
    }
    let program = built::program(root, "arm-pmu")?;
    let folder = program.parent().context("a program without a folder")?;
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").context("a path")?);
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let place = directory.path().join("count");
    let root = fs::canonicalize(root)?;
    let mut last = String::new();
    for line in documents::read(&root, GUIDE).shell_lines() {
        outln!("$ {line}");
        // The first line runs in the checkout, and the others in the folder that it created.
        let within = if line.contains(FOLDER) { &root } else { &place };
        let line = line.replace(FOLDER, &place.to_string_lossy());
        last = Program::shell(&line).directory(within).env("PATH", &path).output()?;
    }
    // Two instructions in each of 1000 iterations, and a few around the loop.
    let count: u64 = last.trim().parse().with_context(|| format!("it printed: {last}"))?;
    ensure!((2_000..2_020).contains(&count), "it counted {count} instructions");
    Ok(())
}

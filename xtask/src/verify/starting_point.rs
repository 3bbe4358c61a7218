//! `starting-point/`, as a user has it: copied to a directory of its own, built and run with `cargo run`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::command::cargo;
use crate::generate::load;
use crate::output::outln;
use crate::verify::arm::{Toolchain, qemu_is_usable, skip};

/// Targets, with the emulator that the project names for each.
const TARGETS: [(&str, &str); 2] =
    [("aarch64-unknown-none", "qemu-system-aarch64"), ("armv7a-none-eabi", "qemu-system-arm")];

/// What it prints, with `#` for each number: they depend on the compiler.
const PRINTED: [&str; 3] = ["# INST_RETIRED", "# cycles", "instructions per cycle: #.# (# / #)"];

/// What `check` prints of each event: the pass, its name, and the verdict. QEMU counts these, and more of a Cortex-A7 than
/// it does.
const CHECKED: [&str; 4] = [
    "software SW_INCR right",
    "read INST_RETIRED right",
    "write INST_RETIRED right",
    "read CPU_CYCLES right",
];

/// The fewest instructions of the work: each turn of its loop takes several.
const INSTRUCTIONS: u64 = 1_000 * 3;

/// How long a program may run. It takes less than a second, on a busy machine much longer.
const LIMIT: Duration = Duration::from_secs(300);

/// Copies the project, runs it for each target, and compares what it prints.
///
/// # Errors
///
/// If it does not build, prints something else, or is not formatted.
pub fn test(root: &Path) -> Result<()> {
    let copy = root.join("target/starting-point");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    copied(root, &copy)?;
    cargo(&copy, &["fmt", "--check"]).run()?;
    cargo(root, &["fetch"]).run()?;
    let arguments = offline(root)?;
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    for (target, emulator) in TARGETS {
        let missing = Toolchain::of_figures(root, target)
            .and_then(|toolchain| qemu_is_usable(emulator).map(|()| toolchain));
        let toolchain = match missing {
            Ok(toolchain) => toolchain,
            Err(missing) => {
                skip(&format!("the starting point for {target}"), &missing)?;
                continue;
            }
        };
        let cargo = |subcommand| {
            let cargo = toolchain.cargo(&copy, subcommand, &arguments);
            cargo.env("CARGO_TARGET_DIR", root.join("target/arm"))
        };
        cargo("build").run()?;
        let run = |program| -> Result<Vec<String>> {
            let mut lines = Vec::new();
            let run = cargo("run").arguments(["--bin", program]);
            let status = run.run_within(LIMIT, |line| lines.push(line.to_owned()))?;
            outln!("{target}, {program}, which ended with {status}:");
            // Cargo says first which patches were not needed for this target.
            lines.retain(|line| !line.starts_with("warning: ") && !line.starts_with("help: "));
            outln!("{}", lines.join("\n"));
            Ok(lines)
        };
        let lines = run("starting-point")?;
        compare(&lines[lines.len().saturating_sub(PRINTED.len())..])?;
        compare_check(&run("check")?)?;
    }
    Ok(())
}

/// Arguments of Cargo, as if the registry had our packages, and with nothing loaded.
///
/// # Errors
///
/// If the specs cannot be read.
pub fn offline(root: &Path) -> Result<Vec<String>> {
    let mut patches = ["--quiet", "--offline"].map(str::to_owned).to_vec();
    for name in packages(root)? {
        let path = root.join("crates").join(&name);
        patches.extend(["--config".to_owned(), format!("patch.crates-io.{name}.path={path:?}")]);
    }
    Ok(patches)
}

/// The packages of the workspace that the project needs: drivers, and what these need.
fn packages(root: &Path) -> Result<Vec<String>> {
    let mut packages =
        ["arm-pmu-core", "arm-pmu-derive", "arm-pmu-sim"].map(str::to_owned).to_vec();
    packages.extend(load::crates(root)?);
    Ok(packages)
}

/// Copies the project, with the versions of other packages that are there already.
///
/// # Errors
///
/// If a file cannot be read or written.
pub fn copied(root: &Path, to: &Path) -> Result<()> {
    copy_files(&root.join("starting-point"), to)?;
    fs::copy(root.join("Cargo.lock"), to.join("Cargo.lock"))?;
    Ok(())
}

/// Copies a folder, without what a run in place has left.
fn copy_files(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if ["target", "Cargo.lock"].iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if path.is_dir() {
            copy_files(&path, &to)?;
        } else {
            fs::copy(&path, &to)?;
        }
    }
    Ok(())
}

/// Whether these are the lines of a measurement that counted.
fn compare(lines: &[String]) -> Result<()> {
    let found: Vec<_> = lines.iter().map(|line| without_numbers(line)).collect();
    if found != PRINTED {
        bail!("it printed, without the numbers: {found:#?}");
    }
    for line in &lines[..2] {
        let count: u64 = line.split_whitespace().next().unwrap_or_default().parse()?;
        if count < INSTRUCTIONS {
            bail!("it counted too little: {line}");
        }
    }
    Ok(())
}

/// Whether all that QEMU counts is right, and nothing else is.
fn compare_check(lines: &[String]) -> Result<()> {
    let words =
        |line: &String| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
    let rows = lines.iter().map(words).filter(|words| {
        words.first().is_some_and(|pass| ["software", "read", "write"].contains(&pass.as_str()))
    });
    let rows: Vec<_> = rows.collect();
    let ended = |end: &str| -> Vec<String> {
        let rows = rows.iter().filter(|row| row.last().is_some_and(|last| last == end));
        rows.map(|row| format!("{} {} {end}", row[0], row[1])).collect()
    };
    if ended("right") != CHECKED || rows.len() != CHECKED.len() + NOT_COUNTED {
        bail!("`check` printed: {lines:#?}");
    }
    // Software increments are exact, and so is what is behind the `expected` of an instruction to within the limits.
    let exact = |row: &&Vec<String>| row[2] == row[5];
    if rows.iter().filter(exact).count() < 3 {
        bail!(
            "software increments, and the instructions of both passes, have to be counted exactly: {rows:#?}"
        );
    }
    if !lines.last().is_some_and(|line| line.starts_with("4 right, ")) {
        bail!("the last line of `check` is {:?}", lines.last());
    }
    Ok(())
}

/// Events of `check` that QEMU does not count.
const NOT_COUNTED: usize = 12;

/// The words of a line, with `#` for each number.
fn without_numbers(line: &str) -> String {
    let mut text = String::new();
    for letter in line.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match letter {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            _ => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_compared_by_their_form() {
        let lines = |count: &str| {
            let of_counts = format!("instructions per cycle: 1.000  ({count} / {count})");
            [format!("   {count}  INST_RETIRED"), format!("   {count}  cycles"), of_counts]
        };
        assert!(compare(&lines("5000")).is_ok());
        assert!(compare(&lines("12")).unwrap_err().to_string().contains("too little: "));
        let refused = compare(&["no driver: another device".to_owned()]).unwrap_err().to_string();
        assert!(refused.contains("no driver"), "{refused}");
    }
}

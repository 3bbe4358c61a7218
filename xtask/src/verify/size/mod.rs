//! `cargo xtask size`: compares the size of a program that measures one event, in Rust and in C.
//!
//! Both programs are optimized for size and linked without unused code; Rust uses `lto` and one codegen
//! unit, as usual for firmware. The C files were written for this comparison: they have the same
//! guarantees, for the same number of counters, configured at run time.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use object::{File, Object, ObjectSection};

use crate::command::{Program, output};
use crate::generate::load::load;
use crate::verify::arm::{Toolchain, or_skip};

#[derive(clap::Args)]
pub struct Arguments {
    /// Fail if a program is larger than its bound, or contains the name of an event
    #[arg(long)]
    check: bool,
}

/// Pairs of a Rust program (`xtask/size/src/bin`) and a C program (`xtask/size/c`). A row has the IP, the target, and
/// the bound: the maximum `.text` in Rust, in percent of `.text` in C. The bound is a little above the result with
/// rustc 1.96 and GCC 12. The goal is at most 110, and all programs reach it. Lower the bound when a driver becomes
/// smaller.
const PAIRS: [(&str, &Target, u64); 5] = [
    ("arm11", &ARMV6, 81),
    ("cci400", &ARMV8, 80),
    ("cci550", &ARMV8, 94),
    ("cortex-a8", &ARMV7, 88),
    ("mmu600", &ARMV8, 89),
];

/// A target for Rust, with the C compiler and its options for this target. Debian's compiler uses hard float by
/// default; firmware for these cores usually does not.
struct Target {
    name: &'static str,
    compiler: &'static str,
    options: &'static [&'static str],
}

const ARMV6: Target = Target {
    name: "armv6-none-eabi",
    compiler: "arm-linux-gnueabihf-gcc",
    options: &["-marm", "-mcpu=arm1176jz-s", "-mfloat-abi=soft"],
};
const ARMV7: Target = Target {
    name: "armv7a-none-eabi",
    compiler: "arm-linux-gnueabihf-gcc",
    options: &["-marm", "-mcpu=cortex-a8", "-mfloat-abi=soft"],
};
const ARMV8: Target = Target {
    name: "aarch64-unknown-none",
    compiler: "aarch64-linux-gnu-gcc",
    options: &["-mgeneral-regs-only"],
};

/// Build settings of Rust.
const PROFILE: [(&str, &str); 5] = [
    ("OPT_LEVEL", "s"),
    ("LTO", "fat"),
    ("CODEGEN_UNITS", "1"),
    ("DEBUG", "false"),
    // Symbols are stripped, because function names are not part of the program on the device.
    ("STRIP", "symbols"),
];

/// Build settings of C.
const C: [&str; 11] = [
    "-Os",
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-ffreestanding",
    "-nostdlib",
    "-static",
    "-ffunction-sections",
    "-fno-asynchronous-unwind-tables",
    "-Wl,--gc-sections,--build-id=none",
];

/// # Errors
///
/// Returns an error if a program does not build; with `--check`, also if a program is too large or
/// contains an event name.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let names = event_names(root)?;
    let mut problems = Vec::new();
    outln!(
        "{:10} {:>6} {:>6} {:>6} {:>6}  {:>8} {:>8}",
        "bytes of",
        ".text",
        "in C",
        "ratio",
        "bound",
        ".rodata",
        "in C"
    );
    for (ip, target, percent) in PAIRS {
        // The Rust program, the C program and the C file have this name.
        let name = ip.replace('-', "_");
        let Some(toolchain) = or_skip(ip, usable(root, target))? else { continue };
        let rust = build(root, &name, &toolchain)?;
        let c = compile(root, &name, target)?;
        let program = fs::read(rust)?;
        let ([text, rodata], [text_in_c, rodata_in_c]) =
            (sections(&program)?, sections(&fs::read(c)?)?);
        outln!(
            "{:10} {text:>6} {text_in_c:>6} {:>6.2} {:>6.2}  {rodata:>8} {rodata_in_c:>8}",
            ip,
            text as f64 / text_in_c as f64,
            percent as f64 / 100.0,
        );
        if text * 100 > text_in_c * percent {
            problems.push(format!("{}: more than {} % of C", ip, percent));
        }
        let program = String::from_utf8_lossy(&program);
        for name in names.iter().filter(|name| program.contains(*name)) {
            problems.push(format!("{}: the program contains the name of the event {name}", ip));
        }
    }
    if arguments.check && !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(())
}

/// Runs `cargo xtask size --check`.
///
/// # Errors
///
/// As [`run`].
pub fn check(root: &Path) -> Result<()> {
    run(root, &Arguments { check: true })
}

/// Returns the toolchain for the Rust program if both programs can be built; otherwise the missing
/// tool.
fn usable(root: &Path, Target { name, compiler, .. }: &Target) -> Result<Toolchain, String> {
    output(compiler, &["--version"]).ok_or_else(|| format!("there is no {compiler}"))?;
    Toolchain::of_figures(root, name)
}

fn build(root: &Path, name: &str, toolchain: &Toolchain) -> Result<PathBuf> {
    let name = format!("size_{name}");
    let selected = ["--package", "size", "--features", "program", "--bin", &name];
    let arguments = [&["--quiet", "--release"][..], &selected].concat();
    let mut program = toolchain.cargo(root, "build", &arguments);
    for (setting, value) in PROFILE {
        program = program.env(&format!("CARGO_PROFILE_RELEASE_{setting}"), value);
    }
    program.run()?;
    Ok(toolchain.program(root, "release", &name))
}

fn compile(root: &Path, name: &str, target: &Target) -> Result<PathBuf> {
    let directory = root.join("target/size");
    fs::create_dir_all(&directory)?;
    let program = directory.join(name);
    let source = root.join("xtask/size/c").join(format!("{name}.c"));
    Program::new(target.compiler)
        .arguments(C)
        .arguments(target.options)
        .arguments([source.as_path(), Path::new("-o"), &program])
        .run()?;
    Ok(program)
}

/// Returns the bytes of `.text` and of `.rodata`, including parts such as `.rodata.str1`.
fn sections(program: &[u8]) -> Result<[u64; 2]> {
    let program = File::parse(program)?;
    let sizes = [".text", ".rodata"].map(|name| {
        let is_part = |other: &str| {
            other.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let sections = program.sections().filter(|section| section.name().is_ok_and(is_part));
        sections.map(|section| section.size()).sum()
    });
    ensure!(sizes[0] != 0, "the .text sections of a program are missing or empty");
    Ok(sizes)
}

/// Returns the event names that no program should contain. Short names may occur by chance.
fn event_names(root: &Path) -> Result<Vec<String>> {
    let loaded = load(root)?;
    let groups = loaded.ips.iter().flat_map(|ip| &ip.groups);
    let names = groups.flat_map(|group| &group.events).map(|event| event.name.clone());
    // The same event may belong to several IPs.
    let names: BTreeSet<_> = names.filter(|name| name.len() > 5).collect();
    Ok(names.into_iter().collect())
}

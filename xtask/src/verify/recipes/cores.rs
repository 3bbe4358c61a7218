//! Tests the headers of cores: compiles them as C and C++, and runs them on QEMU, where they must count as many
//! instructions as the drivers count in the images.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::Bench;
use crate::command::Program;
use crate::generate::load::load;
use crate::generate::model::{Ip, Space};

const WARNINGS: [&str; 7] =
    ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef", "-pedantic-errors", "-Werror"];

/// An architecture.
struct Target {
    has: fn(&Ip) -> bool,
    gcc: &'static str,
    options: &'static [&'static str],
    clang: &'static str,
    emulator: &'static str,
}

const AARCH64: Target = Target {
    has: |ip| ip.registers.iter().any(|register| register.name == "PMCR_EL0"),
    gcc: "aarch64-linux-gnu-gcc",
    options: &["-mgeneral-regs-only"],
    clang: "--target=aarch64-none-elf",
    emulator: "qemu-system-aarch64",
};
/// The assembly of an ARM11 is valid for ARMv7 too.
const ARM: Target = Target {
    has: |ip| matches!(ip.space, Space::Cp15),
    gcc: "arm-linux-gnueabihf-gcc",
    options: &["-marm", "-mfloat-abi=soft"],
    clang: "--target=armv7a-none-eabi",
    emulator: "qemu-system-arm",
};

/// A core of QEMU: its name, its target, a board, and an address in the board's RAM. There are PMUv3 cores without and
/// with 64-bit event counters, and each core of the other architectures.
type Machine = (&'static str, &'static Target, &'static str, u32);

const MACHINES: [Machine; 7] = [
    ("cortex-a55", &AARCH64, "virt", 0x4020_0000),
    ("neoverse-n2", &AARCH64, "virt", 0x4020_0000),
    ("cortex-a7", &ARM, "virt", 0x4020_0000),
    ("cortex-a8", &ARM, "realview-pb-a8", 0x7001_0000),
    ("cortex-a9", &ARM, "realview-pbx-a9", 0x7001_0000),
    ("arm1136", &ARM, "versatilepb", 0x1_0000),
    ("arm1176", &ARM, "versatilepb", 0x1_0000),
];

const LIMIT: Duration = Duration::from_secs(60);

pub fn test(bench: &Bench) -> Result<()> {
    for target in [&AARCH64, &ARM] {
        compile_together(bench, target)?;
    }
    for machine in &MACHINES {
        for is_privileged in [true, false] {
            // QEMU has no counters of an ARM11.
            if is_privileged || !machine.0.starts_with("arm11") {
                run(bench, machine, is_privileged)
                    .with_context(|| format!("{}, privileged: {is_privileged}", machine.0))?;
            }
        }
    }
    outln!("headers of cores count on {}", MACHINES.map(|machine| machine.0).join(", "));
    Ok(())
}

/// Name of the core in C.
fn prefix(core: &str) -> String {
    core.replace('-', "_")
}

fn write_header(bench: &Bench, core: &str) -> Result<String> {
    let file = format!("{}_pmu.h", prefix(core));
    let header = Program::new(&bench.program).arguments(["recipe", core, "--for", "c"]).output()?;
    fs::write(bench.folder.join(&file), header)?;
    Ok(file)
}

/// Compiles the headers of all cores in one file.
fn compile_together(bench: &Bench, target: &Target) -> Result<()> {
    let loaded = load(bench.root)?;
    let [mut privileged, mut unprivileged] = [String::new(), String::new()];
    for ip in loaded.ips.iter().chain(&loaded.generic).filter(|ip| (target.has)(ip)) {
        let units = ip.units.iter().map(|unit| unit.name.as_str());
        let is_single = ip.units.is_empty().then_some(ip.name.as_str());
        for core in units.chain(is_single) {
            let file = write_header(bench, core)?;
            writeln!(privileged, "#include \"{file}\"")?;
            let constant = prefix(core).to_uppercase();
            write!(unprivileged, "#define {constant}_UNPRIVILEGED\n#include \"{file}\"\n")?;
        }
    }
    for text in [privileged, unprivileged] {
        for (compiler, language, options) in [
            (target.gcc, "c99", &[][..]),
            ("clang", "c99", &[target.clang, "-ffreestanding"]),
            ("g++", "c++11", &[]),
            ("clang++", "c++20", &[target.clang, "-ffreestanding"]),
        ] {
            let file = bench.folder.join(if language == "c99" { "all.c" } else { "all.cpp" });
            fs::write(&file, &text)?;
            let standard = format!("-std={language}");
            let arguments = [&WARNINGS[..], options, &["-fsyntax-only", &standard]].concat();
            Program::new(compiler).arguments(arguments).arguments([&file]).run()?;
        }
    }
    Ok(())
}

fn run(bench: &Bench, machine: &Machine, is_privileged: bool) -> Result<()> {
    let (core, target, board, address) = *machine;
    write_header(bench, core)?;
    let constant = prefix(core).to_uppercase();
    let source = fs::read_to_string(bench.root.join("xtask/recipes/core.c"))?;
    let source = source.replace("CORE_", &format!("{constant}_"));
    let [file, object, image] =
        ["core.c", "core.o", "core.elf"].map(|name| bench.folder.join(name));
    fs::write(&file, source.replace("core_", &format!("{}_", prefix(core))))?;
    let define = (!is_privileged).then(|| format!("-D{constant}_UNPRIVILEGED"));
    let common = "-std=gnu99 -Wall -Wextra -Werror -O2 -ffreestanding -fno-pie -c -o".split(' ');
    let cpu = core.strip_prefix("arm11").map_or(core, |_| "arm1176jzf-s");
    let cpu = format!("-mcpu={cpu}");
    let link = format!("-Wl,-Ttext={address:#x},--build-id=none,-e,start");
    for (compiler, own) in [(target.gcc, None), ("clang", Some(target.clang))] {
        let arguments =
            target.options.iter().copied().chain(own).chain([&*cpu]).chain(define.as_deref());
        let arguments = arguments.chain(common.clone());
        Program::new(compiler).arguments(arguments).arguments([&object, &file]).run()?;
        let options = ["-nostdlib", "-static", "-no-pie", &link, "-o"];
        Program::new(target.gcc).arguments(options).arguments([&image, &object]).run()?;
        let status = Program::new(target.emulator)
            .arguments(["-M", board, "-cpu", core, "-icount", "shift=0,sleep=off"])
            .arguments("-display none -serial none -monitor none -nic none -audio none".split(' '))
            .arguments(["-semihosting-config", "enable=on,target=native,userspace=on", "-kernel"])
            .arguments([&image])
            .run_within(LIMIT, |line| outln!("  {line}"))?;
        ensure!(status.success(), "{compiler}: line {:?} of core.c", status.code());
    }
    Ok(())
}

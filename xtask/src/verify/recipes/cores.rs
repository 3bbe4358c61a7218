//! Headers of cores: compiled for C and C++, and run on QEMU, where they count as many instructions as the drivers do in
//! the images.

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
}

const AARCH64: Target = Target {
    has: |ip| ip.registers.iter().any(|register| register.name == "PMCR_EL0"),
    gcc: "aarch64-linux-gnu-gcc",
    options: &["-mgeneral-regs-only"],
    clang: "--target=aarch64-none-elf",
};
/// The assembly of an ARM11 is valid for ARMv7 too.
const ARM: Target = Target {
    has: |ip| matches!(ip.space, Space::Cp15),
    gcc: "arm-linux-gnueabihf-gcc",
    options: &["-marm", "-mfloat-abi=soft"],
    clang: "--target=armv7a-none-eabi",
};

/// A core of QEMU.
struct Machine {
    core: &'static str,
    target: &'static Target,
    emulator: &'static str,
    board: &'static str,
    /// Address in its RAM.
    address: u32,
}

/// Cores without and with 64-bit event counters, and each core of the other architectures.
const MACHINES: [Machine; 7] = [
    Machine { core: "cortex-a55", ..VIRT },
    Machine { core: "neoverse-n2", ..VIRT },
    Machine { core: "cortex-a7", board: "virt", address: VIRT.address, ..REALVIEW },
    Machine { core: "cortex-a8", board: "realview-pb-a8", ..REALVIEW },
    Machine { core: "cortex-a9", board: "realview-pbx-a9", ..REALVIEW },
    Machine { core: "arm1136", ..VERSATILE },
    Machine { core: "arm1176", ..VERSATILE },
];
const VIRT: Machine = Machine {
    core: "",
    target: &AARCH64,
    emulator: "qemu-system-aarch64",
    board: "virt",
    address: 0x4020_0000,
};
const REALVIEW: Machine =
    Machine { target: &ARM, emulator: "qemu-system-arm", address: 0x7001_0000, ..VIRT };
const VERSATILE: Machine = Machine { board: "versatilepb", address: 0x1_0000, ..REALVIEW };

const LIMIT: Duration = Duration::from_secs(60);

pub fn test(bench: &Bench) -> Result<()> {
    for target in [&AARCH64, &ARM] {
        compile_together(bench, target)?;
    }
    for machine in &MACHINES {
        for is_privileged in [true, false] {
            // QEMU has no counters of an ARM11.
            if is_privileged || !machine.core.starts_with("arm11") {
                run(bench, machine, is_privileged)
                    .with_context(|| format!("{}, privileged: {is_privileged}", machine.core))?;
            }
        }
    }
    outln!("headers of cores count on {}", MACHINES.map(|machine| machine.core).join(", "));
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
    let loaded = load(bench.root, &[])?;
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
    let Machine { core, target, emulator, board, address } = *machine;
    write_header(bench, core)?;
    let constant = prefix(core).to_uppercase();
    let source = fs::read_to_string(bench.root.join("xtask/recipes/core.c"))?;
    let source = source.replace("CORE_", &format!("{constant}_"));
    let [file, object, image] =
        ["core.c", "core.o", "core.elf"].map(|name| bench.folder.join(name));
    fs::write(&file, source.replace("core_", &format!("{}_", prefix(core))))?;
    let define = format!("-D{constant}_UNPRIVILEGED");
    let common =
        ["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O2", "-ffreestanding", "-fno-pie", "-c"];
    let cpu = core.strip_prefix("arm11").map_or(core, |_| "arm1176jzf-s");
    let cpu = format!("-mcpu={cpu}");
    for (compiler, own) in [(target.gcc, &[][..]), ("clang", &[target.clang])] {
        let arguments = [&common[..], target.options, own, &[&cpu]].concat();
        Program::new(compiler)
            .arguments(arguments)
            .arguments((!is_privileged).then_some(&define))
            .arguments([&file])
            .arguments(["-o"])
            .arguments([&object])
            .run()?;
        let link = format!("-Wl,-Ttext={address:#x},--build-id=none,-e,start");
        Program::new(target.gcc)
            .arguments(["-nostdlib", "-static", "-no-pie", &link])
            .arguments([&object])
            .arguments(["-o"])
            .arguments([&image])
            .run()?;
        let status = Program::new(emulator)
            .arguments(["-M", board, "-cpu", core, "-icount", "shift=0,sleep=off"])
            .arguments("-display none -serial none -monitor none -nic none -audio none".split(' '))
            .arguments(["-semihosting-config", "enable=on,target=native,userspace=on", "-kernel"])
            .arguments([&image])
            .run_within(LIMIT, |line| outln!("  {line}"))?;
        ensure!(status.success(), "{compiler}: line {:?} of core.c", status.code());
    }
    Ok(())
}

//! Runs recipes in their programs: U-Boot and GDB on QEMU, and C compilers. OpenOCD and xsdb need a
//! debug probe, so the test replaces their commands. `cargo xtask linux` runs the shell script for
//! `devmem`.
//!
//! In U-Boot and GDB, the test also types the commands of `arm-pmu doctor --ask`, and the doctor reads their
//! output.

mod cores;

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::command::Program;
use crate::verify::arm::skip;
use crate::verify::built;

/// Required programs, which `.ci/run install` installs.
const TOOLS: [&str; 10] = [
    "/usr/bin/qemu-system-aarch64",
    "/usr/bin/qemu-aarch64",
    "/usr/bin/aarch64-linux-gnu-gcc",
    "/usr/bin/arm-linux-gnueabihf-gcc",
    "/usr/bin/gcc",
    "/usr/bin/clang",
    "/usr/bin/gdb-multiarch",
    U_BOOT,
    "/usr/bin/jimsh",
    "/usr/bin/tclsh",
];

const U_BOOT: &str = "/usr/lib/u-boot/qemu_arm64/u-boot.bin";
const MACHINE: &str =
    "qemu-system-aarch64 -M virt -cpu cortex-a53 -m 1024 -display none -nodefaults";

const LIMIT: Duration = Duration::from_secs(60);

/// Identification of a TBU, at the addresses of the stored recipes.
const TBU: &[(u64, u32)] = &[
    (0x5F32_0FE0, 0x84),
    (0x5F32_0FE4, 0xB4),
    (0x5F32_0E00, 0x00D0_1F03),
    (0x5F32_0FBC, 0x4770_2A56),
];
/// Registers of a TBU while counter 0 counts clock cycles, without a filter.
const TBU_COUNTING: &[(u64, u32)] = &[
    (0x5F32_0400, 0x2000_0000),
    (0x5F32_0A00, 0xFFFF_FFFF),
    (0x5F32_0C00, 1),
    (0x5F32_0E04, 1),
    (TBU_COUNT, 0),
];
/// Its counter 0.
const TBU_COUNT: u64 = 0x5F33_0000;

/// Identification of a CCI-400, with one flag set, and PMCR.EX set by another owner.
const CCI400: &[(u64, u32)] = &[
    (0x5F09_0FE0, 0x20),
    (0x5F09_0FE4, 0xB4),
    (0x5F09_0FE8, 0x6B),
    (0x5F09_0100, 0x2010),
    (0x5F09_A00C, 1),
];
const CCI400_PMCR: u64 = 0x5F09_0100;
const CCI400_COUNT: u64 = 0x5F09_A004;
const CCI400_CYCLES: u64 = 0x5F09_9004;

/// Registers of a CCI-400 while one event is counted.
const COUNTING: &[(u64, u32)] =
    &[(CCI400_PMCR, 0x2001), (0x5F09_A000, 0x60), (0x5F09_A008, 1), (CCI400_COUNT, 0)];

pub fn test(root: &Path) -> Result<()> {
    if let Some(missing) = TOOLS.iter().find(|file| !Path::new(file).exists()) {
        return skip("recipes", &format!("there is no {missing}: `.ci/run install`"));
    }
    let folder = tempfile::tempdir()?;
    let bench = Bench { root, program: built::program(root, "arm-pmu")?, folder: folder.path() };
    bench.make()?;
    for (name, test) in [
        ("U-Boot", u_boot as fn(&Bench) -> Result<()>),
        ("GDB", gdb),
        ("C", c),
        ("C of cores", cores::test),
        ("Tcl", tcl),
    ] {
        test(&bench).with_context(|| format!("recipes for {name}"))?;
        outln!("recipes for {name} count");
    }
    Ok(())
}

struct Bench<'b> {
    root: &'b Path,
    /// The command `arm-pmu`.
    program: PathBuf,
    /// Folder with the recipes that the command's tests store.
    folder: &'b Path,
}

impl Bench<'_> {
    fn make(&self) -> Result<()> {
        let commands = self.root.join("crates/arm-pmu-cli/tests/recipes/commands.txt");
        for line in fs::read_to_string(commands)?.lines() {
            let (file, arguments) = line.split_once(": ").context("a name and a command")?;
            let recipe = Program::new(&self.program).arguments(["recipe"]);
            fs::write(self.folder.join(file), recipe.arguments(arguments.split(' ')).output()?)?;
        }
        Ok(())
    }

    fn doctor(&self, arguments: &[&str]) -> Result<String> {
        Program::new(&self.program).arguments(["doctor"]).arguments(arguments).output()
    }

    /// Checks the doctor's result for this output.
    fn judge(&self, device: &[&str], output: &str, cause: &str) -> Result<()> {
        let file = tempfile::NamedTempFile::new_in(self.folder)?;
        fs::write(&file, output)?;
        let from = ["--from", &file.path().to_string_lossy()];
        let answer = self.doctor(&[device, &from].concat())?;
        let is_read = answer.contains(cause) && !answer.contains("Not read");
        ensure!(is_read, "{answer}\n{output}");
        Ok(())
    }
}

/// Types lines into U-Boot on QEMU, and returns the screen from the first prompt.
fn type_into_u_boot(lines: &[String]) -> Result<String> {
    let mut machine = Command::new("timeout")
        .arg(LIMIT.as_secs().to_string())
        .args(MACHINE.split(' '))
        .args(["-serial", "stdio", "-bios", U_BOOT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut keyboard = machine.stdin.take().context("no keyboard")?;
    let mut screen = machine.stdout.take().context("no screen")?;
    let mut until = |end: &str| {
        let mut shown = Vec::new();
        while !shown.ends_with(end.as_bytes()) {
            let mut byte = [0];
            let more = screen.read_exact(&mut byte);
            more.with_context(|| format!("no {end:?}: {}", String::from_utf8_lossy(&shown)))?;
            shown.extend(byte);
        }
        anyhow::Ok(String::from_utf8_lossy(&shown).replace('\r', ""))
    };
    // Keys before a prompt can be lost.
    until("Hit any key")?;
    keyboard.write_all(b"\n")?;
    until("=> ")?;
    let mut text = "=> ".to_owned();
    for line in lines {
        keyboard.write_all(format!("{line}\n").as_bytes())?;
        text += &until("=> ")?;
    }
    keyboard.write_all(b"poweroff\n")?;
    ensure!(machine.wait()?.success(), "U-Boot did not end: {text}");
    Ok(text)
}

/// Returns U-Boot lines that store these words.
fn store(words: &[(u64, u32)]) -> Vec<String> {
    words.iter().map(|(address, value)| format!("mw.l {address:x} {value:x}")).collect()
}

/// Returns a part of a recipe for U-Boot with simulated side effects. After each line, the script
/// applies the side effects of the CCI-400, which memory lacks: flags are cleared, and PMCR keeps
/// the number of counters but no command bits.
fn played(part: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in part.lines().skip(1) {
        lines.push(line.to_owned());
        let words = line.strip_prefix("$pmu_go && mw.l ").unwrap_or_default();
        match u64::from_str_radix(words.split(' ').next().unwrap_or_default(), 16) {
            Ok(CCI400_PMCR) => lines.extend([
                format!("setexpr.l held *{CCI400_PMCR:x}"),
                "setexpr.l held ${held} \"&\" 39".to_owned(),
                "setexpr.l held ${held} \"|\" 2000".to_owned(),
                format!("mw.l {CCI400_PMCR:x} ${{held}}"),
            ]),
            Ok(flag @ 0x5F09_9000..0x5F09_E000) if flag & 0xFFF == 0xC => {
                lines.extend(store(&[(flag, 0)]));
            }
            _ => {}
        }
    }
    lines
}

fn u_boot(bench: &Bench) -> Result<()> {
    for (name, identity, count, control, kept) in [
        ("mmu600-tbu.uboot", TBU, TBU_COUNT, 0x5F32_0E04, "0"),
        ("cci400.uboot", CCI400, CCI400_COUNT, CCI400_PMCR, "2010"),
    ] {
        let text = fs::read_to_string(bench.folder.join(name))?;
        let parts: Vec<_> = text.split("# ---- ").skip(1).map(played).collect();
        let [start, read, stop] = parts.as_slice() else {
            anyhow::bail!("{name} does not have three parts")
        };
        let show = |what: &str, address: u64| {
            [format!("setexpr.l found *{address:x}"), format!("echo {what} ${{found}}")].to_vec()
        };
        let counted = |value| store(&[(count, value)]);
        let typed = [
            // Memory without identification.
            start.clone(),
            show("count", count),
            store(identity),
            counted(1000),
            start.clone(),
            counted(5),
            read.clone(),
            counted(7),
            stop.clone(),
            show("kept", control),
            // A second stop finds the PMU already stopped, and prints that the counts are not
            // valid.
            stop.clone(),
        ];
        let screen = type_into_u_boot(&typed.concat())?;
        let shown =
            screen.lines().filter(|line| !line.starts_with("=> ") && !line.contains("cycles"));
        let known = shown.filter_map(|line| match line.split_once(": ") {
            Some((complaint, _)) => Some(complaint),
            None if line.starts_with("0x") => line.split(' ').next(),
            None => Some(line).filter(|line| !line.is_empty()),
        });
        let kept = format!("kept {kept}");
        let first = ["Stopped here", "count 0", "0x5", "0x7"];
        let second = [&*kept, "Counts not valid", "0x7"];
        let expected = first.into_iter().chain(second);
        ensure!(known.clone().eq(expected), "{name}: {:?}\n{screen}", known.collect::<Vec<_>>());
    }
    doctor_in_u_boot(bench)
}

/// Types the doctor's commands while the cycle counter behaves as with NIDEN LOW.
fn doctor_in_u_boot(bench: &Bench) -> Result<()> {
    let cci400 = ["cci400", "--base", "0x5f090000"];
    let mut typed = [store(CCI400), store(COUNTING)].concat();
    let (mut cycles, mut stops) = (0, false);
    for line in bench.doctor(&[&cci400[..], &["--ask", "u-boot"]].concat())?.lines() {
        if !stops {
            cycles += 1000;
            typed.extend(store(&[(CCI400_CYCLES, cycles)]));
        }
        typed.push(line.to_owned());
        if let Some(value) = line.strip_prefix(&format!("mw.l {CCI400_PMCR:x} ")) {
            let value = u32::from_str_radix(value, 16)?;
            // PMCR.DP
            stops = value & 0x20 != 0;
            typed.extend(store(&[(CCI400_PMCR, value & 0x39 | 0x2000)]));
        }
    }
    bench.judge(&cci400, &type_into_u_boot(&typed)?, "1. NIDEN_LOW, decided")?;
    outln!("the doctor reads U-Boot");
    Ok(())
}

/// Runs lines in GDB, which starts QEMU, and returns its output.
fn run_in_gdb(bench: &Bench, lines: &str) -> Result<String> {
    let file = bench.folder.join("script");
    let limit = LIMIT.as_secs();
    let machine = format!("target remote | exec timeout {limit} {MACHINE} -S -gdb stdio");
    fs::write(&file, format!("{machine}\n{lines}"))?;
    let options = ["-q", "-nx", "-batch", "-iex", "set architecture aarch64", "-x"];
    Program::new("gdb-multiarch").arguments(options).arguments([&file]).output()
}

fn gdb(bench: &Bench) -> Result<()> {
    let line = |(at, value): &(u64, u32)| format!("set {{unsigned int}}{at:#x} = {value}\n");
    let store = |words: &[(u64, u32)]| words.iter().map(line).collect::<String>();
    let counted = |value| store(&[(TBU_COUNT, value)]);
    let script = [
        format!("source {}\npmu_start\n", bench.folder.join("mmu600-tbu.gdb").display()),
        format!("printf \"untouched %u %u\\n\", $pmu_ok, {{unsigned int}}{TBU_COUNT:#x}\n"),
        store(TBU) + "pmu_start\n",
        counted(5) + "pmu_read\n",
        counted(7) + "pmu_stop\nprintf \"ok %u\\n\", $pmu_ok\n",
        "pmu_stop\nprintf \"ok %u\\n\", $pmu_ok\n".to_owned(),
    ];
    let text = run_in_gdb(bench, &script.concat())?;
    let known = |line: &&str| {
        let starts = ["Stopped", "Counts", "untouched", "ok"];
        starts.iter().any(|word| line.starts_with(word)) || line.ends_with("TRANSACTION")
    };
    let lines = text.lines().filter(known);
    let lines: Vec<_> =
        lines.map(|line| line.split(" reads ").next().unwrap_or(line).trim()).collect();
    let expected = [
        "Stopped here: PIDR0",
        "untouched 0 0",
        "5  TRANSACTION",
        "7  TRANSACTION",
        "ok 1",
        "Counts not valid: CR",
        "7  TRANSACTION",
        "ok 0",
    ];
    ensure!(lines == expected, "{lines:?} is not {expected:?}\n{text}");
    // The doctor's commands on a TBU that is set to count clock cycles but has no clock.
    let tbu = ["mmu600:tbu", "--base", "0x5f31e000"];
    let asked = bench.doctor(&[&tbu[..], &["--ask", "gdb"]].concat())?;
    let text = run_in_gdb(bench, &(store(TBU) + &store(TBU_COUNTING) + &asked))?;
    bench.judge(&tbu, &text, "1. CLOCK_STANDS_STILL, possible")?;
    outln!("the doctor reads GDB");
    Ok(())
}

/// Generated headers, each with the definitions that make `device.c` act as its device.
const HEADERS: [(&str, &str); 3] = [
    (
        "cci400.h",
        "BASE=0x5F090000u CONTROL=0x100 HELD=0x39u KEPT=0x2010u COUNT=0xA004 FLAGS=0xA00C FLAGS_CLEAR=0xA00C \
         IDENTITY={0xFE0,0x20},{0xFE4,0xB4},{0xFE8,0x6B},{0x100,0x2010}",
    ),
    (
        "cci500.h",
        "BASE=0x5F100000u CONTROL=0x100 HELD=0x39u KEPT=0x4010u COUNT=0x10004 FLAGS=0x1000C FLAGS_CLEAR=0x1000C \
         IDENTITY={0xFE0,0x22},{0xFE4,0xB4},{0x100,0x4010}",
    ),
    (
        "mmu600-tbu.h",
        "BASE=0x5F31E000u CONTROL=0x2E04 HELD=1u KEPT=0u COUNT=0x12000 FLAGS=0x12CC0 FLAGS_CLEAR=0x12C80 \
         IDENTITY={0x2FE0,0x84},{0x2FE4,0xB4},{0x2E00,0xD01F03},{0x2FBC,0x47702A56}",
    ),
];

fn c(bench: &Bench) -> Result<()> {
    let warnings = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-O2"];
    let program = bench.folder.join("program");
    for (header, definitions) in HEADERS {
        let path = bench.folder.join(header);
        for compiler in ["gcc", "clang", "aarch64-linux-gnu-gcc"] {
            let is_foreign = compiler.starts_with("aarch64");
            Program::new(compiler)
                .arguments(warnings)
                .arguments(is_foreign.then_some("-static"))
                .arguments(definitions.split(' ').map(|definition| format!("-D{definition}")))
                .arguments([format!("-DRECIPE=\"{}\"", path.display())])
                .arguments([bench.root.join("xtask/recipes/device.c")])
                .arguments(["-o"])
                .arguments([&program])
                .run()?;
            let run = Program::new(if is_foreign { Path::new("qemu-aarch64") } else { &program });
            run.arguments(is_foreign.then_some(&program)).run()?;
        }
    }
    Ok(())
}

fn tcl(bench: &Bench) -> Result<()> {
    let run = |shell: &str, files: &[&str], counter: &str| {
        let mut script = format!("set counter {{{counter}}}\n");
        for file in files {
            let own = bench.root.join("xtask/recipes").join(file);
            let path = if own.exists() { own } else { bench.folder.join(file) };
            script += &format!("source {}\n", path.display());
        }
        let file = tempfile::NamedTempFile::new()?;
        fs::write(file.path(), script)?;
        let text = Program::new(shell).arguments([file.path()]).output()?;
        let counts: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with(' ') && !line.ends_with("cycles"))
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        ensure!(counts == ["5", "7"] && !text.contains("not valid"), "{files:?}: {text}");
        anyhow::Ok(())
    };
    // OpenOCD uses the Tcl interpreter Jim.
    run("jimsh", &["memory.tcl", "openocd.tcl", "cci400.openocd", "cci400.tcl"], "")?;
    run("jimsh", &["openocd.tcl", "arm1176.openocd", "core.tcl"], "15 12 2")?;
    run("jimsh", &["openocd.tcl", "cortex-a8.openocd", "core.tcl"], "9 13 2")?;
    run("tclsh", &["memory.tcl", "xsdb.tcl", "cci400.xsdb", "cci400.tcl"], "")
}

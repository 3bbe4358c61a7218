//! Runs recipes in the programs that they are for: U-Boot and GDB on QEMU, and C compilers. OpenOCD and
//! xsdb need a debug probe, so their commands have stand-ins. The shell script for `devmem` is run by
//! `cargo xtask linux`.
//!
//! In U-Boot and GDB, the commands of `arm-pmu doctor --ask` are typed too, and the doctor reads their output.

use std::fs;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::command::{Program, output};
use crate::output::outln;
use crate::verify::arm::skip;
use crate::verify::built;

/// Programs that are needed, and Debian's packages of them.
const TOOLS: &[(&str, &str)] = &[
    ("qemu-system-aarch64", "qemu-system-arm"),
    ("qemu-aarch64", "qemu-user"),
    ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
    ("gcc", "gcc"),
    ("clang", "clang"),
    ("gdb-multiarch", "gdb-multiarch"),
];

const U_BOOT: &str = "/usr/lib/u-boot/qemu_arm64/u-boot.bin";
const MACHINE: &[&str] =
    &["-M", "virt", "-cpu", "cortex-a53", "-m", "1024", "-display", "none", "-nodefaults"];
/// Runs all recipes for one program, which are in the second folder.
type Test = fn(&Path, &Path) -> Result<()>;

const LIMIT: Duration = Duration::from_secs(60);

/// Identification of a TBU, at the addresses of the stored recipes.
const TBU: &[(u64, u32)] = &[
    (0x5F32_0FE0, 0x84),
    (0x5F32_0FE4, 0xB4),
    (0x5F32_0E00, 0x00D0_1F03),
    (0x5F32_0FBC, 0x4770_2A56),
];
/// What it has while counter 0 counts clock cycles, without a filter.
const TBU_COUNTING: &[(u64, u32)] = &[
    (0x5F32_0400, 0x2000_0000),
    (0x5F32_0A00, 0xFFFF_FFFF),
    (0x5F32_0C00, 1),
    (0x5F32_0E04, 1),
    (TBU_COUNT, 0),
];
/// Its counter 0.
const TBU_COUNT: u64 = 0x5F33_0000;

/// Identification of a CCI-400, with PMCR.EX of another owner and a flag that is set.
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

/// What a CCI-400 has while one event is counted.
const COUNTING: &[(u64, u32)] =
    &[(CCI400_PMCR, 0x2001), (0x5F09_A000, 0x60), (0x5F09_A008, 1), (CCI400_COUNT, 0)];

/// # Errors
///
/// If a recipe does not count, or does not end where it should.
pub fn test(root: &Path) -> Result<()> {
    for (tool, package) in TOOLS {
        if output(tool, &["--version"]).is_none() {
            return skip(
                "recipes",
                &format!("there is no {tool}; `.ci/run install` installs {package}"),
            );
        }
    }
    for (file, package) in
        [(U_BOOT, "u-boot-qemu"), ("/usr/bin/jimsh", "jimsh"), ("/usr/bin/tclsh", "tcl")]
    {
        if !Path::new(file).exists() {
            return skip(
                "recipes",
                &format!("there is no {file}; `.ci/run install` installs {package}"),
            );
        }
    }
    let recipes = tempfile::tempdir()?;
    make(root, recipes.path())?;
    let recipes = recipes.path();
    // Processes that wait for each other's end.
    thread::scope(|scope| {
        let all: [(&str, Test); 4] = [("U-Boot", u_boot), ("GDB", gdb), ("C", c), ("Tcl", tcl)];
        let running = all.map(|(name, work)| (name, scope.spawn(move || work(root, recipes))));
        for (name, work) in running {
            let result = work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result.with_context(|| format!("recipes for {name}"))?;
            outln!("recipes for {name} count");
        }
        Ok(())
    })
}

/// Makes the recipes of the command's tests in a folder. The tests store some of them.
fn make(root: &Path, folder: &Path) -> Result<()> {
    let program = built::program(root, "arm-pmu")?;
    let commands = root.join("crates/arm-pmu-cli/tests/recipes/commands.txt");
    for line in fs::read_to_string(commands)?.lines() {
        let (file, arguments) = line.split_once(": ").context("a name and a command")?;
        let recipe = Program::new(&program).arguments(["recipe"]).arguments(arguments.split(' '));
        fs::write(folder.join(file), recipe.output()?)?;
    }
    Ok(())
}

/// U-Boot on QEMU. Lines are typed one after the other.
struct Console {
    machine: Child,
    keyboard: ChildStdin,
    screen: Receiver<u8>,
}

impl Drop for Console {
    fn drop(&mut self) {
        // It fails only if the machine has ended.
        let _ = self.machine.kill();
        let _ = self.machine.wait();
    }
}

impl Console {
    fn boot() -> Result<Self> {
        let mut machine = Command::new("qemu-system-aarch64")
            .args(MACHINE)
            .args(["-serial", "stdio", "-bios", U_BOOT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let keyboard = machine.stdin.take().context("no keyboard")?;
        let screen = machine.stdout.take().context("no screen")?;
        let (sender, receiver) = channel();
        thread::spawn(move || {
            for byte in BufReader::new(screen).bytes().map_while(Result::ok) {
                if sender.send(byte).is_err() {
                    break;
                }
            }
        });
        let mut console = Self { machine, keyboard, screen: receiver };
        console.until("Hit any key")?;
        console.line("")?;
        Ok(console)
    }

    fn until(&mut self, end: &str) -> Result<String> {
        let limit = Instant::now() + LIMIT;
        let mut text = Vec::new();
        while !text.ends_with(end.as_bytes()) {
            let byte = self.screen.recv_timeout(limit.saturating_duration_since(Instant::now()));
            let byte = byte.with_context(|| {
                format!("{end:?} did not come after {:?}", String::from_utf8_lossy(&text))
            })?;
            text.push(byte);
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// What a line prints.
    fn line(&mut self, line: &str) -> Result<String> {
        self.keyboard.write_all(line.as_bytes())?;
        self.keyboard.write_all(b"\r")?;
        self.keyboard.flush()?;
        let text = self.until("=> ")?.replace('\r', "");
        let text = text.strip_suffix("=> ").unwrap_or(&text);
        Ok(text.split_once('\n').map_or(String::new(), |(_, text)| text.to_owned()))
    }

    fn set(&mut self, values: &[(u64, u32)]) -> Result<()> {
        for (address, value) in values {
            self.line(&format!("mw.l {address:x} {value:x}"))?;
        }
        Ok(())
    }

    fn value(&mut self, address: u64) -> Result<u32> {
        self.line(&format!("setexpr.l found *{address:x}"))?;
        let text = self.line("echo ${found}")?;
        Ok(u32::from_str_radix(text.trim(), 16)?)
    }

    /// Types a part of a recipe, and returns the output.
    fn part(&mut self, lines: &[&str]) -> Result<String> {
        let mut text = String::new();
        for line in lines {
            text += &self.line(line)?;
            self.play(line)?;
        }
        Ok(text)
    }

    /// Applies a CCI-400's effects of a write, which memory lacks: flags clear, and PMCR keeps the number of counters
    /// and no bits that act.
    fn play(&mut self, line: &str) -> Result<()> {
        let words = line.strip_prefix("$pmu_go && mw.l ").unwrap_or_default();
        let address = u64::from_str_radix(words.split(' ').next().unwrap_or_default(), 16);
        match address {
            Ok(CCI400_PMCR) => {
                let pmcr = self.value(CCI400_PMCR)?;
                self.set(&[(CCI400_PMCR, pmcr & 0x39 | 0x2000)])
            }
            Ok(flag @ 0x5F09_9000..0x5F09_E000) if flag & 0xFFF == 0xC => self.set(&[(flag, 0)]),
            _ => Ok(()),
        }
    }
}

/// The lines of `start`, `read` and `stop`.
fn parts(text: &str) -> Vec<Vec<&str>> {
    text.split("# ---- ").skip(1).map(|part| part.lines().skip(1).collect()).collect()
}

fn u_boot(root: &Path, recipes: &Path) -> Result<()> {
    let mut console = Console::boot()?;
    for (name, identity, count, control, kept) in [
        ("mmu600-tbu.uboot", TBU, TBU_COUNT, 0x5F32_0E04, 0),
        ("cci400.uboot", CCI400, CCI400_COUNT, CCI400_PMCR, 0x2010),
    ] {
        let text = fs::read_to_string(recipes.join(name))?;
        let parts = parts(&text);
        let [start, read, stop] = parts.as_slice() else { bail!("{name} has not three parts") };
        let found = console.part(start)?;
        ensure!(
            found.contains("Stopped here: ") && console.value(count)? == 0,
            "{name}: memory without identification is taken for a device: {found}"
        );
        console.set(identity)?;
        console.set(&[(count, 1000)])?;
        let found = console.part(start)?;
        ensure!(found.is_empty(), "{name}: {found}");
        console.set(&[(count, 5)])?;
        let found = console.part(read)?;
        ensure!(found.starts_with("0x5 ") && !found.contains("not valid"), "{name}: {found}");
        console.set(&[(count, 7)])?;
        let found = console.part(stop)?;
        ensure!(found.starts_with("0x7 ") && !found.contains("not valid"), "{name}: {found}");
        ensure!(console.value(control)? == kept, "{name}: another owner's bits are not as before");
        let found = console.part(stop)?;
        ensure!(
            found.contains("Counts not valid"),
            "{name}: a second stop is not noticed: {found}"
        );
    }
    doctor(root, &mut console)
}

/// Types the doctor's commands, while cycles are counted as with NIDEN LOW, and gives it the output of U-Boot.
fn doctor(root: &Path, console: &mut Console) -> Result<()> {
    console.set(CCI400)?;
    console.set(COUNTING)?;
    let cci400 = ["cci400", "--base", "0x5f090000"];
    let (mut transcript, mut cycles, mut stops) = (String::new(), 0, false);
    for line in doctor_says(root, &[&cci400[..], &["--ask", "u-boot"]].concat())?.lines() {
        if !stops {
            cycles += 1000;
            console.set(&[(CCI400_CYCLES, cycles)])?;
        }
        transcript += &format!("=> {line}\n{}", console.line(line)?);
        if let Some(value) = line.strip_prefix(&format!("mw.l {CCI400_PMCR:x} ")) {
            let value = u32::from_str_radix(value, 16)?;
            // PMCR.DP
            stops = value & 0x20 != 0;
            console.set(&[(CCI400_PMCR, value & 0x39 | 0x2000)])?;
        }
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("u-boot.txt");
    fs::write(&file, &transcript)?;
    let answer = doctor_says(root, &[&cci400[..], &["--from", &file.to_string_lossy()]].concat())?;
    ensure!(
        answer.contains("1. NIDEN_LOW, decided") && !answer.contains("Not read"),
        "{answer}\n{transcript}"
    );
    outln!("the doctor reads U-Boot");
    Ok(())
}

fn gdb(root: &Path, recipes: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let socket = folder.path().join("gdb");
    let mut machine = Command::new("qemu-system-aarch64")
        .args(MACHINE)
        .args(["-S", "-gdb"])
        .arg(format!("unix:{},server=on,wait=off", socket.display()))
        .spawn()?;
    let result = in_gdb(root, recipes, folder.path(), &socket);
    // It fails only if the machine has ended.
    let _ = machine.kill();
    machine.wait()?;
    result
}

fn in_gdb(root: &Path, recipes: &Path, folder: &Path, socket: &Path) -> Result<()> {
    let limit = Instant::now() + LIMIT;
    while !socket.exists() {
        ensure!(Instant::now() < limit, "QEMU did not start");
        thread::sleep(Duration::from_millis(20));
    }
    let set = |address: u64, value: u32| format!("set {{unsigned int}}{address:#x} = {value}\n");
    let source = recipes.join("mmu600-tbu.gdb");
    let mut script = format!("target remote {}\nsource {}\n", socket.display(), source.display());
    script += "pmu_start\n";
    script += &format!("printf \"untouched %u %u\\n\", $pmu_ok, {{unsigned int}}{TBU_COUNT:#x}\n");
    for (address, value) in TBU {
        script += &set(*address, *value);
    }
    script += "pmu_start\n";
    script += &set(TBU_COUNT, 5);
    script += "pmu_read\n";
    script += &set(TBU_COUNT, 7);
    script += "pmu_stop\nprintf \"ok %u\\n\", $pmu_ok\npmu_stop\nprintf \"ok %u\\n\", $pmu_ok\n";
    let file = folder.join("script");
    fs::write(&file, script)?;
    let mut text = String::new();
    let status = Program::new("gdb-multiarch")
        .arguments(["-q", "-nx", "-batch", "-iex", "set architecture aarch64", "-x"])
        .arguments([&file])
        .run_within(LIMIT, |line| text += &format!("{line}\n"))?;
    ensure!(status.success(), "gdb failed: {text}");
    let lines: Vec<_> = text
        .lines()
        .filter(|line| {
            let known = ["Stopped", "Counts", "untouched", "ok"];
            known.iter().any(|word| line.starts_with(word)) || line.ends_with("TRANSACTION")
        })
        .map(|line| line.split(" reads ").next().unwrap_or(line).trim())
        .collect();
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
    doctor_in_gdb(root, folder, socket)
}

/// GDB runs the doctor's commands on a TBU that counts clock cycles and has no clock.
fn doctor_in_gdb(root: &Path, folder: &Path, socket: &Path) -> Result<()> {
    let tbu = ["mmu600:tbu", "--base", "0x5f31e000"];
    let mut script = format!("target remote {}\n", socket.display());
    for (address, value) in TBU.iter().chain(TBU_COUNTING) {
        script += &format!("set {{unsigned int}}{address:#x} = {value}\n");
    }
    script += &doctor_says(root, &[&tbu[..], &["--ask", "gdb"]].concat())?;
    let file = folder.join("ask");
    fs::write(&file, script)?;
    let text = Program::new("gdb-multiarch")
        .arguments(["-q", "-nx", "-batch", "-iex", "set architecture aarch64", "-x"])
        .arguments([&file])
        .output()?;
    let dump = folder.join("gdb.txt");
    fs::write(&dump, &text)?;
    let answer = doctor_says(root, &[&tbu[..], &["--from", &dump.to_string_lossy()]].concat())?;
    ensure!(
        answer.contains("1. CLOCK_STANDS_STILL, possible") && !answer.contains("Not read"),
        "{answer}\n{text}"
    );
    outln!("the doctor reads GDB");
    Ok(())
}

fn doctor_says(root: &Path, arguments: &[&str]) -> Result<String> {
    let program = built::program(root, "arm-pmu")?;
    Program::new(&program).arguments(["doctor"]).arguments(arguments).output()
}

/// A header, and the stand-ins for its device.
const HEADERS: &[(&str, &[&str])] = &[
    (
        "cci400.h",
        &[
            "BASE=0x5F090000u",
            "CONTROL=0x100",
            "HELD=0x39u",
            "KEPT=0x2010u",
            "COUNT=0xA004",
            "FLAGS=0xA00C",
            "FLAGS_CLEAR=0xA00C",
            "IDENTITY={0xFE0,0x20},{0xFE4,0xB4},{0xFE8,0x6B},{0x100,0x2010}",
        ],
    ),
    (
        "cci500.h",
        &[
            "BASE=0x5F100000u",
            "CONTROL=0x100",
            "HELD=0x39u",
            "KEPT=0x4010u",
            "COUNT=0x10004",
            "FLAGS=0x1000C",
            "FLAGS_CLEAR=0x1000C",
            "IDENTITY={0xFE0,0x22},{0xFE4,0xB4},{0x100,0x4010}",
        ],
    ),
    (
        "mmu600-tbu.h",
        &[
            "BASE=0x5F31E000u",
            "CONTROL=0x2E04",
            "HELD=1u",
            "KEPT=0u",
            "COUNT=0x12000",
            "FLAGS=0x12CC0",
            "FLAGS_CLEAR=0x12C80",
            "IDENTITY={0x2FE0,0x84},{0x2FE4,0xB4},{0x2E00,0xD01F03},{0x2FBC,0x47702A56}",
        ],
    ),
];

fn c(root: &Path, recipes: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let runs: [(&str, &[&str], Option<&str>); 3] = [
        ("gcc", &[], None),
        ("clang", &[], None),
        ("aarch64-linux-gnu-gcc", &["-static"], Some("qemu-aarch64")),
    ];
    for (header, definitions) in HEADERS {
        let path = recipes.join(header);
        for (compiler, options, emulator) in &runs {
            let program = folder.path().join("program");
            Program::new(compiler)
                .arguments([
                    "-std=c99",
                    "-pedantic",
                    "-Wall",
                    "-Wextra",
                    "-Wconversion",
                    "-Werror",
                    "-O2",
                ])
                .arguments(*options)
                .arguments(definitions.iter().map(|definition| format!("-D{definition}")))
                .arguments([format!("-DRECIPE=\"{}\"", path.display())])
                .arguments([root.join("xtask/recipes/device.c")])
                .arguments(["-o"])
                .arguments([&program])
                .run()?;
            match emulator {
                Some(emulator) => Program::new(emulator).arguments([&program]).run()?,
                None => Program::new(&program).run()?,
            }
        }
    }
    Ok(())
}

fn tcl(root: &Path, recipes: &Path) -> Result<()> {
    let run = |shell: &str, files: &[&str], counter: &str| {
        let mut script = format!("set counter {{{counter}}}\n");
        for file in files {
            let own = root.join("xtask/recipes").join(file);
            let path = if own.exists() { own } else { recipes.join(file) };
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
    // The Tcl of OpenOCD is Jim.
    run("jimsh", &["memory.tcl", "openocd.tcl", "cci400.openocd", "cci400.tcl"], "")?;
    run("jimsh", &["openocd.tcl", "arm1176.openocd", "core.tcl"], "15 12 2")?;
    run("jimsh", &["openocd.tcl", "cortex-a8.openocd", "core.tcl"], "9 13 2")?;
    run("tclsh", &["memory.tcl", "xsdb.tcl", "cci400.xsdb", "cci400.tcl"], "")
}

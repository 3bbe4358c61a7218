//! Boots Debian's kernel on QEMU and runs commands in the guest.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Error, Result, ensure};
use rayon::prelude::*;
use regex::Regex;

use super::board::{Board, INCLUDED, PRESETS};
use super::files::{self, archive};
use super::packages;
use super::system::System;
use crate::command::{Program, output};
use crate::verify::arm::Toolchain;

/// Files for booting, built once for all boards.
pub struct Guest {
    pub system: &'static System,
    root: PathBuf,
    folder: PathBuf,
    /// Contents of Debian's packages.
    packages: PathBuf,
    /// All files of the guest except the commands.
    files: Vec<u8>,
    /// Version of the kernel.
    pub kernel: String,
    /// Version of QEMU.
    pub qemu: String,
}

/// Result of a command in the guest.
#[derive(Debug)]
pub struct Output {
    /// Its exit status.
    pub status: u8,
    /// Output of the command, including errors. Lines have no trailing spaces.
    pub text: String,
}

/// Time limit for a guest. A boot takes seconds, but much longer on a busy machine.
const LIMIT: Duration = Duration::from_secs(600);

const MEMORY: [&str; 2] = ["-m", "512"];
/// Kernel options: /dev/mem allows access to the registers of drivers only with `iomem=relaxed`. Without
/// `cryptomgr.notests`, tests of ciphers take longer than the rest of a boot.
const OPTIONS: &str = "loglevel=1 panic=-1 nokaslr iomem=relaxed cryptomgr.notests";
/// No network card, because its ROM may not be installed.
const NOTHING: [&str; 3] = ["-nodefaults", "-display", "none"];

/// Returns the toolchain for a guest's Rust programs.
///
/// # Errors
///
/// The error names the missing tool.
pub fn toolchain(root: &Path, system: &System) -> Result<Toolchain, String> {
    for (tool, package) in [
        (system.emulator, "qemu-system-arm"),
        ("dtc", "device-tree-compiler"),
        ("qemu-aarch64", "qemu-user"),
    ] {
        if output(tool, &["--version"]).is_none() {
            return Err(format!("there is no {tool}; `.ci/run install` installs {package}"));
        }
    }
    Toolchain::linux(root, system.target, system.compiler)
}

impl Guest {
    /// Downloads Debian's packages and builds the files of the guest.
    ///
    /// # Errors
    ///
    /// Returns an error if a tool is missing, a program does not build, or packages cannot be
    /// downloaded.
    pub fn prepare(
        root: &Path,
        system: &'static System,
        backports: bool,
        optimized: bool,
    ) -> Result<Self> {
        let toolchain = toolchain(root, system).map_err(Error::msg)?;
        // apt needs absolute paths.
        let root = fs::canonicalize(root)?;
        let release = if backports { "backports" } else { "own" };
        let folder = root.join("target/linux").join(format!("{release}-{}", system.architecture));
        let packages = packages::unpacked(&folder, backports, system)?;
        let kernel = fs::read_dir(packages.join("boot"))?.find_map(|entry| {
            Some(entry.ok()?.file_name().to_str()?.strip_prefix("vmlinuz-")?.to_owned())
        });
        let kernel = kernel.context("the packages have no kernel")?;
        let qemu = output(system.emulator, &["--version"]).unwrap_or_default();
        let qemu = qemu.lines().next().unwrap_or_default().to_owned();
        let programs = files::programs(&root, &toolchain, optimized)?;
        let files = files::all(&root, &folder, &packages, &kernel, system, &programs)?;
        Ok(Self { system, root, folder, packages, files, kernel, qemu })
    }

    /// Runs commands on several boards in parallel.
    ///
    /// # Errors
    ///
    /// Returns an error if a guest does not finish.
    pub fn run_all(&self, boots: &[(&Board, Vec<String>)]) -> Result<Vec<Vec<Output>>> {
        boots.par_iter().map(|(board, commands)| self.run(board, commands)).collect()
    }

    /// Boots a board, runs each command there as a shell script, and powers off.
    ///
    /// # Errors
    ///
    /// Returns an error if the guest does not finish.
    pub fn run(&self, board: &Board, commands: &[String]) -> Result<Vec<Output>> {
        // Each boot has its own folder, because boards boot at the same time.
        let folder = tempfile::tempdir_in(&self.folder)?;
        let tree = self.tree(folder.path(), board)?;
        let initramfs = folder.path().join("initramfs");
        let scripts = commands.iter().zip(0..).map(|(command, number)| {
            (format!("commands/{number:04}"), command.clone().into_bytes())
        });
        let scripts = archive(&scripts.collect::<Vec<_>>())?;
        fs::write(&initramfs, [&self.files[..], &scripts].concat())?;

        let words =
            PRESETS.iter().flat_map(|(start, words)| words.iter().map(move |word| (start, word)));
        let presets = words.flat_map(|(start, (end, value))| {
            let word = format!("loader,addr={:#x},data={value:#x},data-len=4", start + end);
            ["-device".to_owned(), word]
        });
        let Board { machine, core, cores, .. } = board;
        let mut console = String::new();
        let status = Program::new(self.system.emulator)
            .arguments(NOTHING)
            .arguments(["-serial", "stdio", "-no-reboot", "-M", machine.name])
            .arguments(["-cpu", core, "-smp", cores])
            .arguments(MEMORY)
            // The guest's time advances with each instruction, and an idle guest does not wait, so runs are
            // fast and nearly reproducible.
            .arguments(["-icount", "shift=0,sleep=off", "-rtc", "base=2026-01-01,clock=vm"])
            .arguments(["-append", &format!("console={} {OPTIONS} core={core}", machine.console)])
            .arguments([
                "-kernel".into(),
                self.packages.join("boot/vmlinuz-".to_owned() + &self.kernel),
            ])
            .arguments(["-initrd".as_ref(), initramfs.as_os_str()])
            .arguments(["-dtb".as_ref(), tree.as_os_str()])
            .arguments(presets)
            .run_within(LIMIT, |line| console.extend([line, "\n"]))?;
        let last = console.lines().last().unwrap_or_default();
        let early = || {
            format!(
                "the guest of board {} ended early, {status}; its last line: {last}",
                board.name
            )
        };
        parse(&console, commands.len()).with_context(early)
    }

    /// Compiles the device tree of a board.
    ///
    /// QEMU's tree is 1 MiB of mostly zeros by default; it would grow beyond the 2 MiB that Linux
    /// maps, and Linux would stop without a message. Therefore the tree is compiled again from its
    /// source text.
    fn tree(&self, folder: &Path, board: &Board) -> Result<PathBuf> {
        let [source, binary] = ["board.dts", "board.dtb"].map(|name| folder.join(name));
        let Board { machine, core, cores, .. } = board;
        let first = if let Some(name) = machine.tree {
            self.packages.join(format!("usr/lib/linux-image-{}", self.kernel)).join(name)
        } else {
            let dump = format!("{},dumpdtb={}", machine.name, binary.display());
            let options = [&NOTHING[..], &MEMORY, &["-M", &dump, "-smp", cores, "-cpu", core]];
            // QEMU reports on standard error that it wrote the tree.
            output(self.system.emulator, &options.concat())
                .context("QEMU does not give its device tree")?;
            binary.clone()
        };
        let text = Program::new("dtc").arguments(["-q", "-I", "dtb", "-O", "dts"]);
        fs::write(&source, text.arguments([first]).output()? + &board.tree)?;
        Program::new("dtc")
            .arguments(["-q", "-I", "dts", "-O", "dtb"])
            .arguments(INCLUDED.iter().flat_map(|folder| ["-i".into(), self.root.join(folder)]))
            .arguments(["-o".as_ref(), binary.as_os_str(), source.as_os_str()])
            .run()?;
        Ok(binary)
    }
}

/// Parses the outputs of `commands` commands from the guest's console.
fn parse(console: &str, commands: usize) -> Result<Vec<Output>> {
    let command = Regex::new(r"(?s)\[begin \d+\]\n(.*?)\n\[end \d+ (\d+)\]\n")?;
    let outputs = command.captures_iter(console).map(|found| {
        let (_, [text, status]) = found.extract();
        let text = text.lines().flat_map(|line| [line, "\n"]).collect();
        Ok(Output { status: status.parse()?, text })
    });
    let outputs = outputs.collect::<Result<Vec<_>>>()?;
    ensure!(outputs.len() == commands, "{} of {commands} commands ended", outputs.len());
    Ok(outputs)
}

//! Boots Debian's kernel on QEMU and runs commands in the guest.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Error, Result, bail};
use rayon::prelude::*;

use super::board::Board;
use super::initramfs::archive;
use super::packages::Release;
use super::system::System;
use super::{libraries, packages};
use crate::command::{Program, output};
use crate::verify::arm::{Toolchain, binary_for};

/// Files for booting, built once for all boards.
pub struct Guest {
    pub system: &'static System,
    folder: PathBuf,
    /// Contents of Debian's packages.
    packages: PathBuf,
    kernel: PathBuf,
    /// All files of the guest except the commands.
    files: Vec<u8>,
    pub versions: Versions,
}

pub struct Versions {
    pub kernel: String,
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
const LIMIT: Duration = Duration::from_secs(300);

const MEMORY: [&str; 2] = ["-m", "512"];
/// Kernel options: /dev/mem allows access to the registers of drivers only with `iomem=relaxed`.
const OPTIONS: &str = "loglevel=1 panic=-1 nokaslr iomem=relaxed";
/// No network card, because its ROM may not be installed.
const NOTHING: [&str; 3] = ["-nodefaults", "-display", "none"];

/// Returns the toolchain for a guest's Rust programs.
///
/// # Errors
///
/// Returns the missing tool as the error.
pub fn toolchain(root: &Path, system: &System) -> Result<Toolchain, String> {
    for (tool, package) in [(system.emulator, "qemu-system-arm"), ("dtc", "device-tree-compiler")] {
        if output(tool, &["--version"]).is_none() {
            return Err(format!("there is no {tool}; `.ci/run install` installs {package}"));
        }
    }
    Toolchain::linux(root, system.target, system.compiler)
}

/// Scripts of the guest, from `xtask/linux`.
const SCRIPTS: [&str; 3] = ["open", "rows", "sysfs"];

/// C programs of the guest, with sources in `xtask/linux`.
const C_PROGRAMS: [&str; 4] = ["device", "faulty", "refusals", "work"];

/// Program that counts with `arm-pmu-linux`, and its package.
const PROGRAM: &str = "linux-guest";

/// Script that `arm-pmu recipe` prints, as a test of the command stores it.
const RECIPE: &str = "crates/arm-pmu-cli/tests/recipes/mmu600-tbu.sh";

impl Guest {
    /// Downloads Debian's packages and builds the files of the guest. A parameter selects whether the command
    /// `arm-pmu` in the guest is optimized.
    ///
    /// # Errors
    ///
    /// Returns an error if a tool is missing, a program does not build, or packages cannot be
    /// downloaded.
    pub fn prepare(
        root: &Path,
        system: &'static System,
        release: Release,
        optimized: bool,
    ) -> Result<Self> {
        let toolchain = toolchain(root, system).map_err(Error::msg)?;
        // apt needs absolute paths.
        let root = fs::canonicalize(root)?;
        let release_name = match release {
            Release::Own => "own",
            Release::Backports => "backports",
        };
        let folder =
            root.join("target/linux").join(format!("{release_name}-{}", system.architecture));
        fs::create_dir_all(&folder)?;
        let packages = packages::unpacked(&folder, release, system)?;
        let kernel = only_file(&packages.join("boot"), "vmlinuz-")?;
        let version = kernel.to_string_lossy();
        let version = version.rsplit_once("vmlinuz-").unwrap_or_default().1.to_owned();
        let qemu = output(system.emulator, &["--version"]).unwrap_or_default();
        let qemu = qemu.lines().next().unwrap_or_default().to_owned();
        let versions = Versions { kernel: version, qemu };

        // These flags apply only to this program, so that other programs for this system share the
        // libraries.
        let flags = ["--", "-Ctarget-feature=+crt-static", "-Cstrip=symbols"];
        let build = [&["--package", PROGRAM, "--bin", PROGRAM][..], &flags].concat();
        toolchain.cargo(&root, "rustc", &build).run()?;
        let mut programs = vec![toolchain.program(&root, "debug", PROGRAM)];
        programs.extend(binary_for(&root, system.target, optimized)?);
        let files = files(&root, &folder, &packages, system, &programs)?;
        Ok(Self { system, files, folder, packages, kernel, versions })
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
        let source = folder.path().join("board.dts");
        let binary = folder.path().join("board.dtb");
        let initramfs = folder.path().join("initramfs");
        fs::write(
            &source,
            format!("{}\n{}", self.tree(folder.path(), board)?, board.device_tree()),
        )?;
        compile_tree("dts", &source, "dtb", &binary)?;

        let mut files = self.files.clone();
        let scripts: Vec<_> = commands
            .iter()
            .enumerate()
            .map(|(number, command)| (format!("commands/{number:04}"), command.clone().into()))
            .collect();
        files.extend(archive(&scripts)?);
        fs::write(&initramfs, files)?;

        let presets = board.pmus.iter().flat_map(|pmu| &pmu.presets).flat_map(|word| {
            let (address, value, bytes) = (word.address, word.value, word.bytes);
            [
                "-device".to_owned(),
                format!("loader,addr={address:#x},data={value:#x},data-len={bytes}"),
            ]
        });
        let mut lines = Vec::new();
        let status = Program::new(self.system.emulator)
            .arguments(NOTHING)
            .arguments(["-serial", "stdio", "-no-reboot", "-M", board.machine.name])
            .arguments(["-cpu", &board.core])
            .arguments(MEMORY)
            .arguments(["-smp", &board.cores.to_string()])
            // Time advances with instructions, and sleeping takes none, so runs are fast and nearly
            // reproducible.
            .arguments(["-icount", "shift=0,sleep=off", "-rtc", "base=2026-01-01,clock=vm"])
            .arguments(["-append", &format!("console={} {OPTIONS}", board.machine.console)])
            .arguments(["-kernel".as_ref(), self.kernel.as_os_str()])
            .arguments(["-initrd".as_ref(), initramfs.as_os_str()])
            .arguments(["-dtb".as_ref(), binary.as_os_str()])
            .arguments(presets)
            .run_within(LIMIT, |line| lines.push(line.to_owned()))?;
        let last = lines.last().cloned().unwrap_or_default();
        parse(&lines, commands.len()).with_context(|| {
            format!(
                "the guest of board {} ended early, {status}; its last line: {last}",
                board.name
            )
        })
    }

    /// Returns the device tree of QEMU's board as source text.
    ///
    /// QEMU's tree is 1 MiB of mostly zeros by default; it would grow beyond the 2 MiB that Linux
    /// maps, and Linux would stop without a message. Therefore the tree is compiled again from its
    /// source text.
    fn tree(&self, folder: &Path, board: &Board) -> Result<String> {
        let source = folder.join("qemu.dts");
        let binary = match board.machine.tree {
            // The kernel's package contains the tree.
            Some(name) => {
                let folder = only_file(&self.packages.join("usr/lib"), "linux-image-")?;
                folder.join(name)
            }
            None => {
                let binary = folder.join("qemu.dtb");
                let machine = format!("{},dumpdtb={}", board.machine.name, binary.display());
                // QEMU reports on standard error that it wrote the tree.
                let cores = board.cores.to_string();
                let machine = ["-M", &machine, "-smp", &cores, "-cpu", &board.core];
                output(self.system.emulator, &[&NOTHING[..], &machine, &MEMORY].concat())
                    .context("QEMU does not give its device tree")?;
                binary
            }
        };
        compile_tree("dtb", &binary, "dts", &source)?;
        Ok(fs::read_to_string(&source)?)
    }
}

/// Parses the outputs of `commands` commands from the guest's console.
fn parse(lines: &[String], commands: usize) -> Result<Vec<Output>> {
    let mut outputs = Vec::new();
    let mut lines = lines.iter();
    for number in 0..commands {
        let begin = format!("[begin {number:04}]");
        let end = format!("[end {number:04} ");
        // A kernel message can precede the mark on the line.
        lines
            .find(|line| **line == begin)
            .with_context(|| format!("command {number} never ran"))?;
        let mut text = Vec::new();
        let status = loop {
            let line = lines.next().with_context(|| format!("command {number} did not end"))?;
            match line.strip_prefix(&end).and_then(|status| status.strip_suffix(']')) {
                Some(status) => break status.parse()?,
                None => text.push(line.as_str()),
            }
        };
        // Removes the newline before the mark.
        if text.last().is_some_and(|line| line.is_empty()) {
            text.pop();
        }
        let mut text = text.join("\n");
        if !text.is_empty() {
            text.push('\n');
        }
        outputs.push(Output { status, text });
    }
    Ok(outputs)
}

/// Builds the archive with all files except the commands.
fn files(
    root: &Path,
    folder: &Path,
    packages: &Path,
    system: &System,
    programs: &[PathBuf],
) -> Result<Vec<u8>> {
    let sources = root.join("xtask/linux");
    for name in C_PROGRAMS {
        Program::new(system.compiler)
            .arguments(["-O2", "-static", "-Wall", "-Wextra", "-Werror", "-o"])
            .arguments([&folder.join(name), &sources.join(name).with_extension("c")])
            .run()?;
    }

    let mut files = Vec::new();
    let mut add = |name: &str, file: &Path| -> Result<()> {
        let content = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        files.push((name.to_owned(), content));
        Ok(())
    };
    add("init", &sources.join("init"))?;
    add("bin/recipe", &root.join(RECIPE))?;
    for name in SCRIPTS {
        add(&format!("bin/{name}"), &sources.join(name))?;
    }
    for name in C_PROGRAMS {
        add(&format!("bin/{name}"), &folder.join(name))?;
    }
    for program in programs {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        add(&format!("bin/{name}"), program)?;
    }
    let busybox = ["bin/busybox", "usr/bin/busybox"].map(|name| packages.join(name));
    let busybox =
        busybox.iter().find(|file| file.exists()).context("busybox is not where it was")?;
    add("bin/busybox", busybox)?;
    if system.has_perf() {
        let perf = packages.join("usr/bin/perf");
        add("bin/perf", &perf)?;
        for (name, file) in libraries::needed_by(&perf, packages)? {
            let place = if name.starts_with("ld-linux") { "lib" } else { "lib/aarch64-linux-gnu" };
            add(&format!("{place}/{name}"), &file)?;
        }
    }
    for name in system.modules {
        let file = module(packages, name)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        add(&format!("modules/{name}"), &file)?;
    }
    archive(&files)
}

/// A kernel module. Later Debian releases compress the modules.
fn module(packages: &Path, name: &str) -> Result<PathBuf> {
    let modules = ["lib/modules", "usr/lib/modules"].map(|folder| packages.join(folder));
    let modules = modules.iter().find(|folder| folder.is_dir()).context("there are no modules")?;
    let kernel = only_file(modules, "")?;
    let plain = kernel.join("kernel").join(format!("{name}.ko"));
    if !plain.exists() {
        let compressed = plain.with_extension("ko.xz");
        Program::new("xz").arguments(["--decompress", "--keep"]).arguments([compressed]).run()?;
    }
    Ok(plain)
}

/// Returns the only file in a folder with this prefix.
fn only_file(folder: &Path, start: &str) -> Result<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("no folder {}", folder.display()))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(start) {
            found.push(entry.path());
        }
    }
    match found.as_slice() {
        [one] => Ok(one.clone()),
        _ => bail!("{} has {} files {start}*", folder.display(), found.len()),
    }
}

fn compile_tree(from: &str, input: &Path, to: &str, to_file: &Path) -> Result<()> {
    Program::new("dtc")
        .arguments(["-q", "-I", from, "-O", to, "-o"])
        .arguments([to_file, input])
        .run()
}

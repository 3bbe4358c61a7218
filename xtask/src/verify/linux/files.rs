//! Files of the guest, as an initramfs (`newc`) that is written without root rights.

use std::collections::BTreeSet;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cpio::NewcBuilder;

use super::system::System;
use crate::command::Program;
use crate::verify::arm::Toolchain;

/// Scripts of the guest, from `xtask/linux`.
const SCRIPTS: [&str; 5] = ["cost", "open", "pmus", "rows", "sysfs"];

/// C programs of the guest, with sources in `xtask/linux`.
const C_PROGRAMS: [&str; 4] = ["device", "faulty", "refusals", "work"];

/// Rust programs of the guest, and their packages. The first one counts with `arm-pmu-linux`.
const PROGRAMS: [(&str, &str); 2] = [("linux-guest", "linux-guest"), ("arm-pmu", "arm-pmu-cli")];

/// Script that `arm-pmu recipe` prints. A test of the command stores this copy of the script.
const RECIPE: &str = "crates/arm-pmu-cli/tests/recipes/mmu600-tbu.sh";

/// Modes of entries in an archive: type and permissions.
const FILE: u32 = 0o100_755;
const DIRECTORY: u32 = 0o040_755;

/// Builds the Rust programs.
///
/// # Errors
///
/// Returns an error if a program does not build.
pub fn programs(root: &Path, toolchain: &Toolchain, optimized: bool) -> Result<Vec<PathBuf>> {
    let (profile, directory) = if optimized { ("release", "release") } else { ("dev", "debug") };
    let selected =
        PROGRAMS.iter().flat_map(|(name, package)| ["--package", package, "--bin", name]);
    // These programs read hardly any YAML: optimizing its reader takes longer than it saves.
    let as_is = ["--profile", profile, "--config", "profile.dev.package.arm-pmu-spec.opt-level=0"];
    let arguments: Vec<_> = as_is.into_iter().chain(selected).collect();
    let flags = "-Ctarget-feature=+crt-static -Cstrip=symbols";
    toolchain
        .cargo(root, "build", &arguments)
        .env(&toolchain.variable("RUSTFLAGS"), flags)
        .run()?;
    Ok(PROGRAMS.map(|(name, _)| toolchain.program(root, directory, name)).into())
}

/// Returns the archive with all files except the commands.
///
/// # Errors
///
/// Returns an error if a C program does not build, or a file is missing.
pub fn all(
    root: &Path,
    folder: &Path,
    packages: &Path,
    kernel: &str,
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
    let mut add = |name: String, file: &Path| -> Result<()> {
        let content = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        files.push((name, content));
        Ok(())
    };
    add("init".to_owned(), &sources.join("init"))?;
    add("bin/recipe".to_owned(), &root.join(RECIPE))?;
    // Later Debian releases have all of `bin` and `lib` in `usr`.
    let unpacked = |name: &str| {
        let mut places = ["", "usr"].iter().map(|folder| packages.join(folder).join(name));
        places.find(|file| file.exists()).with_context(|| format!("no package has {name}"))
    };
    let busybox = unpacked("bin/busybox")?;
    let scripts = SCRIPTS.iter().map(|name| sources.join(name));
    let built = C_PROGRAMS.iter().map(|name| folder.join(name));
    for program in scripts.chain(built).chain([busybox]).chain(programs.iter().cloned()) {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        add(format!("bin/{name}"), &program)?;
    }
    if system.has_perf() {
        let perf = packages.join("usr/bin/perf");
        add("bin/perf".to_owned(), &perf)?;
        // The loader prints ` libc.so.6 => /lib/libc.so.6 (0x..)` for each library, and `/lib/ld.so => ..` for itself.
        let loader = unpacked("lib/ld-linux-aarch64.so.1")?;
        let list = Program::new("qemu-aarch64").arguments(["-L".as_ref(), packages.as_os_str()]);
        let list = list.arguments([&loader, Path::new("--list"), &perf]).output()?;
        for name in list.split_whitespace().filter_map(|word| word.strip_prefix('/')) {
            if let Ok(library) = unpacked(name) {
                add(name.to_owned(), &library)?;
            }
        }
    }
    for name in system.modules {
        // Later Debian releases compress the modules.
        let modules = unpacked(&format!("lib/modules/{kernel}"))?;
        let module = modules.join("kernel").join(name).with_extension("ko");
        if !module.exists() {
            let compressed = module.with_extension("ko.xz");
            Program::new("xz")
                .arguments(["--decompress", "--keep"])
                .arguments([compressed])
                .run()?;
        }
        let name = name.rsplit('/').next().unwrap_or_default();
        add(format!("modules/{name}.ko"), &module)?;
    }
    archive(&files)
}

/// Returns an archive of these files and their directories, all with mode 755. At boot, the kernel unpacks the
/// archive over its built-in archive, which has `/dev/console`. Several archives can be concatenated.
///
/// # Errors
///
/// Returns an error if a file is larger than the format allows.
pub fn archive(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>> {
    let parents = files.iter().flat_map(|(name, _)| Path::new(name).ancestors().skip(1));
    let parents: BTreeSet<_> = parents.filter_map(|path| path.to_str()).collect();
    let parents = parents.into_iter().filter(|name| !name.is_empty());
    let directories = parents.map(|name| (name, DIRECTORY, &[][..]));
    let entries = files.iter().map(|(name, content)| (name.as_str(), FILE, content.as_slice()));
    let entries = directories.chain(entries).zip(1..).map(|((name, mode, content), number)| {
        (NewcBuilder::new(name).ino(number).nlink(1).mode(mode), Cursor::new(content))
    });
    Ok(cpio::write_cpio(entries, Vec::new())?)
}

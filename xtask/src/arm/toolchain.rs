//! What builds for a target: the installed toolchain if it has the target, else the compiler and the
//! library source of the distribution.

use std::path::{Path, PathBuf};

use crate::command::{Program, cargo, output};

/// The compiler of the distribution.
const DISTRIBUTION: &str = "/usr/bin/rustc";

/// Can build for one target.
pub struct Toolchain {
    target: &'static str,
    /// The parts of the library to build from source, if it is the distribution's.
    build_std: Option<&'static str>,
    /// What links, unless the compiler knows.
    linker: Option<PathBuf>,
}

impl Toolchain {
    /// For a target without an operating system.
    ///
    /// # Errors
    ///
    /// With what is missing.
    pub fn bare_metal(target: &'static str) -> Result<Self, String> {
        if is_installed(target) {
            return Ok(Self { target, build_std: None, linker: None });
        }
        require_distribution(target)?;
        // Such targets are linked by LLD, which the distribution's compiler comes without.
        let linker = rust_lld().ok_or("rustup's toolchain has no rust-lld")?;
        Ok(Self { target, build_std: Some("core"), linker: Some(linker) })
    }

    /// For a target with Linux, linked by `linker`.
    ///
    /// # Errors
    ///
    /// With what is missing.
    pub fn linux(target: &'static str, linker: &str) -> Result<Self, String> {
        let build_std = if is_installed(target) {
            None
        } else {
            require_distribution(target)?;
            Some("std,test")
        };
        output(linker, &["--version"]).ok_or_else(|| format!("there is no {linker}"))?;
        Ok(Self { target, build_std, linker: Some(linker.into()) })
    }

    /// Cargo, with its first argument and those after `--target`.
    pub fn cargo(&self, root: &Path, subcommand: &str, arguments: &[&str]) -> Program {
        let mut all = vec![subcommand, "--target", self.target];
        all.extend(arguments);
        let build_std = self.build_std.map(|parts| format!("-Zbuild-std={parts}"));
        all.extend(build_std.as_deref());
        let mut program = cargo(root, &all).env("CARGO_TARGET_DIR", directory(root));
        if self.build_std.is_some() {
            // The distribution's compiler is a stable one; building `core` is not stable yet.
            program = program.env("RUSTC", DISTRIBUTION).env("RUSTC_BOOTSTRAP", "1");
        }
        if let Some(linker) = &self.linker {
            let target = self.target.replace('-', "_").to_uppercase();
            program = program.env(&format!("CARGO_TARGET_{target}_LINKER"), linker);
        }
        program
    }

    /// The program `name` that [`cargo`](Self::cargo) built in a directory for the profile.
    pub fn program(&self, root: &Path, profile: &str, name: &str) -> PathBuf {
        directory(root).join(self.target).join(profile).join(name)
    }
}

/// Apart from what is built for the host, by another compiler perhaps.
fn directory(root: &Path) -> PathBuf {
    root.join("target/arm")
}

fn is_installed(target: &str) -> bool {
    let library = output("rustc", &["--print", "target-libdir", "--target", target]);
    library.is_some_and(|directory| Path::new(&directory).is_dir())
}

fn require_distribution(target: &str) -> Result<(), String> {
    let sysroot = output(DISTRIBUTION, &["--print", "sysroot"]);
    let source = sysroot.map(|sysroot| Path::new(&sysroot).join("lib/rustlib/src/rust/library"));
    if source.is_some_and(|directory| directory.is_dir()) {
        return Ok(());
    }
    Err(format!(
        "neither `rustup target add {target}` nor `apt-get install rustc-web rust-web-src` was done"
    ))
}

/// The linker of the compiler in use, which is kept with the host's libraries.
fn rust_lld() -> Option<PathBuf> {
    let library = PathBuf::from(output("rustc", &["--print", "target-libdir"])?);
    let linker = library.parent()?.join("bin/rust-lld");
    linker.is_file().then_some(linker)
}

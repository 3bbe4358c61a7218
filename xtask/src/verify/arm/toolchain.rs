//! What builds for a target: the installed toolchain if it has the target, else the compiler and the
//! library source of the distribution. Figures are always made with the latter.

use std::path::{Path, PathBuf};

use crate::command::{Program, cargo, output};

/// The compiler of the distribution.
const DISTRIBUTION: &str = "/usr/bin/rustc";

/// The version of it that the stored figures belong to, which `.ci/run` installs.
const OF_FIGURES: &str = "1.96";

/// Can build for one target.
#[derive(Debug)]
pub struct Toolchain {
    target: &'static str,
    /// The compiler, unless it is the installed toolchain's.
    compiler: Option<&'static str>,
    /// The parts of the library to build from source, if the compiler has none for the target.
    build_std: Option<&'static str>,
    /// The linker, unless the compiler has a default.
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
            return Ok(Self { target, compiler: None, build_std: None, linker: None });
        }
        Self::distribution(target).map_err(|missing| {
            format!("`rustup target add {target}` was not done either: {missing}")
        })
    }

    /// For a target without an operating system, or for the host: always the distribution's compiler,
    /// because figures depend on the compiler and on its `core`.
    ///
    /// # Errors
    ///
    /// With what is missing.
    pub fn of_figures(target: &'static str) -> Result<Self, String> {
        let toolchain = Self::distribution(target)?;
        let version = output(DISTRIBUTION, &["--version"]).unwrap_or_default();
        require_version(&version)?;
        Ok(toolchain)
    }

    fn distribution(target: &'static str) -> Result<Self, String> {
        require_distribution()?;
        let compiler = Some(DISTRIBUTION);
        if !target.contains("-none") {
            // The packages of the compiler include the library for the host.
            return Ok(Self { target, compiler, build_std: None, linker: None });
        }
        // Such targets are linked by LLD, which the distribution's compiler comes without.
        let linker = rust_lld().ok_or("rustup's toolchain has no rust-lld")?;
        Ok(Self { target, compiler, build_std: Some("core"), linker: Some(linker) })
    }

    /// For a target with Linux, linked by `linker`.
    ///
    /// # Errors
    ///
    /// With what is missing.
    pub fn linux(target: &'static str, linker: &str) -> Result<Self, String> {
        let (compiler, build_std) = if is_installed(target) {
            (None, None)
        } else {
            require_distribution()?;
            (Some(DISTRIBUTION), Some("std,test"))
        };
        output(linker, &["--version"]).ok_or_else(|| format!("there is no {linker}"))?;
        Ok(Self { target, compiler, build_std, linker: Some(linker.into()) })
    }

    /// Cargo, with its first argument and those after `--target`.
    pub fn cargo(&self, root: &Path, subcommand: &str, arguments: &[&str]) -> Program {
        let mut all = vec![subcommand, "--target", self.target];
        let build_std = self.build_std.map(|parts| format!("-Zbuild-std={parts}"));
        all.extend(build_std.as_deref());
        // Last: after `--`, they are the compiler's.
        all.extend(arguments);
        let mut program = cargo(root, &all).env("CARGO_TARGET_DIR", directory(root));
        if let Some(compiler) = self.compiler {
            program = program.env("RUSTC", compiler);
        }
        if self.build_std.is_some() {
            // The distribution's compiler is a stable one; building `core` is not stable yet.
            program = program.env("RUSTC_BOOTSTRAP", "1");
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

fn require_distribution() -> Result<(), String> {
    let sysroot = output(DISTRIBUTION, &["--print", "sysroot"]);
    let source = sysroot.map(|sysroot| Path::new(&sysroot).join("lib/rustlib/src/rust/library"));
    if source.is_some_and(|directory| directory.is_dir()) {
        return Ok(());
    }
    Err("the packages rustc-web and rust-web-src are missing; `.ci/run install` installs them"
        .into())
}

/// Whether a compiler that prints this for `--version` is the one of the stored figures.
fn require_version(text: &str) -> Result<(), String> {
    // "rustc 1.96.0 (..)"
    let version = text.split_whitespace().nth(1).unwrap_or("unknown");
    let rest = version.strip_prefix(OF_FIGURES);
    if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
        return Ok(());
    }
    Err(format!("the stored figures are those of rustc {OF_FIGURES}; {DISTRIBUTION} is {version}"))
}

/// The linker of the compiler in use, which is kept with the host's libraries.
fn rust_lld() -> Option<PathBuf> {
    let library = PathBuf::from(output("rustc", &["--print", "target-libdir"])?);
    let linker = library.parent()?.join("bin/rust-lld");
    linker.is_file().then_some(linker)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_do_not_depend_on_the_installed_toolchain() {
        // Every toolchain has the library of its host.
        let text = output("rustc", &["-vV"]).expect("rustc");
        let host = text.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
        assert!(is_installed(host));
        match Toolchain::of_figures(String::leak(host.to_owned())) {
            Ok(toolchain) => assert_eq!(toolchain.compiler, Some(DISTRIBUTION)),
            Err(missing) => {
                assert!(missing.contains("rustc-web") || missing.contains(OF_FIGURES), "{missing}");
            }
        }
    }

    #[test]
    fn figures_are_those_of_one_version() {
        assert_eq!(require_version("rustc 1.96.0 (ac68faa20 2026-05-25) (built from ..)"), Ok(()));
        for other in ["rustc 1.95.0 (59807616e 2026-04-14)", "rustc 1.960.0", "rustc 1.9", ""] {
            let message = require_version(other).unwrap_err();
            assert!(
                message.starts_with("the stored figures are those of rustc 1.96; "),
                "{message}"
            );
        }
    }
}

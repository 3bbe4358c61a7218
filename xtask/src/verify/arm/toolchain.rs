//! Selects the toolchain for a target: the installed one if it has the target; otherwise, for
//! Linux, the oldest supported compiler if its library for the target was unpacked; otherwise the
//! distribution's compiler and library source. Figures are always measured with the distribution's
//! compiler.

use std::path::{Path, PathBuf};

use super::core_library::{self, DISTRIBUTION, variable};
use crate::command::{Program, cargo, output};
use crate::verify::oldest;

/// The distribution's rustdoc, with flags that are not stable yet.
const RUSTDOC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/verify/arm/rustdoc.sh");

/// Compiler version of the stored figures, which `.ci/run` installs.
const OF_FIGURES: &str = "rustc 1.96.";

/// A toolchain for one target.
#[derive(Debug)]
pub struct Toolchain {
    target: &'static str,
    compiler: Compiler,
    /// Cargo arguments that build the library from source; empty if it is already built.
    build_std: &'static [&'static str],
    /// Directory in which the compiler finds the library; `None` if the library comes with the
    /// compiler.
    sysroot: Option<PathBuf>,
    /// Linker, unless the compiler has a default linker.
    linker: Option<PathBuf>,
}

#[derive(Debug, PartialEq)]
enum Compiler {
    Installed,
    Oldest(oldest::Compiler),
    Distribution,
}

/// Tests need neither backtraces nor the code that reads the tables for backtraces.
const STD: &[&str] = &["-Zbuild-std=std,test", "-Zbuild-std-features=panic-unwind"];

impl Toolchain {
    /// Returns the toolchain for a target without an operating system.
    ///
    /// # Errors
    ///
    /// The error names the missing tool.
    pub fn bare_metal(root: &Path, target: &'static str) -> Result<Self, String> {
        if let Some(installed) = Self::installed(target) {
            return Ok(installed);
        }
        Self::distribution(root, target).map_err(|missing| {
            format!("the target {target} is not installed with rustup (`rustup target add {target}`), and the distribution lacks it: {missing}")
        })
    }

    /// Returns the toolchain for measuring figures, on the host or on a target without an operating system. It is
    /// always the distribution's compiler, because figures depend on the compiler and its library `core`.
    ///
    /// # Errors
    ///
    /// The error names the missing tool.
    pub fn of_figures(root: &Path, target: &'static str) -> Result<Self, String> {
        let version = output(DISTRIBUTION, &["--version"]).unwrap_or_else(|| "unknown".to_owned());
        // "rustc 1.96.0 (..)"
        if !version.starts_with(OF_FIGURES) {
            return Err(format!(
                "the stored figures are for {OF_FIGURES}x; {DISTRIBUTION} is {version}"
            ));
        }
        Self::distribution(root, target)
    }

    /// A compiler with its own library and linker for the target.
    const fn of(target: &'static str, compiler: Compiler) -> Self {
        Self { target, compiler, build_std: &[], sysroot: None, linker: None }
    }

    /// Returns the installed toolchain, if it has the target.
    fn installed(target: &'static str) -> Option<Self> {
        is_installed(target).then_some(Self::of(target, Compiler::Installed))
    }

    /// Returns the toolchain that only checks code for a target with an operating system, without a
    /// linker.
    ///
    /// # Errors
    ///
    /// Returns an error that names the missing part of the toolchain.
    pub fn to_check(target: &'static str) -> Result<Self, String> {
        if let Some(installed) = Self::installed(target) {
            return Ok(installed);
        }
        require_distribution()?;
        let build_std = &["-Zbuild-std=std"];
        Ok(Self { build_std, ..Self::of(target, Compiler::Distribution) })
    }

    fn distribution(root: &Path, target: &'static str) -> Result<Self, String> {
        require_distribution()?;
        let own = Self::of(target, Compiler::Distribution);
        if !target.contains("-none") {
            // The packages of the compiler include the library for the host.
            return Ok(own);
        }
        // LLD links such targets, but the distribution's compiler does not include LLD.
        let linker = Some(rust_lld().ok_or("rustup's toolchain has no rust-lld")?);
        let sysroot = core_library::sysroot(root, target).map_err(|error| format!("{error:#}"))?;
        Ok(Self { sysroot: Some(sysroot), linker, ..own })
    }

    /// Returns the toolchain for a target with Linux, with this linker.
    ///
    /// # Errors
    ///
    /// The error names the missing tool.
    pub fn linux(root: &Path, target: &'static str, linker: &str) -> Result<Self, String> {
        output(linker, &["--version"]).ok_or_else(|| format!("there is no {linker}"))?;
        let oldest = oldest::Compiler::unpacked(root).ok();
        let toolchain = if let Some(installed) = Self::installed(target) {
            installed
        } else if let Some(oldest) = oldest.filter(|oldest| oldest.has_library(target)) {
            Self::of(target, Compiler::Oldest(oldest))
        } else {
            require_distribution()?;
            Self { build_std: STD, ..Self::of(target, Compiler::Distribution) }
        };
        Ok(Self { linker: Some(linker.into()), ..toolchain })
    }

    pub fn target(&self) -> &'static str {
        self.target
    }

    /// Returns the environment variable with a Cargo setting for the target.
    pub fn variable(&self, setting: &str) -> String {
        variable(self.target, setting)
    }

    /// Returns the Cargo command for this target: `subcommand`, `--target`, then `arguments`.
    pub fn cargo(&self, root: &Path, subcommand: &str, arguments: &[&str]) -> Program {
        let mut all = vec![subcommand, "--target", self.target];
        all.extend_from_slice(self.build_std);
        if let Compiler::Oldest(_) = self.compiler {
            // Some test dependencies declare a newer minimum compiler than they need.
            all.push("--ignore-rust-version");
            all.extend(oldest::AS_IT_IS);
        }
        // These arguments come last, because arguments after `--` belong to the compiler.
        all.extend(arguments);
        let mut program = cargo(root, &all).env("CARGO_TARGET_DIR", directory(root));
        match &self.compiler {
            Compiler::Installed => {}
            Compiler::Oldest(compiler) => program = compiler.drive(program),
            Compiler::Distribution => program = program.env("RUSTC", DISTRIBUTION),
        }
        if arguments.contains(&"--release") {
            // An incremental build is optimized in parts, so figures would depend on the environment.
            program = program.env("CARGO_INCREMENTAL", "0");
        }
        if !self.build_std.is_empty() {
            // The distribution's compiler is a stable one; building `core` is not stable yet.
            program = program.env("RUSTC_BOOTSTRAP", "1");
        }
        if let Some(linker) = &self.linker {
            program = program.env(&self.variable("LINKER"), linker);
        }
        if let Some(sysroot) = self.sysroot_flag() {
            program = program.env(&self.variable("RUSTFLAGS"), sysroot);
        }
        program
    }

    /// Returns Cargo for documentation with these rustdoc flags.
    pub fn documentation(&self, root: &Path, arguments: &[&str], flags: &str) -> Program {
        let sysroot = self.sysroot_flag().unwrap_or_default();
        self.cargo(root, "doc", arguments)
            .env("RUSTDOC", RUSTDOC)
            .env("RUSTDOCFLAGS", format!("{flags} {sysroot}").trim_end())
    }

    /// Returns the compiler argument for the library, if the library is not the compiler's own.
    fn sysroot_flag(&self) -> Option<String> {
        self.sysroot.as_ref().map(|sysroot| format!("--sysroot={}", sysroot.display()))
    }

    /// Returns the output directory of [`cargo`](Self::cargo) for the target.
    pub fn directory(&self, root: &Path) -> PathBuf {
        directory(root).join(self.target)
    }

    /// Returns the path of the program `name` that [`cargo`](Self::cargo) built with this profile.
    pub fn program(&self, root: &Path, profile: &str, name: &str) -> PathBuf {
        self.directory(root).join(profile).join(name)
    }
}

/// The directory of the builds for Arm, which is separate from the host's builds because the
/// compiler may differ.
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

/// Returns the current compiler's own linker, which is beside the host's libraries.
fn rust_lld() -> Option<PathBuf> {
    let library = PathBuf::from(output("rustc", &["--print", "target-libdir"])?);
    let linker = library.parent()?.join("bin/rust-lld");
    linker.is_file().then_some(linker)
}

//! Uses the oldest supported compiler. `.ci/run install` unpacks it into `target`, with its Linux libraries for the
//! host and for Arm.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::command::Program;

/// Cargo arguments that build this workspace without optimizing `syn`, which is optimized only to
/// make `gen` fast.
pub const AS_IT_IS: [&str; 2] = ["--config", "profile.dev.package.\"syn@3\".opt-level=0"];

/// A compiler that was unpacked, but not installed. The compiler comes without Cargo, so the Cargo
/// that runs this task calls it.
#[derive(Debug, PartialEq)]
pub struct Compiler {
    directory: PathBuf,
}

impl Compiler {
    /// Returns the compiler whose version the workspace states, or an error that names what is
    /// missing.
    pub fn unpacked(root: &Path) -> Result<Self, String> {
        let version = rust_version(&root.join("Cargo.toml")).map_err(|error| error.to_string())?;
        let compiler = Self { directory: root.join("target").join(format!("rust-{version}")) };
        let program = compiler.program();
        if !program.is_file() {
            return Err(format!(
                "there is no {}; install it with `.ci/run install`",
                program.display()
            ));
        }
        Ok(compiler)
    }

    /// Returns whether the standard library for this target was unpacked with the compiler.
    pub fn has_library(&self, target: &str) -> bool {
        self.directory.join("usr/lib/rustlib").join(target).join("lib").is_dir()
    }

    /// Makes Cargo use this compiler.
    pub fn drive(&self, cargo: Program) -> Program {
        // Debian's directories of shared libraries contain the name of the system.
        let libraries = self.directory.join("usr/lib").join(MULTIARCH);
        cargo.env("RUSTC", self.program()).env("LD_LIBRARY_PATH", libraries)
    }

    fn program(&self) -> PathBuf {
        self.directory.join("usr/bin/rustc")
    }
}

const MULTIARCH: &str = "x86_64-linux-gnu";

/// Returns the version that a manifest states.
pub fn rust_version(manifest: &Path) -> Result<String> {
    let path = manifest.display();
    let text = fs::read_to_string(manifest).with_context(|| format!("cannot read {path}"))?;
    let mut stated = text.lines().filter_map(|line| line.strip_prefix("rust-version = \""));
    match (stated.next(), stated.next()) {
        (Some(version), None) => Ok(version.trim_end_matches('"').to_owned()),
        _ => bail!("{path} does not state one `rust-version`"),
    }
}

//! Compiles the cases for one target.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::Target;
use super::disassembly::{self, Instruction};
use super::object_file;
use crate::verify::arm::Toolchain;

/// The package of the cases.
const PACKAGE: &str = "asm-cases";

/// Libraries of the language. A call of their functions counts as one instruction.
const NOT_OURS: [&str; 3] = ["core", "compiler_builtins", "alloc"];

/// The compiled functions of the cases and of our libraries, by name: their calls and their instructions.
pub struct Program {
    pub code: BTreeMap<String, Vec<String>>,
    pub text: BTreeMap<String, Vec<Instruction>>,
}

/// The keys of a message of Cargo that are read here.
#[derive(Deserialize)]
struct Artifact {
    target: ArtifactTarget,
    filenames: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
}

/// # Errors
///
/// If they do not build, or the result cannot be read.
pub fn build(root: &Path, toolchain: &Toolchain, target: &Target) -> Result<Program> {
    let arguments = [
        "--package",
        PACKAGE,
        "--release",
        // With several units, inlining depends on the number of cases.
        "--config",
        "profile.release.package.asm-cases.codegen-units=1",
        "--message-format",
        "json-render-diagnostics",
    ];
    let messages = toolchain.cargo(root, "build", &arguments).output()?;
    let mut program = Program { code: BTreeMap::new(), text: BTreeMap::new() };
    for library in messages.lines().filter_map(|message| library(message, target.name)) {
        let path = library.display().to_string();
        let bytes = fs::read(&library).with_context(|| path.clone())?;
        program.code.extend(object_file::functions(&bytes).with_context(|| path.clone())?);
        program.text.extend(disassembly::of(target.disassembler, &path)?);
    }
    Ok(program)
}

/// The library of ours, for this target, that a message of Cargo names, if any.
fn library(message: &str, target: &str) -> Option<PathBuf> {
    let artifact: Artifact = serde_json::from_str(message).ok()?;
    if NOT_OURS.contains(&artifact.target.name.as_str()) {
        return None;
    }
    artifact.filenames.into_iter().find(|file| {
        file.extension().is_some_and(|end| end == "rlib")
            // Macros run in the compiler, so they are built for the host.
            && file.components().any(|part| part.as_os_str() == target)
    })
}

//! Sizes of the sections of a program.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use object::{File, Object, ObjectSection};

/// Bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Sections {
    pub text: u64,
    pub rodata: u64,
}

impl Sections {
    /// The sizes in `file`.
    ///
    /// # Errors
    ///
    /// If it is no program, or there is no code in it.
    pub fn of(file: &Path) -> Result<Self> {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let program = File::parse(&*bytes)?;
        let sections = Self { text: sum(&program, ".text"), rodata: sum(&program, ".rodata") };
        ensure!(sections.text != 0, "there is no code in {}", file.display());
        Ok(sections)
    }
}

/// The bytes of all sections of this name, or of a part with this name, such as `.rodata.str1`.
fn sum(program: &File<'_>, name: &str) -> u64 {
    let is_part = |other: &str| {
        other.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let sections = program.sections().filter(|section| section.name().is_ok_and(is_part));
    sections.map(|section| section.size()).sum()
}

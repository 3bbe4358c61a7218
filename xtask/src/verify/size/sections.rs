//! Sizes of the sections of a program.

use std::path::Path;

use anyhow::{Context, Result};

use crate::command::Program;

/// Bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Sections {
    pub text: u64,
    pub rodata: u64,
}

impl Sections {
    /// The sizes in `file`, read with `<tools>size`.
    ///
    /// # Errors
    ///
    /// If it cannot be run, or there is no code in the file.
    pub fn of(file: &Path, tools: &str) -> Result<Self> {
        let table =
            Program::new(format!("{tools}size")).arguments([Path::new("-A"), file]).output()?;
        let sections = Self { text: sum(&table, ".text"), rodata: sum(&table, ".rodata") };
        Some(sections)
            .filter(|sections| sections.text != 0)
            .with_context(|| format!("there is no code in {}", file.display()))
    }
}

/// The bytes of all sections of this name, or of a part with this name, in a table of `size -A`.
fn sum(table: &str, name: &str) -> u64 {
    let sizes = table.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let rest = words.next()?.strip_prefix(name)?;
        let size = words.next()?.parse::<u64>().ok()?;
        (rest.is_empty() || rest.starts_with('.')).then_some(size)
    });
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_section_are_added() {
        let table = "a.out  :\nsection   size   addr\n.rodata  13  0\n.rodata.str1  4  0\n.text  20  0\n.textual 1 0\nTotal 38\n";
        assert_eq!((sum(table, ".text"), sum(table, ".rodata"), sum(table, ".data")), (20, 17, 0));
    }
}

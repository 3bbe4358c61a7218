//! Functions of a library, as GNU objdump prints them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use regex::Regex;

use crate::command::Program;

/// A function of a library.
#[derive(Debug, Default)]
pub struct Function {
    /// Instructions and constants, without addresses and comments.
    pub lines: Vec<String>,
    /// Symbols that the function refers to: functions and data.
    pub refers_to: Vec<String>,
}

/// Functions by name.
pub type Functions = BTreeMap<String, Function>;

/// Returns the functions of a library.
///
/// # Errors
///
/// Returns an error if the library cannot be disassembled.
pub fn of(disassembler: &str, library: &Path) -> Result<Functions> {
    // `Disassembly of section .text.f:`, `00000000 <f>:`, `\t\t\t8: R_ARM_CALL\tmemcpy+0x8` and
    // ` 8:\tmovw\tr0, #63608\t@ 0xf878`.
    let line = Regex::new(concat!(
        r"^Disassembly of section (?<section>.*):$|^\S+ <(?<label>.*)>:$",
        r"|: R_\S+\t(?<symbol>.*?)([+-]0x.*)?$",
        r"|^ *[[:xdigit:]]+:\t(?<mnemonic>\S+)\s*(?<operands>.*?)\s*((@|//|#) .*)?$",
    ))?;
    let program = Program::new(disassembler).arguments(["-d", "--reloc", "--no-show-raw-insn"]);
    let mut functions = Functions::new();
    let mut sections = BTreeMap::new();
    let (mut section, mut current) = (String::new(), String::new());
    for found in program.arguments([library]).output()?.lines().filter_map(|one| line.captures(one))
    {
        let part = |name| found.name(name).map(|part| part.as_str().to_owned());
        if let Some(name) = part("section") {
            section = name;
        } else if let Some(name) = part("label") {
            // Labels inside of functions exist for the relocations of RISC-V; no function begins at
            // them.
            if !name.starts_with(".L") {
                sections.entry(section.clone()).or_insert_with(|| name.clone());
                current = name;
            }
        } else {
            let function = functions.entry(current.clone()).or_default();
            function.refers_to.extend(part("symbol"));
            let line = part("mnemonic").zip(part("operands"));
            function
                .lines
                .extend(line.map(|(mnemonic, operands)| format!("{mnemonic} {operands}")));
        }
    }
    // A private function may have no symbol, only the name of its section.
    for symbol in functions.values_mut().flat_map(|function| &mut function.refers_to) {
        if let Some(name) = sections.get(symbol) {
            symbol.clone_from(name);
        }
    }
    Ok(functions)
}

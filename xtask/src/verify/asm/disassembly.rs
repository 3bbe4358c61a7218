//! Parses the output of GNU objdump for a library.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use crate::command::Program;

/// One line of a function: an instruction, or data among the instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub mnemonic: String,
    pub operands: String,
}

impl Instruction {
    /// Returns whether the line is data, such as a constant between functions.
    pub fn is_data(&self) -> bool {
        self.mnemonic.starts_with('.')
    }
}

/// A function of a library.
#[derive(Debug, Default)]
pub struct Function {
    pub instructions: Vec<Instruction>,
    /// Symbols that the function refers to: functions and data.
    pub refers_to: Vec<String>,
}

/// Returns the functions of a library, by name.
///
/// # Errors
///
/// Returns an error if the library cannot be disassembled.
pub fn of(disassembler: &str, library: &Path) -> Result<BTreeMap<String, Function>> {
    let program = Program::new(disassembler).arguments(["-d", "--reloc", "--no-show-raw-insn"]);
    Ok(parse(&program.arguments([library]).output()?))
}

/// Parses lines such as `00000000 <name>:`, ` 8:\tmovw\tr0, #63608\t@ 0xf878` and `\t\t\t8: R_ARM_CALL\tmemcpy`.
pub fn parse(text: &str) -> BTreeMap<String, Function> {
    let mut functions: BTreeMap<String, Function> = BTreeMap::new();
    let mut sections = BTreeMap::new();
    let (mut section, mut current) = (String::new(), String::new());
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("Disassembly of section ") {
            name.trim_end_matches(':').clone_into(&mut section);
        } else if let Some(name) = label(line) {
            // RISC-V relocations need labels inside of functions, which are not functions.
            if !name.starts_with(".L") {
                name.clone_into(&mut current);
                sections.entry(section.clone()).or_insert_with(|| name.to_owned());
                functions.entry(current.clone()).or_default();
            }
        } else if let Some(function) = functions.get_mut(&current) {
            function.instructions.extend(instruction(line));
            function.refers_to.extend(reference(line));
        }
    }
    // The compiler puts each function into a section, which may be the only name of a private
    // function.
    for reference in functions.values_mut().flat_map(|function| &mut function.refers_to) {
        if let Some(name) = sections.get(reference) {
            reference.clone_from(name);
        }
    }
    functions
}

fn label(line: &str) -> Option<&str> {
    Some(line.strip_suffix(">:")?.split_once(" <")?.1)
}

/// Returns the symbol of a relocation, without the addend.
fn reference(line: &str) -> Option<String> {
    let (_, symbol) = line.split_once(": R_")?.1.split_once('\t')?;
    let end = symbol.find("+0x").or_else(|| symbol.find("-0x")).unwrap_or(symbol.len());
    Some(symbol[..end].to_owned())
}

fn instruction(line: &str) -> Option<Instruction> {
    let (address, rest) = line.split_once(":\t")?;
    u64::from_str_radix(address.trim(), 16).ok()?;
    let (mnemonic, operands) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
    // Comments of the disassembler: the value of a constant, or the target of a branch.
    let operands = ["@ ", "// ", "# "].iter().fold(operands, |operands, comment| {
        operands.split_once(comment).map_or(operands, |(before, _)| before)
    });
    Some(Instruction { mnemonic: mnemonic.to_owned(), operands: operands.trim().to_owned() })
}

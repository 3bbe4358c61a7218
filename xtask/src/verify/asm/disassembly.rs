//! The output of GNU objdump for a library.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::command::Program;

/// One line of a function: an instruction, or data among the instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub mnemonic: String,
    pub operands: String,
}

impl Instruction {
    /// Whether it is data, such as a constant between functions.
    pub fn is_data(&self) -> bool {
        self.mnemonic.starts_with('.')
    }
}

/// The functions of a library, by name.
///
/// # Errors
///
/// If it cannot be disassembled.
pub fn of(disassembler: &str, library: &str) -> Result<BTreeMap<String, Vec<Instruction>>> {
    let arguments = ["--disassemble", "--no-show-raw-insn", library];
    Ok(parse(&Program::new(disassembler).arguments(arguments).output()?))
}

/// Reads lines such as `00000000 <name>:` and `   8:\tmovw\tr0, #63608\t@ 0xf878`.
pub fn parse(text: &str) -> BTreeMap<String, Vec<Instruction>> {
    let mut functions = BTreeMap::new();
    let mut current: Option<&mut Vec<Instruction>> = None;
    for line in text.lines() {
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
            // A label inside of a function, as relocations of RISC-V need them.
            if name.starts_with(".L") {
                continue;
            }
            current = Some(functions.entry(name.to_owned()).or_default());
        } else if let (Some(function), Some(instruction)) = (current.as_mut(), instruction(line)) {
            function.push(instruction);
        }
    }
    functions
}

fn instruction(line: &str) -> Option<Instruction> {
    let (address, rest) = line.split_once(":\t")?;
    u64::from_str_radix(address.trim(), 16).ok()?;
    let (mnemonic, operands) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
    // A comment of the disassembler: the value of a constant, or the target of a branch.
    let operands = ["@ ", "// ", "# "].iter().fold(operands, |operands, comment| {
        operands.split_once(comment).map_or(operands, |(before, _)| before)
    });
    Some(Instruction { mnemonic: mnemonic.to_owned(), operands: operands.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_read_without_comments() {
        let text = "\nlib.o:     file format elf32-littlearm\n\n\n\
            Disassembly of section .text.one:\n\n00000000 <one>:\n   \
            8:\tmovw\tr0, #63608\t@ 0xf878\n   c:\tbx\tlr\n  10:\t.word\t0x00000069\n\n\
            0000000000000010 <two>:\n  10:\tauipc\tra,0x0\n\n0000000000000014 <.Lpcrel_hi0>:\n  14:\tret\n";
        let functions = parse(text);
        let shown = |name: &str| -> Vec<String> {
            let lines = functions[name].iter();
            lines.map(|line| format!("{} {}", line.mnemonic, line.operands)).collect()
        };
        assert_eq!(shown("one"), ["movw r0, #63608", "bx lr", ".word 0x00000069"]);
        assert_eq!(shown("two"), ["auipc ra,0x0", "ret "]);
        assert_eq!(functions.len(), 2, "a label is no function");
        assert!(functions["one"][2].is_data() && !functions["one"][0].is_data());
    }
}

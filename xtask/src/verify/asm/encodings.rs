//! Compares the compiled `mrc` and `mcr` of every CP15 register of the specs with the formula of the
//! architecture and with another assembler.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use object::{File, Object, ObjectSection};

use super::build::Program;
use crate::command::{self, output};
use crate::generate::load;
use crate::generate::model::{Access, Ip, Location, Operands, Space};
use crate::output::outln;
use crate::verify::arm::skip;

const ASSEMBLER: &str = "arm-linux-gnueabihf-as";

/// One expected instruction.
struct Expected {
    /// The name of the function that holds it.
    function: String,
    reads: bool,
    operands: Operands,
}

/// Checks every register of every IP that is in coprocessor 15, and returns the failures.
///
/// # Errors
///
/// If the specs are wrong, or the assembler fails. In CI also if there is no assembler.
pub fn check(root: &Path, target: &str, program: &Program) -> Result<Vec<String>> {
    let ips = load::load(root, &[])?.ips;
    let expected: Vec<_> = ips.iter().flat_map(of).collect();
    let mut problems = Vec::new();
    let known: BTreeSet<_> = expected.iter().map(|one| one.function.as_str()).collect();
    for function in program.code.keys().filter(|name| name.starts_with("encoding ")) {
        if !known.contains(function.as_str()) {
            problems.push(format!("{target}: the specs have no `{function}`"));
        }
    }
    let mut compiled = Vec::new();
    for one in &expected {
        match word(program, &one.function) {
            Ok(word) => compiled.push((one, word)),
            Err(problem) => problems.push(format!("{target}: {problem:#}")),
        }
    }
    let assembled = match output(ASSEMBLER, &["--version"]) {
        Some(_) => Some(assemble(&compiled)?),
        None => {
            skip("encodings by another assembler", &format!("there is no {ASSEMBLER}"))?;
            None
        }
    };
    outln!("\n{target}: {} instructions of CP15 registers", compiled.len());
    for (nth, (one, word)) in compiled.iter().enumerate() {
        let formula = formula(one, target_register(*word));
        let assembled = assembled.as_ref().map(|words| words[nth]);
        let right = *word == formula && assembled.is_none_or(|assembled| assembled == *word);
        let verdict = if right { "ok" } else { "WRONG" };
        outln!("  {word:#010X} {verdict}  {}", one.function);
        if !right {
            let assembled =
                assembled.map_or(String::new(), |word| format!(", assembled {word:#010X}"));
            problems.push(format!(
                "{target}: {}: compiled {word:#010X}, by the formula {formula:#010X}{assembled}",
                one.function
            ));
        }
    }
    Ok(problems)
}

/// The expected instructions of an IP: those of each of its units.
fn of(ip: &Ip) -> Vec<Expected> {
    if !matches!(ip.space, Space::Cp15) {
        return Vec::new();
    }
    let units: Vec<_> = if ip.units.is_empty() {
        vec![(ip.name.as_str(), ip.registers.clone())]
    } else {
        let units = ip.units.iter().enumerate();
        units.map(|(number, unit)| (unit.name.as_str(), ip.registers_of(number))).collect()
    };
    let mut expected = Vec::new();
    for (unit, registers) in &units {
        for register in registers {
            let Location::Cp15 { operands, .. } = register.location else { continue };
            for (reads, direction) in [(true, "read"), (false, "write")] {
                let possible = match register.access {
                    Access::ReadOnly => reads,
                    Access::ReadWrite => true,
                    _ => !reads,
                };
                if possible {
                    let name = register.name.to_lowercase();
                    let function = format!("encoding {unit} {name} {direction}");
                    expected.push(Expected { function, reads, operands });
                }
            }
        }
    }
    expected
}

/// The one coprocessor instruction of a function.
fn word(program: &Program, function: &str) -> Result<u32> {
    let code = program.code.get(function);
    let code = code.with_context(|| format!("there is no function `{function}`"))?;
    let mut words = code.words().filter(|word| is_register_transfer(*word));
    match (words.next(), words.next()) {
        (Some(word), None) => Ok(word),
        _ => bail!("`{function}` does not hold one coprocessor instruction"),
    }
}

/// Whether it is an MRC or MCR, of any coprocessor and under any condition.
const fn is_register_transfer(word: u32) -> bool {
    word & 0x0F00_0010 == 0x0E00_0010
}

/// The general-purpose register, which the compiler chose.
const fn target_register(word: u32) -> u32 {
    word >> 12 & 0xF
}

/// `MRC{cond} p15, opc1, Rt, CRn, CRm, opc2` and `MCR`, encoding A1, with the condition "always".
const fn formula(expected: &Expected, target_register: u32) -> u32 {
    let Operands { opc1, crn, crm, opc2 } = expected.operands;
    let load = expected.reads as u32;
    0xEE00_0010
        | load << 20
        | opc1 << 21
        | crn << 16
        | target_register << 12
        | 15 << 8
        | opc2 << 5
        | crm
}

/// The same instructions, made by the assembler of binutils.
fn assemble(instructions: &[(&Expected, u32)]) -> Result<Vec<u32>> {
    let mut source = String::new();
    for (one, word) in instructions {
        let Operands { opc1, crn, crm, opc2 } = one.operands;
        let mnemonic = if one.reads { "mrc" } else { "mcr" };
        let register = target_register(*word);
        source += &format!("{mnemonic} p15, {opc1}, r{register}, c{crn}, c{crm}, {opc2}\n");
    }
    let directory = tempfile::tempdir()?;
    let [input, result] = ["source.s", "result.o"].map(|name| directory.path().join(name));
    fs::write(&input, source)?;
    command::Program::new(ASSEMBLER)
        .arguments(["-march=armv6", "-o"])
        .arguments([&result, &input])
        .run()?;
    let bytes = fs::read(&result)?;
    let file = File::parse(&*bytes)?;
    let text = file.section_by_name(".text").context("the assembler made no code")?.data()?;
    let words: Vec<_> = text
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    if words.len() != instructions.len() {
        bail!("the assembler made {} instructions of {}", words.len(), instructions.len());
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_is_that_of_the_manual() {
        // DDI 0344K, 3.2.42: MRC p15, 0, <Rd>, c9, c12, 0 reads PMNC.
        let operands = Operands { opc1: 0, crn: 9, crm: 12, opc2: 0 };
        let expected = Expected { function: String::new(), reads: true, operands };
        assert_eq!(formula(&expected, 0), 0xEE19_0F1C);
        let operands = Operands { opc1: 1, crn: 15, crm: 12, opc2: 3 };
        let expected = Expected { function: String::new(), reads: false, operands };
        assert_eq!(formula(&expected, 5), 0xEE2F_5F7C);
    }

    #[test]
    fn register_transfers_are_distinguished_from_other_instructions() {
        assert!(is_register_transfer(0xEE19_0F1C) && is_register_transfer(0xEE2F_5F7C));
        // push {fp, lr}; bx lr; svc 0x123456.
        assert!(
            [0xE92D_4800, 0xE12F_FF1E, 0xEF12_3456]
                .into_iter()
                .all(|word| !is_register_transfer(word))
        );
    }
}

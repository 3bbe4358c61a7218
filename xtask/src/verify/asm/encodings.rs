//! Compares the compiled instruction of each access to a CP15 register, or to a system register of AArch64, with the
//! formula of the architecture and with another assembler.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, bail};
use object::{File, Object, ObjectSection};

use super::build::Program;
use super::{Architecture, Target};
use crate::command::{self, output};
use crate::generate::load::Loaded;
use crate::generate::model::{self, Access, Ip, Location, Operands, SystemRegister};
use crate::output::outln;
use crate::verify::arm::skip;

/// The instructions that access registers by their encoding.
#[derive(Clone, Copy)]
enum Kind {
    /// MRC and MCR.
    Cp15,
    /// MRS and MSR.
    System,
}

/// A register of one kind.
#[derive(Clone)]
enum Register {
    Cp15(Operands),
    /// With the name that assemblers know, so that they check its encoding too.
    System(SystemRegister, String),
}

/// One expected instruction.
struct Expected {
    /// The name of the function that holds it.
    function: String,
    reads: bool,
    register: Register,
}

/// The expected instructions of an array whose index is known at run time only.
struct Indexed {
    function: String,
    elements: Vec<Expected>,
}

/// Checks every register of every IP that an instruction of the target names, and returns the failures.
///
/// # Errors
///
/// If the assembler fails. In CI also if there is no assembler.
pub fn check(loaded: &Loaded, target: &Target, program: &Program) -> Result<Vec<String>> {
    let kind = match target.architecture {
        Architecture::Arm => Kind::Cp15,
        Architecture::Aarch64 => Kind::System,
        Architecture::X86 | Architecture::Riscv => return Ok(Vec::new()),
    };
    let target = target.name;
    let (mut expected, mut indexed) = (Vec::new(), Vec::new());
    for ip in loaded.ips.iter().chain(&loaded.generic) {
        of(ip, kind, &mut expected, &mut indexed);
    }
    let mut problems = Vec::new();
    let known: BTreeSet<_> = expected.iter().map(|one| one.function.as_str()).collect();
    for function in program.code.keys().filter(|name| name.starts_with("encoding ")) {
        if !known.contains(function.as_str()) {
            problems.push(format!("{target}: the specs have no `{function}`"));
        }
    }
    let mut compiled = Vec::new();
    for one in &expected {
        match kind.word(program, &one.function) {
            Ok(word) => compiled.push((one, word)),
            Err(problem) => problems.push(format!("{target}: {problem:#}")),
        }
    }
    let [assembler, _] = kind.assembler();
    let assembled = match output(assembler, &["--version"]) {
        Some(_) => Some(kind.assemble(&compiled)?),
        None => {
            skip("encodings by another assembler", &format!("there is no {assembler}"))?;
            None
        }
    };
    outln!("\n{target}: {} instructions of {}", compiled.len(), kind.title());
    for (nth, (one, word)) in compiled.iter().enumerate() {
        let formula = one.formula(kind.target_register(*word));
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
    for array in &indexed {
        match kind.all_elements(program, array) {
            Ok(()) => outln!("  {} elements ok  {}", array.elements.len(), array.function),
            Err(problem) => problems.push(format!("{target}: {problem:#}")),
        }
    }
    Ok(problems)
}

/// Adds the expected instructions of an IP: those of each of its units.
fn of(ip: &Ip, kind: Kind, expected: &mut Vec<Expected>, indexed: &mut Vec<Indexed>) {
    let units: Vec<_> = if ip.units.is_empty() {
        vec![(ip.name.as_str(), ip.registers.clone())]
    } else {
        let units = ip.units.iter().enumerate();
        units.map(|(number, unit)| (unit.name.as_str(), ip.registers_of(number))).collect()
    };
    for (unit, registers) in &units {
        for register in registers {
            let elements = elements(register, kind);
            for (reads, direction) in [(true, "read"), (false, "write")] {
                let possible = match register.access {
                    Access::ReadOnly => reads,
                    Access::ReadWrite => true,
                    _ => !reads,
                };
                if !possible {
                    continue;
                }
                let name = register.name.to_lowercase();
                let all = || {
                    elements.iter().map(|(index, register)| Expected {
                        function: format!("encoding {unit} {name}{index} {direction}"),
                        reads,
                        register: register.clone(),
                    })
                };
                expected.extend(all());
                if elements.len() > 1 {
                    let function = format!("indexed {unit} {name} {direction}");
                    indexed.push(Indexed { function, elements: all().collect() });
                }
            }
        }
    }
}

/// The elements of a register, each with its index as a word if there are several. None if it is of another kind.
fn elements(register: &model::Register, kind: Kind) -> Vec<(String, Register)> {
    match (kind, &register.location) {
        (Kind::Cp15, Location::Cp15 { operands, .. }) => {
            vec![(String::new(), Register::Cp15(*operands))]
        }
        (Kind::System, Location::System { register: first, count }) => {
            let name = register.name.to_lowercase();
            if *count == 1 {
                return vec![(String::new(), Register::System(*first, name))];
            }
            // The array PMEVCNTR_EL0 has PMEVCNTR0_EL0 and so on. CRm is the upper part of their number, op2 the lower.
            let (start, end) = name.rsplit_once('_').unwrap_or((&name, ""));
            let element = |index| {
                let number = first.crm * 8 + first.op2 + index;
                let register = SystemRegister { crm: number / 8, op2: number % 8, ..*first };
                let name = format!("{start}{index}_{end}");
                (format!(" {index}"), Register::System(register, name))
            };
            (0..*count).map(element).collect()
        }
        _ => Vec::new(),
    }
}

impl Kind {
    const fn title(self) -> &'static str {
        match self {
            Self::Cp15 => "CP15 registers",
            Self::System => "system registers",
        }
    }

    /// That of binutils, and the architecture that it assembles for.
    const fn assembler(self) -> [&'static str; 2] {
        match self {
            Self::Cp15 => ["arm-linux-gnueabihf-as", "-march=armv6"],
            Self::System => ["aarch64-linux-gnu-as", "-march=armv8-a"],
        }
    }

    /// Whether a word is one of these instructions, of any coprocessor, under any condition, of any op0.
    const fn is_register_transfer(self, word: u32) -> bool {
        match self {
            Self::Cp15 => word & 0x0F00_0010 == 0x0E00_0010,
            Self::System => word & 0xFFD0_0000 == 0xD510_0000,
        }
    }

    /// The general-purpose register, which the compiler chose.
    const fn target_register(self, word: u32) -> u32 {
        match self {
            Self::Cp15 => word >> 12 & 0xF,
            Self::System => word & 0x1F,
        }
    }

    /// The instructions of this kind in a function.
    fn words(self, program: &Program, function: &str) -> Result<impl Iterator<Item = u32>> {
        let code = program.code.get(function);
        let code = code.with_context(|| format!("there is no function `{function}`"))?;
        Ok(code.words().filter(move |word| self.is_register_transfer(*word)))
    }

    /// The one instruction of a function.
    fn word(self, program: &Program, function: &str) -> Result<u32> {
        let mut words = self.words(program, function)?;
        match (words.next(), words.next()) {
            (Some(word), None) => Ok(word),
            _ => bail!("`{function}` does not hold one instruction that accesses a register"),
        }
    }

    /// Checks that a function has the instructions of all elements and no others. The image `every_core` of
    /// `xtask/firmware` checks which of them an index reaches.
    fn all_elements(self, program: &Program, array: &Indexed) -> Result<()> {
        let Indexed { function, elements } = array;
        let words: Vec<_> = self.words(program, function)?.collect();
        let is_one = |one: &Expected, word| one.formula(self.target_register(word)) == word;
        for one in elements {
            if !words.iter().any(|word| is_one(one, *word)) {
                bail!("`{function}` lacks the instruction of `{}`", one.function);
            }
        }
        for word in &words {
            if !elements.iter().any(|one| is_one(one, *word)) {
                bail!("`{function}` accesses a register beside the array: {word:#010X}");
            }
        }
        Ok(())
    }

    /// The same instructions, made by the assembler.
    fn assemble(self, instructions: &[(&Expected, u32)]) -> Result<Vec<u32>> {
        let lines = instructions.iter().map(|(one, word)| one.line(self.target_register(*word)));
        let source: String = lines.collect();
        let directory = tempfile::tempdir()?;
        let [input, result] = ["source.s", "result.o"].map(|name| directory.path().join(name));
        fs::write(&input, source)?;
        let [assembler, architecture] = self.assembler();
        command::Program::new(assembler)
            .arguments([architecture, "-o"])
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
}

impl Expected {
    fn formula(&self, target_register: u32) -> u32 {
        let load = u32::from(self.reads);
        match self.register {
            // `MRC{cond} p15, opc1, Rt, CRn, CRm, opc2` and `MCR`, encoding A1, with the condition "always".
            Register::Cp15(Operands { opc1, crn, crm, opc2 }) => {
                0xEE00_0010
                    | load << 20
                    | opc1 << 21
                    | crn << 16
                    | target_register << 12
                    | 15 << 8
                    | opc2 << 5
                    | crm
            }
            // `MRS Xt, S<op0>_<op1>_C<CRn>_C<CRm>_<op2>` and `MSR`. Of op0, 2 or 3, the lower bit is encoded.
            Register::System(SystemRegister { op0, op1, crn, crm, op2 }, _) => {
                0xD510_0000
                    | load << 21
                    | (op0 - 2) << 19
                    | op1 << 16
                    | crn << 12
                    | crm << 8
                    | op2 << 5
                    | target_register
            }
        }
    }

    /// A line for the assembler.
    fn line(&self, target_register: u32) -> String {
        match (&self.register, self.reads) {
            (Register::Cp15(Operands { opc1, crn, crm, opc2 }), reads) => {
                let mnemonic = if reads { "mrc" } else { "mcr" };
                format!("{mnemonic} p15, {opc1}, r{target_register}, c{crn}, c{crm}, {opc2}\n")
            }
            (Register::System(_, name), true) => format!("mrs {}, {name}\n", x(target_register)),
            (Register::System(_, name), false) => format!("msr {name}, {}\n", x(target_register)),
        }
    }
}

/// A general-purpose register of AArch64.
fn x(number: u32) -> String {
    if number == 31 { "xzr".to_owned() } else { format!("x{number}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(register: Register, reads: bool) -> Expected {
        Expected { function: String::new(), reads, register }
    }

    #[test]
    fn the_formula_is_that_of_the_manual() {
        // DDI 0344K, 3.2.42: MRC p15, 0, <Rd>, c9, c12, 0 reads PMNC.
        let operands = Operands { opc1: 0, crn: 9, crm: 12, opc2: 0 };
        assert_eq!(expected(Register::Cp15(operands), true).formula(0), 0xEE19_0F1C);
        let operands = Operands { opc1: 1, crn: 15, crm: 12, opc2: 3 };
        assert_eq!(expected(Register::Cp15(operands), false).formula(5), 0xEE2F_5F7C);
        // As GNU as encodes `mrs x0, pmcr_el0` and `msr pmevtyper30_el0, x8`.
        let register = SystemRegister { op0: 3, op1: 3, crn: 9, crm: 12, op2: 0 };
        let register = |crn, crm, op2| {
            Register::System(SystemRegister { crn, crm, op2, ..register }, String::new())
        };
        assert_eq!(expected(register(9, 12, 0), true).formula(0), 0xD53B_9C00);
        assert_eq!(expected(register(14, 15, 6), false).formula(8), 0xD51B_EFC8);
    }

    #[test]
    fn register_transfers_are_distinguished_from_other_instructions() {
        let transfers = |kind: Kind, words: &[u32]| {
            words.iter().filter(|word| kind.is_register_transfer(**word)).count()
        };
        assert_eq!(transfers(Kind::Cp15, &[0xEE19_0F1C, 0xEE2F_5F7C]), 2);
        // push {fp, lr}; bx lr; svc 0x123456.
        assert_eq!(transfers(Kind::Cp15, &[0xE92D_4800, 0xE12F_FF1E, 0xEF12_3456]), 0);
        // mrs x0, pmcr_el0; msr pmevtyper30_el0, x8.
        assert_eq!(transfers(Kind::System, &[0xD53B_9C00, 0xD51B_EFC8]), 2);
        // isb; msr daifset, #2; sys #0, c7, c5, #0; ret.
        let others = [0xD503_3FDF, 0xD503_42DF, 0xD508_751F, 0xD65F_03C0];
        assert_eq!(transfers(Kind::System, &others), 0);
    }
}

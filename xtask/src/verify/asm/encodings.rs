//! Compares the encodings of the system registers in the specs with an assembler that knows the registers by
//! name.
//!
//! The instructions themselves are compared by the pairs of `xtask/asm`, which hold one of each direction, and the
//! elements of arrays by the image `pmuv3` of `xtask/firmware`.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};
use object::{File, Object, ObjectSection};

use crate::command::{Program, output};
use crate::generate::load::Loaded;
use crate::generate::model::{Access, Location, Register};
use crate::verify::arm::skip;
use anstream::println as outln;

const ASSEMBLER: &str = "aarch64-linux-gnu-as";

/// Returns the registers whose encoding does not match their name.
///
/// # Errors
///
/// Returns an error if the assembler does not know a name. In CI, a missing assembler is also an
/// error.
pub fn check(loaded: &Loaded) -> Result<Vec<String>> {
    if output(ASSEMBLER, &["--version"]).is_none() {
        skip("encodings", &format!("there is no {ASSEMBLER}"))?;
        return Ok(Vec::new());
    }
    let ips = loaded.ips.iter().chain(&loaded.generic);
    let registers: Vec<_> = ips
        .flat_map(|ip| ip.registers.iter().map(|register| (ip.name.as_str(), register)))
        .flat_map(|(ip, register)| instructions(register).into_iter().map(move |pair| (ip, pair)))
        .collect();
    let source = registers.iter().fold(String::new(), |mut source, (_, [name, encoding])| {
        let _ = writeln!(source, "{name}\n{encoding}");
        source
    });
    let code = assemble(&source)?;
    let words: Vec<_> = code.chunks_exact(4).collect();
    ensure!(words.len() == 2 * registers.len(), "{ASSEMBLER} made {} words", words.len());
    let pairs = words.chunks_exact(2).zip(&registers).filter(|(words, _)| words[0] != words[1]);
    let problems =
        pairs.map(|(_, (ip, [name, encoding]))| format!("{ip}: {name} is not {encoding}"));
    outln!("\n{} instructions that name a system register have its encoding", registers.len());
    Ok(problems.collect())
}

/// Returns the instructions that access a register by its name and by its encoding.
fn instructions(register: &Register) -> Vec<[String; 2]> {
    let Location::System { register: first, count, .. } = &register.location else {
        return Vec::new();
    };
    // Assemblers have no names for registers that an implementation defines.
    if first.crn == 15 {
        return Vec::new();
    }
    let name = register.name.to_lowercase();
    // The array PMEVCNTR_EL0 has the elements PMEVCNTR0_EL0 and so on. CRm is the upper part of the element
    // number, and op2 the lower part.
    let (start, end) = name.rsplit_once('_').unwrap_or((&name, ""));
    let mut all = Vec::new();
    for index in 0..*count {
        let name = if *count == 1 { name.clone() } else { format!("{start}{index}_{end}") };
        let number = first.crm * 8 + first.op2 + index;
        let (crm, op2) = (number / 8, number % 8);
        let encoding = format!("S{}_{}_C{}_C{crm}_{op2}", first.op0, first.op1, first.crn);
        let both = [name, encoding];
        if matches!(register.access, Access::ReadOnly | Access::ReadWrite) {
            all.push(both.each_ref().map(|register| format!("mrs x0, {register}")));
        }
        if register.access != Access::ReadOnly {
            all.push(both.each_ref().map(|register| format!("msr {register}, x0")));
        }
    }
    all
}

fn assemble(source: &str) -> Result<Vec<u8>> {
    let directory = tempfile::tempdir()?;
    let [input, result] = ["source.s", "result.o"].map(|name| directory.path().join(name));
    fs::write(&input, source)?;
    Program::new(ASSEMBLER)
        .arguments(["-march=armv8.4-a", "-o"])
        .arguments([&result, &input])
        .run()?;
    let bytes = fs::read(&result)?;
    let text = File::parse(&*bytes)?.section_by_name(".text").context("no code")?.data()?.to_vec();
    Ok(text)
}

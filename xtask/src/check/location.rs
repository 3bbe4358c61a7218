//! Rules about where registers are.

use crate::problem::{Place, Problem, Problems};
use crate::spec::read::At;
use crate::spec::registers::{Block, Register, Registers};
use crate::spec::scalar::{Decimal, Hex};

/// Far beyond any PMU; keeps a slip from making the generator count to four billion.
const MOST_ELEMENTS: u32 = 256;

/// Blocks repeat, aligned, inside the region.
pub fn of_blocks(spec: &Registers, problems: &mut Problems) {
    for block in spec.blocks.iter() {
        aligned(&block.offset.place, "offset", block.offset.0, problems);
        steps(&block.stride, problems);
        let help = "registers that do not repeat need no block";
        repeats(&block.count, help, problems);
    }
}

/// Registers are aligned, inside their block and inside the region.
pub fn of_registers(spec: &Registers, problems: &mut Problems) {
    for register in spec.registers.iter() {
        aligned(&register.offset.place, "offset", register.offset.0, problems);
        match (&register.count, &register.stride) {
            _ if register.block.is_some() => {}
            (Some(count), Some(stride)) => {
                let help = "a single register has no `count` and no `stride`";
                repeats(count, help, problems);
                steps(stride, problems);
            }
            (Some(one), None) => {
                problems.push(Problem::new(&one.place, "a register with a `count` has a `stride`"));
            }
            (None, Some(one)) => {
                problems.push(Problem::new(&one.place, "a register with a `stride` has a `count`"));
            }
            (None, None) => {}
        }
        let mut in_block = true;
        if let Some(name) = &register.block {
            match block(spec, register) {
                None if spec.blocks.complete => {
                    let names: Vec<_> = spec.blocks.iter().map(|b| b.name.0.as_str()).collect();
                    let problem =
                        Problem::new(&name.place, format!("there is no block `{}`", name.0));
                    problems.push(problem.help(crate::spec::read::suggest(&name.0, &names)));
                }
                None => {}
                Some(_) if register.count.is_some() || register.stride.is_some() => {
                    let message = "a register of a block repeats with the block";
                    let problem = Problem::new(&name.place, message);
                    problems.push(problem.help("remove `count` and `stride`"));
                }
                Some(block)
                    if block.stride.0 != 0
                        && u64::from(register.offset.0) + 4 > u64::from(block.stride.0) =>
                {
                    in_block = false;
                    let message = format!("{} ends outside of its block", register.name.0);
                    let problem = Problem::new(&register.offset.place, message);
                    problems.push(problem.other(&block.stride.place, "from one block to the next"));
                }
                Some(_) => {}
            }
        }
        if let Some((_, last)) = words(spec, register).last()
            && in_block
            && last + 4 > u64::from(spec.length.0)
        {
            let message = format!("{} ends outside of the region", register.name.0);
            let problem = Problem::new(&register.offset.place, message);
            problems.push(problem.other(&spec.length.place, "its length"));
        }
    }
}

/// No two registers share a word.
pub fn do_not_overlap(spec: &Registers, problems: &mut Problems) {
    let mut taken: std::collections::HashMap<u64, &Register> = std::collections::HashMap::new();
    for register in spec.registers.iter() {
        for (element, word) in words(spec, register) {
            let other = taken.entry(word).or_insert(register);
            if std::ptr::eq(*other, register) {
                continue;
            }
            let element =
                if element == 0 { String::new() } else { format!(" (element {element})") };
            let message =
                format!("{}{element} is at 0x{word:X}, where {} is", register.name.0, other.name.0);
            let problem = Problem::new(&register.offset.place, message);
            problems.push(problem.other(&other.offset.place, "here"));
            break;
        }
    }
}

/// The elements of a register: number, and offset from the base. None if its place is not sound.
fn words(spec: &Registers, register: &Register) -> impl Iterator<Item = (u32, u64)> {
    let (base, count, stride) = match (block(spec, register), &register.count, &register.stride) {
        (Some(block), _, _) => (block.offset.0, block.count.0, block.stride.0),
        (None, _, _) if register.block.is_some() => (0, 0, 0),
        (None, Some(count), Some(stride)) => (0, count.0, stride.0),
        (None, _, _) => (0, 1, 0),
    };
    let first = u64::from(base) + u64::from(register.offset.0);
    let count = count.min(MOST_ELEMENTS);
    (0..count).map(move |n| (n, first + u64::from(n) * u64::from(stride)))
}

fn block<'s>(spec: &'s Registers, register: &Register) -> Option<&'s Block> {
    let name = register.block.as_ref()?;
    spec.blocks.iter().find(|block| block.name.value == name.value)
}

fn aligned(place: &Place, what: &str, number: u32, problems: &mut Problems) {
    if !number.is_multiple_of(4) {
        let message = format!("the {what} 0x{number:X} is not a multiple of 4");
        problems.push(Problem::new(place, message).help("registers are words of 4 bytes"));
    }
}

fn steps(stride: &At<Hex>, problems: &mut Problems) {
    if stride.0 == 0 {
        let message = "with a stride of 0 all elements are at one place";
        problems.push(Problem::new(&stride.place, message));
    }
    aligned(&stride.place, "stride", stride.0, problems);
}

fn repeats(count: &At<Decimal>, help: &str, problems: &mut Problems) {
    if !(2..=MOST_ELEMENTS).contains(&count.0) {
        let problem = Problem::new(&count.place, format!("a count is from 2 to {MOST_ELEMENTS}"));
        problems.push(problem.help(help));
    }
}

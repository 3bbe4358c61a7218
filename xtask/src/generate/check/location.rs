//! Rules about the locations of memory-mapped registers.

use super::lists::unknown;
use super::prelude::*;
use crate::generate::spec::registers::{BlockSpec, PageSpec, Space};
use crate::generate::spec::scalar::Hex;

/// Limit far above the number of elements in any PMU, so that a typing error does not cause a loop
/// over four billion elements.
const MOST_ELEMENTS: u32 = 256;

/// A register has one place: an offset, the operands of a CP15 access, or the encoding of a system register.
pub fn is_given_once(spec: &Registers, problems: &mut Problems) {
    for register in spec.registers.iter() {
        let mut locations = register.locations();
        match (locations.next(), locations.next()) {
            (Some((_, one)), Some((kind, other))) => {
                let message = match kind {
                    Space::Cp15 => "a register has either an `offset` or `cp15`",
                    _ => "a register with `sysreg` has no other place",
                };
                report(problems, other, message).other(one, "the other");
            }
            (None, _) => {
                let message = format!("the place of {} is missing", register.name.0);
                report(problems, &register.name, message)
                    .help("give its `offset`, its operands as `cp15`, or its encoding as `sysreg`");
            }
            _ => {}
        }
    }
}

pub fn has_only_its_keys(spec: &Registers, problems: &mut Problems) {
    for register in spec.registers.iter() {
        let Some((space, _)) = register.location() else { continue };
        let (kind, others): (_, &[_]) = match space {
            Space::Cp15 => ("a CP15 register", &["page", "block", "count", "stride", "words"]),
            Space::System => ("a system register", &["page", "block", "stride", "words"]),
            Space::Memory => ("a memory-mapped register", &["selected_by", "user"]),
        };
        for (key, place) in keys(register).into_iter().filter(|(key, _)| others.contains(key)) {
            if let Some(place) = place {
                report(problems, place, format!("{kind} has no `{key}`"));
            }
        }
    }
}

fn keys(register: &Register) -> [(&'static str, Option<&Place>); 7] {
    [
        ("page", register.page.as_ref().map(|at| &at.place)),
        ("block", register.block.as_ref().map(|at| &at.place)),
        ("count", register.count.as_ref().map(|at| &at.place)),
        ("stride", register.stride.as_ref().map(|at| &at.place)),
        ("words", register.words.as_ref().map(|at| &at.place)),
        ("selected_by", register.selected_by.as_ref().map(|at| &at.place)),
        ("user", register.user.as_ref().map(|at| &at.place)),
    ]
}

/// Returns the place of a key that belongs to registers in pages, in CP15 or in system registers,
/// not in one region.
fn no_region(spec: &Registers) -> Option<&Place> {
    let page = spec.pages.first().map(|page| &page.place);
    let all = || spec.registers.iter();
    let mapped = all().any(|of| of.location().is_some_and(|(space, _)| space == Space::Memory));
    let of = |wanted| all().flat_map(Register::locations).find(|(space, _)| *space == wanted);
    let in_core = of(Space::Cp15).or_else(|| of(Space::System)).map(|(_, place)| place);
    page.or(in_core.filter(|_| !mapped))
}

/// An IP has a length if, and only if, its registers are one region of memory (no pages, no CP15 or
/// system registers).
pub fn has_a_length(spec: &Registers, problems: &mut Problems) {
    match (&spec.length, no_region(spec)) {
        (Some(length), Some(instead)) => {
            report(problems, length, "the IP is not a single region of memory")
                .other(instead, "but this")
                .help("remove `length`");
        }
        (None, None) if spec.pages.complete && spec.registers.complete => {
            report(problems, &spec.ip, "the length of the region is missing")
                .help("give the number of bytes to map as `length`");
        }
        _ => {}
    }
}

/// All instances of a block are aligned, and inside the region.
pub fn of_blocks(spec: &Registers, problems: &mut Problems) {
    if let (Some(block), None) = (spec.blocks.first(), &spec.length)
        && let Some(instead) = no_region(spec)
    {
        report(problems, block, "blocks are parts of a single region of memory")
            .other(instead, "but this")
            .help("remove them, and give the place of each register");
    }
    for block in spec.blocks.iter() {
        aligned(&block.offset.place, "offset", block.offset.0, problems);
        steps(&block.stride, None, problems);
        let help = "registers that do not repeat need no block";
        repeats(&block.count, help, problems);
    }
}

/// Every block or page has registers. Checked last, because the problem often follows from another
/// mistake.
pub fn have_registers(spec: &Registers, problems: &mut Problems) {
    if !problems.is_empty() {
        return;
    }
    let named = spec.registers.iter().flat_map(|r| r.block.iter().chain(&r.page));
    let named: HashSet<_> = named.map(|name| &name.0).collect();
    let blocks = spec.blocks.iter().map(|block| ("in the block", &block.name));
    let pages = spec.pages.iter().map(|page| ("on the page", &page.name));
    for (what, name) in blocks.chain(pages).filter(|(_, name)| !named.contains(&name.0)) {
        report(problems, name, format!("no register is {what} `{}`", name.0))
            .help("add a register to it, or remove it");
    }
}

pub fn is_on_a_page(spec: &Registers, problems: &mut Problems) {
    let in_core = |register: &Register| register.cp15.is_some() || register.sysreg.is_some();
    for register in spec.registers.iter().filter(|register| !in_core(register)) {
        match &register.page {
            Some(name) if page(spec, register).is_none() && spec.pages.complete => {
                unknown("page", name, spec.pages.iter().map(|page| &*page.name.0), problems);
            }
            None if !spec.pages.is_empty() => {
                let message = format!("the page of {} is missing", register.name.0);
                report(problems, &register.name, message)
                    .other(&spec.pages[0], "the first page")
                    .help("name it as the `page` of the register");
            }
            _ => {}
        }
    }
}

/// Registers are aligned, and inside their block, and inside the region or page.
pub fn of_registers(spec: &Registers, problems: &mut Problems) {
    for register in spec.registers.iter() {
        let Some(offset) = &register.offset else { continue };
        aligned(&offset.place, "offset", offset.0, problems);
        match (&register.count, &register.stride) {
            _ if register.block.is_some() => {}
            (Some(count), Some(stride)) => {
                let help = "a single register has no `count` and no `stride`";
                repeats(count, help, problems);
                steps(stride, Some(register), problems);
            }
            (Some(one), None) => {
                report(problems, one, "a register with a `count` needs a `stride`");
            }
            (None, Some(one)) => {
                report(problems, one, "a register with a `stride` needs a `count`");
            }
            (None, None) => {}
        }
        let mut in_block = true;
        if let Some(name) = &register.block {
            match block(spec, register) {
                None if spec.blocks.complete => {
                    unknown("block", name, spec.blocks.iter().map(|b| &*b.name.0), problems);
                }
                None => {}
                Some(_) if register.count.is_some() || register.stride.is_some() => {
                    let message = "the block already repeats this register";
                    report(problems, name, message).help("remove `count` and `stride`");
                }
                Some(block)
                    if block.stride.0 != 0
                        && u64::from(offset.0) + size(register) > u64::from(block.stride.0) =>
                {
                    in_block = false;
                    let message = format!("{} ends outside of its block", register.name.0);
                    report(problems, offset, message)
                        .other(&block.stride, "from one block to the next");
                }
                Some(_) => {}
            }
        }
        let (what, length) = match (page(spec, register), &spec.length) {
            // A page with the length 0 is a mistake of the page, not of its registers.
            (Some(page), _) if page.length.0 == 0 => continue,
            (Some(page), _) => ("its page", &page.length),
            (None, Some(length)) => ("the region", length),
            (None, None) => continue,
        };
        if let Some((_, last)) = words(spec, register).last()
            && in_block
            && last + 4 > u64::from(length.0)
        {
            let message = format!("{} ends outside of {what}", register.name.0);
            report(problems, offset, message).other(length, "its length");
        }
    }
}

/// No two registers share a word.
pub fn do_not_overlap(spec: &Registers, problems: &mut Problems) {
    let mut taken: HashMap<(Option<&str>, u64), &Register> = HashMap::new();
    for register in spec.registers.iter() {
        let Some(offset) = &register.offset else { continue };
        let page = register.page.as_ref().map(|page| page.0.as_str());
        for (element, word) in words(spec, register) {
            let other = *taken.entry((page, word)).or_insert(register);
            if std::ptr::eq(other, register) {
                continue;
            }
            let element =
                if element == 0 { String::new() } else { format!(" (element {element})") };
            let of = page.map_or(String::new(), |page| format!(" of {page}"));
            let (name, other_name) = (&register.name.0, &other.name.0);
            let message =
                format!("{name}{element} is at 0x{word:X}{of}, which belongs to {other_name}");
            report(problems, offset, message).other(other.located_at(), "here");
            break;
        }
    }
}

/// Returns the words of all elements of a register: element number, and offset from the base.
/// Returns `None` if the place of the register is invalid.
fn words(spec: &Registers, register: &Register) -> impl Iterator<Item = (u32, u64)> {
    let (base, count, stride) = match (block(spec, register), &register.count, &register.stride) {
        (Some(block), _, _) => (block.offset.0, block.count.0, block.stride.0),
        (None, _, _) if register.block.is_some() || register.offset.is_none() => (0, 0, 0),
        (None, Some(count), Some(stride)) => (0, count.0, stride.0),
        (None, _, _) => (0, 1, 0),
    };
    let offset = register.offset.as_ref().map_or(0, |offset| offset.0);
    let first = u64::from(base) + u64::from(offset);
    let count = count.min(MOST_ELEMENTS);
    let size = size(register);
    (0..count).flat_map(move |n| {
        let element = first + u64::from(n) * u64::from(stride);
        (0..size).step_by(4).map(move |word| (n, element + word))
    })
}

fn size(register: &Register) -> u64 {
    u64::from(register.bits() / 8)
}

/// Returns how many instances of the register all blocks contain together; 1 if the place of the
/// register is invalid.
pub fn count(spec: &Registers, register: &Register) -> u32 {
    let count = block(spec, register).map(|block| &block.count).or(register.count.as_ref());
    count.map_or(1, |count| count.0)
}

fn page<'s>(spec: &'s Registers, register: &Register) -> Option<&'s PageSpec> {
    let name = register.page.as_ref()?;
    spec.pages.iter().find(|page| page.name.value == name.value)
}

fn block<'s>(spec: &'s Registers, register: &Register) -> Option<&'s BlockSpec> {
    let name = register.block.as_ref()?;
    spec.blocks.iter().find(|block| block.name.value == name.value)
}

pub fn aligned(place: &Place, what: &str, number: u32, problems: &mut Problems) {
    if !number.is_multiple_of(4) {
        let message = format!("the {what} 0x{number:X} is not a multiple of 4");
        report(problems, place, message).help("registers are words of 4 bytes");
    }
}

/// Checks that the stride is not 0 and, if the elements are registers, not smaller than one
/// element.
fn steps(stride: &At<Hex>, register: Option<&Register>, problems: &mut Problems) {
    if stride.0 == 0 {
        report(problems, stride, "with a stride of 0 all elements are at one place");
    }
    aligned(&stride.place, "stride", stride.0, problems);
    if let Some(register) = register
        && let Some(width) = &register.words
        && (4..size(register)).contains(&u64::from(stride.0))
    {
        let message = "with this stride the elements overlap";
        report(problems, stride, message).other(width, "their width");
    }
}

fn repeats(count: &At<Decimal>, help: &str, problems: &mut Problems) {
    if !(2..=MOST_ELEMENTS).contains(&count.0) {
        report(problems, count, format!("a count is from 2 to {MOST_ELEMENTS}")).help(help);
    }
}

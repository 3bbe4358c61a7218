//! Rules about registers in a core: CP15 registers and AArch64 system registers.

use super::lists::unknown;
use super::prelude::*;
use crate::generate::spec::registers::{SelectorSpec, Space};

/// The registers of an IP are in exactly one space: memory, CP15 or system registers.
pub fn is_all_or_nothing(spec: &Registers, problems: &mut Problems) {
    // Another rule reports registers with two places.
    let first = |wanted| {
        let mut all = spec.registers.iter().filter_map(Register::location);
        all.find(|(space, _)| *space == wanted).map(|(_, place)| place)
    };
    let mapped = first(Space::Memory).or(spec.pages.first().map(|page| &page.place));
    let mapped = mapped.map(|place| (place, "this is memory-mapped"));
    let cp15 = first(Space::Cp15).map(|place| (place, "this is in CP15"));
    if let (Some((mapped, text)), Some((cp15, _))) = (mapped, cp15) {
        report(problems, cp15, "registers are memory-mapped or in CP15").other(mapped, text);
    }
    if let (Some(system), Some((place, text))) = (first(Space::System), mapped.or(cp15)) {
        let message = "either all registers are system registers or none is";
        report(problems, system, message).other(place, text);
    }
}

/// A part number has twelve bits.
pub fn main_ids_fit(spec: &Registers, problems: &mut Problems) {
    let of_units = spec.units.iter().filter_map(|unit| unit.main_id.as_ref());
    let of_others = spec.others.iter().filter_map(|other| other.main_id.as_ref());
    for id in spec.main_id.iter().chain(of_units).chain(of_others) {
        if id.part.0 > 0xFFF {
            let message = format!("the part number 0x{:X} does not fit 12 bits", id.part.0);
            report(problems, &id.part, message);
        }
    }
}

/// If an IP is for several processors, each has a different part number.
pub fn main_ids_differ(spec: &Registers, problems: &mut Problems) {
    let mut taken = HashMap::new();
    for unit in spec.units.iter() {
        let Some(id) = &unit.main_id else { continue };
        let (name, first) = *taken.entry(id.part.0).or_insert((&unit.name.0, &id.part.place));
        // Without this condition, a unit that is listed twice would be reported twice.
        if name != &unit.name.0 {
            let message = format!("the part number 0x{:03X} is taken already", id.part.0);
            report(problems, &id.part, message).other(first, "here");
        }
    }
}

/// Returns the numbers in the instruction that accesses a register of a core, with their ranges.
fn numbers(register: &Register) -> Vec<(&'static str, &At<Decimal>, RangeInclusive<u32>)> {
    match (&register.cp15, &register.sysreg) {
        (Some(at), _) => vec![
            ("opc1", &at.opc1, 0..=7),
            ("crn", &at.crn, 0..=15),
            ("crm", &at.crm, 0..=15),
            ("opc2", &at.opc2, 0..=7),
        ],
        (None, Some(at)) => vec![
            ("op0", &at.op0, 2..=3),
            ("op1", &at.op1, 0..=7),
            ("crn", &at.crn, 0..=15),
            ("crm", &at.crm, 0..=15),
            ("op2", &at.op2, 0..=7),
        ],
        (None, None) => Vec::new(),
    }
}

/// The numbers of one element of a register. CRm and op2 of a system register count as one number.
type Element = (Space, [u32; 4]);

/// A PMU has at most 31 event counters.
const MOST_ELEMENTS: u32 = 31;

/// Returns the elements of a register of a core. The list is empty if the instruction cannot encode
/// one of the register's numbers.
fn elements(register: &Register) -> Vec<Element> {
    let all = numbers(register);
    let exists = all.iter().all(|(_, number, range)| range.contains(&number.0));
    match all.iter().map(|(_, number, _)| number.0).collect::<Vec<_>>()[..] {
        [opc1, crn, crm, opc2] if exists => vec![(Space::Cp15, [opc1, crn, crm, opc2])],
        [op0, op1, crn, crm, op2] if exists => {
            let count = register.count.as_ref().map_or(1, |count| count.0.min(MOST_ELEMENTS));
            let element = |n| (Space::System, [op0, op1, crn, crm * 8 + op2 + n]);
            (0..count).map(element).collect()
        }
        _ => Vec::new(),
    }
}

/// Checks that the numbers fit in the fields of the instruction, and that no two registers have the
/// same numbers.
pub fn numbers_are_sound(spec: &Registers, problems: &mut Problems) {
    let mut taken: HashMap<Element, &Register> = HashMap::new();
    for register in spec.registers.iter() {
        for (name, number, range) in numbers(register) {
            if !range.contains(&number.0) {
                let message = format!("{name} must be from {} to {}", range.start(), range.end());
                report(problems, number, message);
            }
        }
        if let (Some(count), Some(_)) = (&register.count, &register.sysreg)
            && !(2..=MOST_ELEMENTS).contains(&count.0)
        {
            let message = format!("an array has from 2 to {MOST_ELEMENTS} system registers");
            report(problems, count, message).help("a single register has no `count`");
        }
        for element in elements(register) {
            let other = *taken.entry(element).or_insert(register);
            if !std::ptr::eq(other, register) {
                let message = format!("{} is where {} is", register.name.0, other.name.0);
                report(problems, register.located_at(), message).other(other.located_at(), "here");
                break;
            }
        }
    }
}

/// Operands (opc1, CRn, CRm, opc2) of the permitted CP15 registers: the performance monitors of ARMv7 and the
/// Cortex-A8, the performance monitors of ARM11, and the access validation register of an ARM1176, which permits User
/// mode to access the counters. A test compares this table with `Operands::is_performance_monitor` of arm-pmu-core.
const IN_CP15: &[[RangeInclusive<u32>; 4]] = &[
    [0..=0, 9..=9, 12..=14, 0..=7],
    [0..=0, 15..=15, 12..=12, 0..=3],
    [0..=0, 15..=15, 9..=9, 0..=0],
];

/// Numbers of the performance monitors among the system registers. A test compares this table with
/// `SystemRegister::is_performance_monitor` of arm-pmu-core.
const IN_SYSTEM: &[[RangeInclusive<u32>; 4]] = &[
    [3..=3, 3..=3, 9..=9, 96..=119],
    [3..=3, 0..=0, 9..=9, 112..=119],
    [3..=3, 3..=3, 14..=14, 64..=127],
    [3..=3, 0..=0, 15..=15, 40..=53],
    [3..=3, 6..=6, 15..=15, 51..=51],
];

fn is_performance_monitor((space, numbers): Element) -> bool {
    let groups = if space == Space::Cp15 { IN_CP15 } else { IN_SYSTEM };
    let is_in = |group: &[RangeInclusive<u32>; 4]| {
        group.iter().zip(numbers).all(|(all, one)| all.contains(&one))
    };
    groups.iter().any(is_in)
}

/// Safe code can write every described register, so only performance monitor registers are described.
/// Other registers of a core control the MMU and the caches.
pub fn are_performance_monitors(spec: &Registers, problems: &mut Problems) {
    for register in spec.registers.iter() {
        let mut elements = elements(register).into_iter().zip(0u32..);
        let Some(((space, _), element)) = elements.find(|(of, _)| !is_performance_monitor(*of))
        else {
            continue;
        };
        let of = if element == 0 { String::new() } else { format!(" (element {element})") };
        let message = format!("{}{of} is not a performance monitor register", register.name.0);
        let help = match space {
            Space::Cp15 => {
                "allowed are c9 with c12 to c14, c15, c12 with opc2 0 to 3, and c15, c9, 0; other registers control \
                 the MMU and the caches, see specs/README.md"
            }
            _ => {
                "allowed are, with op0 3: op1 3, c9, c12 to c14; op1 0, c9, c14; op1 3, c14, c8 to c15; and of a \
                 cluster, op1 0, c15, c5 and c6, and op1 6, c15, c6, 3; other registers control the MMU and the \
                 caches, see specs/README.md"
            }
        };
        report(problems, register.located_at(), message).help(help);
    }
}

/// The selector is a field of another register, wide enough for the count.
pub fn selectors_are_there(spec: &Registers, problems: &mut Problems) {
    for register in spec.registers.iter() {
        let Some(selector) = &register.selected_by else { continue };
        let SelectorSpec { register: wanted, field, count, .. } = selector;
        if count.0 < 2 {
            report(problems, count, "a selector has to select one of at least two registers");
        }
        let Some(other) = spec.registers.iter().find(|other| other.name.0 == wanted.0) else {
            if spec.registers.complete {
                let known = spec.registers.iter().map(|register| &*register.name.0);
                unknown("register", wanted, known, problems);
            }
            continue;
        };
        if std::ptr::eq(other, register) {
            report(problems, wanted, "a register does not select itself");
        }
        let fields = || other.fields.iter().filter(|field| field.reserved.is_none());
        let selects = fields().find(|f| f.name.as_ref().is_some_and(|name| name.0 == field.0));
        match selects {
            Some(selects) if u64::from(count.0) > 1 << selects.bits.width().min(32) => {
                let message = format!("{} is too narrow to select one of {}", field.0, count.0);
                report(problems, count, message).other(&selects.bits, "its bits");
            }
            Some(selects)
                if !std::ptr::eq(other, register)
                    && selects
                        .access
                        .as_ref()
                        .is_some_and(|access| **access != Access::ReadWrite) =>
            {
                let message = format!("{} selects other registers, so it must be `rw`", field.0);
                report(problems, field, message).other(&selects.bits, "here");
            }
            None if other.fields.complete => {
                let names: Vec<_> =
                    fields().filter_map(|f| f.name.as_ref()).map(|n| n.0.as_str()).collect();
                let message = format!("{} has no field `{}`", wanted.0, field.0);
                report(problems, field, message).help(suggest(&field.0, &names));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use arm_pmu_core::bus::{Operands, SystemRegister};

    use super::{Space, is_performance_monitor};

    /// The rules accept exactly the registers that a bus can access. The test also tries invalid values, up to one
    /// beyond the largest number.
    #[test]
    fn described_registers_match_the_bus() {
        let (mut in_cp15, mut in_system) = (0, 0);
        let mut compare = |numbers: [u8; 4], op0: u8| {
            let [op1, crn, crm, op2] = numbers;
            let of_bus = Operands { opc1: op1, crn, crm, opc2: op2 }.is_performance_monitor();
            let described = is_performance_monitor((Space::Cp15, numbers.map(u32::from)));
            assert_eq!(described, of_bus, "{numbers:?}");
            in_cp15 += u32::from(of_bus && op0 == 0);
            // An op2 of 8 would be the next CRm.
            if op2 == 8 {
                return;
            }
            let of_bus = SystemRegister { op0, op1, crn, crm, op2 }.is_performance_monitor();
            let element = [op0, op1, crn, crm * 8 + op2].map(u32::from);
            assert_eq!(is_performance_monitor((Space::System, element)), of_bus, "{numbers:?}");
            in_system += u32::from(of_bus);
        };
        for op1 in 0..=8 {
            for crn in 0..=16 {
                for crm in 0..=16 {
                    for op2 in 0..=8 {
                        (0..=4).for_each(|op0| compare([op1, crn, crm, op2], op0));
                    }
                }
            }
        }
        assert_eq!((in_cp15, in_system), (3 * 8 + 4 + 1, 3 * 8 + 8 + 8 * 8 + 8 + 6 + 1));
    }
}

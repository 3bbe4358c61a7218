//! Rules about CP15 registers.

use super::lists::unknown;
use super::location;
use super::prelude::*;
use crate::generate::spec::registers::SelectorSpec;

/// The registers of an IP are in exactly one space: memory, CP15 or system registers.
pub fn is_all_or_nothing(spec: &Registers, problems: &mut Problems) {
    let mapped = mapped(spec).find_map(|register| register.offset.as_ref());
    let mapped = mapped.map(|offset| &offset.place).or(spec.pages.first().map(|page| &page.place));
    let cp15 = in_cp15(spec).find_map(|register| register.cp15.as_ref());
    if let (Some(mapped), Some(cp15)) = (mapped, cp15) {
        report(problems, cp15, "registers are memory-mapped or in CP15")
            .other(mapped, "this is memory-mapped");
    }
    let mut systems =
        spec.registers.iter().filter_map(|register| match location::kinds(register) {
            1 => register.sysreg.as_ref(),
            _ => None,
        });
    let others =
        [(mapped, "this is memory-mapped"), (cp15.map(|cp15| &cp15.place), "this is in CP15")];
    if let Some(system) = systems.next()
        && let Some((place, text)) = others.into_iter().find_map(|(at, text)| Some((at?, text)))
    {
        let message = "either all registers are system registers or none is";
        report(problems, system, message).other(place, text);
    }
}

/// Returns the registers in memory only. A register with two places is reported by another rule.
fn mapped(spec: &Registers) -> impl Iterator<Item = &Register> {
    let is_one = |register: &&Register| register.offset.is_some() && location::kinds(register) == 1;
    spec.registers.iter().filter(is_one)
}

fn in_cp15(spec: &Registers) -> impl Iterator<Item = &Register> {
    let is_one = |register: &&Register| register.cp15.is_some() && location::kinds(register) == 1;
    spec.registers.iter().filter(is_one)
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

/// The part numbers of the processors of an IP differ.
pub fn main_ids_differ(spec: &Registers, problems: &mut Problems) {
    let mut taken = HashMap::new();
    for unit in spec.units.iter() {
        let Some(id) = &unit.main_id else { continue };
        let (name, first) = *taken.entry(id.part.0).or_insert((&unit.name.0, &id.part.place));
        // Otherwise a unit that is listed twice would be reported twice.
        if name != &unit.name.0 {
            let message = format!("the part number 0x{:03X} is taken already", id.part.0);
            report(problems, &id.part, message).other(first, "here");
        }
    }
}

/// Operands fit their fields of the instruction, and lead to one register.
pub fn operands_are_sound(spec: &Registers, problems: &mut Problems) {
    let mut taken = HashMap::new();
    for register in spec.registers.iter() {
        let Some(cp15) = &register.cp15 else { continue };
        let operands = [
            ("opc1", &cp15.opc1, 7),
            ("crn", &cp15.crn, 15),
            ("crm", &cp15.crm, 15),
            ("opc2", &cp15.opc2, 7),
        ];
        for (name, operand, most) in operands {
            if operand.0 > most {
                report(problems, operand, format!("{name} is from 0 to {most}"));
            }
        }
        let key = operands.map(|(_, operand, _)| operand.0);
        let (other, place) = *taken.entry(key).or_insert((&register.name, &cp15.place));
        if place != &cp15.place {
            let message = format!("{} is where {} is", register.name.0, other.0);
            report(problems, cp15, message).other(place, "here");
        }
    }
}

/// Opc1, CRn, CRm and opc2 of the performance monitors: of ARMv7 and the Cortex-A8, of ARM11, and of the access
/// validation register of an ARM1176, which permits User mode to access the counters.
///
/// A test compares this table with `Operands::is_performance_monitor` of arm-pmu-core.
const PERFORMANCE_MONITORS: [[RangeInclusive<u32>; 4]; 3] = [
    [0..=0, 9..=9, 12..=14, 0..=7],
    [0..=0, 15..=15, 12..=12, 0..=3],
    [0..=0, 15..=15, 9..=9, 0..=0],
];

fn is_performance_monitor(operands: [u32; 4]) -> bool {
    let is_in = |group: &[RangeInclusive<u32>; 4]| {
        group.iter().zip(operands).all(|(all, one)| all.contains(&one))
    };
    PERFORMANCE_MONITORS.iter().any(is_in)
}

/// Safe code can write every described register, so only performance monitor registers are described.
/// Other registers of CP15 control the MMU and the caches.
pub fn are_performance_monitors(spec: &Registers, problems: &mut Problems) {
    for register in spec.registers.iter() {
        let Some(cp15) = &register.cp15 else { continue };
        let operands = [&cp15.opc1, &cp15.crn, &cp15.crm, &cp15.opc2].map(|operand| operand.0);
        // `operands_are_sound` reports operands that do not exist.
        let exist = operands.iter().zip([7, 15, 15, 7]).all(|(operand, most)| *operand <= most);
        if exist && !is_performance_monitor(operands) {
            let message = format!("{} is not a performance monitor register", register.name.0);
            report(problems, cp15, message).help(
                "allowed are c9 with c12 to c14, c15, c12 with opc2 0 to 3, and c15, c9, 0; other registers control \
                 the MMU and the caches, see specs/README.md",
            );
        }
    }
}

/// The selector is a field of another register, wide enough for the count.
pub fn selectors_are_there(spec: &Registers, problems: &mut Problems) {
    for register in spec.registers.iter() {
        let Some(selector) = &register.selected_by else { continue };
        let SelectorSpec { register: wanted, field, count, .. } = selector;
        if count.0 < 2 {
            report(problems, count, "a selector selects one of at least two");
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
                let message = format!("{} cannot select one of {}", field.0, count.0);
                report(problems, count, message).other(&selects.bits, "its bits");
            }
            Some(selects)
                if !std::ptr::eq(other, register)
                    && selects
                        .access
                        .as_ref()
                        .is_some_and(|access| **access != Access::ReadWrite) =>
            {
                let message = format!("{} selects, and is not `rw`", field.0);
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
    use arm_pmu_core::bus::Operands;

    /// The rules accept exactly the registers that a bus can access. The test also tries invalid
    /// values, up to one beyond the largest operand.
    #[test]
    fn described_registers_match_the_bus() {
        let mut accessed = 0;
        for opc1 in 0..=8 {
            for crn in 0..=16 {
                for crm in 0..=16 {
                    for opc2 in 0..=8 {
                        let by_the_bus = Operands { opc1, crn, crm, opc2 }.is_performance_monitor();
                        let operands = [opc1, crn, crm, opc2].map(u32::from);
                        let described = super::is_performance_monitor(operands);
                        assert_eq!(described, by_the_bus, "{operands:?}");
                        accessed += u32::from(by_the_bus);
                    }
                }
            }
        }
        assert_eq!(accessed, 3 * 8 + 4 + 1);
    }
}

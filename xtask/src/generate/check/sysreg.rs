//! Rules about AArch64 system registers.

use super::prelude::*;

/// A PMU has at most 31 event counters.
const MOST_ELEMENTS: u32 = 31;

/// Numbers fit their fields of the instruction and select one register.
pub fn encodings_are_sound(spec: &Registers, problems: &mut Problems) {
    let mut taken: HashMap<[u32; 4], &Register> = HashMap::new();
    for register in spec.registers.iter() {
        let Some(sysreg) = &register.sysreg else { continue };
        let numbers = [
            ("op0", &sysreg.op0, 2..=3),
            ("op1", &sysreg.op1, 0..=7),
            ("crn", &sysreg.crn, 0..=15),
            ("crm", &sysreg.crm, 0..=15),
            ("op2", &sysreg.op2, 0..=7),
        ];
        let mut exists = true;
        for (name, number, range) in numbers {
            if !range.contains(&number.0) {
                let message = format!("{name} is from {} to {}", range.start(), range.end());
                report(problems, number, message);
                exists = false;
            }
        }
        if let Some(count) = &register.count
            && !(2..=MOST_ELEMENTS).contains(&count.0)
        {
            let message = format!("an array has from 2 to {MOST_ELEMENTS} system registers");
            report(problems, count, message).help("a single register has no `count`");
        }
        for element in elements(register).filter(|_| exists) {
            let other = *taken.entry(element).or_insert(register);
            if !std::ptr::eq(other, register) {
                let message = format!("{} is where {} is", register.name.0, other.name.0);
                report(problems, sysreg, message).other(other.located_at(), "here");
                break;
            }
        }
    }
}

/// Returns op0, op1 and CRn of all elements of a register, with CRm and op2 as one number.
fn elements(register: &Register) -> impl Iterator<Item = [u32; 4]> {
    let count = register.count.as_ref().map_or(1, |count| count.0.min(MOST_ELEMENTS));
    register.sysreg.iter().flat_map(move |at| {
        let number = at.crm.0.saturating_mul(8).saturating_add(at.op2.0);
        (0..count).map(move |n| [at.op0.0, at.op1.0, at.crn.0, number.saturating_add(n)])
    })
}

/// Op0, op1 and CRn of the performance monitor registers, with the range of CRm and op2 as one
/// number.
///
/// A test compares this table with `SystemRegister::is_performance_monitor` of arm-pmu-core.
const PERFORMANCE_MONITORS: [([u32; 3], RangeInclusive<u32>); 5] = [
    ([3, 3, 9], 96..=119),
    ([3, 0, 9], 112..=119),
    ([3, 3, 14], 64..=127),
    ([3, 0, 15], 40..=53),
    ([3, 6, 15], 51..=51),
];

fn is_performance_monitor([op0, op1, crn, number]: [u32; 4]) -> bool {
    PERFORMANCE_MONITORS.iter().any(|(of, all)| *of == [op0, op1, crn] && all.contains(&number))
}

/// Safe code can write every described register, so only performance monitor registers are described.
/// Other system registers control the MMU and the caches, so they cannot be described.
pub fn are_performance_monitors(spec: &Registers, problems: &mut Problems) {
    for register in spec.registers.iter() {
        let Some(at) = &register.sysreg else { continue };
        // `encodings_are_sound` reports numbers that do not exist.
        let exists = (2..=3).contains(&at.op0.0)
            && [(&at.op1, 7), (&at.crn, 15), (&at.crm, 15), (&at.op2, 7)]
                .iter()
                .all(|(number, most)| number.0 <= *most);
        let element = elements(register).zip(0u32..).find(|(of, _)| !is_performance_monitor(*of));
        if let Some((_, element)) = element.filter(|_| exists) {
            let of = if element == 0 { String::new() } else { format!(" (element {element})") };
            let message = format!("{}{of} is not a performance monitor register", register.name.0);
            report(problems, at, message).help(
                "allowed are, with op0 3: op1 3, c9, c12 to c14; op1 0, c9, c14; op1 3, c14, c8 to c15; and of a \
                 cluster, op1 0, c15, c5 and c6, and op1 6, c15, c6, 3; other registers control the MMU and the \
                 caches, see specs/README.md",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use arm_pmu_core::bus::SystemRegister;

    /// The rules accept exactly the registers that a bus can access. The test also tries invalid
    /// values.
    #[test]
    fn described_registers_match_the_bus() {
        let mut accessed = 0;
        for op0 in 0..=4 {
            for op1 in 0..=8 {
                for crn in 0..=16 {
                    for crm in 0..=16 {
                        for op2 in 0..=7 {
                            let of_bus = SystemRegister { op0, op1, crn, crm, op2 };
                            let by_the_bus = of_bus.is_performance_monitor();
                            let [op0, op1, crn] = [op0, op1, crn].map(u32::from);
                            let number = u32::from(crm) * 8 + u32::from(op2);
                            let described = super::is_performance_monitor([op0, op1, crn, number]);
                            assert_eq!(described, by_the_bus, "{of_bus:?}");
                            accessed += u32::from(by_the_bus);
                        }
                    }
                }
            }
        }
        assert_eq!(accessed, 3 * 8 + 8 + 8 * 8 + 8 + 6 + 1);
    }
}

//! Compares events with table 2 of AN195 (DAI 0195B). The simulated cores list the codes of the table, typed from the
//! document, independently of the specs.

use arm_pmu_core::event::Unit;
use arm_pmu_sim::Arm11;
use arm11::{Arm1136Event, Arm1156Event, Arm1176Event, Event};

/// Events that count the cycles of a condition. Event 0x22 is not in this list, because a cycle with both lines
/// asserted counts as two.
const CYCLES: [u16; 8] = [0x01, 0x02, 0x11, 0x13, 0x14, 0x20, 0x21, 0xFF];

fn compare<E: Event>(device: &Arm11) {
    let codes = E::ALL.iter().map(|event| event.code());
    assert!(codes.eq(device.events().iter().map(|code| u16::from(*code))));
    for event in E::ALL {
        let counts_cycles = CYCLES.contains(&event.code());
        assert_eq!(event.unit() == Unit::Cycles, counts_cycles, "{}", event.name());
    }
}

#[test]
fn events_match_the_note() {
    compare::<Arm1136Event>(&Arm11::arm1136());
    compare::<Arm1156Event>(&Arm11::arm1156());
    compare::<Arm1176Event>(&Arm11::arm1176());
}

/// An event number that several cores share has the same name and summary on each.
#[test]
fn cores_agree_on_shared_events() {
    for code in 0..=0xFF {
        let [first, second, third] = [
            Arm1136Event::from_code(code).map(|event| (event.name(), event.summary())),
            Arm1156Event::from_code(code).map(|event| (event.name(), event.summary())),
            Arm1176Event::from_code(code).map(|event| (event.name(), event.summary())),
        ];
        for (one, other) in [(first, second), (second, third), (first, third)] {
            assert!(one.is_none() || other.is_none() || one == other, "{one:?}, {other:?}");
        }
    }
}

/// Compares names and numbers of events that users need first.
#[test]
fn important_names_match_the_note() {
    let code = |name: &str| name.parse::<Arm1176Event>().map(Event::code).ok();
    for (name, number) in [
        ("INSTRUCTION_CACHE_MISS", 0x00),
        ("DATA_DEPENDENCY_STALL", 0x02),
        ("BRANCH_EXECUTED", 0x05),
        ("BRANCH_MISPREDICTED", 0x06),
        ("INSTRUCTION_EXECUTED", 0x07),
        ("DATA_CACHE_ACCESS_CACHEABLE", 0x09),
        ("DATA_CACHE_ACCESS", 0x0A),
        ("DATA_CACHE_MISS", 0x0B),
        ("MAIN_TLB_MISS", 0x0F),
        ("CYCLE", 0xFF),
    ] {
        assert_eq!(code(name), Some(number), "{name}");
    }
}

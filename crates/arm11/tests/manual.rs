//! Events of table 2 of AN195 (DAI 0195B), typed from the document, independently of the specs.

use std::ops::RangeInclusive;

use arm_pmu_core::event::Unit;
use arm11::{Arm1136Event, Arm1156Event, Arm1176Event, Event};

/// Cores with the event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    All,
    /// "Unused on ARM1156".
    Not1156,
    Only1156,
    Only1176,
}

use On::{All, Not1156, Only1156, Only1176};

/// EvtCount, the cores, and whether the event counts the cycles of a condition.
const TABLE: [(RangeInclusive<u16>, On, bool); 15] = [
    (0x00..=0x00, All, false),
    (0x01..=0x02, All, true),
    (0x03..=0x04, Not1156, false),
    (0x05..=0x07, All, false),
    (0x09..=0x0D, All, false),
    (0x0F..=0x0F, Not1156, false),
    (0x10..=0x10, All, false),
    (0x11..=0x11, All, true),
    (0x12..=0x12, All, false),
    (0x13..=0x14, Only1156, true),
    (0x20..=0x21, All, true),
    // The unit is not cycles, because a cycle with both lines asserted counts as two.
    (0x22..=0x22, All, false),
    (0x23..=0x26, Only1176, false),
    (0x30..=0x38, Only1156, false),
    (0xFF..=0xFF, All, true),
];

/// Returns the rows of a core: common rows and rows for this core.
fn rows(cores: &[On]) -> Vec<(u16, bool)> {
    let rows = TABLE.iter().filter(|(_, on, _)| *on == All || cores.contains(on));
    rows.flat_map(|(codes, _, cycles)| codes.clone().map(|code| (code, *cycles))).collect()
}

/// Checks that the rows and the events are the same, and that no other number is an event.
fn compare<E: Event>(cores: &[On], expected: usize) {
    let rows = rows(cores);
    assert_eq!(rows.len(), expected);
    let found = E::ALL.iter().map(|event| (event.code(), event.unit() == Unit::Cycles));
    assert_eq!(found.collect::<Vec<_>>(), rows);
    let valid = (0..=u16::MAX).filter(|code| E::from_code(*code).is_some());
    assert!(valid.eq(rows.iter().map(|row| row.0)));
}

#[test]
fn cores_have_21_29_and_25_events() {
    compare::<Arm1136Event>(&[Not1156], 21);
    compare::<Arm1156Event>(&[Only1156], 29);
    compare::<Arm1176Event>(&[Not1156, Only1176], 25);
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
fn event_names_match_the_note() {
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

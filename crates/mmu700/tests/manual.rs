//! Names and units of the manual (101542_0102_09, Tables 2-6 to 2-9), listed independently of the specs. `smmuv3-pmcg` compares the
//! events with the simulated device.

use mmu700::{Event, TbuEvent, TcuEvent};

#[test]
fn event_numbers_keep_their_names() {
    let name = |code| TbuEvent::from_code(code).map(Event::name);
    assert_eq!(name(0x8B), Some("DCMO_DOWNGRADE"));
    assert_eq!(name(0xE7), Some("LTI_PORT_7_OUT_OF_TRANSLATION_TOKENS"));
    let name = |code| TcuEvent::from_code(code).map(Event::name);
    assert_eq!(name(0x94), Some("CONFIGURATION_CACHE_LOOKUP_MISS"));
}

#[test]
fn cycle_events_have_the_unit_cycles() {
    let cycles = |event: &TbuEvent| event.unit() == arm_pmu_core::event::Unit::Cycles;
    let codes: Vec<_> = TbuEvent::ALL.iter().filter(|e| cycles(e)).map(|e| e.code()).collect();
    let ports = (0xD0..=0xD7).chain(0xE0..=0xE7);
    assert_eq!(codes, [0x00, 0x85, 0x86, 0x87].into_iter().chain(ports).collect::<Vec<_>>());
    let cycles = |event: &TcuEvent| event.unit() == arm_pmu_core::event::Unit::Cycles;
    assert_eq!(TcuEvent::ALL.iter().filter(|event| cycles(event)).count(), 1);
}

//! Names and units of the manual (100310, Tables 2-5 to 2-8), listed independently of the specs. `smmuv3-pmcg` compares the
//! events with the simulated device.

use mmu600::{Event, TbuEvent, TcuEvent};

#[test]
fn units_have_different_event_numbers() {
    assert_eq!(TcuEvent::from_code(0x06), Some(TcuEvent::AtsTranslationRequest));
    assert_eq!(TbuEvent::from_code(0x07), Some(TbuEvent::AtsTranslatedTransaction));
    let name = |code| TbuEvent::from_code(code).map(Event::name);
    assert_eq!(name(0x85), Some("SLOTS_FULL"));
}

#[test]
fn cycle_events_have_the_unit_cycles() {
    let cycles = |event: &TbuEvent| event.unit() == arm_pmu_core::event::Unit::Cycles;
    let codes: Vec<_> = TbuEvent::ALL.iter().filter(|e| cycles(e)).map(|e| e.code()).collect();
    assert_eq!(codes, [0x00, 0x85, 0x86, 0x87]);
    let cycles = |event: &TcuEvent| event.unit() == arm_pmu_core::event::Unit::Cycles;
    assert_eq!(TcuEvent::ALL.iter().filter(|event| cycles(event)).count(), 1);
}

//! Findings that only a DynamIQ Shared Unit has. The tests that all PMUs share cover the other
//! findings.

use std::cell::Cell;

use arm_pmu_core::bus::SystemRegister;
use arm_pmu_sim::{Attempt, Dsu, Effect, Intercepted};
use dsu::{CountError, Diagnose as _, DsuEvent, Finding, Pmu};

const XEVCNTR: SystemRegister = SystemRegister { op0: 3, op1: 0, crn: 15, crm: 6, op2: 2 };

#[test]
fn diagnosis_names_the_missing_cycle_counter() {
    for (device, is_missing) in [(Dsu::new(), false), (Dsu::first(), false), (Dsu::dsu120(), true)]
    {
        let mut pmu = Pmu::new(device.bus());
        pmu.cycle_counter().count();
        let findings = pmu.diagnose_with(Some(DsuEvent::L3dCache.into()), || {
            device.clock(5);
            device.signal(DsuEvent::L3dCache, 1);
        });
        let found: Vec<_> = findings.findings().map(|found| found.finding).collect();
        assert_eq!(found, if is_missing { vec![Finding::NoCycleCounter] } else { vec![] });
    }
}

#[test]
fn moved_selector_is_found() {
    let device = Dsu::new();
    let moves = Cell::new(false);
    let bus = Intercepted::new(device.bus(), |attempt| {
        if attempt == Attempt::Load(XEVCNTR) && moves.take() {
            device.other_owner_moves_selector(31);
        }
        Effect::Proceed
    });
    let mut pmu = Pmu::new(bus);
    let [events, ..] = pmu.counters();
    events.count(DsuEvent::BusAccess);
    let running = pmu.start();
    device.signal(DsuEvent::BusAccess, 3);
    moves.set(true);
    assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
    assert_eq!(running.counts()[0].exact(), Ok(3));
    let mut pmu = running.stop();
    moves.set(true);
    assert!(pmu.diagnose_with(None, || device.clock(1)).has(Finding::SelectorMoved));
}

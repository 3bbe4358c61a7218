//! Additions of PMUv3p1, on a Cortex-A55: codes of 16 bits, and common events from 0x4000 on.

use arm_pmu::cortex_a55::{Pmu, Selection};
use arm_pmu_core::bus::SystemRegister;
use arm_pmu_sim::CortexA55;

const PMCEID0: SystemRegister = SystemRegister { op0: 3, op1: 3, crn: 9, crm: 12, op2: 6 };
const PMCEID1: SystemRegister = SystemRegister { op0: 3, op1: 3, crn: 9, crm: 12, op2: 7 };

fn raw(code: u16) -> Selection {
    Selection::raw(code).expect("a code of 16 bits")
}

#[test]
fn event_codes_have_16_bits() {
    let device = CortexA55::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, .., last] = pmu.counters();
    first.count(raw(0x4005));
    last.count(raw(0xFFFF));
    let pmu = pmu.start().stop();
    assert_eq!((device.peek_type(0) & 0xFFFF, device.peek_type(5) & 0xFFFF), (0x4005, 0xFFFF));
    assert_eq!(pmu.interference(), None);
    // Another owner changes a bit that PMUv3 does not have.
    let running = pmu.start();
    device.other_owner_selects(0, 0x0005);
    assert_eq!(running.stop().interference().map(|lost| lost.counters), Some(1));
}

#[test]
fn events_from_0x4000_come_from_pmceid() {
    let device = CortexA55::new();
    let pmu = Pmu::new(device.bus());
    assert_eq!(pmu.has_event(raw(0x4005)), Some(false));
    device.poke(PMCEID0, 1 << (32 + 5));
    device.poke(PMCEID1, 1 << (32 + 31));
    for code in 0x4000..=0x403F {
        assert_eq!(pmu.has_event(raw(code)), Some(code == 0x4005 || code == 0x403F), "{code:#x}");
    }
    assert_eq!((pmu.has_event(raw(0x3FFF)), pmu.has_event(raw(0x4040))), (None, None));
}

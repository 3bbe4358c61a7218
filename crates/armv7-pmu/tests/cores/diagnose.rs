//! Tests the diagnosis on the simulated core of the enclosing module.

use std::cell::Cell;

use super::{Device, product};
use arm_pmu_core::bus::Operands;
use arm_pmu_core::diagnose::{Diagnosis, Outcome};
use arm_pmu_sim::{Attempt, Cp15Bus, Effect, Intercepted, Noise, ignoring_stores};
use product::events::COUNTERS;
use product::{Diagnose, EventOrCycles, Finding, Pmu, Selection, Space, UserPmu};

/// An event that every core has: access to the level 1 data cache.
const EVENT: Selection = Selection::from_id(0x04).unwrap();

/// Code of the event for executed instructions. The Cortex-A9 lacks this event; 0x68 replaces it.
const INSTRUCTION: u8 = match Selection::from_id(0x08) {
    Some(_) => 0x08,
    None => 0x68,
};

const EXPECTED: Option<EventOrCycles<Selection>> = Some(EventOrCycles::Event(EVENT));

const PMCR: Operands = Operands { opc1: 0, crn: 9, crm: 12, opc2: 0 };
const PMSELR: Operands = Operands { opc1: 0, crn: 9, crm: 12, opc2: 5 };
/// PMXEVTYPER and PMXEVCNTR, the registers behind PMSELR.
const BEHIND: [Operands; 2] = [
    Operands { opc1: 0, crn: 9, crm: 13, opc2: 1 },
    Operands { opc1: 0, crn: 9, crm: 13, opc2: 2 },
];

fn work(device: &Device) {
    device.signal_raw(INSTRUCTION, 50);
    device.signal_raw(0x04, 10);
    device.clock(100);
}

fn findings(diagnosis: &Diagnosis<Finding>) -> Vec<Finding> {
    diagnosis.findings().map(|found| found.finding).collect()
}

fn diagnose(
    device: &Device,
    pmu: &mut Pmu<Cp15Bus<'_, Space>>,
    expected: Option<EventOrCycles<Selection>>,
) -> Vec<Finding> {
    findings(&pmu.diagnose_with(expected, || work(device)))
}

/// Returns the values of all registers. The registers that PMSELR selects have one value for each
/// counter. The value of PMSELR is last.
fn registers(device: &Device) -> Vec<u32> {
    let rows = Device::REGISTERS.iter().map(|row| row.operands);
    let single = rows.filter(|operands| !BEHIND.contains(operands) && *operands != PMSELR);
    let counters =
        (0..COUNTERS).flat_map(|n| [device.peek_event(n).into(), device.peek_counter(n)]);
    single
        .map(|operands| device.peek(operands))
        .chain(counters)
        .chain([device.peek(PMSELR)])
        .collect()
}

#[test]
fn another_processor_is_found_by_its_main_id() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    // Main ID Registers of an ARM1176, and of cores with another part number or implementer.
    for main_id in [0x410F_B767, Device::MIDR ^ 1 << 15, Device::MIDR ^ 1 << 28] {
        let diagnosis = pmu.diagnose_processor(main_id, None, || work(&device));
        assert_eq!(findings(&diagnosis), [Finding::AnotherProcessor]);
    }
    assert_eq!(device.journal(), [], "nothing is tried");
    assert_eq!(findings(&pmu.diagnose_processor(Device::MIDR, None, || work(&device))), []);
}

#[test]
fn missing_user_permission_is_found_without_exception() {
    let device = Device::new();
    device.set_user_access(true);
    let mut pmu = UserPmu::open(device.user_bus()).unwrap();
    assert_eq!(findings(&pmu.diagnose_with(EXPECTED, || work(&device))), []);
    device.set_user_access(false);
    let diagnosis = pmu.diagnose_with(EXPECTED, || work(&device));
    assert_eq!(findings(&diagnosis), [Finding::UserModeClosed]);
    device.set_user_access(true);
    let diagnosis = pmu.diagnose_with(EXPECTED, || work(&device));
    assert_eq!(findings(&diagnosis), [], "no access was refused meanwhile");
    // A driver for privileged modes, on a User mode bus.
    device.set_user_access(false);
    let mut pmu = Pmu::new(device.user_bus());
    assert_eq!(diagnose(&device, &mut pmu, None), [Finding::NoAccess]);
}

/// The result does not depend on the events and counts left in the counters.
#[test]
fn ignored_writes_to_one_register_are_found() {
    for to in BEHIND {
        for event in [INSTRUCTION, 0x11, 0x04] {
            let device = Device::new();
            for counter in 0..COUNTERS {
                device.poke_event(counter, event);
                device.poke_counter(counter, 0);
            }
            let before = registers(&device);
            let mut pmu = Pmu::new(ignoring_stores(device.bus(), [to]));
            let diagnosis = pmu.diagnose_with(None, || work(&device));
            let found: Vec<_> = diagnosis.findings().map(|f| (f.finding, f.value)).collect();
            let held = if to == BEHIND[0] {
                event
            } else if event == INSTRUCTION {
                0x11
            } else {
                INSTRUCTION
            };
            assert_eq!(found, [(Finding::WritesIgnored, held.into())], "{to:?} {event:#x}");
            assert_eq!(registers(&device), before);
        }
    }
}

#[test]
fn another_owner_is_found() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    for meddle in [
        Device::other_owner_disables_all,
        Device::other_owner_disables_cycles,
        |device: &Device| device.other_owner_disables(1),
        // Without this check, a reprogrammed instruction counter would look like an emulator
        // without instruction counts.
        |device: &Device| device.other_owner_selects(0, 0x44),
        |device: &Device| device.other_owner_selects(1, 0x44),
        // PMCR.D and PMCR.DP, which control the cycle counter.
        |device: &Device| device.poke(PMCR, device.peek(PMCR) ^ 1 << 3),
        |device: &Device| device.poke(PMCR, device.peek(PMCR) ^ 1 << 5),
    ] {
        let diagnosis = pmu.diagnose_with(EXPECTED, || {
            work(&device);
            meddle(&device);
        });
        assert_eq!(findings(&diagnosis), [Finding::EnableLost]);
    }
}

/// Other software moves the selector once, after any access. The diagnosis either is correct or
/// reports that the selector was moved. In both cases, the diagnosis restores the counters.
#[test]
fn a_moved_selector_is_found_or_harmless() {
    let accesses = {
        let device = Device::new();
        diagnose(&device, &mut Pmu::new(device.bus()), EXPECTED);
        device.journal().len()
    };
    for selector in [0, 3, 17] {
        let mut reported = 0;
        for access in 0..accesses {
            let device = Device::new();
            device.power_up_with(Noise::Seeded(5));
            let before = registers(&device);
            device.interrupt_moves_selector_after(access, selector);
            let mut pmu = Pmu::new(device.bus());
            let diagnosis = pmu.diagnose_with(EXPECTED, || work(&device));
            let found = findings(&diagnosis);
            assert!(found.is_empty() || found == [Finding::SelectorMoved], "{access}: {found:?}");
            assert_eq!(found.is_empty(), diagnosis.outcome() == Outcome::Counts, "{access}");
            reported += found.len();
            let (last, rest) = before.split_last().unwrap();
            let after = registers(&device);
            assert_eq!(&after[..rest.len()], rest, "{access}");
            // The selector holds its earlier value or the handler's value.
            assert!([*last, selector.into()].contains(after.last().unwrap()), "{access}");
        }
        assert!(reported > accesses / 4, "{reported} of {accesses}");
    }
}

/// Counters that cannot be read are not tested, and continue to count.
#[test]
fn constantly_moving_selector_is_found() {
    let device = Device::new();
    device.power_up_with(Noise::Ones);
    assert_eq!(device.peek(PMCR) & 1, 1);
    let before = registers(&device);
    // Other software moves the selector before each load.
    let selector = Cell::new(0);
    let bus = Intercepted::new(device.bus(), |attempt| {
        if let Attempt::Load(_) = attempt {
            selector.set((selector.get() + 1) % COUNTERS as u8);
            device.other_owner_moves_selector(selector.get());
        }
        Effect::Proceed
    });
    let diagnosis = Pmu::new(bus).diagnose_with(EXPECTED, || unreachable!("nothing is tried"));
    assert_eq!(findings(&diagnosis), [Finding::SelectorMoved]);
    // Compares all registers except the last, which is the selector.
    let rest = before.len() - 1;
    assert_eq!(registers(&device)[..rest], before[..rest]);
}

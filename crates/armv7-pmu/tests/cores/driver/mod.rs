//! Tests the driver on the simulated core of the enclosing module. `is_product` checks the core's Main ID Register.

mod counting;
mod cycles;
mod interference;
mod probe;
mod registers;
mod selector;
mod user_mode;

use std::cell::Cell;
use std::num::NonZeroU32;

use super::{Device, is_product, product};
use arm_pmu_core::bus::{BusError, Operands};
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_core::measure::{Interference, Monitor as _, Rearm, RunningMonitor as _};
use arm_pmu_sim::{
    Attempt, Cp15Access, Cp15Bus, Effect, Intercepted, Noise, Response, StaleSelector,
    ignoring_stores,
};
use product::events::COUNTERS;
use product::registers::{ACCESS, MAIN_ID_PART};
use product::{
    Count, CountError, Counters, Divider, EventOrCycles, Pmu, Selection, Space, UserPmu, measure,
};

type DevicePmu<'d> = Pmu<Cp15Bus<'d, Space>>;
type DeviceUserPmu<'d> = UserPmu<Cp15Bus<'d, Space>>;

// Events that every core has: software increments, and misses and accesses of the L1 data cache.
const SOFTWARE: Selection = Selection::from_id(0x00).unwrap();
const MISSES: Selection = Selection::from_id(0x03).unwrap();
const ACCESSES: Selection = Selection::from_id(0x04).unwrap();

/// Executed instructions. The Cortex-A9 has no event for executed instructions; 0x68 replaces it.
const INSTRUCTIONS: Selection = match Selection::from_id(0x08) {
    Some(event) => event,
    None => Selection::from_id(0x68).unwrap(),
};

/// Part number in the simulated device's Main ID Register.
const PART: u32 = Device::MIDR >> 4 & 0xFFF;

/// Bits of the event counters in a register with one bit for each counter.
const EACH: u8 = ((1_u32 << COUNTERS) - 1) as u8;

/// Bits of the event counters and of the cycle counter.
const ALL: u32 = 1 << 31 | EACH as u32;

/// Whether the core has version 2 of the PMU: a filter by mode, and PMOVSSET.
const HAS_FILTER: bool = Device::REGISTERS.len() == 13;

const fn c9(crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 9, crm, opc2 }
}

// Typed from the manual again instead of copied from the driver.
const PMCR: Operands = c9(12, 0);
const PMCNTENSET: Operands = c9(12, 1);
const PMOVSR: Operands = c9(12, 3);
const PMSELR: Operands = c9(12, 5);
const PMCCNTR: Operands = c9(13, 0);
const PMXEVTYPER: Operands = c9(13, 1);
const PMXEVCNTR: Operands = c9(13, 2);
const PMUSERENR: Operands = c9(14, 0);
const PMINTENSET: Operands = c9(14, 1);
const PMINTENCLR: Operands = c9(14, 2);

fn signal(device: &Device, what: Selection, times: u32) {
    device.signal_raw(what.id() as u8, times);
}

/// Calls `test` with devices in several states.
fn on_every_device(test: impl Fn(&Device)) {
    let noises = [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2), Noise::Seeded(3)];
    for noise in noises {
        for stale in [StaleSelector::Old, StaleSelector::Random, StaleSelector::New] {
            for posted in [false, true] {
                let device = Device::new();
                device.set_noise(noise);
                device.set_stale_selector(stale);
                device.set_posted_stores(posted);
                device.power_up_with(noise);
                test(&device);
                assert_eq!(device.violations(), []);
            }
        }
    }
}

/// Calls `test` with each of these devices and a driver. The driver counts instructions on counter 0,
/// misses on counter 3, and cycles.
fn on_every_pmu(test: impl Fn(&Device, DevicePmu<'_>)) {
    on_every_device(|device| {
        let mut pmu = Pmu::new(device.bus());
        let [instructions, _, _, misses, ..] = pmu.counters();
        instructions.count(INSTRUCTIONS);
        misses.count(MISSES);
        pmu.cycle_counter().count(Divider::By1);
        test(device, pmu);
    });
}

/// Calls `test` with drivers in User mode, with access permitted.
fn on_every_user_pmu(test: impl Fn(&Device, DeviceUserPmu<'_>)) {
    on_every_device(|device| {
        device.set_user_access(true);
        let mut pmu = UserPmu::open(device.user_bus()).unwrap();
        let [instructions, _, _, misses, ..] = pmu.counters();
        instructions.count(INSTRUCTIONS);
        misses.count(MISSES);
        pmu.cycle_counter().count(Divider::By1);
        test(device, pmu);
    });
}

/// Returns a bus that calls a function before the accesses with these numbers.
fn disturbed<'d>(
    bus: Cp15Bus<'d, Space>,
    when: [usize; 2],
    what: impl Fn(),
) -> Intercepted<Cp15Bus<'d, Space>, impl Fn(Attempt<Operands>) -> Effect> {
    let nth = Cell::new(0);
    Intercepted::new(bus, move |_| {
        if when.contains(&nth.get()) {
            what();
        }
        nth.set(nth.get() + 1);
        Effect::Proceed
    })
}

/// Returns the writes since the journal began, with the names of the registers.
fn stores(device: &Device) -> Vec<(&'static str, u32)> {
    let all = stores_and_barriers(device).into_iter();
    all.filter(|store| *store != BARRIER).collect()
}

/// Mark of a synchronization in [`stores_and_barriers`].
const BARRIER: (&str, u32) = ("-", 0);

fn stores_and_barriers(device: &Device) -> Vec<(&'static str, u32)> {
    let name = |operands| {
        let row = Device::REGISTERS.iter().find(|row| row.operands == operands);
        row.map_or("?", |row| row.name)
    };
    let store = |access: &Cp15Access| match access {
        Cp15Access::Store { operands, value } => Some((name(*operands), *value)),
        Cp15Access::Synchronize => Some(BARRIER),
        Cp15Access::Load { .. } => None,
    };
    device.journal().iter().filter_map(store).collect()
}

/// Returns the number of loads and stores since the journal began.
fn accesses(device: &Device) -> usize {
    let journal = device.journal();
    journal.iter().filter(|access| !matches!(access, Cp15Access::Synchronize)).count()
}

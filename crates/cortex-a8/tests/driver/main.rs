//! The driver on a simulated Cortex-A8: measurements and failures.

mod counting;
mod cycles;
mod interference;
mod interrupts;
mod monitor;
mod registers;
mod selector;
mod user_mode;

use std::cell::Cell;

use arm_pmu_core::bus::Operands;
use arm_pmu_sim::{
    Attempt, CortexA8, Cp15Access, Cp15Bus, Effect, Intercepted, Noise, StaleSelector,
};
use cortex_a8::{CortexA8Event, Divider, Pmu, Space, UserPmu};

type DevicePmu<'d> = Pmu<Cp15Bus<'d, Space>>;
type DeviceUserPmu<'d> = UserPmu<Cp15Bus<'d, Space>>;

const INSTRUCTIONS: CortexA8Event = CortexA8Event::InstructionExecuted;
const MISSES: CortexA8Event = CortexA8Event::L2CacheMiss;

const fn c9(crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 9, crm, opc2 }
}

// Typed from the manual once more, not taken from the driver.
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

fn signal(device: &CortexA8, what: CortexA8Event, times: u32) {
    device.signal(what, times);
}

/// Calls `test` with devices in several states.
fn on_every_device(test: impl Fn(&CortexA8)) {
    let noises = [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2), Noise::Seeded(3)];
    for noise in noises {
        for stale in [StaleSelector::Old, StaleSelector::Random, StaleSelector::New] {
            for (posted, spoil) in [(false, false), (false, true), (true, false), (true, true)] {
                let device = CortexA8::new();
                device.set_noise(noise);
                device.set_stale_selector(stale);
                device.set_posted_stores(posted);
                device.set_running_counts_spoil(spoil);
                device.power_up_with(noise);
                test(&device);
                assert_eq!(device.violations(), []);
            }
        }
    }
}

/// The driver of each of these devices, counting instructions on counter 0, misses on counter 3, and
/// cycles.
fn on_every_pmu(test: impl Fn(&CortexA8, DevicePmu<'_>)) {
    on_every_device(|device| {
        let mut pmu = Pmu::new(device.bus());
        let [instructions, _, _, misses] = pmu.counters();
        instructions.count(INSTRUCTIONS);
        misses.count(MISSES);
        pmu.cycle_counter().count(Divider::By1);
        test(device, pmu);
    });
}

/// The same in User mode, which is let in.
fn on_every_user_pmu(test: impl Fn(&CortexA8, DeviceUserPmu<'_>)) {
    on_every_device(|device| {
        device.set_user_access(true);
        let mut pmu = UserPmu::open(device.user_bus()).unwrap();
        let [instructions, _, _, misses] = pmu.counters();
        instructions.count(INSTRUCTIONS);
        misses.count(MISSES);
        pmu.cycle_counter().count(Divider::By1);
        test(device, pmu);
    });
}

/// A bus on which something happens before the accesses with these numbers.
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

/// What was written since the journal began, by the names of the registers.
fn stores(device: &CortexA8) -> Vec<(&'static str, u32)> {
    let all = stores_and_barriers(device).into_iter();
    all.filter(|store| *store != BARRIER).collect()
}

/// How [`stores_and_barriers`] shows a synchronization.
const BARRIER: (&str, u32) = ("-", 0);

fn stores_and_barriers(device: &CortexA8) -> Vec<(&'static str, u32)> {
    let name = |operands| {
        let row = CortexA8::REGISTERS.iter().find(|row| row.operands == operands);
        row.map_or("?", |row| row.name)
    };
    let store = |access: &Cp15Access| match access {
        Cp15Access::Store { operands, value } => Some((name(*operands), *value)),
        Cp15Access::Synchronize => Some(BARRIER),
        Cp15Access::Load { .. } => None,
    };
    device.journal().iter().filter_map(store).collect()
}

/// How many loads and stores there were since the journal began.
fn accesses(device: &CortexA8) -> usize {
    let journal = device.journal();
    journal.iter().filter(|access| !matches!(access, Cp15Access::Synchronize)).count()
}

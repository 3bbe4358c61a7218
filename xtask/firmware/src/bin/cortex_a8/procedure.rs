//! How the counters are told what to count, started, stopped and read.

use arm_pmu_core::{Bus, Cp15};

use crate::registers::*;

const SOFTWARE_INCREMENT: u32 = 0x00;
const INSTRUCTIONS: u32 = 0x08;
const CYCLES: u32 = 0x11;

/// What the counters held at the end of a measurement.
#[derive(Clone, Copy)]
pub struct Counts {
    pub cycles: u32,
    /// Instructions, cycles, software increments, and nothing.
    pub events: [u32; 4],
}

impl Counts {
    pub fn since(self, earlier: Self) -> Self {
        let mut events = self.events;
        for (count, earlier) in events.iter_mut().zip(earlier.events) {
            *count = count.wrapping_sub(earlier);
        }
        Self { cycles: self.cycles.wrapping_sub(earlier.cycles), events }
    }
}

/// Counts during `work`; counters 0 and 1 and CCNT start with `from`, the others at 0.
pub fn measure(bus: &impl Bus<Space = Cp15>, from: u32, work: impl FnOnce()) -> Counts {
    stop_and_clear(bus);
    program(bus, from);
    bus.store::<Ccnt>(0, from);
    bus.store::<Cntens>(0, ALL_COUNTERS);
    run(bus, work);
    let events = [0, 1, 2, 3].map(|counter| count(bus, counter));
    Counts { cycles: bus.load::<Ccnt>(0), events }
}

/// Tells the counters what to count.
pub fn program(bus: &impl Bus<Space = Cp15>, from: u32) {
    for (counter, (event, from)) in (0..).zip([
        (INSTRUCTIONS, from),
        (CYCLES, from),
        (SOFTWARE_INCREMENT, 0),
        (SOFTWARE_INCREMENT, 0),
    ]) {
        select(bus, counter);
        bus.store::<Evtsel>(0, event);
        bus.store::<Pmcnt>(0, from);
    }
}

pub fn run(bus: &impl Bus<Space = Cp15>, work: impl FnOnce()) {
    bus.store::<Pmnc>(0, ENABLE);
    bus.synchronize();
    work();
    bus.store::<Pmnc>(0, 0);
    bus.synchronize();
}

pub fn select(bus: &impl Bus<Space = Cp15>, counter: u32) {
    bus.store::<Pmnxsel>(0, counter);
    bus.synchronize();
}

pub fn count(bus: &impl Bus<Space = Cp15>, counter: u32) -> u32 {
    select(bus, counter);
    bus.load::<Pmcnt>(0)
}

/// Nothing counts, nothing is counted, no flag is up, no interrupt enabled.
pub fn quiet(bus: &impl Bus<Space = Cp15>) {
    stop_and_clear(bus);
    bus.store::<Intenc>(0, ALL_COUNTERS);
    bus.synchronize();
}

/// The part of [`quiet`] that User mode may do.
fn stop_and_clear(bus: &impl Bus<Space = Cp15>) {
    bus.store::<Pmnc>(0, 0);
    bus.store::<Cntenc>(0, ALL_COUNTERS);
    bus.store::<Flag>(0, ALL_COUNTERS);
    bus.store::<Pmnc>(0, RESET_EVENT_COUNTERS | RESET_CYCLE_COUNTER);
    bus.synchronize();
}

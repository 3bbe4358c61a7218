//! Correct versions of the cases that fail.

use std::num::NonZeroU32;

use arm_pmu_sim::CortexA8;
use cortex_a8::{Cp15, Counters, CortexA8Event, Divider, Pmu, UserPmu};

fn one(bus: Cp15) -> Pmu<Cp15> {
    let first = Pmu::new(bus);
    Pmu::new(first.release())
}

fn main() {
    let device = CortexA8::new();
    let mut pmu = Pmu::new(device.bus());
    let [misses, .., increments] = pmu.counters();
    misses.overflow_after(CortexA8Event::L2CacheMiss, NonZeroU32::MIN);
    increments.count(CortexA8Event::SoftwareIncrement);
    pmu.cycle_counter().count(Divider::By64);
    pmu.interrupts(Counters::ALL);
    pmu.user_access(true);
    let registers = pmu.registers();
    let _ = registers.pmintenset().read();
    registers.pmcr().modify(|_, w| w.x().clear_bit());
    registers.pmuserenr().modify(|_, w| w.en().set_bit());
    registers.pmswinc().write(|w| w.p().set(0));
    let mut running = pmu.start();
    running.increment();
    let pmu = running.stop();
    assert_eq!(pmu.counts()[3].exact(), Ok(1));

    let mut program = UserPmu::open(device.user_bus()).unwrap();
    let [first, ..] = program.counters();
    first.count(CortexA8Event::L2CacheAccess);
    assert!(program.registers().pmuserenr().en().bit());
    let program = program.start().stop();
    assert_eq!(program.counts()[0].exact(), Ok(0));
    let _ = one as fn(_) -> _;
}

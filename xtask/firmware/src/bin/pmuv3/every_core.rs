//! The driver for every core with PMUv3: one image for cores with different events and versions.

use ::arm_pmuv3 as product;
use product::{CommonEvent as ProductEvent, CommonEvent, DEFAULT_COUNTERS as COUNTERS, is_pmuv3};

fn identity() -> u64 {
    bus().debug_features()
}

fn known(checks: &mut Checks) {
    let (main_id, version) = (bus().main_id(), product::version(identity()));
    checks.note(format_args!("MIDR_EL1 {main_id:#010x}, PMUVer {version}"));
    checks.check("the core has PMUv3", is_pmuv3(identity()));
    let none = Pmu::probe(bus(), identity() & !0xF00);
    checks.check("a core without it is refused", none.is_err());
}

/// Runs the checks of all cores, and the checks of this core's events and counters.
pub fn of_every_core(checks: &mut Checks) {
    all(checks);
    counting_permitted(|| {
        common_events(checks);
        number_of_counters(checks);
        carry(checks);
    });
}

/// QEMU has software increments, instructions with `-icount`, and cycles on each core. QEMU has no caches, so it lacks
/// an event that real cores have. This shows that the driver reports an absent event.
fn common_events(checks: &mut Checks) {
    let events = Pmu::new(bus()).common_events();
    for event in events {
        checks.note(format_args!("the core has {event}"));
    }
    for event in [CommonEvent::SwIncr, CommonEvent::InstRetired, CommonEvent::CpuCycles] {
        checks.check(event.name(), events.has(event));
    }
    checks.check("QEMU has no L1D_CACHE_REFILL", !events.has(CommonEvent::L1dCacheRefill));
}

/// Returns the instructions on the last of `N` counters.
fn last_of<const N: usize>(turns: usize) -> Option<u32> {
    let mut pmu = Pmu::probe_counters::<N>(bus(), identity()).ok()?;
    pmu.counter(N - 1)?.count(CommonEvent::InstRetired);
    let running = pmu.start();
    spin(turns);
    running.stop().counts()[N - 1].exact().ok()
}

fn number_of_counters(checks: &mut Checks) {
    let mut bus = bus();
    let there = product::registers::Registers::new(&mut bus).pmcr_el0().read().n().bits();
    checks.note(format_args!("{there} event counters"));
    macro_rules! with {
        ($($n:literal)*) => {$({
            let expected = (there >= $n).then_some(1_000 * TURN);
            let difference = last_of::<$n>(1_001).zip(last_of::<$n>(1)).map(|(a, b)| a - b);
            checks.equal("instructions on the last counter", difference, expected);
        })*};
    }
    with!(2 3 4 5 6 7 8 31);
}

/// From PMUv3p5 on, an event counter has 64 bits. Without PMCR_EL0.LP, the carry reaches bit 32, and sets the flag.
fn carry(checks: &mut Checks) {
    let is_long = product::version(identity()) >= 6;
    let counted = |mut pmu: Pmu<Sysreg>| {
        let [first, ..] = pmu.counters();
        first.count_from(CommonEvent::InstRetired, u32::MAX - 99);
        let running = pmu.start();
        spin(100);
        running.stop()
    };
    // A driver that does not know the version counts bits 31:0.
    let pmu = counted(Pmu::new(bus()));
    let count = pmu.counts()[0];
    let is_of_32_bits = (100 * TURN..1_000).contains(&count.wrapping_value());
    checks.check("a count is bits 31:0", is_of_32_bits && count.overflowed());
    let mut bus = pmu.release();
    let registers = product::registers::Registers::new(&mut bus);
    let upper = registers.pmevcntr_el0().get(0).map(|counter| counter.read().bits() >> 32);
    checks.equal("bits 63:32", upper, Some(is_long.into()));
    if let Ok(pmu) = Pmu::probe(bus, identity()) {
        let is_exact = counted(pmu).counts()[0].exact().is_ok();
        checks.equal("a count of 64 bits is exact", is_exact, is_long);
    }
}

include!("checks.rs");

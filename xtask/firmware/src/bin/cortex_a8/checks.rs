//! What QEMU's Cortex-A8 counts, and who may look at it.
//!
//! QEMU runs one instruction in one cycle (`-icount shift=0`), so that numbers of both are exact.

use arm_pmu_core::{Bus, CoreCp15, Cp15};
use firmware::Checks;
use firmware::arm::{in_user_mode, undefined};

use crate::procedure::{count, measure, program, quiet, run, select};
use crate::registers::*;
use crate::work::spin;

pub fn all(checks: &mut Checks) {
    #[allow(unsafe_code)]
    // SAFETY: the image runs on one core in Supervisor mode, and has one bus. In User mode the checks
    // survive what is undefined.
    let bus = unsafe { CoreCp15::new() };
    identification(&bus, checks);
    selected_registers(&bus, checks);
    exact_counts(&bus, checks);
    counter_enables(&bus, checks);
    overflow(&bus, checks);
    resets(&bus, checks);
    divider(&bus, checks);
    interrupt_enables(&bus, checks);
    user_mode_refused(&bus, checks);
    user_mode_allowed(&bus, checks);
}

/// Before anything is written.
fn identification(bus: &impl Bus<Space = Cp15>, checks: &mut Checks) {
    checks.equal("PMNC: Arm, four counters, off", bus.load::<Pmnc>(0), 0x4100_2000);
}

fn selected_registers(bus: &impl Bus<Space = Cp15>, checks: &mut Checks) {
    quiet(bus);
    let values = [0x11, 0x22, 0x33, 0x44];
    for (counter, value) in (0..).zip(values) {
        select(bus, counter);
        bus.store::<Evtsel>(0, value);
        bus.store::<Pmcnt>(0, value << 24);
    }
    let mut selectors = [0; 4];
    let mut events = [0; 4];
    for counter in 0..4 {
        select(bus, counter);
        selectors[counter as usize] = bus.load::<Pmnxsel>(0);
        events[counter as usize] = bus.load::<Evtsel>(0);
    }
    checks.equal("PMNXSEL holds what is written", selectors, [0, 1, 2, 3]);
    checks.equal("PMNXSEL: each counter has an event of its own", events, values);
    let counts = [0, 1, 2, 3].map(|counter| count(bus, counter));
    checks.equal("PMNXSEL: each has a count of its own", counts, values.map(|value| value << 24));
}

/// Two runs that differ by a known number of instructions: what else happens between start and stop
/// is in both.
fn exact_counts(bus: &impl Bus<Space = Cp15>, checks: &mut Checks) {
    let short = measure(bus, 0, || spin(0));
    let long = measure(bus, 0, || spin(1000));
    checks.equal("event 0x08 counts each instruction", long.since(short).events[0], 2000);
    checks.equal("event 0x11 counts each cycle", long.since(short).events[1], 2000);
    checks.equal("CCNT counts each cycle", long.since(short).cycles, 2000);
    checks.equal("event 0x00 does not count by itself", long.events[2], 0);

    let increments = measure(bus, 0, || (0..5).for_each(|_| bus.store::<Swincr>(0, 1 << 2)));
    checks.equal("event 0x00 counts each software increment", increments.events[2], 5);
    checks.equal("SWINCR of a counter leaves the others alone", increments.events[3], 0);
    checks.equal("no counter overflowed", bus.load::<Flag>(0) & ALL_COUNTERS, 0);
}

fn counter_enables(bus: &impl Bus<Space = Cp15>, checks: &mut Checks) {
    quiet(bus);
    bus.store::<Cntens>(0, CYCLE_COUNTER | 0b0111);
    bus.store::<Cntenc>(0, 0b0010);
    let enabled = CYCLE_COUNTER | 0b0101;
    checks.equal("CNTENS sets, CNTENC clears", bus.load::<Cntens>(0), enabled);
    checks.equal("CNTENC reads the same", bus.load::<Cntenc>(0), enabled);

    program(bus, 0);
    run(bus, || spin(10));
    checks.check("a counter that is enabled counts", count(bus, 0) > 20);
    checks.equal("a counter that is not enabled stands still", count(bus, 1), 0);
    bus.store::<Cntenc>(0, CYCLE_COUNTER);
    let cycles = bus.load::<Ccnt>(0);
    run(bus, || spin(10));
    checks.equal("CCNT stands still if it is not enabled", bus.load::<Ccnt>(0), cycles);
    let stopped = count(bus, 0);
    spin(10);
    checks.equal("nothing counts without PMNC.E", count(bus, 0), stopped);
}

fn overflow(bus: &impl Bus<Space = Cp15>, checks: &mut Checks) {
    let from_zero = measure(bus, 0, || spin(100));
    checks.equal("FLAG: none before the wrap", bus.load::<Flag>(0) & ALL_COUNTERS, 0);
    let from_below = measure(bus, 0u32.wrapping_sub(16), || spin(100));
    let flags = bus.load::<Flag>(0) & ALL_COUNTERS;
    checks.equal("FLAG: set for each counter that wrapped", flags, CYCLE_COUNTER | 0b0011);
    let passed = from_below.events[0].wrapping_add(16);
    checks.equal("a counter that wraps goes on from 0", passed, from_zero.events[0]);
    checks.equal(
        "CCNT goes on from 0 when it wraps",
        from_below.cycles.wrapping_add(16),
        from_zero.cycles,
    );

    bus.store::<Flag>(0, 0);
    checks.equal("FLAG: 0 is not written", bus.load::<Flag>(0) & ALL_COUNTERS, flags);
    bus.store::<Flag>(0, 0b0001);
    let flags = bus.load::<Flag>(0) & ALL_COUNTERS;
    checks.equal("FLAG: 1 clears that of one counter", flags, CYCLE_COUNTER | 0b0010);
    bus.store::<Flag>(0, CYCLE_COUNTER | 0b0010);
    checks.equal("FLAG: 1 clears those of several", bus.load::<Flag>(0) & ALL_COUNTERS, 0);
}

fn resets(bus: &impl Bus<Space = Cp15>, checks: &mut Checks) {
    let before = measure(bus, 0, || spin(100));
    checks.check("there is something to reset", before.events[0] > 200 && before.cycles > 200);
    bus.store::<Pmnc>(0, RESET_EVENT_COUNTERS);
    checks.equal(
        "PMNC.P resets the event counters",
        [0, 1].map(|counter| count(bus, counter)),
        [0, 0],
    );
    checks.equal("PMNC.P keeps CCNT", bus.load::<Ccnt>(0), before.cycles);

    let before = measure(bus, 0, || spin(100));
    bus.store::<Pmnc>(0, RESET_CYCLE_COUNTER);
    checks.equal("PMNC.C resets CCNT", bus.load::<Ccnt>(0), 0);
    let events = [0, 1, 2, 3].map(|counter| count(bus, counter));
    checks.equal("PMNC.C keeps the event counters", events, before.events);
    checks.equal("PMNC.P and PMNC.C read 0", bus.load::<Pmnc>(0), 0x4100_2000);
}

fn divider(bus: &impl Bus<Space = Cp15>, checks: &mut Checks) {
    let divided = |turns| {
        quiet(bus);
        bus.store::<Cntens>(0, CYCLE_COUNTER);
        bus.store::<Pmnc>(0, DIVIDE_BY_64 | ENABLE);
        bus.synchronize();
        spin(turns);
        bus.store::<Pmnc>(0, DIVIDE_BY_64);
        bus.synchronize();
        bus.load::<Ccnt>(0)
    };
    // QEMU divides a clock that runs on: where in the 64 cycles a run starts makes one more or less.
    let difference = divided(32 * 1000) - divided(0);
    checks.check("PMNC.D: CCNT counts each 64th cycle", difference.abs_diff(1000) <= 1);
    bus.store::<Pmnc>(0, 0);
}

fn interrupt_enables(bus: &impl Bus<Space = Cp15>, checks: &mut Checks) {
    quiet(bus);
    bus.store::<Intens>(0, CYCLE_COUNTER | 0b0110);
    bus.store::<Intenc>(0, 0b0010);
    let enabled = CYCLE_COUNTER | 0b0100;
    checks.equal("INTENS sets, INTENC clears", bus.load::<Intens>(0) & ALL_COUNTERS, enabled);
    checks.equal("INTENC reads the same", bus.load::<Intenc>(0) & ALL_COUNTERS, enabled);
    bus.store::<Intenc>(0, ALL_COUNTERS);
    checks.equal("INTENC clears all", bus.load::<Intens>(0) & ALL_COUNTERS, 0);
}

fn user_mode_refused(bus: &impl Bus<Space = Cp15>, checks: &mut Checks) {
    quiet(bus);
    bus.store::<Useren>(0, 0);
    bus.synchronize();
    in_user_mode(|| {
        let mut refused = |name, result: Option<u32>| checks.check(name, result.is_none());
        refused("USEREN = 0 refuses PMNC", undefined(|| bus.load::<Pmnc>(0)));
        refused("USEREN = 0 refuses CNTENS", undefined(|| bus.load::<Cntens>(0)));
        refused("USEREN = 0 refuses CNTENC", undefined(|| bus.load::<Cntenc>(0)));
        refused("USEREN = 0 refuses FLAG", undefined(|| bus.load::<Flag>(0)));
        refused("USEREN = 0 refuses PMNXSEL", undefined(|| bus.load::<Pmnxsel>(0)));
        refused("USEREN = 0 refuses CCNT", undefined(|| bus.load::<Ccnt>(0)));
        refused("USEREN = 0 refuses EVTSEL", undefined(|| bus.load::<Evtsel>(0)));
        refused("USEREN = 0 refuses PMCNT", undefined(|| bus.load::<Pmcnt>(0)));
        let mut refused = |name, result: Option<()>| checks.check(name, result.is_none());
        refused("USEREN = 0 refuses a write of PMNC", undefined(|| bus.store::<Pmnc>(0, ENABLE)));
        refused("USEREN = 0 refuses a write of SWINCR", undefined(|| bus.store::<Swincr>(0, 0)));
        never_for_user(bus, checks);
    });
    checks.equal("a refused write has no effect", bus.load::<Pmnc>(0), 0x4100_2000);
}

fn user_mode_allowed(bus: &impl Bus<Space = Cp15>, checks: &mut Checks) {
    quiet(bus);
    bus.store::<Useren>(0, 1);
    bus.synchronize();
    let short = in_user_mode(|| measure(bus, 0, || spin(0)));
    let long = in_user_mode(|| measure(bus, 0, || spin(1000)));
    checks.equal("USEREN = 1: User mode counts instructions", long.since(short).events[0], 2000);
    checks.equal("USEREN = 1: User mode counts cycles", long.since(short).cycles, 2000);
    in_user_mode(|| never_for_user(bus, checks));
    bus.store::<Useren>(0, 0);
}

/// What User mode may not do, whatever USEREN says.
fn never_for_user(bus: &impl Bus<Space = Cp15>, checks: &mut Checks) {
    checks.check("User mode reads USEREN", undefined(|| bus.load::<Useren>(0)).is_some());
    let written = undefined(|| bus.store::<Useren>(0, 1));
    checks.check("User mode does not write USEREN", written.is_none());
    checks.check("User mode does not read INTENS", undefined(|| bus.load::<Intens>(0)).is_none());
    checks.check(
        "User mode does not write INTENS",
        undefined(|| bus.store::<Intens>(0, 0)).is_none(),
    );
    checks.check("User mode does not read INTENC", undefined(|| bus.load::<Intenc>(0)).is_none());
    checks.check(
        "User mode does not write INTENC",
        undefined(|| bus.store::<Intenc>(0, 0)).is_none(),
    );
}

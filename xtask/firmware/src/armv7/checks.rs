// Included for each core: `product` is its crate, `is_product` its test of the Main ID Register.

use core::hint::black_box;
use core::num::NonZeroU32;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::{Count, CountError};
use arm_pmu_core::diagnose::Diagnose;
use arm_pmu_core::diagnose::Outcome;
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_core::measure::{CycleCounter, Monitor, measure};
use product::events::COUNTERS;
use product::registers::Registers;
use product::{Counters, Divider, EventOrCycles, Finding, Pmu, Running, Selection, Space, UserPmu};

use super::World;
use crate::Checks;

/// Software increments, in every ARMv7 PMU.
const INCREMENT: Selection = Selection::from_id(0x00).unwrap();

/// Clock cycles, in every ARMv7 PMU.
const CYCLE: Selection = Selection::from_id(0x11).unwrap();

/// Returns the event for instructions, which may not be an event of the product where an emulator
/// counts them.
fn instruction(world: &impl World) -> Selection {
    Selection::raw(world.instruction()).expect("a number of eight bits")
}

/// Bits of all counters in a register with one bit for each.
const ALL: u32 = 1 << 31 | ((1 << COUNTERS) - 1);

/// All checks.
pub fn all(world: &impl World, checks: &mut Checks) {
    identification(world, checks);
    exact_counts(world, checks);
    unified_api(world, checks);
    reading_and_resuming(world, checks);
    software_increments(world, checks);
    preset_and_wrap(world, checks);
    acknowledgement(world, checks);
    divider(world, checks);
    resets(world, checks);
    selector(world, checks);
    interrupt_enables(world, checks);
    interference(world, checks);
    user_mode_closed(world, checks);
    user_mode_open(world, checks);
    diagnosis(world, checks);
    diagnosis_in_user_mode(world, checks);
}

/// Counts instructions on counter 0, cycles on counter 1, and software increments on counter 2.
fn count_all<B: Bus<Space = Space>>(world: &impl World, pmu: &mut Pmu<B>) {
    let [instructions, cycles, increments, ..] = pmu.counters();
    instructions.count(instruction(world));
    cycles.count(CYCLE);
    increments.count(INCREMENT);
    pmu.cycle_counter().count(Divider::By1);
}

/// Returns the counts of counters 0 and 1 and the cycle counter for this number of instructions.
fn counts_of(world: &impl World, instructions: u32) -> [Count; 3] {
    let mut pmu = Pmu::new(world.bus());
    count_all(world, &mut pmu);
    run(world, &mut pmu, instructions);
    [pmu.counts()[0], pmu.counts()[1], pmu.cycles()]
}

/// Counts these instructions, and the same number of other instructions at each call: the code is the same.
#[inline(never)]
fn run(world: &impl World, pmu: &mut impl Monitor, instructions: u32) {
    pmu.run(|| world.work(instructions));
}

fn identification(world: &impl World, checks: &mut Checks) {
    let main_id = world.main_id();
    checks.check("the main ID matches the core", is_product(main_id));
    checks.check("probe accepts it", Pmu::probe(world.bus(), main_id).is_ok());
    let refused = Pmu::probe(world.bus(), 0x410F_B767).err().map(|refused| refused.kind());
    let another = Some(ProbeErrorKind::Processor { main_id: 0x410F_B767 });
    checks.equal("probe refuses another processor", refused, another);
}

/// Compares two runs that differ by a known number of instructions: the overhead of start and stop
/// is the same in both.
fn exact_counts(world: &impl World, checks: &mut Checks) {
    let (short, long) = (counts_of(world, 0), counts_of(world, 2000));
    let difference = |nth: usize| long[nth].since(short[nth]).exact();
    checks.equal("the event of instructions counts each", difference(0), Ok(2000));
    checks.equal("event 0x11 counts each cycle", difference(1), Ok(2000));
    checks.equal("PMCCNTR counts each cycle", difference(2), Ok(2000));
    checks.equal("the same again is the same", counts_of(world, 2000), long);
}

fn unified_api(world: &impl World, checks: &mut Checks) {
    let mut pmu = Pmu::new(world.bus());
    let instructions = EventOrCycles::Event(instruction(world));
    let what = [instructions, cycles_of(&pmu)];
    let mut run = |n| measure(&mut pmu, what, || world.work(n)).map(|measured| measured.counts);
    match (run(0), run(500)) {
        (Ok(short), Ok(long)) => {
            let difference = |nth: usize| long[nth].since(short[nth]).exact();
            checks.equal("measure counts instructions", difference(0), Ok(500));
            checks.equal("measure counts cycles", difference(1), Ok(500));
        }
        (short, long) => checks.check(format_args!("measure: {short:?}, {long:?}"), false),
    }
}

fn cycles_of<M: CycleCounter>(_: &M) -> M::Selection {
    M::CYCLES
}

/// Reads the count of instructions after each piece of work.
///
/// Not inlined, so the number of instructions between two readings is constant.
#[inline(never)]
fn read_after_each<B: Bus<Space = Space>>(
    world: &impl World,
    running: &Running<B>,
    work: &[u32],
    counts: &mut [Count],
) {
    for (instructions, count) in work.iter().zip(counts) {
        world.work(*instructions);
        *count = running.counts()[0];
    }
}

fn reading_and_resuming(world: &impl World, checks: &mut Checks) {
    let mut pmu = Pmu::new(world.bus());
    count_all(world, &mut pmu);
    let running = pmu.start();
    let mut counts = [Count::NOT_COUNTED; 6];
    read_after_each(world, &running, black_box(&[0, 0, 0, 0, 100, 0]), black_box(&mut counts));
    let took = |n: usize| counts[n].since(counts[n - 1]).exact().unwrap_or(0);
    let [alone, with_work, again] = [3, 4, 5].map(took);
    checks.equal("a running counter can be read", with_work.wrapping_sub(100), alone);
    checks.equal("and read again", again, alone);
    let pmu = running.stop();
    checks.equal("nothing was lost", pmu.interference(), None);
    checks.equal("a counter that is off has no count", pmu.counts()[3], Count::NOT_COUNTED);

    let idle_between = |instructions| {
        let mut pmu = Pmu::new(world.bus());
        count_all(world, &mut pmu);
        let pmu = pmu.start().stop();
        world.work(instructions);
        pmu.resume().stop().counts()[0]
    };
    checks.equal("nothing counts between stop and resume", idle_between(1000), idle_between(0));
    let worked_after = |instructions| {
        let mut pmu = Pmu::new(world.bus());
        count_all(world, &mut pmu);
        let running = pmu.start();
        world.work(500);
        let running = running.stop().resume();
        world.work(instructions);
        running.stop().counts()[0]
    };
    let more = worked_after(300).since(worked_after(0));
    checks.equal("resuming goes on", more.exact(), Ok(300));
    checks.check("from where it stood", worked_after(0).exact().is_ok_and(|count| count >= 500));
}

fn software_increments(world: &impl World, checks: &mut Checks) {
    let mut pmu = Pmu::new(world.bus());
    count_all(world, &mut pmu);
    let [.., last] = pmu.counters();
    last.count(CYCLE);
    let mut running = pmu.start();
    for _ in 0..5 {
        running.increment();
    }
    let [_, before, increments, .., after] = running.stop().counts();
    checks.equal("event 0x00 counts each software increment", increments.exact(), Ok(5));
    checks.equal("PMSWINC leaves other counters alone", before.exact(), after.exact());
}

fn preset_and_wrap(world: &impl World, checks: &mut Checks) {
    let from_zero = counts_of(world, 1000);
    let mut pmu = Pmu::new(world.bus());
    let [instructions, cycles, ..] = pmu.counters();
    let before_the_end = NonZeroU32::new(16).unwrap_or(NonZeroU32::MIN);
    instructions.overflow_after(instruction(world), before_the_end);
    cycles.count_from(CYCLE, 1 << 31);
    pmu.cycle_counter().overflow_after(Divider::By1, before_the_end);
    run(world, &mut pmu, 1000);
    let [instructions, cycles, ..] = pmu.counts();
    checks.equal(
        "a counter that wraps goes on from 0",
        instructions.wrapping_value(),
        from_zero[0].wrapping_value(),
    );
    checks.equal("its count says so", instructions.exact(), Err(CountError::Overflowed));
    checks.equal(
        "PMCCNTR goes on from 0",
        pmu.cycles().wrapping_value(),
        from_zero[2].wrapping_value(),
    );
    checks.equal("its count says so, too", pmu.cycles().exact(), Err(CountError::Overflowed));
    checks.equal("a preset is not counted", cycles.exact(), from_zero[1].exact());
}

fn acknowledgement(world: &impl World, checks: &mut Checks) {
    let mut pmu = Pmu::new(world.bus());
    count_all(world, &mut pmu);
    let [instructions, ..] = pmu.counters();
    // A value far from any value that a driver sets.
    let far = NonZeroU32::new(100_000).unwrap_or(NonZeroU32::MIN);
    instructions.overflow_after(instruction(world), far);
    pmu.cycle_counter().overflow_after(Divider::By1, far);
    let mut running = pmu.start();
    checks.equal("PMOVSR: none before the wrap", running.acknowledge(), Counters::NONE);
    world.work(100_000);
    let wrapping_value = Counters { counters: core::array::from_fn(|n| n == 0), cycles: true };
    checks.equal(
        "PMOVSR: set for each counter that wrapped",
        running.acknowledge(),
        wrapping_value,
    );
    checks.equal("PMOVSR: 1 clears it", running.acknowledge(), Counters::NONE);
    checks.check("the driver remembers", running.counts()[0].overflowed());
    let mut pmu = running.stop();
    let flags = pmu.registers().pmovsr().read();
    checks.equal(
        "PMOVSR: none is left at the stop",
        (flags.p().bits(), flags.c().bit()),
        (0, false),
    );
}

fn divider(world: &impl World, checks: &mut Checks) {
    let divided = |instructions| {
        let mut pmu = Pmu::new(world.bus());
        pmu.cycle_counter().count(Divider::By64);
        let running = pmu.start();
        world.work(instructions);
        running.stop().cycles().exact().unwrap_or(0)
    };
    // The start within a period of 64 cycles can add or remove one count.
    let difference = divided(64 * 1000).wrapping_sub(divided(0));
    checks.check("PMCR.D: PMCCNTR counts each 64th cycle", difference.abs_diff(1000) <= 1);
}

/// Writes PMCR.P and PMCR.C directly on a stopped PMU.
fn resets(world: &impl World, checks: &mut Checks) {
    let reset = |events: bool, cycles: bool| {
        let mut pmu = Pmu::new(world.bus());
        count_all(world, &mut pmu);
        let running = pmu.start();
        world.work(1000);
        let mut pmu = running.stop();
        let counts = (pmu.counts()[0].wrapping_value(), pmu.cycles().wrapping_value());
        let registers = pmu.registers();
        registers.pmcr().modify(|_, w| w.p().bit(events).c().bit(cycles));
        registers.pmselr().write(|w| w.sel().set(0));
        let mut bus = pmu.release();
        bus.synchronize();
        let registers = Registers::new(&mut bus);
        let held = (
            registers.pmxevcntr().read().count().bits(),
            registers.pmccntr().read().count().bits(),
        );
        (counts, held)
    };
    let (before, after) = reset(true, false);
    checks.check("there is something to reset", before.0 >= 1000 && before.1 >= 1000);
    checks.equal("PMCR.P resets event counters, and keeps PMCCNTR", after, (0, before.1));
    let (before, after) = reset(false, true);
    checks.equal("PMCR.C resets PMCCNTR, and keeps event counters", after, (before.0, 0));
    let (before, after) = reset(false, false);
    checks.equal("PMCR is written back without a reset", after, before);
}

fn selector(world: &impl World, checks: &mut Checks) {
    let mut bus = world.bus();
    for number in 0..COUNTERS as u8 {
        let registers = Registers::new(&mut bus);
        registers.pmselr().write(|w| w.sel().set(number));
        bus.synchronize();
        let registers = Registers::new(&mut bus);
        registers.pmxevtyper().write(|w| w.evt_count().set(0x40 + number));
        registers.pmxevcntr().write(|w| w.count().set(u32::from(number) << 24));
    }
    let mut held = [(0, 0, 0); COUNTERS];
    for (number, held) in (0..).zip(&mut held) {
        Registers::new(&mut bus).pmselr().write(|w| w.sel().set(number));
        bus.synchronize();
        let registers = Registers::new(&mut bus);
        *held = (
            registers.pmselr().read().sel().bits(),
            registers.pmxevtyper().read().evt_count().bits(),
            registers.pmxevcntr().read().count().bits(),
        );
    }
    let expected = core::array::from_fn(|n| n as u8).map(|n| (n, 0x40 + n, u32::from(n) << 24));
    checks.equal("PMSELR: each counter has its own event and count", held, expected);
}

fn interrupt_enables(world: &impl World, checks: &mut Checks) {
    let mut pmu = Pmu::new(world.bus());
    count_all(world, &mut pmu);
    pmu.interrupts(Counters { counters: core::array::from_fn(|n| n == 0 || n == 3), cycles: true });
    let mut pmu = pmu.start().stop();
    let enabled = |pmu: &mut Pmu<_>| {
        let (set, clear) =
            (pmu.registers().pmintenset().read(), pmu.registers().pmintenclr().read());
        [(set.p().bits(), set.c().bit()), (clear.p().bits(), clear.c().bit())]
    };
    checks.equal(
        "PMINTENSET sets the bits of counters in use",
        enabled(&mut pmu),
        [(0b0001, true); 2],
    );
    pmu.interrupts(Counters::NONE);
    let mut pmu = pmu.start().stop();
    checks.equal("PMINTENCLR clears them", enabled(&mut pmu), [(0, false); 2]);
}

fn interference(world: &impl World, checks: &mut Checks) {
    let mut pmu = Pmu::new(world.bus());
    count_all(world, &mut pmu);
    let running = pmu.start();
    // Another owner of the PMU, which the contract of the bus excludes.
    let mut other = world.bus();
    Registers::new(&mut other).pmcntenclr().write(|w| w.p().set(0b0010));
    other.synchronize();
    let pmu = running.stop();
    let counts = [0, 1].map(|number| pmu.counts()[number].exact().err());
    checks.equal(
        "a counter that somebody disabled is lost",
        counts,
        [None, Some(CountError::Disturbed)],
    );
}

/// Checks that each access is undefined in User mode.
macro_rules! refuses {
    ($world:ident, $checks:ident, $what:literal; $($name:literal: $access:expr;)*) => {$(
        let done = $world.access_in_user_mode(|bus| {
            let access: fn(Registers<'_, _>) = $access;
            access(Registers::new(bus));
        });
        $checks.check(concat!($what, $name), done.is_none());
    )*};
}

fn user_mode_closed(world: &impl World, checks: &mut Checks) {
    Pmu::new(world.bus()).user_access(false);
    let refused = world.in_user_mode(|bus| UserPmu::open(bus).err().map(|refused| refused.kind()));
    checks.equal(
        "PMUSERENR = 0: User mode can tell",
        refused,
        Some(ProbeErrorKind::UserModeClosed),
    );
    refuses! {
        world, checks, "PMUSERENR = 0 refuses ";
        "PMCR": |r| { r.pmcr().read(); };
        "PMCNTENSET": |r| { r.pmcntenset().read(); };
        "PMCNTENCLR": |r| { r.pmcntenclr().read(); };
        "PMOVSR": |r| { r.pmovsr().read(); };
        "PMSELR": |r| { r.pmselr().read(); };
        "PMCCNTR": |r| { r.pmccntr().read(); };
        "PMXEVTYPER": |r| { r.pmxevtyper().read(); };
        "PMXEVCNTR": |r| { r.pmxevcntr().read(); };
        "a write of PMCR": |r| r.pmcr().write(|w| w.e().set_bit());
        "a write of PMSWINC": |r| r.pmswinc().write(|w| w.p().set(0));
    }
    never_for_user(world, checks);
    let mut bus = world.bus();
    let pmcr = Registers::new(&mut bus).pmcr().read();
    checks.equal("a refused write has no effect", pmcr.e().bit(), false);
}

fn user_mode_open(world: &impl World, checks: &mut Checks) {
    Pmu::new(world.bus()).user_access(true);
    let run = |instructions| {
        world.in_user_mode(|bus| {
            let mut pmu = UserPmu::open(bus).ok()?;
            let [counter, ..] = pmu.counters();
            counter.count(instruction(world));
            pmu.cycle_counter().count(Divider::By1);
            let running = pmu.start();
            world.work(instructions);
            let pmu = running.stop();
            Some((pmu.counts()[0], pmu.cycles()))
        })
    };
    let difference = match (run(0), run(2000)) {
        (Some(short), Some(long)) => {
            Some((long.0.since(short.0).exact(), long.1.since(short.1).exact()))
        }
        _ => None,
    };
    checks.equal("PMUSERENR = 1: User mode counts", difference, Some((Ok(2000), Ok(2000))));
    never_for_user(world, checks);
    Pmu::new(world.bus()).user_access(false);
}

/// Checks accesses that User mode cannot make, whatever the value of PMUSERENR.
fn never_for_user(world: &impl World, checks: &mut Checks) {
    let read = world.access_in_user_mode(|bus| Registers::new(bus).pmuserenr().read().en().bit());
    checks.check("User mode reads PMUSERENR", read.is_some());
    refuses! {
        world, checks, "User mode does not ";
        "write PMUSERENR": |r| r.pmuserenr().write(|w| w.en().set_bit());
        "read PMINTENSET": |r| { r.pmintenset().read(); };
        "write PMINTENSET": |r| r.pmintenset().write(|w| w.p().set(0));
        "read PMINTENCLR": |r| { r.pmintenclr().read(); };
        "write PMINTENCLR": |r| r.pmintenclr().write(|w| w.p().set(0));
    }
}

/// A diagnosis of a counting PMU has no finding and restores the PMU; events that do not happen are reported.
fn diagnosis(world: &impl World, checks: &mut Checks) {
    let mut pmu = Pmu::new(world.bus());
    count_all(world, &mut pmu);
    let running = pmu.start();
    world.work(100);
    let mut pmu = running.stop();
    let before = (state(&mut pmu), pmu.counts());
    let main_id = world.main_id();
    let diagnosis = pmu.diagnose_processor(main_id, None, || world.work(100));
    checks.note(format_args!("{diagnosis}"));
    checks.equal("the diagnosis is right", diagnosis.outcome(), outcome(world));
    let diagnosis = pmu.diagnose_with(Some(SILENT), || world.work(100));
    let expected = match outcome(world) {
        Outcome::Counts => Finding::ExpectedEventNotCounted,
        _ => Finding::InstructionsNotCounted,
    };
    checks.check("a silent event is found", diagnosis.has(expected));
    checks.equal("what was found is all", diagnosis.findings().count(), 1);
    let diagnosis = pmu.diagnose_processor(0x410F_B767, None, || world.work(100));
    checks.check("another processor is found", diagnosis.has(Finding::AnotherProcessor));
    checks.equal("the registers are as before", (state(&mut pmu), pmu.counts()), before);
}

/// Returns the expected outcome of a diagnosis: the driver counts instructions by an event of the
/// core, which an emulator may lack.
fn outcome(world: &impl World) -> Outcome {
    match Selection::from_id(world.instruction()) {
        Some(_) => Outcome::Counts,
        None => Outcome::Wrong,
    }
}

/// An event that the work of no world causes.
const SILENT: EventOrCycles<Selection> = EventOrCycles::Event(Selection::from_id(0x09).unwrap());

/// Returns the state that a diagnosis could change, except the counters, which only a measurement
/// can read.
fn state<B: Bus<Space = Space>>(pmu: &mut Pmu<B>) -> [u32; 5] {
    let registers = pmu.registers();
    [
        registers.pmcr().read().bits(),
        registers.pmcntenset().read().bits() & ALL,
        registers.pmselr().read().bits(),
        registers.pmccntr().read().bits(),
        registers.pmovsr().read().bits() & ALL,
    ]
}

/// In User mode without permission, the diagnosis reports it without an exception.
fn diagnosis_in_user_mode(world: &impl World, checks: &mut Checks) {
    Pmu::new(world.bus()).user_access(true);
    let pmu = world.in_user_mode(|bus| {
        let mut pmu = UserPmu::open(bus).ok()?;
        let found = pmu.diagnose_with(None, || world.work(100)).outcome();
        Some((pmu, found))
    });
    Pmu::new(world.bus()).user_access(false);
    let Some((mut pmu, found)) = pmu else { return checks.check("User mode is let in", false) };
    checks.equal("in User mode too", found, outcome(world));
    let closed = world.access_in_user_mode(|_| pmu.diagnose_with(None, || world.work(100)));
    let closed = closed.is_some_and(|diagnosis| diagnosis.has(Finding::UserModeClosed));
    checks.check("User mode that is shut out finds out, and nothing is undefined", closed);
}

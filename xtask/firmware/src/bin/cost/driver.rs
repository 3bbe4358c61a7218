//! Measurement with the driver.
//!
//! The functions are not inlined, so that no instruction of the caller lies between two moments.

use core::hint::black_box;

use arm_pmu_core::count::Count;
use arm_pmu_core::measure::{Bank, BankedPmu, Monitor, RunningMonitor};

use crate::clock::{between, now, work};
use crate::product::{Bus, COUNTERS, EVENTS, Event, EventOrCycles, Pmu, Selection, count_cycles};

#[inline(always)]
fn pmu() -> Pmu<Bus> {
    Pmu::new(firmware::bus())
}

/// Start value with which the first counter, which counts instructions, overflows at once.
pub const OVERFLOWS_AT_ONCE: u32 = u32::MAX;

/// Sets the PMU up for these events and cycles. The selections are unknown at compile time.
#[inline(always)]
fn prepare(pmu: &mut Pmu<Bus>, events: &[Event]) {
    for (counter, &event) in pmu.counters().into_iter().zip(black_box(events)) {
        counter.count(Selection::event(event));
    }
    count_cycles(pmu);
}

/// Returns the instructions of a start and a stop by `Monitor`, which does not move the driver.
#[inline(never)]
pub fn run(events: &[Event]) -> [u32; 2] {
    let mut pmu = pmu();
    prepare(&mut pmu, events);
    let mut pmu = black_box(pmu);
    let before = now();
    let started = pmu.run(now);
    let stopped = now();
    black_box(&pmu);
    [between(before, started), between(started, stopped)]
}

/// Returns how many instructions a start executes, how many a stop and its counts execute, and whether all counts were
/// exact. The driver is set up in the same function, and its methods take it by value.
#[inline(never)]
pub fn start_stop(events: &[Event]) -> ([u32; 2], bool) {
    let mut pmu = pmu();
    prepare(&mut pmu, events);
    by_value(pmu, events.len())
}

/// Returns the same as `start_stop`, for a driver whose state is unknown at compile time.
#[inline(never)]
pub fn moved(events: &[Event]) -> ([u32; 2], bool) {
    let mut pmu = pmu();
    prepare(&mut pmu, events);
    by_value(black_box(pmu), events.len())
}

#[inline(always)]
fn by_value(pmu: Pmu<Bus>, counters: usize) -> ([u32; 2], bool) {
    let before = now();
    let running = pmu.start();
    let started = now();
    let pmu = running.stop();
    // In the hand-written code, the checks are part of the stop.
    let counts = pmu.counts();
    let cycles = pmu.cycles();
    black_box((&counts, &cycles));
    let stopped = now();
    let exact = are_exact(&counts, counters) && cycles.exact().is_ok();
    ([between(before, started), between(started, stopped)], exact)
}

/// Returns the number of instructions of a reading, and whether all counts were exact.
#[inline(never)]
pub fn read(events: &[Event]) -> (u32, bool) {
    let mut pmu = pmu();
    prepare(&mut pmu, events);
    let running = black_box(pmu.start());
    let mut counts = black_box([Count::NOT_COUNTED; COUNTERS + 1]);
    let before = now();
    running.read(&mut counts);
    let read = now();
    let exact = are_exact(&counts, events.len() + 1);
    running.stop();
    (between(before, read), exact)
}

/// Overflows the first counter. Returns the number of instructions of the acknowledgement, and whether it acknowledged
/// that overflow.
#[inline(never)]
pub fn acknowledge(events: &[Event]) -> (u32, bool) {
    let mut pmu = pmu();
    prepare(&mut pmu, events);
    let [first, ..] = pmu.counters();
    first.count_from(Selection::event(events[0]), OVERFLOWS_AT_ONCE);
    let mut running = black_box(pmu.start());
    // QEMU sets the overflow flag when the counter is read.
    black_box(running.counts());
    let before = now();
    // Returns a set of bits, as the hand-written code does.
    let overflowed = running.take_overflows();
    let after = now();
    running.stop();
    (between(before, after), black_box(overflowed) == 1)
}

/// Returns how many instructions two switches take, and whether all totals are exact. The first switch is between two
/// tasks that both count `what`, the second is from such a task to one that counts `others`.
#[inline(never)]
pub fn switch<const N: usize>(
    what: [EventOrCycles<Selection>; N],
    others: [EventOrCycles<Selection>; N],
) -> ([u32; 2], bool) {
    type BankOf = Bank<Pmu<Bus>>;
    #[inline(never)]
    fn to<'b>(
        pmu: &mut BankedPmu<Pmu<Bus>, &'b mut BankOf>,
        next: Option<&'b mut BankOf>,
    ) -> Option<&'b mut BankOf> {
        pmu.switch(next)
    }
    let bank = |what| BankOf::new(what).expect("there are enough counters");
    let mut banks = [what, what, others].map(bank);
    let [first, second, third] = banks.each_mut();
    let mut pmu = black_box(BankedPmu::new(pmu()));
    to(&mut pmu, Some(first));
    let before = now();
    to(&mut pmu, Some(second));
    let same = now();
    to(&mut pmu, Some(third));
    let after = now();
    to(&mut pmu, None);
    let is_exact = |bank: &BankOf| bank.pairs().all(|(_, amount)| amount.exact().is_ok());
    let cycles = |bank: &BankOf| bank.amount(N - 1).lower_bound() > 0;
    let exact = banks.iter().all(|bank| is_exact(bank) && cycles(bank));
    ([between(before, same), between(same, after)], exact)
}

fn are_exact(counts: &[Count], expected: usize) -> bool {
    counts.iter().filter(|count| count.exact().is_ok()).count() == expected
}

/// Counts `what` around an empty function, twice with the same driver. Returns how many
/// instructions each measurement takes.
#[inline(never)]
pub fn measure<const N: usize>(what: [EventOrCycles<Selection>; N]) -> [u32; 2] {
    let (mut pmu, what) = black_box((pmu(), what));
    [measure_nothing(&mut pmu, what), measure_nothing(&mut pmu, what)]
}

#[inline(never)]
fn measure_nothing<const N: usize>(pmu: &mut Pmu<Bus>, what: [EventOrCycles<Selection>; N]) -> u32 {
    let before = now();
    let measurement = arm_pmu_core::measure::measure(pmu, what, || ());
    let after = now();
    let _ = black_box(measurement);
    between(before, after)
}

/// Returns the overhead of a measurement in instructions, and the count of a thousand instructions without
/// this overhead.
#[inline(never)]
pub fn calibrated() -> [Count; 2] {
    let mut pmu = pmu();
    let [instructions, ..] = EVENTS;
    let what = [Selection::event(instructions)];
    let counted = arm_pmu_core::measure::calibrate(&mut pmu, what).and_then(|overhead| {
        let measurement = arm_pmu_core::measure::measure(&mut pmu, what, work)?;
        let ([added], [count]) = (overhead.counts(), measurement.without_overhead(&overhead));
        Ok([added, count])
    });
    counted.expect("there are enough counters")
}

//! The measurement by the driver.
#![allow(unsafe_code)]

use core::hint::black_box;

use arm_pmu::{Count, Monitor};
use arm_pmu_core::CoreCp15;
use cortex_a8::{CortexA8Event, Divider, EventOrCycles, Pmu, Selection};

use crate::by_hand::differences;
use crate::clock::{between, now, work};

/// As many of these are counted as there are to be.
pub const EVENTS: [CortexA8Event; 4] = [
    CortexA8Event::InstructionExecuted,
    CortexA8Event::DataCacheRefill,
    CortexA8Event::InstructionCacheRefill,
    CortexA8Event::SoftwareIncrement,
];

fn pmu() -> Pmu<CoreCp15> {
    // SAFETY: the image runs on one core, in Supervisor mode, and uses one bus at a time.
    Pmu::new(unsafe { CoreCp15::new() })
}

/// The PMU set up for these and the cycles. What it counts is not known when this is compiled.
fn prepared(events: &[CortexA8Event]) -> Pmu<CoreCp15> {
    let mut pmu = pmu();
    for (counter, &event) in pmu.counters().into_iter().zip(events) {
        counter.count(Selection::event(event));
    }
    pmu.cycle_counter().count(Divider::By1);
    black_box(pmu)
}

/// The instructions of a start and of a stop, as a `Monitor` does them: without moving the driver.
pub fn run(events: &[CortexA8Event]) -> [u32; 2] {
    let mut pmu = prepared(events);
    let before = now();
    let started = pmu.run(now);
    let stopped = now();
    black_box(&pmu);
    [between(before, started), between(started, stopped)]
}

/// The instructions of a start, of reading everything, and of a stop, by methods that take the driver
/// and give it back; and whether all counts were exact.
pub fn start_read_stop(events: &[CortexA8Event]) -> ([u32; 3], bool) {
    let pmu = prepared(events);
    let before = now();
    let running = pmu.start();
    let started = now();
    let (counts, cycles) = (running.counts(), running.cycles());
    let read = now();
    let pmu = running.stop();
    let stopped = now();
    let exact = |counts: [Count; 4], cycles: Count| {
        counts.iter().filter(|count| count.exact().is_ok()).count() == events.len()
            && cycles.exact().is_ok()
    };
    let all = exact(counts, cycles) && exact(pmu.counts(), pmu.cycles());
    (differences([before, started, read, stopped]), all)
}

/// The instructions of a measurement of these events and the cycles, around nothing.
pub fn measure<const N: usize>(what: [EventOrCycles<Selection>; N]) -> u32 {
    let (mut pmu, what) = black_box((pmu(), what));
    let before = now();
    let measurement = arm_pmu::measure(&mut pmu, what, || ());
    let after = now();
    let _ = black_box(measurement);
    between(before, after)
}

/// The instructions that a measurement of instructions adds to its count; and those that it counts of a
/// thousand, when that is taken off.
pub fn calibrated() -> [Count; 2] {
    let mut pmu = pmu();
    let what = [Selection::event(CortexA8Event::InstructionExecuted)];
    let counted = arm_pmu::calibrate(&mut pmu, what).and_then(|overhead| {
        let measurement = arm_pmu::measure(&mut pmu, what, work)?;
        let ([added], [count]) = (overhead.counts(), measurement.less(&overhead));
        Ok([added, count])
    });
    counted.expect("there are four counters")
}

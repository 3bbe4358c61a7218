//! Prints the reports of the examples, and compares them with known properties of QEMU: one instruction takes one cycle
//! (`-icount shift=0`), and there are no caches.

use cortex_a8::metrics::InstructionsPerCycle;
use cortex_a8::{CortexA8Event, EventOrCycles, Pmu};
use firmware::{Checks, Console, bus, spin};

use crate::report;
use crate::survey::survey;

pub fn all(checks: &mut Checks) {
    let [nothing, long] = [0, 500_000].map(row);
    let more = [0, 1].map(|nth| Some(long[nth]? - nothing[nth]?));
    checks.equal("instructions and cycles of a loop", more, [Some(1_000_000); 2]);
    checks.equal("no cache was accessed", [long[2], long[3]], [Some(0); 2]);
    in_every_way(checks);
}

/// Counts more events than there are counters, in passes and in time slices, and counts intervals. Each result includes
/// the instructions of the loop and a few instructions of the driver.
fn in_every_way(checks: &mut Checks) {
    let instructions = CortexA8Event::InstructionExecuted.into();
    let events = [
        instructions,
        EventOrCycles::Cycles,
        CortexA8Event::L2CacheMiss.into(),
        CortexA8Event::L2CacheAccess.into(),
        CortexA8Event::DataCacheRefill.into(),
        CortexA8Event::DataCacheAccess.into(),
    ];
    const TURNS: usize = 50_000;
    let loop_alone = 2 * TURNS as u64;
    let about = |found: u64, expected: u64| (expected..expected + expected / 50).contains(&found);
    let work = || spin(TURNS);
    let Ok((passes, rotated, intervals)) =
        survey("Cortex-A8", Pmu::new(bus()), InstructionsPerCycle, events, work, &mut Console)
    else {
        return checks.check("every way to measure", false);
    };
    checks.equal("five events on four counters: passes", passes.number(), 2);
    let counted = passes.amount(instructions).exact();
    checks.check("instructions of one pass", counted.is_ok_and(|n| about(n, loop_alone)));
    let amounts = intervals.map(|interval| interval.amounts.map(|amount| amount.exact()));
    let is_right = |amount: &Result<u64, _>| amount.is_ok_and(|n| about(n, loop_alone));
    checks.check("each interval", amounts.as_flattened().iter().all(is_right));
    let estimate = rotated.amount(instructions);
    checks.check(
        format_args!("{estimate} instructions, counted half of the time"),
        estimate.exact().is_err() && estimate.estimate().is_ok_and(|n| about(n, 12 * loop_alone)),
    );
}

/// Measures `turns` iterations of two instructions, and prints the row. Not inlined, so that the same code, with the
/// same overhead, measures all rows. Returns instructions, cycles, accesses and misses.
#[inline(never)]
fn row(turns: usize) -> [Option<u32>; 4] {
    let (_, figures) = report::measure(Pmu::new(bus()), || spin(turns));
    // The console accepts all text; a test of the output would detect a missing line.
    let _ = report::write(&mut Console, "a loop", &figures);
    [figures.instructions, figures.cycles, figures.accesses, figures.misses]
        .map(|count| count.exact().ok())
}

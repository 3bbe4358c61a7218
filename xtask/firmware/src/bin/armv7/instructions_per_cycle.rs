//! Prints the report of the example, and compares it with known properties of QEMU: one instruction takes one cycle
//! (`-icount shift=0`), and there are no caches.

use cortex_a8::metrics::InstructionsPerCycle;
use cortex_a8::{CortexA8Event, Count, Cp15, EventOrCycles, Pmu};
use firmware::{Checks, Console, spin};

use crate::report::{self, Figures};
use crate::survey::survey;

pub fn all(checks: &mut Checks) {
    #[allow(unsafe_code)]
    // SAFETY: the image runs on one core, in a privileged mode, and creates no other bus.
    let bus = unsafe { Cp15::new() };
    let main_id = bus.main_id();
    match Pmu::probe(bus, main_id) {
        Ok(pmu) => report(pmu, checks),
        Err(refused) => checks.check(refused.kind(), false),
    }
}

fn report(pmu: Pmu<Cp15>, checks: &mut Checks) {
    let mut console = Console;
    let (pmu, nothing) = row(pmu, &mut console, "nothing", 0);
    let (pmu, short) = row(pmu, &mut console, "short loop", 5_000);
    let (pmu, long) = row(pmu, &mut console, "long loop", 500_000);
    for (name, row, expected) in [("short", &short, 10_000), ("long", &long, 1_000_000)] {
        let more = |count: Count, less: Count| Some(count.exact().ok()? - less.exact().ok()?);
        checks.check(
            format_args!("{name} loop: {expected} instructions"),
            more(row.instructions, nothing.instructions) == Some(expected),
        );
        checks.check(
            format_args!("{name} loop: in as many cycles"),
            more(row.cycles, nothing.cycles) == Some(expected),
        );
    }
    let caches = [nothing, short, long].map(|row| (row.accesses.exact(), row.misses.exact()));
    checks.equal("no cache was accessed", caches, [(Ok(0), Ok(0)); 3]);
    in_every_way(pmu, &mut console, checks);
}

/// Counts more events than counters in passes and in time slices, and counts intervals: each result is
/// the instructions of the loop plus a few of the driver.
fn in_every_way(pmu: Pmu<Cp15>, console: &mut Console, checks: &mut Checks) {
    let instructions = CortexA8Event::InstructionExecuted;
    let events = [
        instructions.into(),
        EventOrCycles::Cycles,
        CortexA8Event::L2CacheMiss.into(),
        CortexA8Event::L2CacheAccess.into(),
        CortexA8Event::DataCacheRefill.into(),
        CortexA8Event::DataCacheAccess.into(),
    ];
    const TURNS: usize = 50_000;
    let loop_alone = 2 * TURNS as u64;
    let about = |found: u64, expected: u64| (expected..expected + expected / 50).contains(&found);
    let measured = survey("Cortex-A8", pmu, InstructionsPerCycle, events, || spin(TURNS), console);
    let Ok((passes, rotated, intervals)) = measured else {
        return checks.check("every way to measure", false);
    };
    checks.equal("five events on four counters: passes", passes.number(), 2);
    let is_alike = passes.spread().is_ok_and(|spread| spread.per_mille() <= 20);
    checks.check("the passes are alike", is_alike);
    let counted = passes.amount(instructions.into()).exact();
    checks.check("instructions of one pass", counted.is_ok_and(|n| about(n, loop_alone)));
    for interval in intervals {
        let [instructions, cycles] = interval.amounts.map(|amount| amount.exact().unwrap_or(0));
        checks.check(
            format_args!("instructions and cycles of interval {}", interval.to),
            about(instructions, loop_alone) && about(cycles, loop_alone),
        );
    }
    let estimate = rotated.amount(instructions.into());
    checks.check(
        format_args!("{estimate} instructions, counted half of the time"),
        estimate.exact().is_err() && estimate.estimate().is_ok_and(|n| about(n, 12 * loop_alone)),
    );
}

/// Measures `turns` iterations of two instructions, and prints the row. Not inlined, so that the same code, with the
/// same overhead, measures all rows.
#[inline(never)]
fn row(pmu: Pmu<Cp15>, console: &mut Console, name: &str, turns: usize) -> (Pmu<Cp15>, Figures) {
    let (pmu, figures) = report::measure(pmu, || spin(turns));
    // The console accepts all text; a test of the output would detect a missing line.
    let _ = report::write(console, name, &figures);
    (pmu, figures)
}

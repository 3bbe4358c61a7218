//! Prints the report of the example, and holds it against what is known of QEMU: it runs one instruction
//! in one cycle (`-icount shift=0`), and has no caches.

use cortex_a8::{CoreCp15, Count, Pmu};
use firmware::arm::spin;
use firmware::{Checks, Console};

use crate::report::{self, Figures};

pub fn all(checks: &mut Checks) {
    #[allow(unsafe_code)]
    // SAFETY: the image runs on one core, in a privileged mode, and makes no other bus.
    let bus = unsafe { CoreCp15::new() };
    let main_id = bus.main_id();
    match Pmu::probe(bus, main_id) {
        Ok(pmu) => report(pmu, checks),
        Err(refused) => checks.check(refused.reason, false),
    }
}

fn report(pmu: Pmu<CoreCp15>, checks: &mut Checks) {
    let mut console = Console::new();
    let (pmu, nothing) = row(pmu, &mut console, "nothing", 0);
    let (pmu, short) = row(pmu, &mut console, "short loop", 5_000);
    let (_, long) = row(pmu, &mut console, "long loop", 500_000);
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
}

/// Measures so many turns of two instructions, and prints the row. Not inlined: all rows are measured by
/// the same code, so that what it takes itself is the same.
#[inline(never)]
fn row(
    pmu: Pmu<CoreCp15>,
    console: &mut Console,
    name: &str,
    turns: u32,
) -> (Pmu<CoreCp15>, Figures) {
    let (pmu, figures) = report::measure(pmu, || spin(turns));
    // The console takes everything; a line that is missing is seen.
    let _ = report::write(console, name, &figures);
    (pmu, figures)
}

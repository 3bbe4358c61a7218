//! Counts the requests of the traffic at a CCI-400.

use core::fmt::{self, Write as _};

use cci400::arm_pmu_core::driver::ProbeErrorKind;
use cci400::revision::{Pmu, Revision};
use cci400::{Diagnose, EventOrCycles, Mmio, Probed};

use crate::board::REQUESTS;
use crate::{Limits, MEMORY, Pass, Tally, Uart};

/// Returns the driver if a CCI-400 responds. If there is no device, the bus error causes an
/// exception.
pub fn probe(base: usize) -> Result<Probed<Mmio>, ProbeErrorKind> {
    // SAFETY: `board.rs` contains the address of a CCI-400, and no other code uses its PMU.
    cci400::probe(unsafe { Mmio::new(base) }).map_err(|error| error.kind())
}

/// Counts the requests of both passes, on a CCI-400 of any revision.
pub fn report(
    cci: Probed<Mmio>,
    has_cache: bool,
    uart: &mut Uart,
    tally: &mut Tally,
) -> fmt::Result {
    match cci {
        Probed::R0(pmu) => passes(pmu, has_cache, uart, tally),
        Probed::R1(pmu) => passes(pmu, has_cache, uart, tally),
    }
}

fn passes<R: Revision>(
    mut pmu: Pmu<R, Mmio>,
    has_cache: bool,
    uart: &mut Uart,
    tally: &mut Tally,
) -> fmt::Result
where
    Pmu<R, Mmio>: Diagnose<Selection = EventOrCycles<R::Selection>>,
{
    for (pass, name) in [Pass::Read, Pass::Write].into_iter().zip(REQUESTS) {
        let Ok(event) = name.parse::<R::Selection>() else {
            tally.left_out(uart, pass, name, "not judged: this revision has no such event")?;
            continue;
        };
        // Both counts include the code around the steps; the subtraction removes it.
        let (short, overhead) = count(pmu, event, pass, 1);
        let (after, counted) = count(short, event, pass, 1 + pass.steps());
        pmu = after;
        let counted = counted.and_then(|count| count.checked_sub(overhead?));
        tally.row(uart, pass, name, Limits::of_requests(pass, has_cache), counted)?;
        if counted == Some(0) {
            let work = || {
                MEMORY.clean();
                pass.execute_lines(pass.steps());
            };
            writeln!(uart, "{}", pmu.diagnose_with(Some(EventOrCycles::Event(event)), work))?;
        }
    }
    Ok(())
}

/// Counts one event from zero.
fn count<R: Revision>(
    mut pmu: Pmu<R, Mmio>,
    event: R::Selection,
    pass: Pass,
    steps: usize,
) -> (Pmu<R, Mmio>, Option<u32>) {
    MEMORY.clean();
    let [counter, ..] = pmu.counters();
    counter.count(event);
    let running = pmu.start();
    pass.execute_lines(steps);
    let pmu = running.stop();
    let [count, ..] = pmu.counts();
    let count = count.exact().ok();
    (pmu, count)
}

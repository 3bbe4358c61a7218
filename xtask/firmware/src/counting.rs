//! Checks of any core whose PMU QEMU emulates. QEMU runs one instruction in one cycle (`-icount shift=0`), so the
//! numbers of instructions and cycles are exact.

use core::num::NonZeroU32;

use arm_pmu_core::count::Count;
use arm_pmu_core::diagnose::{Diagnose, Finding as _, Outcome};
use arm_pmu_core::measure::{CycleCounter, Monitor, Rearm, RunningMonitor as _, StartStop};

use crate::{Checks, TURN, spin};

/// The driver of a core.
pub trait Core {
    /// The driver.
    type Pmu: CycleCounter + StartStop<Running: Rearm> + Diagnose;
    /// The event that QEMU counts for each instruction.
    const INSTRUCTIONS: Selection<Self>;
    /// Software increments.
    const INCREMENTS: Selection<Self>;
    /// An event that QEMU never counts.
    const SILENT: Selection<Self>;
    /// Finding of a diagnosis without an expected event, if QEMU lacks the core's event for instructions.
    const LACKS: Option<&str> = None;

    /// Creates a driver.
    fn pmu() -> Self::Pmu;
    /// Adds one to the counters of software increments.
    fn increment(running: &mut Running<Self>);
}

type Selection<C> = <<C as Core>::Pmu as Monitor>::Selection;
type Running<C> = <<C as Core>::Pmu as StartStop>::Running;

/// Highest number of counters, including the cycle counter.
const MOST: usize = 33;

/// Number of event counters of the driver.
const fn events<C: Core>() -> usize {
    <C::Pmu as Monitor>::COUNTERS - 1
}

/// Counts an event on all counters, and cycles.
fn assigned<C: Core>(event: Selection<C>) -> C::Pmu {
    let mut pmu = C::pmu();
    let mut what = [event; MOST];
    what[events::<C>()] = C::Pmu::CYCLES;
    pmu.assign(&what[..=events::<C>()]).expect("there are as many counters");
    pmu
}

/// Returns the instructions of this number of turns on the first and the last counter, and the cycles.
#[inline(never)]
pub fn measured<C: Core>(turns: usize, set: impl Fn(&mut C::Pmu)) -> [u32; 3] {
    let mut pmu = assigned::<C>(C::INSTRUCTIONS);
    set(&mut pmu);
    pmu.run(|| spin(turns));
    [0, events::<C>() - 1, events::<C>()].map(|nth| pmu.count(nth).exact().unwrap_or(u32::MAX))
}

/// Returns the additional counts of 1000 additional turns.
pub fn of_1000_turns<C: Core>(set: impl Fn(&mut C::Pmu)) -> [u32; 3] {
    let [short, long] = [1, 1_001].map(|turns| measured::<C>(turns, &set));
    core::array::from_fn(|nth| long[nth].wrapping_sub(short[nth]))
}

/// All checks.
pub fn all<C: Core>(checks: &mut Checks) {
    let counts = of_1000_turns::<C>(|_| ());
    checks.equal("instructions on first and last counter, and cycles", counts, [1_000 * TURN; 3]);
    increments::<C>(checks);
    overflow::<C>(checks);
    diagnosis::<C>(checks);
}

fn increments<C: Core>(checks: &mut Checks) {
    let mut running = assigned::<C>(C::INCREMENTS).start();
    (0..7).for_each(|_| C::increment(&mut running));
    let mut counts = [Count::NOT_COUNTED; MOST];
    running.read(&mut counts[..=events::<C>()]);
    checks.equal("software increments while running", counts[0].exact(), Ok(7));
    let mut pmu = C::Pmu::stop(running);
    let counts = [0, events::<C>() - 1].map(|nth| pmu.count(nth).exact());
    checks.equal("software increments", counts, [Ok(7); 2]);
}

/// The first counter and the cycle counter overflow once; the budget of the second counter suffices.
fn overflow<C: Core>(checks: &mut Checks) {
    let mut running = assigned::<C>(C::INSTRUCTIONS).start();
    let cycles = events::<C>();
    for (counter, budget) in [(0, 500), (1, 1 << 20), (cycles, 500)] {
        running.rearm(counter, NonZeroU32::new(budget).expect("not 0"));
    }
    checks.equal("no flag before the wrap", running.take_overflows(), 0);
    spin(500);
    let flags = 1 | 1 << cycles;
    checks.equal("flags of the first counter and of cycles", running.take_overflows(), flags);
    checks.equal("1 clears them", running.take_overflows(), 0);
    let mut pmu = C::Pmu::stop(running);
    let [first, second, cycles] = [0, 1, cycles].map(|nth| pmu.count(nth));
    checks.check("the first is above its budget", first.lower_bound() >= 1_000);
    checks.check("the second is exact", second.exact().is_ok_and(|count| count >= 1_000));
    checks.check("cycles overflowed", cycles.overflowed());
}

/// A diagnosis of a counting PMU has no finding; events that do not happen are reported.
fn diagnosis<C: Core>(checks: &mut Checks) {
    let mut pmu = assigned::<C>(C::INSTRUCTIONS);
    let diagnosis = pmu.diagnose_with(None, || spin(100));
    let outcome = C::LACKS.map_or(Outcome::Counts, |_| Outcome::Wrong);
    checks.note(format_args!("{diagnosis}"));
    checks.equal("the diagnosis is right", diagnosis.outcome(), outcome);
    let diagnosis = pmu.diagnose_with(Some(C::SILENT), || spin(100));
    let mut found = diagnosis.findings().map(|found| found.finding.name());
    let expected = C::LACKS.unwrap_or("EXPECTED_EVENT_NOT_COUNTED");
    checks.equal("a silent event is found", (found.next(), found.next()), (Some(expected), None));
}

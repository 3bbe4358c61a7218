//! Checks of any core whose PMU QEMU emulates. QEMU runs one instruction in one cycle (`-icount shift=0`), so the
//! numbers of instructions and cycles are exact.

use arm_pmu_core::diagnose::{Diagnose, Finding as _, Outcome};
use arm_pmu_core::measure::{CycleCounter, Monitor, StartStop};

use crate::{Checks, TURN, spin};

/// The driver of a core.
pub trait Core {
    /// The driver.
    type Pmu: CycleCounter + StartStop + Diagnose;
    /// The event that QEMU counts for each instruction.
    const INSTRUCTIONS: Selection<Self>;
    /// Software increments.
    const INCREMENTS: Selection<Self>;
    /// If QEMU does not count the core's event for instructions: name of the finding that a
    /// diagnosis then reports.
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

/// Creates a driver that counts an event on all event counters, and cycles.
fn assigned<C: Core>(event: Selection<C>) -> C::Pmu {
    let mut pmu = C::pmu();
    let mut what = [event; MOST];
    what[events::<C>()] = C::Pmu::CYCLES;
    pmu.assign(&what[..=events::<C>()]).expect("there are enough counters");
    pmu
}

/// Counts `turns` of the work. Returns the instructions on the first and last counter, and the cycles.
#[inline(never)]
pub fn measured<C: Core>(turns: usize, set: impl Fn(&mut C::Pmu), work: fn(usize)) -> [u32; 3] {
    let mut pmu = assigned::<C>(C::INSTRUCTIONS);
    set(&mut pmu);
    pmu.run(|| work(turns));
    [0, events::<C>() - 1, events::<C>()].map(|nth| pmu.count(nth).exact().unwrap_or(u32::MAX))
}

/// Returns how much 1000 additional turns add to each count.
pub fn of_1000_turns<C: Core>(set: impl Fn(&mut C::Pmu), work: fn(usize)) -> [u32; 3] {
    let [short, long] = [1, 1_001].map(|turns| measured::<C>(turns, &set, work));
    core::array::from_fn(|nth| long[nth].wrapping_sub(short[nth]))
}

/// All checks.
pub fn all<C: Core>(checks: &mut Checks) {
    let counts = of_1000_turns::<C>(|_| (), spin);
    checks.equal("instructions on first and last counter, and cycles", counts, [1_000 * TURN; 3]);

    let mut running = assigned::<C>(C::INCREMENTS).start();
    (0..7).for_each(|_| C::increment(&mut running));
    let mut pmu = C::Pmu::stop(running);
    let counts = [0, events::<C>() - 1].map(|nth| pmu.count(nth).exact());
    checks.equal("software increments", counts, [Ok(7); 2]);

    let diagnosis = assigned::<C>(C::INSTRUCTIONS).diagnose_with(None, || spin(100));
    checks.note(format_args!("{diagnosis}"));
    let outcome = C::LACKS.map_or(Outcome::Counts, |_| Outcome::Wrong);
    checks.equal("the diagnosis is right", diagnosis.outcome(), outcome);
    let mut found = diagnosis.findings().map(|found| found.finding.name());
    checks.equal("its findings", (found.next(), found.next()), (C::LACKS, None));
}

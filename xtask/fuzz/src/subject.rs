//! Interface of a driver for programs.

use std::fmt::Debug;

use arm_pmu_core::count::Count;
use arm_pmu_core::diagnose::Diagnose;
use arm_pmu_core::measure::{Monitor, Rearm, RunningMonitor, StartStop};

use crate::banks::Banks;
use crate::program::MOST_COUNTERS;
use crate::world::{Simulated, World};

/// Highest number of counters of a device: event counters and a cycle counter.
pub const MOST: usize = MOST_COUNTERS + 1;

/// Counts by counter number, where the cycle counter has the highest.
pub type Counts = [Count; MOST];

/// A driver of a simulated device.
pub trait Subject: Simulated {
    /// Name on the command line.
    const NAME: &'static str;
    /// Its architecture and type: drivers of one have the same procedures.
    const KIND: &'static str;
    /// A selection of a counter.
    type Selection: Copy + PartialEq + Debug;
    /// The driver while it is stopped.
    type Pmu<'w>: Monitor<Selection = Self::Selection>
        + StartStop<Running = Self::Running<'w>>
        + Diagnose;
    /// The driver while it counts.
    type Running<'w>: RunningMonitor<Selection = Self::Selection> + Rearm;

    /// A new driver.
    fn pmu<'w>(world: &'w World<'w, Self>) -> Self::Pmu<'w>;
    /// Returns the selection for an event, or for [cycles](crate::program::CYCLES).
    fn selection(kind: u8) -> Self::Selection;
    /// Sets one counter: event and start value, or off.
    fn set(pmu: &mut Self::Pmu<'_>, counter: usize, what: Option<(u8, u32)>);
    /// Sets the cycle counter: whether every 64th cycle counts, and the start value; or off.
    fn set_cycles(pmu: &mut Self::Pmu<'_>, what: Option<(bool, u32)>);
    /// `resume`.
    fn resume(pmu: Self::Pmu<'_>) -> Self::Running<'_>;
    /// Returns the counts of a stopped PMU.
    fn counts(pmu: &Self::Pmu<'_>) -> Counts;
    /// Returns the counts of a running PMU.
    fn running_counts(running: &Self::Running<'_>) -> Counts;
    /// `acknowledge`.
    fn acknowledge(running: &mut Self::Running<'_>);
    /// `acknowledge_all`.
    fn acknowledge_all(pmu: &mut Self::Pmu<'_>);
    /// Creates a bank for each list of selections.
    ///
    /// # Errors
    ///
    /// Returns the PMU if it has no banks.
    fn banks<'w>(
        pmu: Self::Pmu<'w>,
        lists: &[Vec<Self::Selection>],
    ) -> Result<Banks<'w, Self::Pmu<'w>>, Self::Pmu<'w>>;
    /// `release`.
    fn release(pmu: Self::Pmu<'_>);
}

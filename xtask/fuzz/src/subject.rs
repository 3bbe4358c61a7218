//! A driver and its simulated device, as programs use them.

use std::fmt::Debug;

use arm_pmu_core::count::Count;
use arm_pmu_core::diagnose::Diagnose;
use arm_pmu_core::measure::{Monitor, Rearm, RunningMonitor, StartStop};

use crate::oracle::Failure;
use crate::program::{Classes, Item, MOST_COUNTERS, Program, Shape};
use crate::run::{self, Done};
pub use crate::subjects::ALL;
use crate::world::World;

/// Most counters of a device: event counters and a cycle counter.
pub const MOST: usize = MOST_COUNTERS + 1;

/// Counts by the numbers of the counters: the cycle counter has the highest.
pub type Counts = [Count; MOST];

/// A driver, and the device that it runs on.
pub trait Subject: Sized + Debug + 'static {
    /// Name on the command line.
    const NAME: &'static str;
    /// Features of the device that programs can use.
    const SHAPE: Shape;
    /// The simulated device.
    type Device: Debug;
    /// A selection of a counter.
    type Selection: Copy + PartialEq + Debug;
    /// The driver while it is stopped.
    type Pmu<'w>: Monitor<Selection = Self::Selection>
        + StartStop<Running = Self::Running<'w>>
        + Diagnose;
    /// The driver while it counts.
    type Running<'w>: RunningMonitor<Selection = Self::Selection> + Rearm;

    /// A device after a reset.
    fn device() -> Self::Device;
    /// An event happens.
    fn signal(device: &Self::Device, event: usize, times: u32);
    /// The clock runs.
    fn clock(device: &Self::Device, cycles: u32);
    /// Something else happens.
    fn interfere(device: &Self::Device, item: Item);
    /// Violations of the manual by the driver.
    fn violations(device: &Self::Device) -> String;

    /// A new driver.
    fn pmu<'w>(world: &'w World<'w, Self>) -> Self::Pmu<'w>;
    /// The selection for an event, or for the [cycles](crate::program::CYCLES).
    fn selection(kind: u8) -> Self::Selection;
    /// Sets one counter: event and start value, or off.
    fn set(pmu: &mut Self::Pmu<'_>, counter: usize, what: Option<(u8, u32)>);
    /// Sets the cycle counter: whether each 64th cycle counts, and the start value; or off.
    fn set_cycles(pmu: &mut Self::Pmu<'_>, what: Option<(bool, u32)>);
    /// `resume`.
    fn resume(pmu: Self::Pmu<'_>) -> Self::Running<'_>;
    /// The counts of a stopped PMU.
    fn counts(pmu: &Self::Pmu<'_>) -> Counts;
    /// The counts of a running PMU.
    fn running_counts(running: &Self::Running<'_>) -> Counts;
    /// `acknowledge`.
    fn acknowledge(running: &mut Self::Running<'_>);
    /// `acknowledge_all`.
    fn acknowledge_all(pmu: &mut Self::Pmu<'_>);
    /// `release`.
    fn release(pmu: Self::Pmu<'_>);
}

/// A subject, as a row of the list of [all](ALL).
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// Name on the command line.
    pub name: &'static str,
    /// Features of the device that programs can use.
    pub shape: Shape,
    /// Runs a program.
    pub run: fn(&Program, Classes) -> Result<Done, Failure>,
}

impl Driver {
    pub(crate) const fn of<D: Subject>() -> Self {
        Self { name: D::NAME, shape: D::SHAPE, run: run::run::<D> }
    }
}

/// The driver of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Driver> {
    ALL.iter().find(|driver| driver.name == name)
}

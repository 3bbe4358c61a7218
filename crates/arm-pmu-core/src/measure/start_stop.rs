//! The trait of drivers that start and stop in separate calls.

use super::monitor::Monitor;
use super::running::RunningMonitor;

/// A [`Monitor`] with separate calls to start and to stop.
///
/// Generic code calls the `start` method of a `Pmu` and the `stop` method of its `Running` through this trait.
/// For work that is one function call, use [`Monitor::run`].
///
/// ```
/// use arm_pmu_core::measure::{AssignError, RunningMonitor, StartStop};
///
/// fn start<M: StartStop>(mut pmu: M, what: M::Selection) -> Result<M::Running, AssignError> {
///     pmu.assign(&[what])?;
///     Ok(pmu.start())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the driver of a PMU that can be started",
    note = "the drivers of this family are called `Pmu`, one in the crate of each IP"
)]
pub trait StartStop: Monitor + Sized {
    /// Driver while the PMU counts.
    type Running: RunningMonitor<Selection = Self::Selection>;

    /// Starts to count the [assigned](Monitor::assign) selections, from zero.
    fn start(self) -> Self::Running;

    /// Stops counting. [`Monitor::count`] returns the counts.
    fn stop(running: Self::Running) -> Self;
}

//! Drivers that are started at one place of a program and stopped at another.

use super::monitor::Monitor;
use super::running::RunningMonitor;

/// A [`Monitor`] that counts between a start and a stop at different places of a program, whatever the
/// IP: what the `start` method of a `Pmu` and the `stop` method of its `Running` do.
///
/// [`Monitor::run`] is for work that is one call.
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
    /// The driver while it counts.
    type Running: RunningMonitor<Selection = Self::Selection>;

    /// Counts from zero what was [assigned](Monitor::assign).
    fn start(self) -> Self::Running;

    /// Stops counting. [`Monitor::count`] tells what was counted.
    fn stop(running: Self::Running) -> Self;
}

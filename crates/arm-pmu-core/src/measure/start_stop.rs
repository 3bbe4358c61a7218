//! The trait of drivers with separate calls for start and stop.

use super::monitor::Monitor;
use super::running::RunningMonitor;

/// A [`Monitor`] with separate calls for start and stop.
///
/// Generic code calls the `start` method of a `Pmu` and the `stop` method of its `Running` through this trait.
/// For work in one function call, use [`Monitor::run`].
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
    note = "each crate of an IP in this family has a driver called `Pmu`"
)]
pub trait StartStop: Monitor + Sized {
    /// Type of the driver while the PMU counts.
    type Running: RunningMonitor<Selection = Self::Selection>;

    /// Starts counting the [assigned](Monitor::assign) selections from zero.
    fn start(self) -> Self::Running;

    /// Stops counting; then [`Monitor::count`] returns the counts.
    fn stop(running: Self::Running) -> Self;
}

//! The order of a measurement, once for all PMUs.
//!
//! [`Hardware`] holds the procedures of one kind of PMU; [`Driver`] calls them in the order that makes
//! counts right:
//!
//! - Start: write all settings with the counters disabled, note what was not taken, then enable all
//!   counters by one write and read back that they are enabled.
//! - Stop: disable all counters by one write, compare the settings with what was programmed, latch the
//!   values, then acknowledge overflows.
//!
//! The crate of an IP wraps a `Driver` in a plain struct of its own.

mod hardware;
mod state;

pub use hardware::{Hardware, Programmed};
pub use crate::ledger::Slot as CounterConfig;
pub use state::{CycleSetting, Latched, Settings};

use core::fmt;

use crate::monitor::{AssignError, Lost};
use crate::Count;
use state::PmuState;

/// The driver of one PMU: its state, and the procedures of its hardware.
#[repr(C)]
pub struct Driver<H, S, const N: usize, C: CycleSetting = ()> {
    // First, so that it is at a fixed offset whatever the buses of the hardware are (`cargo xtask size`).
    state: PmuState<S, N, C>,
    hardware: H,
}

impl<H, S: Copy, const N: usize, C: CycleSetting> Driver<H, S, N, C> {
    /// Nothing is configured, and nothing was counted yet.
    #[must_use]
    #[inline(always)]
    pub const fn new(hardware: H) -> Self {
        Self { state: PmuState::new(), hardware }
    }

    /// The procedures.
    #[inline(always)]
    pub const fn hardware(&self) -> &H {
        &self.hardware
    }

    /// The procedures.
    #[inline(always)]
    pub const fn hardware_mut(&mut self) -> &mut H {
        &mut self.hardware
    }

    /// Gives the hardware back.
    #[inline(always)]
    pub fn release(self) -> H {
        self.hardware
    }

    /// The settings for the next start, to be changed.
    pub fn pending_mut(&mut self) -> &mut Settings<S, N, C> {
        self.state.pending_mut()
    }

    /// The settings for the next start.
    pub const fn pending(&self) -> &Settings<S, N, C> {
        self.state.pending()
    }

    /// The count of an event counter at the last stop; [`Count::NOTHING`] if it was off or does not exist.
    #[must_use]
    #[inline(always)]
    pub const fn count(&self, counter: usize) -> Count {
        self.state.count(counter)
    }

    /// What another party changed since the last start, or the hardware did not take.
    #[must_use]
    #[inline(always)]
    pub const fn interference(&self) -> Option<Lost> {
        self.state.interference()
    }

    /// The start value of an event counter.
    #[must_use]
    pub fn started_from(&self, counter: usize) -> u32 {
        self.state.started_from(counter)
    }
}

impl<H, S, const N: usize, C> Driver<H, S, N, C>
where
    H: Hardware<N, Selection = S, Cycles = C>,
    S: Copy,
    C: CycleSetting,
{
    /// Counts from the start values of the pending settings.
    #[inline]
    pub fn start(&mut self) {
        self.state.begin();
        let Programmed { in_use, rejected, control } =
            self.hardware.program(self.state.programmed());
        // Before the counters run: these stores are not to be part of what is counted.
        self.state.set_programmed(in_use, rejected);
        let enabled = self.hardware.enable(control);
        self.state.add_interference(0, !enabled);
    }

    /// Counts on from the values of the last stop; a start if nothing was counted before.
    #[inline]
    pub fn resume(&mut self) {
        if self.state.has_started() {
            let control = self.hardware.control();
            let enabled = self.hardware.enable(control);
            self.state.add_interference(0, !enabled);
        } else {
            self.start();
        }
    }

    /// Stops counting, compares the settings with what was programmed, latches the counts and
    /// acknowledges overflows.
    #[inline]
    pub fn stop(&mut self) {
        let before = self.hardware.disable();
        let (programmed, latched) = self.state.latch();
        let changed = self.hardware.latch(programmed, before, latched);
        let overflowed = self.hardware.acknowledge(self.state.in_use());
        self.state.add_overflows(overflowed);
        self.state.add_interference(changed, !H::was_enabled(before));
        self.state.finish(self.hardware.error().is_some());
    }

    /// Counts while `work` runs. Stops even if the work panics.
    #[inline(always)]
    pub fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        crate::monitor::run_between(self, Self::start, Self::stop, work)
    }

    /// The counts of all event counters while they count.
    #[inline]
    pub fn read(&self) -> [Count; N] {
        // One look for all of them: if the PMU is disabled, none counts.
        let running = self.state.running(self.hardware.is_enabled());
        let in_use = self.state.in_use();
        H::each(|counter| {
            if in_use >> counter & 1 == 0 {
                return Count::NOTHING;
            }
            running.read(
                counter as u32,
                self.state.programmed().counters[counter].from,
                || self.hardware.flags(counter),
                || self.hardware.value(counter),
                || self.hardware.error().is_some(),
            )
        })
    }

    /// Clears the overflow flags of the counters in use that are up; returns which were.
    #[inline(always)]
    pub fn acknowledge(&mut self) -> u32 {
        let overflowed = self.hardware.acknowledge(self.state.in_use());
        self.state.add_overflows(overflowed);
        overflowed
    }

    /// Lets one event counter count from another value on, while it counts.
    pub fn rearm(&mut self, counter: usize, from: u32) {
        if counter < N {
            if let Some(settings) = self.state.restart(1 << counter) {
                settings.counters[counter].from = from;
                self.hardware.rearm(counter, from);
            }
        }
    }
}

impl<H, S, const N: usize> Driver<H, S, N>
where
    H: Hardware<N, Selection = S, Cycles = ()>,
    S: Copy,
{
    /// One counter for each of `selections`, the others off.
    ///
    /// # Errors
    ///
    /// If there are too few counters, or the bus failed. Nothing has changed then.
    pub fn assign(&mut self, selections: &[S]) -> Result<(), AssignError> {
        match self.hardware.error() {
            Some(error) => Err(AssignError::Fault(error)),
            None => self.state.assign(selections),
        }
    }
}

/// The settings and the state; the device is not accessed.
impl<H, S: fmt::Debug, const N: usize, C: CycleSetting + fmt::Debug> fmt::Debug
    for Driver<H, S, N, C>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.fmt(f)
    }
}

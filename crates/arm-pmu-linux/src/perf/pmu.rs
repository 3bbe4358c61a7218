//! The stopped PMU.

use std::fmt;
use std::io;

use arm_pmu_core::count::{Amount, Count};
use arm_pmu_core::measure::{AssignError, CycleCounter, Monitor};

use super::call::Event;
use super::device::Device;
use super::error::Error;
use super::group::{Group, Reading};
use super::kind::{Kind, Parts, WithCycles};
use super::open;
use super::options::Options;

/// Maximum number of groups that stay open, so that alternating passes do not open them again.
const MOST_OPEN: usize = 16;

/// The stopped PMU of one device, programmed by the kernel.
///
/// `S` names the events: `Pmu<cci400::Selection>` or `Pmu<mmu600::tbu::Selection>`.
///
/// [`assign`](Monitor::assign) opens a perf event for each selection. The kernel keeps either all selections on the
/// counters until the stop, or none: the counters are not multiplexed with other programs. If other programs hold the
/// counters, the counts are [`NotCounted`](arm_pmu_core::count::CountError::NotCounted), and [`error`](Self::error)
/// returns the reason.
///
/// The kernel counts in 64 bits. [`amount`](Self::amount) returns all bits; a [`Count`] of 2^32 or more is overflowed.
pub struct Pmu<S: Kind> {
    device: Device,
    options: Options,
    groups: Vec<Opened<S>>,
    /// Index of the group that is counting, or that counted last.
    current: Option<usize>,
    last: Option<Reading>,
    error: Option<Error>,
}

struct Opened<S: Kind> {
    selections: Vec<S::Selection>,
    group: Group,
}

impl<S: Kind> Pmu<S> {
    /// Finds the only PMU of this kind.
    ///
    /// # Errors
    ///
    /// Fails if the kernel has no PMU of this kind, or several.
    pub fn open() -> Result<Self, Error> {
        Self::with(Options::new())
    }

    /// Finds the PMU that the options select.
    ///
    /// # Errors
    ///
    /// Fails if the kernel does not have the PMU, or if the PMU is of another kind.
    pub fn with(options: Options) -> Result<Self, Error> {
        let device = open::find::<S>(&options)?;
        Ok(Self { device, options, groups: Vec::new(), current: None, last: None, error: None })
    }

    /// Returns the description of the PMU in sysfs.
    #[must_use]
    pub const fn device(&self) -> &Device {
        &self.device
    }

    /// Returns the reason why the last [assignment](Monitor::assign) was rejected, or why the last run was not counted.
    #[must_use]
    pub const fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Translates a selection to a kernel event, for programs that open the event themselves.
    ///
    /// The fields are the type and the configurations of `perf_event_attr`, or of `DynamicPmu` in the crate
    /// `perf-event-open`.
    ///
    /// ```no_run
    /// use arm_pmu_linux::perf::Pmu;
    /// use cci550::{SI3, SlaveEvent};
    ///
    /// let pmu = Pmu::<cci550::Selection>::open()?;
    /// let event = pmu.event(SI3.event(SlaveEvent::ReadRequestAny))?;
    /// let [config, config1, config2, config3] = event.config;
    /// println!("type {}, config {config:#x} {config1:#x} {config2:#x} {config3:#x}", event.pmu);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the kernel's driver has no such event.
    pub fn event(&self, selection: S::Selection) -> Result<Event, Error> {
        open::event::<S>(&self.device, &self.options, selection)
    }

    /// Returns the 64-bit amount that the `nth` selection counted in the last run.
    #[must_use]
    pub fn amount(&self, nth: usize) -> Amount {
        self.last.as_ref().map_or(Amount::NOT_COUNTED, |last| last.amount(nth))
    }

    /// Assigns selections. The error contains the full reason.
    ///
    /// # Errors
    ///
    /// Fails if the selections cannot be counted together. After a failure, the previous assignment remains.
    pub fn try_assign(&mut self, what: &[S::Selection]) -> Result<(), Error> {
        if what.is_empty() {
            self.current = None;
            self.last = None;
            return Ok(());
        }
        let known = self.groups.iter().position(|opened| opened.selections == what);
        let current = match known {
            Some(known) => known,
            None => {
                let group = open::group::<S>(&self.device, &self.options, what)?;
                if self.groups.len() == MOST_OPEN {
                    self.groups.remove(0);
                }
                self.groups.push(Opened { selections: what.to_vec(), group });
                self.groups.len() - 1
            }
        };
        self.current = Some(current);
        self.last = None;
        self.error = None;
        Ok(())
    }

    /// Starts the assigned group.
    pub(crate) fn begin(&mut self) {
        self.last = None;
        self.error = None;
        if let Some(opened) = self.opened() {
            if let Err(error) = opened.group.enable() {
                self.error = Some(Error::system("the kernel did not start the counters", &error));
            }
        }
    }

    pub(crate) fn end(&mut self) {
        let Some(opened) = self.current.and_then(|current| self.groups.get_mut(current)) else {
            return;
        };
        match opened.group.disable() {
            Ok(reading) => {
                let started = self.error.is_none();
                self.error = self.error.take().or_else(|| self.doubt(&reading));
                self.last = started.then_some(reading);
            }
            Err(error) => {
                self.error = Some(self.lost(&error));
                // The kernel does not restart a group that it could not place, so the group is opened again.
                self.groups.clear();
                self.current = None;
            }
        }
    }

    /// Reads the counters of the current group.
    pub(crate) fn read(&self) -> Result<Option<Reading>, Error> {
        let Some(opened) = self.opened() else { return Ok(None) };
        opened.group.read().map(Some).map_err(|error| self.lost(&error))
    }

    pub(crate) fn set_error(&mut self, error: Option<Error>) {
        self.error = self.error.take().or(error);
    }

    pub(crate) fn selection(&self, nth: usize) -> Option<S::Selection> {
        self.opened()?.selections.get(nth).copied()
    }

    fn opened(&self) -> Option<&Opened<S>> {
        self.groups.get(self.current?)
    }

    /// Reason why a reading is not exact.
    fn doubt(&self, reading: &Reading) -> Option<Error> {
        let Reading { running, enabled, .. } = *reading;
        if reading.never_ran() {
            return Some(Error::CountersTaken { device: self.device.name.clone() });
        }
        reading.is_partial().then_some(Error::PartOfTheTime { running, enabled })
    }

    fn lost(&self, error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                Error::CountersTaken { device: self.device.name.clone() }
            }
            _ => Error::system("the kernel did not return the counts", error),
        }
    }
}

impl<S: Kind> Monitor for Pmu<S> {
    type Selection = S::Selection;

    const COUNTERS: usize = S::COUNTERS;

    const CLOCK: Option<Self::Selection> = S::CLOCK;

    /// Opens the selections. [`Pmu::error`] returns the reason for [`AssignError::Refused`].
    fn assign(&mut self, what: &[Self::Selection]) -> Result<(), AssignError> {
        let cycles = what.iter().filter(|one| S::parts(**one) == Parts::Cycles).count();
        if cycles > 1 {
            return Err(AssignError::CyclesTwice);
        }
        let asked = what.len() - cycles;
        if asked > S::EVENT_COUNTERS {
            return Err(AssignError::TooMany { asked, counters: S::EVENT_COUNTERS });
        }
        self.try_assign(what).map_err(|error| match error {
            Error::DoNotFit { asked, accepted } => {
                AssignError::TooMany { asked, counters: accepted }
            }
            error => {
                self.error = Some(error);
                AssignError::Refused
            }
        })
    }

    fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        /// Stops the counters on drop, even if the work panics.
        struct End<'p, S: Kind>(&'p mut Pmu<S>);

        impl<S: Kind> Drop for End<'_, S> {
            fn drop(&mut self) {
                self.0.end();
            }
        }

        self.begin();
        let _end = End(self);
        work()
    }

    fn count(&mut self, nth: usize) -> Count {
        self.last.as_ref().map_or(Count::NOT_COUNTED, |last| last.count(nth))
    }
}

impl<S: WithCycles> CycleCounter for Pmu<S> {
    const CYCLES: Self::Selection = S::CYCLES;
}

impl<S: Kind> fmt::Debug for Pmu<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let selections = self.opened().map(|opened| opened.selections.as_slice());
        f.debug_struct("Pmu")
            .field("device", &self.device.name)
            .field("selections", &selections)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

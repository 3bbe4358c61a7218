//! The traits of stopped drivers.

use core::fmt;

use crate::bus::BusError;
use crate::count::Count;

/// A driver of one PMU of any IP: assigns selections, runs work, and returns counts.
///
/// Settings cannot change during [`run`](Self::run), because `run` borrows the driver mutably.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the driver of a PMU",
    note = "each crate of an IP in this family has a driver called `Pmu`"
)]
pub trait Monitor {
    /// Selection of one counter: an event, or the cycles.
    type Selection: Copy + PartialEq;

    /// Highest number of selections that the PMU can count at once.
    const COUNTERS: usize;

    /// Selection of the cycles; `None` if the PMU cannot count cycles.
    ///
    /// The constant equals [`CycleCounter::CYCLES`], for code that also supports PMUs without a
    /// cycle counter.
    const CLOCK: Option<Self::Selection> = None;

    /// Assigns a counter to each element of `what`. All other counters are off.
    ///
    /// # Errors
    ///
    /// Returns an error if the PMU cannot count all of `what` at once. After an error, the settings
    /// are unchanged.
    fn assign(&mut self, what: &[Self::Selection]) -> Result<(), AssignError>;

    /// Counts from zero while `work` runs. Returns the result of `work`.
    fn run<R>(&mut self, work: impl FnOnce() -> R) -> R;

    /// Returns the count of selection `nth` in the last run, from 0.
    ///
    /// The selections are in the order of [assignment](Self::assign) before that run. If the caller
    /// set each counter separately instead, the order is by counter number, with the cycle counter
    /// last. Changes of the settings after the run have no effect on the result. If there is no
    /// such selection or no run yet, the result is [`Count::NOT_COUNTED`].
    fn count(&mut self, nth: usize) -> Count;
}

/// A [`Monitor`] that can also count the cycles of its clock.
#[diagnostic::on_unimplemented(
    message = "the PMU `{Self}` has no cycle counter",
    note = "take the time from another timer, for example the cycle counter of a processor's PMU"
)]
pub trait CycleCounter: Monitor {
    /// Selection of the cycles.
    const CYCLES: Self::Selection;
}

/// Reason why the PMU cannot count all selections at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum AssignError {
    /// There are more events than event counters.
    TooMany {
        /// Number of selected events.
        asked: usize,
        /// Number of event counters.
        counters: usize,
    },
    /// The cycles were selected more than once. The PMU has only one cycle counter.
    CyclesTwice,
    /// A register access failed.
    BusError(BusError),
    /// The operating system refused a selection. The `error` method of the driver returns the
    /// reason.
    Refused,
}

impl fmt::Display for AssignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany { asked, counters } => {
                write!(f, "{asked} events, but the PMU has {counters} counters for events")
            }
            Self::CyclesTwice => f.write_str("the cycles were selected more than once"),
            Self::BusError(error) => error.fmt(f),
            Self::Refused => f.write_str("the operating system refused a selection"),
        }
    }
}

impl core::error::Error for AssignError {}

/// Interference: counters whose settings were not as programmed. The counts of these counters are invalid.
///
/// An idle state, firmware, a debugger or a second driver changed the settings during a run, or the device
/// rejected them at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interference {
    /// Counters that were off or had another setting; bit `n` is event counter `n`.
    ///
    /// Bit [`CYCLE_COUNTER`](Self::CYCLE_COUNTER) is the cycle counter.
    pub counters: u32,
    /// Whether the PMU as a whole was disabled.
    pub disabled: bool,
}

impl Interference {
    /// Bit number of the cycle counter.
    pub const CYCLE_COUNTER: u32 = 31;

    /// Creates the value; `None` if no counter was affected.
    #[must_use]
    pub const fn new(counters: u32, disabled: bool) -> Option<Self> {
        if counters == 0 && !disabled { None } else { Some(Self { counters, disabled }) }
    }

    /// Returns whether the interference affected the counter with this number.
    #[must_use]
    pub const fn counter(self, number: u32) -> bool {
        self.disabled || (number < u32::BITS && self.counters >> number & 1 == 1)
    }
}

impl fmt::Display for Interference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.disabled {
            return f.write_str("the PMU was found disabled");
        }
        f.write_str("found disabled or reprogrammed:")?;
        for (nth, number) in (0..u32::BITS).filter(|n| self.counters >> n & 1 == 1).enumerate() {
            f.write_str(if nth == 0 { " " } else { ", " })?;
            match number {
                Self::CYCLE_COUNTER => f.write_str("the cycle counter")?,
                number => write!(f, "counter {number}")?,
            }
        }
        Ok(())
    }
}

impl core::error::Error for Interference {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn interference_text_names_its_counters() {
        assert_eq!(Interference::new(0, false), None);
        let some = Interference::new(0b101, false).unwrap();
        assert_eq!(some.to_string(), "found disabled or reprogrammed: counter 0, counter 2");
        assert!(some.counter(0) && !some.counter(1) && some.counter(2) && !some.counter(32));
        let cycles = Interference::new(1 << Interference::CYCLE_COUNTER, false).unwrap();
        assert_eq!(cycles.to_string(), "found disabled or reprogrammed: the cycle counter");
        let all = Interference::new(0, true).unwrap();
        assert_eq!(all.to_string(), "the PMU was found disabled");
        assert!(all.counter(0) && all.counter(31));
    }
}

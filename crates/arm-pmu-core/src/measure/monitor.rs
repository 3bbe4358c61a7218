//! What all drivers can do.

use core::fmt;

use crate::bus::BusError;
use crate::count::Count;

/// A driver of one PMU, whatever the IP: choose what to count, run, read.
///
/// The setting cannot change during [`run`](Self::run), because `run` holds the driver.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the driver of a PMU",
    note = "the drivers of this family are called `Pmu`, one in the crate of each IP"
)]
pub trait Monitor {
    /// What one counter is told to count.
    type Selection: Copy + PartialEq;

    /// How many selections can be counted at once.
    const COUNTERS: usize;

    /// Selects the cycles, on a PMU that can count them: the same as [`CycleCounter::CYCLES`]. For code
    /// that does without them where it has to.
    const CLOCK: Option<Self::Selection> = None;

    /// Lets one counter count each of `what`; those not needed are off.
    ///
    /// # Errors
    ///
    /// If `what` cannot be counted at once. Nothing has changed then.
    fn assign(&mut self, what: &[Self::Selection]) -> Result<(), AssignError>;

    /// Counts from zero while `work` runs, and gives back what it returns.
    fn run<R>(&mut self, work: impl FnOnce() -> R) -> R;

    /// What was counted of the `nth` selection in the last run; [`Count::NOT_COUNTED`] if there was none.
    ///
    /// It is the order in which the selections were [assigned](Self::assign) before that run. If the counters
    /// were set one by one, it is the order of the counters, the cycle counter last. What is assigned or set
    /// after the run changes nothing here.
    fn count(&mut self, nth: usize) -> Count;
}

/// A [`Monitor`] that can also count the cycles of its clock.
#[diagnostic::on_unimplemented(
    message = "the PMU `{Self}` has no cycle counter",
    note = "take the time from another timer, for example the cycle counter of a processor's PMU"
)]
pub trait CycleCounter: Monitor {
    /// Selects the cycles.
    const CYCLES: Self::Selection;
}

/// Selections that cannot be counted at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum AssignError {
    /// More events than counters for events.
    TooMany {
        /// How many events were asked for.
        asked: usize,
        /// How many counters for events there are.
        counters: usize,
    },
    /// The cycles were asked for more than once; there is one counter for them.
    CyclesTwice,
    /// The bus failed.
    BusError(BusError),
}

impl fmt::Display for AssignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany { asked, counters } => {
                write!(f, "{asked} events, but the PMU has {counters} counters for events")
            }
            Self::CyclesTwice => f.write_str("the cycles were asked for more than once"),
            Self::BusError(fault) => fault.fmt(f),
        }
    }
}

impl core::error::Error for AssignError {}

/// The setting is not what it should be: during a run somebody else changed it (idle state, firmware, a
/// debugger or a second driver), or the device did not take it in the first place. The counts of these
/// counters mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interference {
    /// One bit for each counter that was off or counted something else;
    /// [`CYCLE_COUNTER`](Self::CYCLE_COUNTER) is the number of the cycle counter.
    pub counters: u32,
    /// The PMU as a whole was off.
    pub disabled: bool,
}

impl Interference {
    /// The number of the cycle counter, where there is one beside the event counters.
    pub const CYCLE_COUNTER: u32 = 31;

    /// What was lost; `None` if nothing was.
    #[must_use]
    pub const fn new(counters: u32, disabled: bool) -> Option<Self> {
        if counters == 0 && !disabled { None } else { Some(Self { counters, disabled }) }
    }

    /// Whether the count of this counter was lost.
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
    fn a_loss_names_its_counters() {
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

//! What all drivers can do.

use core::fmt;

use crate::{Count, Fault};

/// A driver of one PMU, whatever the IP: choose what to count, run, read.
///
/// The setting cannot change during [`run`](Self::run), because `run` holds the driver.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the driver of a PMU",
    note = "the drivers of this family are called `Pmu`, one in the crate of each IP"
)]
pub trait Monitor {
    /// What one counter is told to count.
    type Selection: Copy;

    /// How many selections can be counted at once.
    const COUNTERS: usize;

    /// Lets one counter count each of `what`; those not needed are off.
    ///
    /// # Errors
    ///
    /// If `what` cannot be counted at once. Nothing has changed then.
    fn assign(&mut self, what: &[Self::Selection]) -> Result<(), AssignError>;

    /// Counts from zero while `work` runs, and gives back what it returns.
    fn run<R>(&mut self, work: impl FnOnce() -> R) -> R;

    /// What was counted of the `nth` selection in the last run.
    ///
    /// # Panics
    ///
    /// If fewer than `nth + 1` selections were counted in that run.
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
pub enum AssignError {
    /// More selections than counters.
    TooMany {
        /// How many were asked for.
        asked: usize,
        /// How many counters there are.
        counters: usize,
    },
    /// The bus failed.
    Fault(Fault),
}

impl fmt::Display for AssignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany { asked, counters } => {
                write!(f, "{asked} selections, but the PMU has {counters} counters")
            }
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

impl core::error::Error for AssignError {}

/// During a run, somebody else changed the setting: idle state, firmware, a debugger or a second
/// driver. The counts of these counters mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Lost {
    /// One bit for each counter that was off or counted something else at the end of the run.
    pub counters: u32,
    /// The PMU as a whole was off at the end of the run.
    pub disabled: bool,
}

impl Lost {
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

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("somebody else ")?;
        if self.disabled {
            return f.write_str("disabled the PMU during the run");
        }
        f.write_str("changed counter")?;
        for (nth, number) in (0..u32::BITS).filter(|n| self.counters >> n & 1 == 1).enumerate() {
            write!(f, "{} {number}", if nth == 0 { "" } else { "," })?;
        }
        f.write_str(" during the run")
    }
}

impl core::error::Error for Lost {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn a_loss_names_its_counters() {
        assert_eq!(Lost::new(0, false), None);
        let some = Lost::new(0b101, false).unwrap();
        assert_eq!(some.to_string(), "somebody else changed counter 0, 2 during the run");
        assert!(some.counter(0) && !some.counter(1) && some.counter(2) && !some.counter(32));
        let all = Lost::new(0, true).unwrap();
        assert_eq!(all.to_string(), "somebody else disabled the PMU during the run");
        assert!(all.counter(0) && all.counter(31));
    }
}

//! Measurements that are too silent to be believed.

use core::fmt;

#[cfg(doc)]
use crate::Diagnose;
use crate::{Count, Measurement};

/// Why a [`Measurement`] in which every count is exact is suspect all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Suspect {
    /// Every count is zero. That is so if nothing happened, and if the PMU could not count:
    /// [`Diagnose::diagnose`] tells which.
    NothingCounted,
}

impl fmt::Display for Suspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NothingCounted => "nothing was counted: `diagnose` the PMU to learn why",
        })
    }
}

impl core::error::Error for Suspect {}

impl<S, R, const N: usize> Measurement<S, R, N> {
    /// What makes the counts suspect, if anything: that there are some, and all are exactly zero.
    ///
    /// ```
    /// use arm_pmu_core::{Count, Measurement, Suspect};
    ///
    /// let counts = [Count::exactly(0), Count::exactly(0)];
    /// let measurement = Measurement { output: (), selections: ["reads", "hits"], counts };
    /// assert_eq!(measurement.suspect(), Some(Suspect::NothingCounted));
    /// ```
    #[must_use]
    pub fn suspect(&self) -> Option<Suspect> {
        self.suspect_among(|_| true)
    }

    /// The same of the counts other than those of `clock`: cycles pass also where no event is counted.
    ///
    /// ```
    /// use arm_pmu_core::{Count, EventOrCycles, Measurement, Suspect};
    ///
    /// let selections = [EventOrCycles::Event("reads"), EventOrCycles::Cycles];
    /// let counts = [Count::exactly(0), Count::exactly(5_000)];
    /// let measurement = Measurement { output: (), selections, counts };
    /// assert_eq!(measurement.suspect(), None);
    /// let events = measurement.suspect_beside(EventOrCycles::Cycles);
    /// assert_eq!(events, Some(Suspect::NothingCounted));
    /// ```
    #[must_use]
    pub fn suspect_beside(&self, clock: S) -> Option<Suspect>
    where
        S: PartialEq,
    {
        self.suspect_among(|selection| *selection != clock)
    }

    fn suspect_among(&self, among: impl Fn(&S) -> bool) -> Option<Suspect> {
        let mut counts =
            self.selections.iter().zip(&self.counts).filter(|(selection, _)| among(selection));
        let is_zero = |(_, count): (&S, &Count)| count.exact() == Ok(0);
        let silent = counts.next().is_some_and(is_zero) && counts.all(is_zero);
        silent.then_some(Suspect::NothingCounted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Inexact;

    fn of<const N: usize>(counts: [Count; N]) -> Measurement<usize, (), N> {
        Measurement { output: (), selections: core::array::from_fn(|nth| nth), counts }
    }

    #[test]
    fn only_exact_zeros_are_suspect() {
        let zero = Count::exactly(0);
        assert_eq!(of([zero]).suspect(), Some(Suspect::NothingCounted));
        assert_eq!(of([zero, Count::exactly(1)]).suspect(), None);
        assert_eq!(of([Count::exactly(1), zero]).suspect(), None);
        assert_eq!(
            of([zero, Count::doubtful(0, Inexact::Lost)]).suspect(),
            None,
            "known to be bad"
        );
        assert_eq!(of([Count::NOTHING]).suspect(), None);
        assert_eq!(of([]).suspect(), None, "nothing was asked");
    }

    #[test]
    fn cycles_do_not_hide_silent_events() {
        let measurement = of([Count::exactly(0), Count::exactly(900)]);
        assert_eq!(measurement.suspect(), None);
        assert_eq!(measurement.suspect_beside(1), Some(Suspect::NothingCounted));
        assert_eq!(measurement.suspect_beside(0), None);
        assert_eq!(of([Count::exactly(0)]).suspect_beside(0), None, "nothing but the clock");
    }
}

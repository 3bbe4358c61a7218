//! Measurements in which every count is zero.

use super::measure::Measurement;
use crate::count::Count;

impl<S, R, const N: usize> Measurement<S, R, N> {
    /// Returns whether there are counts, and all of them are exact and zero.
    ///
    /// In this case, either no event happened, or the PMU could not count.
    /// [`Diagnose::diagnose`](crate::diagnose::Diagnose::diagnose) distinguishes the two cases.
    ///
    /// ```
    /// use arm_pmu_core::count::Count;
    /// use arm_pmu_core::measure::Measurement;
    ///
    /// let counts = [Count::new(0), Count::new(0)];
    /// let measurement = Measurement { output: (), selections: ["reads", "hits"], counts };
    /// assert!(measurement.all_zero());
    /// ```
    #[must_use]
    pub fn all_zero(&self) -> bool {
        self.are_zero(|_| true)
    }

    /// Returns the same as [`all_zero`](Self::all_zero), but ignores the counts of `cycles`.
    ///
    /// The cycle counter can count even if the event counters cannot.
    ///
    /// ```
    /// use arm_pmu_core::count::Count;
    /// use arm_pmu_core::event::EventOrCycles;
    /// use arm_pmu_core::measure::Measurement;
    ///
    /// let selections = [EventOrCycles::Event("reads"), EventOrCycles::Cycles];
    /// let counts = [Count::new(0), Count::new(5_000)];
    /// let measurement = Measurement { output: (), selections, counts };
    /// assert!(!measurement.all_zero());
    /// assert!(measurement.all_zero_without(EventOrCycles::Cycles));
    /// ```
    #[must_use]
    pub fn all_zero_without(&self, cycles: S) -> bool
    where
        S: PartialEq,
    {
        self.are_zero(|selection| *selection != cycles)
    }

    fn are_zero(&self, among: impl Fn(&S) -> bool) -> bool {
        let mut counts =
            self.selections.iter().zip(&self.counts).filter(|(selection, _)| among(selection));
        let is_zero = |(_, count): (&S, &Count)| count.exact() == Ok(0);
        counts.next().is_some_and(is_zero) && counts.all(is_zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::CountError;

    fn of<const N: usize>(counts: [Count; N]) -> Measurement<usize, (), N> {
        Measurement { output: (), selections: core::array::from_fn(|nth| nth), counts }
    }

    #[test]
    fn only_exact_zeros_are_all_zero() {
        let zero = Count::new(0);
        assert!(of([zero]).all_zero());
        assert!(!of([zero, Count::new(1)]).all_zero());
        assert!(!of([Count::new(1), zero]).all_zero());
        assert!(!of([zero, Count::invalid(0, CountError::Disturbed)]).all_zero(), "not exact");
        assert!(!of([Count::NOT_COUNTED]).all_zero());
        assert!(!of([]).all_zero(), "nothing was measured");
    }
}

//! The whole of a measurement in one call.

use core::fmt;

use crate::{AssignError, Count, Monitor};

/// What [`measure`] gives: the result of the work, and what was counted meanwhile.
///
/// As text it is a table, a line for each count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the counts are what was measured"]
pub struct Measurement<S, R, const N: usize> {
    /// What the work returned.
    pub output: R,
    /// What was counted, in the order that was asked for.
    pub selections: [S; N],
    /// How much of each.
    pub counts: [Count; N],
}

/// Counts each of `what` from zero while `work` runs, on any PMU.
///
/// What the start and the stop of the PMU take of the time, and what they cause of the events, is part
/// of the counts: measure an empty closure to learn how much.
///
/// # Errors
///
/// If `what` cannot be counted at once; then `work` did not run.
pub fn measure<M: Monitor, S: Into<M::Selection>, R, const N: usize>(
    pmu: &mut M,
    what: [S; N],
    work: impl FnOnce() -> R,
) -> Result<Measurement<M::Selection, R, N>, AssignError> {
    let selections = what.map(Into::into);
    pmu.assign(&selections)?;
    let output = pmu.run(work);
    let counts = core::array::from_fn(|nth| pmu.count(nth));
    Ok(Measurement { output, selections, counts })
}

impl<S: fmt::Display, R, const N: usize> fmt::Display for Measurement<S, R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // 13 is the width of the widest count, ">= 4294967296".
        let lines = self.selections.iter().zip(&self.counts);
        for (nth, (selection, count)) in lines.enumerate() {
            let end = if nth + 1 < N { "\n" } else { "" };
            write!(f, "{count:13}  {selection}{end}")?;
        }
        Ok(())
    }
}

/// What a counter of a PMU with a cycle counter counts: an event, or the cycles of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventOrCycles<E> {
    /// An event.
    Event(E),
    /// The cycles, on the cycle counter.
    Cycles,
}

impl<E> From<E> for EventOrCycles<E> {
    fn from(event: E) -> Self {
        Self::Event(event)
    }
}

impl<E: fmt::Display> fmt::Display for EventOrCycles<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(event) => event.fmt(f),
            Self::Cycles => f.pad("cycles"),
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::Inexact;
    use std::string::ToString;

    #[test]
    fn a_measurement_prints_as_a_table() {
        let measurement = Measurement {
            output: (),
            selections: [EventOrCycles::Event("SI3:READ"), EventOrCycles::Cycles],
            counts: [Count::exactly(12), Count::doubtful(0, Inexact::Overflowed)],
        };
        assert_eq!(measurement.to_string(), "           12  SI3:READ\n>= 4294967296  cycles");
    }
}

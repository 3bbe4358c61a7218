//! State of a pass while it is counted; after an update, its totals have 64 bits.

use super::schedule::Schedule;
use crate::count::{Amount, CountError};
use crate::measure::{Monitor, RunningMonitor, Totals, pick, read};

/// A pass that is being counted. Without an update, counts have 32 bits.
#[derive(Clone, Debug)]
pub(crate) struct TimeSlice<const N: usize> {
    pass: usize,
    /// Totals of the entries, and of the first selection, which is the reference event if there is
    /// one.
    ///
    /// `None` before the first update.
    totals: Option<(Totals<N>, Totals<1>)>,
}

impl<const N: usize> TimeSlice<N> {
    /// Begins a slice when the PMU starts.
    pub(crate) const fn of(pass: usize) -> Self {
        Self { pass, totals: None }
    }

    pub(crate) const fn pass(&self) -> usize {
        self.pass
    }

    /// Reads the counters, so that no wrap of a counter is missed.
    pub(crate) fn update<S: Copy + PartialEq, C: RunningMonitor>(
        &mut self,
        schedule: &Schedule<S, N>,
        running: &mut C,
    ) {
        let (entries, first) =
            self.totals.get_or_insert_with(|| (Totals::from_zero(), Totals::from_zero()));
        let counters = schedule.places(self.pass).map(|nth| running.counter_of(nth));
        let of_first = [running.counter_of(0)];
        let (flags, all) = read(running);
        entries.add(&counters, flags, &pick(&all, &counters), running);
        first.add(&of_first, flags, &pick(&all, &of_first), running);
    }

    /// Updates the totals before the stop, if there was an earlier update.
    ///
    /// The count at the stop does not show whether an overflow happened before or after the last update. If there was
    /// no update, the count at the stop is enough.
    pub(crate) fn end<S: Copy + PartialEq, C: RunningMonitor>(
        &mut self,
        schedule: &Schedule<S, N>,
        running: &mut C,
    ) {
        if self.totals.is_some() {
            self.update(schedule, running);
        }
    }

    /// Returns the amount of the reference event after the stop.
    pub(crate) fn reference(&self, pmu: &mut impl Monitor) -> Amount {
        match &self.totals {
            Some((_, first)) => first.at_stop(0, pmu.count(0)),
            None => pmu.count(0).into(),
        }
    }

    /// Returns, after the PMU was stopped, an amount for each entry that this pass counted, and
    /// `None` for each other entry.
    pub(crate) fn amounts<M: Monitor>(
        &self,
        schedule: &Schedule<M::Selection, N>,
        pmu: &mut M,
    ) -> [Option<Amount>; N] {
        let mut entries = 0..;
        schedule.places(self.pass).map(|place| {
            let nth = entries.next()?;
            if place == usize::MAX {
                return None;
            }
            let amount = match &self.totals {
                Some((totals, _)) => totals.at_stop(nth, pmu.count(place)),
                None => pmu.count(place).into(),
            };
            Some(amount.in_pass(self.pass as u32))
        })
    }

    /// Returns the length of the slice in cycles. Call this after the stop.
    ///
    /// The reference event must be the cycles.
    pub(crate) fn time(&self, pmu: &mut impl Monitor) -> Result<u64, CountError> {
        self.reference(pmu).estimate()
    }
}

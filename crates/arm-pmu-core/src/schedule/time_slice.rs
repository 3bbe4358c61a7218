//! One pass that is being counted, with totals of 64 bits if somebody keeps up.

use super::schedule::Schedule;
use crate::count::{Amount, CountError};
use crate::measure::{Monitor, RunningMonitor, Totals, pick, read};

/// What is known of the counters beyond what they hold: nothing, until the first update.
#[derive(Clone, Debug)]
pub(crate) struct TimeSlice<const N: usize> {
    pass: usize,
    /// Of the entries, and of the first counter, which is the reference's if there is one.
    totals: Option<(Totals<N>, Totals<1>)>,
}

impl<const N: usize> TimeSlice<N> {
    /// It begins with the start of the PMU.
    pub(crate) const fn of(pass: usize) -> Self {
        Self { pass, totals: None }
    }

    pub(crate) const fn pass(&self) -> usize {
        self.pass
    }

    /// Takes over what the counters hold, before one wraps again.
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

    /// Before the stop: tells overflows since the last update from those before it, which the count at the
    /// stop does not. Without an update there was none that the count does not tell of.
    pub(crate) fn end<S: Copy + PartialEq, C: RunningMonitor>(
        &mut self,
        schedule: &Schedule<S, N>,
        running: &mut C,
    ) {
        if self.totals.is_some() {
            self.update(schedule, running);
        }
    }

    /// After the stop: how much there was of the reference.
    pub(crate) fn reference(&self, pmu: &mut impl Monitor) -> Amount {
        match &self.totals {
            Some((_, first)) => first.at_stop(0, pmu.count(0)),
            None => pmu.count(0).into(),
        }
    }

    /// After the stop: how much there was of each entry of this pass; `None` for those of others.
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

    /// After the stop: how long it took, if the reference is the clock.
    pub(crate) fn time(&self, pmu: &mut impl Monitor) -> Result<u64, CountError> {
        self.reference(pmu).estimate()
    }
}

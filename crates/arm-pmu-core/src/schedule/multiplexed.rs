//! More selections than counters in one long run.

use core::fmt;

use super::schedule::{Placed, Schedule};
use super::time_slice::TimeSlice;
use crate::count::{Amount, CountError, Scaling};
use crate::measure::StartStop;
use crate::metric::{Metric, Value};

/// A PMU that counts each pass of a [`Schedule`] for a while, in turn, during one long run. Made by
/// [`Schedule::rotate`].
///
/// Call [`rotate`](Self::rotate) from a timer, or between parts of the work. What was seen of a selection
/// during its share of the time is scaled to the whole: an estimate, which is as good as the work is even.
/// Nobody can say by how much it is wrong. How many slices it is made of, and how far they are apart, is
/// part of the [result](MultiplexedCounts).
///
/// The time is the cycles, where the schedule counts them; what happens while the PMU is stopped, to be
/// set up anew, is then neither counted nor part of the time. Otherwise it is that of the caller's time
/// stamps, and what happens meanwhile is part of the estimate.
///
/// If everything can be counted at once, the whole run is one slice, and the amounts are exact.
///
/// A slice in which a counter wraps is [overflowed](CountError::Overflowed), unless the rotation is
/// [updated](Self::update) in time.
pub struct MultiplexedRun<M: StartStop, const N: usize> {
    schedule: Schedule<M::Selection, N>,
    /// `None` never, but for a moment.
    running: Option<M::Running>,
    slice: TimeSlice<N>,
    /// Whether the PMU was told to count the pass of this slice.
    assigned: bool,
    begin: u64,
    slice_begin: u64,
    /// All slices together, in cycles.
    cycles: u64,
    /// Why that is not known.
    doubt: Option<CountError>,
    slices: u32,
    samples: [Sample; N],
}

/// What was seen of one selection.
#[derive(Clone, Copy, Debug)]
struct Sample {
    events: u64,
    time: u64,
    slices: u32,
    least: Option<Rate>,
    most: Option<Rate>,
    doubt: Option<CountError>,
}

/// What was seen in one slice.
#[derive(Clone, Copy, Debug)]
struct Rate {
    events: u64,
    time: u64,
}

impl Rate {
    /// Whether it is more, for its time.
    const fn exceeds(self, other: Self) -> bool {
        self.events as u128 * other.time as u128 > other.events as u128 * self.time as u128
    }
}

impl Sample {
    const NOTHING: Self =
        Self { events: 0, time: 0, slices: 0, least: None, most: None, doubt: None };

    fn add(&mut self, amount: Amount, time: Result<u64, CountError>) {
        let events = match (amount.estimate(), time) {
            (Ok(events), Ok(_)) => events,
            (Err(why), _) | (_, Err(why)) => {
                self.doubt = self.doubt.or(Some(why));
                amount.lower_bound()
            }
        };
        let time = time.unwrap_or(0);
        self.events = self.events.saturating_add(events);
        self.time = self.time.saturating_add(time);
        self.slices = self.slices.saturating_add(1);
        if time > 0 {
            let rate = Rate { events, time };
            self.least = Some(self.least.filter(|least| rate.exceeds(*least)).unwrap_or(rate));
            self.most = Some(self.most.filter(|most| most.exceeds(rate)).unwrap_or(rate));
        }
    }
}

impl<M: StartStop, const N: usize> MultiplexedRun<M, N> {
    pub(crate) fn start(schedule: Schedule<M::Selection, N>, pmu: M, now: u64) -> Self {
        let mut run = Self {
            schedule,
            running: None,
            slice: TimeSlice::of(0),
            assigned: false,
            begin: now,
            slice_begin: now,
            cycles: 0,
            doubt: None,
            slices: 0,
            samples: [Sample::NOTHING; N],
        };
        run.begin_slice(pmu, 0, now);
        run
    }

    /// Ends the slice of one pass, and begins one of the next.
    ///
    /// `now` is the caller's time stamp; it is not looked at where the cycles tell the time.
    pub fn rotate(&mut self, now: u64) {
        if self.schedule.passes() < 2 {
            return self.update();
        }
        if let Some(mut running) = self.running.take() {
            self.slice.end(&self.schedule, &mut running);
            let mut pmu = M::stop(running);
            self.end_slice(&mut pmu, now);
            let pass = (self.slice.pass() + 1) % self.schedule.passes();
            self.begin_slice(pmu, pass, now);
        }
    }

    /// Keeps up with the counters, so that none wraps unseen: for slices that are longer than
    /// [that](crate::measure::longest_interval). [`rotate`](Self::rotate) does so where it has nothing else to do.
    pub fn update(&mut self) {
        if let Some(running) = self.running.as_mut() {
            self.slice.update(&self.schedule, running);
        }
    }

    /// The driver while it counts, to look at its counters or to acknowledge an interrupt.
    pub fn running(&mut self) -> Option<&mut M::Running> {
        self.running.as_mut()
    }

    /// Stops, and gives the driver back with what was counted. `now` is the caller's time stamp.
    ///
    /// `None` in place of the driver cannot come, unless a driver panicked in [`rotate`](Self::rotate).
    pub fn stop(mut self, now: u64) -> (Option<M>, MultiplexedCounts<M::Selection, N>) {
        let pmu = self.running.take().map(|mut running| {
            self.slice.end(&self.schedule, &mut running);
            let mut pmu = M::stop(running);
            self.end_slice(&mut pmu, now);
            pmu
        });
        let whole = match self.schedule.is_timed() {
            true => self.cycles,
            false => now.saturating_sub(self.begin),
        };
        let mut samples = self.samples.iter();
        let counts = self.schedule.entries.map(|entry| {
            let (mut sample, Placed { selection, pass, .. }) = (*samples.next()?, entry?);
            // A share of nobody knows how much.
            sample.doubt = sample.doubt.or(self.doubt);
            Some(MultiplexedCount::of(selection, pass, &sample, whole, self.slices))
        });
        (pmu, MultiplexedCounts { counts })
    }

    fn begin_slice(&mut self, mut pmu: M, pass: usize, now: u64) {
        self.assigned = self.schedule.assign(&mut pmu, pass).is_ok();
        self.slice = TimeSlice::of(pass);
        self.slice_begin = now;
        self.running = Some(pmu.start());
    }

    fn end_slice(&mut self, pmu: &mut M, now: u64) {
        let time = match self.schedule.is_timed() {
            true => self.slice.time(pmu),
            false => Ok(now.saturating_sub(self.slice_begin)),
        };
        self.slices = self.slices.saturating_add(1);
        self.cycles = self.cycles.saturating_add(time.unwrap_or(0));
        self.doubt = self.doubt.or(time.err());
        let amounts = self.slice.amounts(&self.schedule, pmu);
        for (amount, sample) in amounts.into_iter().zip(&mut self.samples) {
            match amount {
                Some(amount) if self.assigned => sample.add(amount, time),
                // It counts what it was told before, or nothing.
                Some(_) => sample.add(Amount::invalid(0, CountError::BusError), time),
                None => {}
            }
        }
    }
}

impl<S: Copy + PartialEq, const N: usize> Schedule<S, N> {
    /// Counts on a PMU from now on, each pass in turn: see [`MultiplexedRun`].
    ///
    /// `now` is a time stamp of the caller in any unit, for a PMU without a cycle counter or a schedule
    /// without that as its reference. Otherwise the cycles tell the time.
    pub fn rotate<M: StartStop<Selection = S>>(self, pmu: M, now: u64) -> MultiplexedRun<M, N> {
        MultiplexedRun::start(self, pmu, now)
    }
}

impl<M: StartStop<Running: fmt::Debug>, const N: usize> fmt::Debug for MultiplexedRun<M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MultiplexedRun")
            .field("running", &self.running)
            .field("slice", &self.slice)
            .field("samples", &self.samples)
            .finish_non_exhaustive()
    }
}

/// What was counted in a [`MultiplexedRun`].
#[derive(Clone, Copy, Debug)]
#[must_use = "the amounts are what was measured"]
pub struct MultiplexedCounts<S, const N: usize> {
    counts: [Option<MultiplexedCount<S>>; N],
}

/// What was seen of one selection in a [`MultiplexedRun`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MultiplexedCount<S> {
    /// What was counted.
    pub selection: S,
    /// How much of it there was; most likely an estimate from a [share](Amount::scaling) of the time.
    pub amount: Amount,
    /// In so many slices it was counted.
    pub slices: u32,
    /// What the whole would be, were all of it like the slice with the least. No bound of anything.
    pub least: Amount,
    /// What the whole would be, were all of it like the slice with the most. No bound of anything.
    pub most: Amount,
}

impl<S> MultiplexedCount<S> {
    fn of(selection: S, pass: usize, sample: &Sample, whole: u64, all_slices: u32) -> Self {
        let Sample { events, time, slices, .. } = *sample;
        let scaled = |events, counted| {
            // Who did not count in every slice did not count all of the time, however short the others.
            let more = if slices < all_slices { time.saturating_add(1) } else { time };
            Amount::scaled(events, Scaling { time_running: counted, time_enabled: whole.max(more) })
                .in_pass(pass as u32)
        };
        let amount = match sample.doubt {
            Some(why) => Amount::invalid(events, why).in_pass(pass as u32),
            // Counted from the start to the stop, whatever the time stamps say.
            None if slices == all_slices && slices == 1 => Amount::new(events).in_pass(pass as u32),
            None => scaled(events, time),
        };
        // Of what cannot be relied on, a part cannot either.
        let like = |rate: Option<Rate>| match rate.filter(|_| sample.doubt.is_none()) {
            None => amount,
            Some(Rate { events, time }) => scaled(events, time),
        };
        Self { selection, amount, slices, least: like(sample.least), most: like(sample.most) }
    }
}

impl<S: Copy + PartialEq, const N: usize> MultiplexedCounts<S, N> {
    /// Each selection and what was seen of it, in the order of the plan.
    pub fn counts(&self) -> impl Iterator<Item = MultiplexedCount<S>> + Clone + '_ {
        self.counts.iter().flatten().copied()
    }

    /// Each selection and how much of it there was, in the order of the plan.
    pub fn pairs(&self) -> impl Iterator<Item = (S, Amount)> + Clone + '_ {
        self.counts().map(|count| (count.selection, count.amount))
    }

    /// How much of a selection there was; [`Amount::NOT_COUNTED`] if it was not in the plan.
    #[must_use]
    pub fn amount(&self, selection: S) -> Amount {
        let found = self.pairs().find(|(of, _)| *of == selection);
        found.map_or(Amount::NOT_COUNTED, |(_, amount)| amount)
    }

    /// What a metric comes to; most likely an estimate. Its inputs are found by their selections, all of them
    /// counted at the same times.
    ///
    /// See [`Passes::metric`](crate::schedule::Passes::metric).
    pub fn metric<T: Metric<Selection = S>>(&self, metric: &T) -> Value {
        metric.find(self.pairs())
    }
}

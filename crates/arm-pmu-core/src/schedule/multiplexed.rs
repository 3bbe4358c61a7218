//! Multiplexing: more selections than counters in one long run.

use core::fmt;

use super::schedule::{Placed, Schedule};
use super::time_slice::TimeSlice;
use crate::count::{Amount, CountError, Scaling};
use crate::measure::{RunningMonitor, StartStop};
use crate::metric::{Metric, Value};

/// A PMU that alternates the passes of a [`Schedule`] in time slices of one run.
///
/// [`Schedule::rotate`] starts the run. Call [`rotate`](Self::rotate) from a timer, or between parts of the work, to
/// begin the next slice. For each selection, the events that were counted in its slices are scaled to the whole time.
/// The estimate assumes the same rate in the other slices. The error of the estimate is unknown. The
/// [result](MultiplexedCounts) contains the number of slices of each selection and the range of their rates.
///
/// The PMU is stopped for a short time between two slices. If the schedule counts cycles, cycles measure the
/// time, and the stopped time and its events are excluded. Otherwise the caller's time stamps measure the
/// time, and the estimate includes the stopped time.
///
/// If the PMU can count all selections at once, the whole run is one slice, and the amounts are
/// exact.
///
/// If a counter wraps in a slice, the amount is [overflowed](CountError::Overflowed), unless
/// [`update`](Self::update) was called in time.
pub struct MultiplexedRun<M: StartStop, const N: usize> {
    schedule: Schedule<M::Selection, N>,
    /// The running driver; `None` only during the change to another slice.
    running: Option<M::Running>,
    slice: TimeSlice<N>,
    /// Whether the selections of this slice's pass were assigned to the PMU.
    assigned: bool,
    begin: u64,
    slice_begin: u64,
    /// Total time of all slices, in cycles.
    cycles: u64,
    /// Reason why the total time is invalid.
    error: Option<CountError>,
    slices: u32,
    samples: [Sample; N],
}

/// Events and time of one selection over its slices.
#[derive(Clone, Copy, Debug)]
struct Sample {
    events: u64,
    time: u64,
    slices: u32,
    least: Option<Rate>,
    most: Option<Rate>,
    error: Option<CountError>,
}

/// Events and time of one slice.
#[derive(Clone, Copy, Debug)]
struct Rate {
    events: u64,
    time: u64,
}

impl Rate {
    /// Returns whether this rate is higher than `other`.
    const fn exceeds(self, other: Self) -> bool {
        self.events as u128 * other.time as u128 > other.events as u128 * self.time as u128
    }
}

impl Sample {
    const NOTHING: Self =
        Self { events: 0, time: 0, slices: 0, least: None, most: None, error: None };

    fn add(&mut self, amount: Amount, time: Result<u64, CountError>) {
        let events = match (amount.estimate(), time) {
            (Ok(events), Ok(_)) => events,
            (Err(why), _) | (_, Err(why)) => {
                self.error = self.error.or(Some(why));
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
            error: None,
            slices: 0,
            samples: [Sample::NOTHING; N],
        };
        run.begin_slice(pmu, 0, now);
        run
    }

    /// Ends the slice of one pass and begins a slice of the next pass.
    ///
    /// `now` is the caller's time stamp. The time stamp is ignored if the schedule counts cycles.
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

    /// Reads the counters to keep track of their wraps. The slice continues.
    ///
    /// A slice that is longer than the [longest](crate::measure::longest_interval) time between two readings needs this
    /// call. With a single pass, [`rotate`](Self::rotate) has the same effect.
    pub fn update(&mut self) {
        if let Some(running) = self.running.as_mut() {
            self.slice.update(&self.schedule, running);
        }
    }

    /// Returns the running driver, for reading counters.
    ///
    /// The driver is not mutable, because a counter that is [rearmed](crate::measure::Rearm) in a
    /// slice would lose its earlier events.
    pub fn running(&self) -> Option<&M::Running> {
        self.running.as_ref()
    }

    /// Returns and clears the overflow flags, which deasserts the interrupt.
    ///
    /// Calls [`RunningMonitor::take_overflows`] of the running driver. After this call, an
    /// [update](Self::update) of the slice cannot detect that it came too late, because the flags are cleared.
    pub fn take_overflows(&mut self) -> u32 {
        self.running.as_mut().map_or(0, RunningMonitor::take_overflows)
    }

    /// Stops the PMU, and returns the driver and the counts. `now` is the caller's time stamp.
    ///
    /// The driver is `None` only if [`rotate`](Self::rotate) panicked.
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
            // Without the time of the whole run, counts cannot be scaled.
            sample.error = sample.error.or(self.error);
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
        self.error = self.error.or(time.err());
        let amounts = self.slice.amounts(&self.schedule, pmu);
        for (amount, sample) in amounts.into_iter().zip(&mut self.samples) {
            match amount {
                Some(amount) if self.assigned => sample.add(amount, time),
                // The PMU still has the selections of an earlier pass, or none.
                Some(_) => sample.add(Amount::invalid(0, CountError::BusError), time),
                None => {}
            }
        }
    }
}

impl<S: Copy + PartialEq, const N: usize> Schedule<S, N> {
    /// Starts counting on a PMU, alternating the passes in time slices. See [`MultiplexedRun`].
    ///
    /// `now` is a time stamp of the caller in any unit. The time stamp is ignored if the reference event of the
    /// schedule counts cycles, because the cycles then measure the time.
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

/// Amounts of a [`MultiplexedRun`].
#[derive(Clone, Copy, Debug)]
#[must_use = "the amounts are the result of the measurement"]
pub struct MultiplexedCounts<S, const N: usize> {
    counts: [Option<MultiplexedCount<S>>; N],
}

/// Amount of one selection in a [`MultiplexedRun`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MultiplexedCount<S> {
    /// Selection that was counted.
    pub selection: S,
    /// Amount; usually an estimate, because the selection was counted for only a
    /// [share](Amount::scaling) of the time.
    pub amount: Amount,
    /// Number of slices in which the selection was counted.
    pub slices: u32,
    /// Estimate from the slice with the lowest rate. The smallest estimate is not a lower bound.
    pub least: Amount,
    /// Estimate from the slice with the highest rate. The largest estimate is not an upper bound.
    pub most: Amount,
}

impl<S> MultiplexedCount<S> {
    fn of(selection: S, pass: usize, sample: &Sample, whole: u64, all_slices: u32) -> Self {
        let Sample { events, time, slices, .. } = *sample;
        let scaled = |events, counted| {
            // If some slices did not count the selection, the amount is an estimate, even if these slices have a
            // length of 0.
            let more = if slices < all_slices { time.saturating_add(1) } else { time };
            Amount::scaled(events, Scaling { time_running: counted, time_enabled: whole.max(more) })
                .in_pass(pass as u32)
        };
        let amount = match sample.error {
            Some(why) => Amount::invalid(events, why).in_pass(pass as u32),
            // A single slice is the whole run. Time stamps do not matter for a single slice.
            None if slices == all_slices && slices == 1 => Amount::new(events).in_pass(pass as u32),
            None => scaled(events, time),
        };
        // If the amount is invalid, the rates of its slices are also invalid.
        let like = |rate: Option<Rate>| match rate.filter(|_| sample.error.is_none()) {
            None => amount,
            Some(Rate { events, time }) => scaled(events, time),
        };
        Self { selection, amount, slices, least: like(sample.least), most: like(sample.most) }
    }
}

impl<S: Copy + PartialEq, const N: usize> MultiplexedCounts<S, N> {
    /// Returns the result for each selection, in the order of the set.
    pub fn counts(&self) -> impl Iterator<Item = MultiplexedCount<S>> + Clone + '_ {
        self.counts.iter().flatten().copied()
    }

    /// Returns each selection with its amount, in the order of the set.
    pub fn pairs(&self) -> impl Iterator<Item = (S, Amount)> + Clone + '_ {
        self.counts().map(|count| (count.selection, count.amount))
    }

    /// Returns the amount of a selection.
    ///
    /// The result is [`Amount::NOT_COUNTED`] if the set does not have the selection.
    #[must_use]
    pub fn amount(&self, selection: S) -> Amount {
        let found = self.pairs().find(|(of, _)| *of == selection);
        found.map_or(Amount::NOT_COUNTED, |(_, amount)| amount)
    }

    /// Computes a metric; the value is usually an estimate.
    ///
    /// The inputs of the metric are looked up by their selections. All inputs must come from one
    /// pass, as in [`Passes::metric`](crate::schedule::Passes::metric).
    pub fn metric<T: Metric<Selection = S>>(&self, metric: &T) -> Value {
        metric.find(self.pairs())
    }
}

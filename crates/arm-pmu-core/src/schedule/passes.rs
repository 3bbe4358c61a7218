//! Results of several runs of the same work.

use core::fmt;

use super::event_set::{EventSet, EventSetError, Group};
use super::schedule::Schedule;
use super::time_slice::TimeSlice;
use crate::count::{Amount, CountError};
use crate::measure::{AssignError, Monitor, StartStop};
use crate::metric::{Metric, Value};

/// Amounts of events in one or more runs of the same work.
///
/// [`EventSet::run`](crate::schedule::EventSet::run) returns a `Passes`. Each amount includes the number of its
/// [pass](Amount::pass). [`spread`](Self::spread) returns the difference between the passes. A `Passes` prints as a
/// table.
///
/// [`run_pass`](Self::run_pass) runs one pass. Therefore several PMUs can count in the same run of the work: each PMU
/// has its own `Passes`, and the run of one PMU is the work of the next PMU.
///
/// ```
/// use arm_pmu_core::measure::{AssignError, Monitor};
/// use arm_pmu_core::schedule::Passes;
///
/// fn both<A: Monitor, B: Monitor, const N: usize, const M: usize>(
///     (far, of_far): (&mut A, &mut Passes<A::Selection, N>),
///     (near, of_near): (&mut B, &mut Passes<B::Selection, M>),
///     mut work: impl FnMut(),
/// ) -> Result<(), AssignError> {
///     for pass in 0..of_far.number().max(of_near.number()) {
///         of_far.run_pass(pass, far, || of_near.run_pass(pass, near, &mut work))??;
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug)]
#[must_use = "the amounts are the result of the measurement"]
pub struct Passes<S, const N: usize> {
    schedule: Schedule<S, N>,
    amounts: [Amount; N],
    /// Amount of the reference event in each pass.
    reference_amounts: [Amount; N],
}

impl<S: Copy + PartialEq, const N: usize> Passes<S, N> {
    /// Creates the passes of a schedule, for running them one by one.
    ///
    /// The amounts of a pass are [`Amount::NOT_COUNTED`] until it has run.
    pub const fn of(schedule: Schedule<S, N>) -> Self {
        let nothing = [Amount::NOT_COUNTED; N];
        Self { schedule, amounts: nothing, reference_amounts: nothing }
    }

    /// Counts one pass while `work` runs, and returns the result of `work`.
    ///
    /// Passes are numbered from 0. Running a pass again replaces its amounts. If `pass` is beyond the last pass, this
    /// only runs `work`: another PMU may need more passes.
    ///
    /// # Errors
    ///
    /// Returns an error if a register access failed, or if the schedule was created for another PMU. On
    /// an error, `work` has not run.
    pub fn run_pass<M: Monitor<Selection = S>, R>(
        &mut self,
        pass: usize,
        pmu: &mut M,
        work: impl FnOnce() -> R,
    ) -> Result<R, AssignError> {
        if pass >= self.number() {
            return Ok(work());
        }
        self.schedule.assign(pmu, pass)?;
        let result = pmu.run(work);
        self.take(&TimeSlice::of(pass), pmu);
        Ok(result)
    }

    /// Stores the results of one pass after the stop.
    fn take<M: Monitor<Selection = S>>(&mut self, slice: &TimeSlice<N>, pmu: &mut M) {
        let pass = slice.pass();
        if let (Some(place), Some(_)) =
            (self.reference_amounts.get_mut(pass), self.schedule.reference)
        {
            *place = slice.reference(pmu).in_pass(pass as u32);
        }
        let amounts = slice.amounts(&self.schedule, pmu);
        for (amount, place) in amounts.into_iter().zip(&mut self.amounts) {
            *place = amount.unwrap_or(*place);
        }
    }

    /// Returns the number of passes.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.schedule.passes()
    }

    /// Returns each selection with its amount, in the order of the set.
    ///
    /// A selection in two groups is returned twice.
    pub fn pairs(&self) -> impl Iterator<Item = (S, Amount)> + Clone + '_ {
        self.with_groups().map(|(_, selection, amount)| (selection, amount))
    }

    /// Returns the selections of one group with their amounts.
    pub fn group(&self, group: Group) -> impl Iterator<Item = (S, Amount)> + Clone + '_ {
        let of_group = self.with_groups().filter(move |(of, ..)| *of == group.0);
        of_group.map(|(_, selection, amount)| (selection, amount))
    }

    /// Returns whether all selections of a group were counted in one pass.
    #[must_use]
    pub fn is_together(&self, group: Group) -> bool {
        let mut passes = self.group(group).map(|(_, amount)| amount.pass());
        passes.next().is_none_or(|first| passes.all(|pass| pass == first))
    }

    /// Returns the amount of a selection.
    ///
    /// The result is [`Amount::NOT_COUNTED`] if the set does not have the selection. If the selection is
    /// in several groups, the amount of the first group is returned.
    #[must_use]
    pub fn amount(&self, selection: S) -> Amount {
        let found = self.pairs().find(|(of, _)| *of == selection);
        found.map_or(Amount::NOT_COUNTED, |(_, amount)| amount)
    }

    /// Computes a metric. Its inputs are looked up by their selections, and must all be from the
    /// same pass.
    ///
    /// The selections of a [group](crate::schedule::EventSet::add_group) are in one pass if the PMU
    /// has enough counters. If inputs are from different passes, the value is an error. To accept
    /// such inputs, pass [`pairs`](Self::pairs) to [`Metric::find_in_any_pass`].
    pub fn metric<T: Metric<Selection = S>>(&self, metric: &T) -> Value {
        metric.find(self.pairs())
    }

    /// Returns the reference event; `None` if the passes did not count one.
    #[must_use]
    pub const fn reference(&self) -> Option<S> {
        self.schedule.reference
    }

    /// Returns the amount of the reference event in each pass.
    ///
    /// The iterator is empty without a reference event.
    pub fn reference_amounts(&self) -> impl Iterator<Item = Amount> + '_ {
        let number = if self.reference().is_some() { self.number() } else { 0 };
        self.reference_amounts.iter().copied().take(number)
    }

    /// Returns the spread of the reference event over the passes.
    ///
    /// Compare the spread with your tolerance. After a single pass, the spread is [`Spread::ZERO`]. Passes
    /// with the same number of cycles can still differ in other events.
    ///
    /// # Errors
    ///
    /// Returns an error if there were several passes and the spread is unknown.
    pub fn spread(&self) -> Result<Spread, SpreadError> {
        if self.number() < 2 {
            return Ok(Spread::ZERO);
        }
        if self.reference().is_none() {
            return Err(SpreadError::NoReference);
        }
        let mut spread = Spread { least: u64::MAX, most: 0 };
        for amount in self.reference_amounts() {
            let events = amount.estimate().map_err(SpreadError::Unknown)?;
            spread.least = spread.least.min(events);
            spread.most = spread.most.max(events);
        }
        Ok(spread)
    }

    fn with_groups(&self) -> impl Iterator<Item = (usize, S, Amount)> + Clone + '_ {
        let all = self.schedule.entries.iter().zip(self.amounts);
        all.filter_map(|(entry, amount)| entry.map(|of| (of.group, of.selection, amount)))
    }
}

impl<S: Copy + PartialEq, const N: usize> EventSet<S, N> {
    /// Counts all selections, with one run of `work` for each pass.
    ///
    /// The first run may differ from later runs because it loads the caches. To avoid the difference, run the
    /// work once before the call.
    ///
    /// # Errors
    ///
    /// Returns any error of [`schedule`](Self::schedule) before `work` runs, and otherwise any
    /// error of [`Schedule::run`].
    pub fn run<M: Monitor<Selection = S>>(
        &self,
        pmu: &mut M,
        work: impl FnMut(),
    ) -> Result<Passes<S, N>, EventSetError> {
        self.schedule(pmu)?.run(pmu, work).map_err(EventSetError::Assign)
    }
}

impl<S: Copy + PartialEq, const N: usize> Schedule<S, N> {
    /// Counts all selections, with one run of `work` for each pass.
    ///
    /// # Errors
    ///
    /// Returns an error if a register access failed, or if the schedule was created for another PMU.
    /// After the error, the remaining passes have not run.
    pub fn run<M: Monitor<Selection = S>>(
        &self,
        pmu: &mut M,
        mut work: impl FnMut(),
    ) -> Result<Passes<S, N>, AssignError> {
        let mut passes = Passes::of(self.clone());
        for pass in 0..self.passes {
            passes.run_pass(pass, pmu, &mut work)?;
        }
        Ok(passes)
    }

    /// Counts all selections for work during which counters wrap.
    ///
    /// `work` receives a function that it must call [often enough](crate::measure::Totals). The amounts have
    /// 64 bits. If `work` panics, the PMU continues to count.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Self::run). The driver is always returned.
    pub fn run_long<M: StartStop<Selection = S>>(
        &self,
        mut pmu: M,
        mut work: impl FnMut(&mut dyn FnMut()),
    ) -> (M, Result<Passes<S, N>, AssignError>) {
        let mut passes = Passes::of(self.clone());
        for pass in 0..self.passes {
            if let Err(error) = self.assign(&mut pmu, pass) {
                return (pmu, Err(error));
            }
            let mut slice = TimeSlice::of(pass);
            let mut running = pmu.start();
            work(&mut || slice.update(self, &mut running));
            slice.end(self, &mut running);
            pmu = M::stop(running);
            passes.take(&slice, &mut pmu);
        }
        (pmu, Ok(passes))
    }
}

/// Prints the amounts, the reference event in each pass, and the spread.
///
/// A single pass prints only the amounts. There is no line end after the last line.
///
/// ```text
///         4000  pass 0  S3:READ_REQUEST
///          900  pass 1  S3:SNOOP_HIT
///        70010  pass 0  reference: CYCLES
///        70000  pass 1  reference: CYCLES
/// passes differ by 0.1 %
/// ```
impl<S: fmt::Display + Copy + PartialEq, const N: usize> fmt::Display for Passes<S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The widest 32-bit count, ">= 4294967296", has 13 characters with the space.
        if self.number() < 2 {
            for (nth, (selection, amount)) in self.pairs().enumerate() {
                let end = if nth == 0 { "" } else { "\n" };
                write!(f, "{end}{amount:13}  {selection}")?;
            }
            return Ok(());
        }
        for (selection, amount) in self.pairs() {
            writeln!(f, "{amount:13}  pass {}  {selection}", amount.pass())?;
        }
        if let Some(reference) = self.reference() {
            for amount in self.reference_amounts() {
                writeln!(f, "{amount:13}  pass {}  reference: {reference}", amount.pass())?;
            }
        }
        match self.spread() {
            Ok(spread) => write!(f, "passes differ by {spread}"),
            Err(why) => write!(f, "passes differ by an unknown amount: {why}"),
        }
    }
}

/// Range of several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spread {
    /// Lowest number.
    pub least: u64,
    /// Highest number.
    pub most: u64,
}

impl Spread {
    /// No difference.
    pub const ZERO: Self = Self { least: 0, most: 0 };

    /// Returns the difference between the highest and lowest number, in thousandths of the highest, rounded up.
    #[must_use]
    pub const fn per_mille(self) -> u32 {
        if self.most <= self.least {
            return 0;
        }
        let less = (self.most - self.least) as u128;
        (less * 1_000).div_ceil(self.most as u128) as u32
    }
}

/// Prints the difference as a percentage: `0.4 %`.
impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_mille = self.per_mille();
        write!(f, "{}.{} %", per_mille / 10, per_mille % 10)
    }
}

/// Reason why the spread of [passes](Passes) is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum SpreadError {
    /// No reference event was counted.
    NoReference,
    /// The count of the reference event is invalid in a pass.
    Unknown(CountError),
}

impl fmt::Display for SpreadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoReference => f.write_str("no reference event was counted"),
            Self::Unknown(why) => write!(f, "the reference event has no valid count: {why}"),
        }
    }
}

impl core::error::Error for SpreadError {}

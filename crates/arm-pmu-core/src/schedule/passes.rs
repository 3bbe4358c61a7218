//! What several runs of the same work say together.

use core::fmt;

use super::event_set::{EventSet, EventSetError, Group};
use super::schedule::{Placed, Schedule};
use super::time_slice::TimeSlice;
use crate::count::{Amount, CountError};
use crate::measure::{AssignError, Monitor, StartStop};
use crate::metric::{Metric, Value};

/// The amounts of events in one or more runs of the same work, from [`EventSet::run`](crate::schedule::EventSet::run).
///
/// Each amount knows its [pass](Amount::pass). [`spread`](Self::spread) says how far the passes differ. It
/// prints as a table.
#[derive(Clone, Debug)]
#[must_use = "the amounts are what was measured"]
pub struct Passes<S, const N: usize> {
    entries: [Option<Placed<S>>; N],
    amounts: [Amount; N],
    reference: Option<S>,
    /// Of each pass.
    reference_amounts: [Amount; N],
    number: usize,
}

impl<S: Copy + PartialEq, const N: usize> Passes<S, N> {
    pub(crate) const fn new(
        entries: [Option<Placed<S>>; N],
        reference: Option<S>,
        number: usize,
    ) -> Self {
        let nothing = [Amount::NOT_COUNTED; N];
        Self { entries, amounts: nothing, reference, reference_amounts: nothing, number }
    }

    /// A pass was run.
    pub(crate) fn add(
        &mut self,
        pass: usize,
        reference: Option<Amount>,
        amounts: [Option<Amount>; N],
    ) {
        if let (Some(place), Some(reference)) = (self.reference_amounts.get_mut(pass), reference) {
            *place = reference.in_pass(pass as u32);
        }
        for (amount, place) in amounts.into_iter().zip(&mut self.amounts) {
            *place = amount.unwrap_or(*place);
        }
    }

    /// How many passes there were.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Each selection and how much of it there was, in the order of the plan. A selection of two groups
    /// comes twice.
    pub fn pairs(&self) -> impl Iterator<Item = (S, Amount)> + Clone + '_ {
        self.with_groups().map(|(_, selection, amount)| (selection, amount))
    }

    /// The selections of one group.
    pub fn group(&self, group: Group) -> impl Iterator<Item = (S, Amount)> + Clone + '_ {
        let of_group = self.with_groups().filter(move |(of, ..)| *of == group.0);
        of_group.map(|(_, selection, amount)| (selection, amount))
    }

    /// Whether all selections of a group were counted in one pass.
    #[must_use]
    pub fn is_together(&self, group: Group) -> bool {
        let mut passes = self.group(group).map(|(_, amount)| amount.pass());
        passes.next().is_none_or(|first| passes.all(|pass| pass == first))
    }

    /// How much of a selection there was; [`Amount::NOT_COUNTED`] if it was not in the plan. If more than one
    /// group has it, the amount is that of the first.
    #[must_use]
    pub fn amount(&self, selection: S) -> Amount {
        let found = self.pairs().find(|(of, _)| *of == selection);
        found.map_or(Amount::NOT_COUNTED, |(_, amount)| amount)
    }

    /// What a metric comes to: its inputs are found by their selections, all of them in one pass.
    ///
    /// Events that were [planned together](crate::schedule::EventSet::add_group) are, if the PMU can count so many at once.
    /// Where inputs are from different passes there is no figure; [`Metric::find_in_any_pass`], told the
    /// [pairs](Self::pairs), mixes them.
    pub fn metric<T: Metric<Selection = S>>(&self, metric: &T) -> Value {
        metric.find(self.pairs())
    }

    /// What was counted in each pass to see whether they are alike, if anything was.
    #[must_use]
    pub const fn reference(&self) -> Option<S> {
        self.reference
    }

    /// How much of the reference there was in each pass. Nothing comes if there was no reference.
    pub fn reference_amounts(&self) -> impl Iterator<Item = Amount> + '_ {
        let number = if self.reference.is_some() { self.number } else { 0 };
        self.reference_amounts.iter().copied().take(number)
    }

    /// How far the reference event differs from pass to pass: compare it with what you tolerate.
    /// [`Spread::ZERO`] if there was one pass.
    ///
    /// Passes with the same number of cycles can still differ in other events.
    ///
    /// # Errors
    ///
    /// If there was more than one pass and the spread is unknown.
    pub fn spread(&self) -> Result<Spread, SpreadError> {
        if self.number < 2 {
            return Ok(Spread::ZERO);
        }
        if self.reference.is_none() {
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
        let all = self.entries.iter().zip(self.amounts);
        all.filter_map(|(entry, amount)| entry.map(|of| (of.group, of.selection, amount)))
    }
}

impl<S: Copy + PartialEq, const N: usize> EventSet<S, N> {
    /// Counts everything, with one run of `work` for each pass that is needed.
    ///
    /// The first run may be unlike the others because it loads the caches; who wants to leave that out
    /// does the work once before.
    ///
    /// # Errors
    ///
    /// As [`schedule`](Self::schedule); then the work was not done.
    pub fn run<M: Monitor<Selection = S>>(
        &self,
        pmu: &mut M,
        work: impl FnMut(),
    ) -> Result<Passes<S, N>, EventSetError> {
        self.schedule(pmu)?.run(pmu, work).map_err(EventSetError::Assign)
    }
}

impl<S: Copy + PartialEq, const N: usize> Schedule<S, N> {
    /// Counts everything, with one run of `work` for each pass.
    ///
    /// # Errors
    ///
    /// If the bus failed, or the PMU is not the one that this was made for; the passes after that were
    /// not run.
    pub fn run<M: Monitor<Selection = S>>(
        &self,
        pmu: &mut M,
        mut work: impl FnMut(),
    ) -> Result<Passes<S, N>, AssignError> {
        let mut passes = Passes::new(self.entries, self.reference, self.passes);
        for pass in 0..self.passes {
            self.assign(pmu, pass)?;
            pmu.run(&mut work);
            self.take(&TimeSlice::of(pass), pmu, &mut passes);
        }
        Ok(passes)
    }

    /// As [`run`](Self::run), for work that takes so long that counters wrap: it is given a function to
    /// call [often enough](crate::measure::Totals), and the amounts have 64 bits.
    ///
    /// Should the work panic, the PMU counts on.
    ///
    /// # Errors
    ///
    /// As `run`. The driver comes back in any case.
    pub fn run_long<M: StartStop<Selection = S>>(
        &self,
        mut pmu: M,
        mut work: impl FnMut(&mut dyn FnMut()),
    ) -> (M, Result<Passes<S, N>, AssignError>) {
        let mut passes = Passes::new(self.entries, self.reference, self.passes);
        for pass in 0..self.passes {
            if let Err(error) = self.assign(&mut pmu, pass) {
                return (pmu, Err(error));
            }
            let mut slice = TimeSlice::of(pass);
            let mut running = pmu.start();
            work(&mut || slice.update(self, &mut running));
            slice.end(self, &mut running);
            pmu = M::stop(running);
            self.take(&slice, &mut pmu, &mut passes);
        }
        (pmu, Ok(passes))
    }

    fn take<M: Monitor<Selection = S>>(
        &self,
        slice: &TimeSlice<N>,
        pmu: &mut M,
        passes: &mut Passes<S, N>,
    ) {
        let reference = self.reference.map(|_| slice.reference(pmu));
        passes.add(slice.pass(), reference, slice.amounts(self, pmu));
    }
}

/// A line for each amount with its pass, then the reference event in each pass, and by how much the passes
/// differ. With one pass, the amounts alone. No line end after the last line.
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
        // 13 is the width of the widest count of 32 bits, ">= 4294967296".
        if self.number < 2 {
            for (nth, (selection, amount)) in self.pairs().enumerate() {
                let end = if nth == 0 { "" } else { "\n" };
                write!(f, "{end}{amount:13}  {selection}")?;
            }
            return Ok(());
        }
        for (selection, amount) in self.pairs() {
            writeln!(f, "{amount:13}  pass {}  {selection}", amount.pass())?;
        }
        if let Some(reference) = self.reference {
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

/// The least and the most of several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spread {
    /// The least of them.
    pub least: u64,
    /// The most of them.
    pub most: u64,
}

impl Spread {
    /// No difference.
    pub const ZERO: Self = Self { least: 0, most: 0 };

    /// By how many thousandths of the most the least is less, rounded up.
    #[must_use]
    pub const fn per_mille(self) -> u32 {
        if self.most <= self.least {
            return 0;
        }
        let less = (self.most - self.least) as u128;
        (less * 1_000).div_ceil(self.most as u128) as u32
    }
}

/// Prints as a percentage: `0.4 %`.
impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_mille = self.per_mille();
        write!(f, "{}.{} %", per_mille / 10, per_mille % 10)
    }
}

/// Why it is unknown how far [passes](Passes) differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum SpreadError {
    /// No reference event was counted.
    NoReference,
    /// The reference event has no number in one of the passes.
    Unknown(CountError),
}

impl fmt::Display for SpreadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoReference => f.write_str("no reference event was counted"),
            Self::Unknown(why) => write!(f, "the reference event has no number: {why}"),
        }
    }
}

impl core::error::Error for SpreadError {}

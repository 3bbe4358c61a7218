//! Counts of one PMU: for the whole system, or for the started program.

use arm_pmu::count::Amount;
use arm_pmu::measure::AssignError;
use arm_pmu::schedule::{EventSet, EventSetError, MultiplexedRun, Schedule};
use arm_pmu_linux::perf::{Error, Kind, Options, Pmu, Program};

use crate::linux::report::sample::Sample;

/// Maximum number of columns of one PMU.
pub const MOST: usize = 64;

impl Sample {
    pub fn of(amount: Amount) -> Self {
        let Ok(count) = amount.estimate() else { return Self::NOT_COUNTED };
        let scaling = amount.scaling();
        let share = if amount.exact().is_ok() {
            1.0
        } else {
            scaling.time_running as f64 / scaling.time_enabled as f64
        };
        Self { count: Some(count), share }
    }

    /// Sum of two counts of the same period.
    fn plus(self, other: Self) -> Self {
        match (self.count, other.count) {
            (Some(one), Some(another)) => Self {
                count: Some(one.saturating_add(another)),
                share: self.share.min(other.share),
            },
            _ => Self::NOT_COUNTED,
        }
    }
}

/// A PMU that counts columns. The caller chooses the clock; times are in nanoseconds.
pub trait Counting {
    /// Starts counting from zero. With a program, counting begins when this thread starts the program.
    fn start(&mut self, now: u64) -> Result<(), Error>;

    /// Switches to the next set of events, if there are more events than counters.
    fn rotate(&mut self, _now: u64) {}

    /// Returns the count of each column since the last call or the start. Counting continues.
    fn take(&mut self, now: u64) -> Vec<Sample>;

    /// Returns the count of each column since the last call of `take` or the start, and stops counting.
    fn stop(&mut self, now: u64) -> Vec<Sample>;

    /// Number of event sets that share the counters.
    fn turns(&self) -> usize {
        1
    }

    /// Reason for a missing count.
    fn error(&self) -> Option<&Error> {
        None
    }
}

/// Counts for the whole system, or for one processor.
pub struct System<S: Kind> {
    schedule: Schedule<S::Selection, MOST>,
    selections: Vec<S::Selection>,
    /// The PMU while it does not count.
    stopped: Option<Pmu<S>>,
    running: Option<MultiplexedRun<Pmu<S>, MOST>>,
    /// Counts at the last call. They are used only if all events fit on the counters.
    before: Vec<u64>,
    error: Option<Error>,
}

impl<S: Kind> System<S> {
    pub fn open(
        options: Options,
        selections: &[S::Selection],
        groups: &[Vec<usize>],
    ) -> Result<Self, Error> {
        let mut pmu = Pmu::<S>::with(options)?;
        let mut set = EventSet::<S::Selection, MOST>::new();
        set.without_reference();
        let mut placed = vec![false; selections.len()];
        // The events of a metric must count at the same time, so the groups of metrics are added first.
        let (single, several): (Vec<_>, Vec<_>) = groups.iter().partition(|group| group.len() == 1);
        for group in several.into_iter().chain(single) {
            let new = group.iter().filter(|nth| !placed[**nth]);
            let new: Vec<_> = new.map(|nth| selections[*nth]).collect();
            group.iter().for_each(|nth| placed[*nth] = true);
            if !new.is_empty() && set.add_group(&new).is_err() {
                return Err(Error::DoNotFit { asked: selections.len(), accepted: MOST });
            }
        }
        let schedule = set.schedule(&mut pmu).map_err(|error| refused(&pmu, &error))?;
        Ok(Self {
            schedule,
            selections: selections.to_vec(),
            stopped: Some(pmu),
            running: None,
            before: Vec::new(),
            error: None,
        })
    }

    fn nothing(&self) -> Vec<Sample> {
        vec![Sample::NOT_COUNTED; self.selections.len()]
    }

    /// Counts since the last call, computed from the counts since the start.
    fn since(&mut self, amounts: &[(S::Selection, Amount)]) -> Vec<Sample> {
        let mut samples = Vec::new();
        for (selection, before) in self.selections.iter().zip(&mut self.before) {
            let found = amounts.iter().find(|(of, _)| of == selection);
            samples.push(match found.map(|(_, amount)| amount.exact()) {
                Some(Ok(now)) => {
                    let count = Some(now.wrapping_sub(*before));
                    *before = now;
                    Sample { count, share: 1.0 }
                }
                _ => Sample::NOT_COUNTED,
            });
        }
        samples
    }
}

fn refused<S: Kind>(pmu: &Pmu<S>, error: &EventSetError) -> Error {
    match (pmu.error(), error) {
        (Some(error), _) => error.clone(),
        (None, EventSetError::Assign(AssignError::TooMany { asked, counters })) => {
            Error::DoNotFit { asked: *asked, accepted: *counters }
        }
        (None, _) => Error::CountersTaken { device: pmu.device().name().to_owned() },
    }
}

impl<S: Kind> Counting for System<S> {
    fn start(&mut self, now: u64) -> Result<(), Error> {
        self.before = vec![0; self.selections.len()];
        if let Some(pmu) = self.stopped.take() {
            self.running = Some(self.schedule.clone().rotate(pmu, now));
        }
        Ok(())
    }

    fn rotate(&mut self, now: u64) {
        self.running.iter_mut().for_each(|run| run.rotate(now));
    }

    fn take(&mut self, now: u64) -> Vec<Sample> {
        if self.turns() > 1 {
            let samples = self.stop(now);
            let _always_ok = self.start(now);
            return samples;
        }
        let running = self.running.as_ref().and_then(MultiplexedRun::running);
        match running.map(|running| running.amounts()) {
            Some(Ok(amounts)) => self.since(&amounts),
            Some(Err(error)) => {
                self.error = Some(error);
                self.nothing()
            }
            None => self.nothing(),
        }
    }

    fn stop(&mut self, now: u64) -> Vec<Sample> {
        let Some(run) = self.running.take() else { return self.nothing() };
        let (pmu, counts) = run.stop(now);
        let Some(pmu) = pmu else { return self.nothing() };
        self.error = pmu.error().cloned().or(self.error.take());
        let samples = if self.turns() > 1 {
            self.selections.iter().map(|one| Sample::of(counts.amount(*one))).collect()
        } else {
            // Counts in the order of assignment.
            let amounts = counts.pairs().enumerate().map(|(nth, (of, _))| (of, pmu.amount(nth)));
            let amounts: Vec<_> = amounts.collect();
            self.since(&amounts)
        };
        self.stopped = Some(pmu);
        samples
    }

    fn turns(&self) -> usize {
        self.schedule.passes()
    }

    fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }
}

/// A PMU of several processors. A count is the sum over all processors.
pub struct Processors(pub Vec<Box<dyn Counting>>);

impl Processors {
    fn sum(all: impl Iterator<Item = Vec<Sample>>) -> Vec<Sample> {
        let add = |one: Vec<Sample>, other: Vec<Sample>| {
            one.into_iter().zip(other).map(|(one, other)| one.plus(other)).collect()
        };
        all.reduce(add).unwrap_or_default()
    }
}

impl Counting for Processors {
    fn start(&mut self, now: u64) -> Result<(), Error> {
        self.0.iter_mut().try_for_each(|one| one.start(now))
    }

    fn rotate(&mut self, now: u64) {
        self.0.iter_mut().for_each(|one| one.rotate(now));
    }

    fn take(&mut self, now: u64) -> Vec<Sample> {
        Self::sum(self.0.iter_mut().map(|one| one.take(now)))
    }

    fn stop(&mut self, now: u64) -> Vec<Sample> {
        Self::sum(self.0.iter_mut().map(|one| one.stop(now)))
    }

    fn turns(&self) -> usize {
        self.0.iter().map(|one| one.turns()).max().unwrap_or(1)
    }

    fn error(&self) -> Option<&Error> {
        self.0.iter().find_map(|one| one.error())
    }
}

/// Opens a group of columns for the next program.
type OpenGroup = Box<dyn Fn(&[usize]) -> Result<Program, Error>>;

/// A core PMU that counts the started program. The kernel multiplexes the groups.
pub struct Started {
    open: OpenGroup,
    /// Columns of each group.
    groups: Vec<Vec<usize>>,
    running: Vec<Program>,
    before: Vec<u64>,
    error: Option<Error>,
}

impl Started {
    pub fn open<S: Kind>(
        options: Options,
        selections: Vec<S::Selection>,
        groups: &[Vec<usize>],
    ) -> Result<Self, Error> {
        let all: Vec<_> = (0..selections.len()).collect();
        let open = move |group: &[usize]| {
            let group: Vec<_> = group.iter().map(|nth| selections[*nth]).collect();
            Program::next::<S>(&options, &group)
        };
        let fits = |some: &[usize]| {
            let most = some.len().min(S::COUNTERS);
            match open(&some[..most]) {
                Ok(_) => Ok(most),
                Err(Error::DoNotFit { accepted, .. }) if accepted > 0 => Ok(accepted),
                Err(error) => Err(error),
            }
        };
        let groups = match fits(&all)? == all.len() {
            true => vec![all],
            false => packed(groups, fits)?,
        };
        let (open, before) = (Box::new(open), Vec::new());
        Ok(Self { open, groups, running: Vec::new(), before, error: None })
    }
}

/// Forms groups for the kernel: the events of a metric are in one group if the counters suffice. `fits` returns how
/// many events, from the first one on, fit the counters.
fn packed<E>(
    metrics: &[Vec<usize>],
    fits: impl Fn(&[usize]) -> Result<usize, E>,
) -> Result<Vec<Vec<usize>>, E> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for metric in metrics {
        let is_new = |nth: &&usize| !groups.iter().flatten().any(|placed| placed == *nth);
        let mut rest: Vec<_> = metric.iter().filter(is_new).copied().collect();
        // Groups that already contain events of the metric are tried first.
        let mut order: Vec<_> = (0..groups.len()).collect();
        let shared = |nth: &usize| groups[*nth].iter().filter(|one| metric.contains(one)).count();
        order.sort_by_key(|nth| std::cmp::Reverse(shared(nth)));
        for nth in order {
            let both = [&groups[nth][..], &rest].concat();
            if !rest.is_empty() && fits(&both)? == both.len() {
                groups[nth] = both;
                rest.clear();
            }
        }
        while !rest.is_empty() {
            let others = rest.split_off(fits(&rest)?);
            groups.push(std::mem::replace(&mut rest, others));
        }
    }
    Ok(groups)
}

impl Counting for Started {
    fn start(&mut self, _: u64) -> Result<(), Error> {
        self.before = vec![0; self.groups.iter().map(Vec::len).sum()];
        self.running.clear();
        let groups = self.groups.iter().map(|group| (self.open)(group));
        self.running = groups.collect::<Result<_, _>>()?;
        Ok(())
    }

    fn take(&mut self, _: u64) -> Vec<Sample> {
        let mut samples = vec![Sample::NOT_COUNTED; self.before.len()];
        for (program, group) in self.running.iter().zip(&self.groups) {
            match program.amounts() {
                Ok(amounts) => {
                    for (nth, amount) in group.iter().zip(amounts) {
                        samples[*nth] = Sample::of(amount);
                    }
                }
                Err(error) => self.error = Some(error),
            }
        }
        for (sample, before) in samples.iter_mut().zip(&mut self.before) {
            if let Some(count) = &mut sample.count {
                // An estimate can be lower than an earlier estimate.
                (*before, *count) = (*count, count.saturating_sub(*before));
            }
        }
        samples
    }

    fn stop(&mut self, now: u64) -> Vec<Sample> {
        let samples = self.take(now);
        self.running.clear();
        samples
    }

    fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use arm_pmu::count::{CountError, Scaling};

    use super::*;

    #[test]
    fn estimates_keep_their_share() {
        let quarter = Amount::scaled(5, Scaling { time_running: 1, time_enabled: 4 });
        assert_eq!(Sample::of(quarter), Sample { count: Some(20), share: 0.25 });
        assert_eq!(Sample::of(Amount::new(7)), Sample { count: Some(7), share: 1.0 });
        let lost = Amount::invalid(7, CountError::Disturbed);
        assert_eq!(Sample::of(lost), Sample::NOT_COUNTED);
    }

    #[test]
    fn events_of_a_metric_stay_together() {
        let six = |some: &[usize]| Ok::<_, ()>(some.len().min(6));
        // The first four metrics belong to two caches, with two metrics each. For each cache, one
        // of the two metrics needs event 2, the instructions.
        let metrics = [vec![0, 1], vec![1, 2], vec![3, 4], vec![4, 2], vec![5], vec![6, 7, 8]];
        assert_eq!(packed(&metrics, six), Ok(vec![vec![0, 1, 2, 3, 4, 5], vec![6, 7, 8]]));
        let large = [vec![0], (1..8).collect()];
        assert_eq!(packed(&large, six), Ok(vec![vec![0], vec![1, 2, 3, 4, 5, 6], vec![7]]));
    }

    #[test]
    fn a_sum_has_the_lower_share() {
        let exact = Sample { count: Some(7), share: 1.0 };
        let half = Sample { count: Some(10), share: 0.5 };
        assert_eq!(exact.plus(half), Sample { count: Some(17), share: 0.5 });
        assert_eq!(exact.plus(Sample::NOT_COUNTED), Sample::NOT_COUNTED);
        assert_eq!(Processors::sum([vec![exact], vec![exact]].into_iter())[0].count, Some(14));
    }
}

//! Measures one run, from the first start to the last stop.

use std::time::{Duration, Instant};

use super::counting::Counting;
use super::program::{Waiter, Woken};
use super::wanted::Wanted;
use crate::base::failure::Failure;
use crate::linux::report::record::Run;
use crate::linux::report::sample::Sample;

/// Time slice of each event set, if there are several.
const SLICE: Duration = Duration::from_millis(50);

/// A PMU with its columns.
pub struct Source {
    /// One element for each filter of the PMU.
    pub wanted: Vec<Wanted>,
    pub counting: Box<dyn Counting>,
}

/// Sum of the counts of one column over all intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    count: u64,
    /// Total seconds of the intervals in which the column has a count.
    counted: f64,
    /// Seconds on a counter.
    running: f64,
}

impl Sum {
    pub fn add(&mut self, sample: Sample, seconds: f64) {
        if let Some(count) = sample.count {
            self.count = self.count.saturating_add(count);
            self.counted += seconds;
            self.running += seconds * sample.share;
        }
    }

    /// Count for the whole time; scaled to an estimate if the column was counted for only a part of the time.
    pub fn sample(self, seconds: f64) -> Sample {
        if self.counted <= 0.0 {
            return Sample::NOT_COUNTED;
        }
        // The order of additions changes the last bits of a sum.
        let is_whole = |part: f64| part >= seconds * (1.0 - 1e-9);
        let count = match is_whole(self.counted) {
            true => self.count,
            false => (self.count as f64 * seconds / self.counted).round() as u64,
        };
        let share = if is_whole(self.running) { 1.0 } else { self.running / seconds };
        Sample { count: Some(count), share }
    }
}

/// Counts during one run of the program or, without a program, until a signal or the time limit. At the end of each
/// interval, calls `each` with the time in nanoseconds, the length in seconds, and the counts. The caller numbers the
/// run.
pub fn run(
    sources: &mut [Source],
    waiter: &mut Waiter,
    program: &[String],
    interval: Option<Duration>,
    limit: Option<Duration>,
    mut each: impl FnMut(u64, f64, &[Sample]),
) -> Result<Run, Failure> {
    let own = |error: arm_pmu_linux::perf::Error| Failure::wrong_use(error.to_string());
    let begin = Instant::now();
    let now = || u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
    // Core PMUs are last, because they count the next program that starts.
    for source in sources.iter_mut() {
        source.counting.start(now()).map_err(own)?;
    }
    if let Err((status, text)) = waiter.start(program) {
        sources.iter_mut().for_each(|source| drop(source.counting.stop(now())));
        return Err(Failure { status, text });
    }
    let columns = sources.iter().flat_map(|source| &source.wanted);
    let columns = columns.map(|wanted| wanted.columns.len()).sum();
    let mut sums = vec![Sum::default(); columns];
    let turns = sources.iter().map(|source| source.counting.turns()).max().unwrap_or(1);
    let slice = slice(interval, turns);
    let mut last = 0;
    let mut add = |until: u64, samples: Vec<Sample>| {
        let seconds = (until - last) as f64 / 1e9;
        if interval.is_some() {
            each(until, seconds, &samples);
        }
        sums.iter_mut().zip(samples).for_each(|(sum, sample)| sum.add(sample, seconds));
        last = until;
    };
    let mut next_slice = slice.map(|slice| begin + slice);
    let mut next_interval = interval.map(|interval| begin + interval);
    let end = limit.map(|limit| begin + limit);
    let (status, interrupted) = loop {
        let next = [next_slice, next_interval, end].into_iter().flatten().min();
        match waiter.wait_until(next) {
            Woken::Ended(status) => break (Some(status), false),
            Woken::Signal => break (None, true),
            Woken::Time => {}
        }
        let time = Instant::now();
        if end.is_some_and(|end| end <= time) {
            break (None, false);
        }
        if let (Some(at), Some(interval)) = (next_interval, interval) {
            if at <= time {
                let until = now();
                let samples = sources.iter_mut().flat_map(|source| source.counting.take(until));
                add(until, samples.collect());
                // After a late interval, the next one ends at its regular time.
                let late = time.duration_since(at).as_nanos() / interval.as_nanos().max(1);
                next_interval =
                    Some(at + interval * (u32::try_from(late).unwrap_or(u32::MAX - 1) + 1));
                next_slice = slice.map(|slice| time + slice);
                continue;
            }
        }
        if let (Some(at), Some(slice)) = (next_slice, slice) {
            if at <= time {
                let now = now();
                sources.iter_mut().for_each(|source| source.counting.rotate(now));
                next_slice = Some(time + slice);
            }
        }
    };
    let until = now();
    let samples = sources.iter_mut().flat_map(|source| source.counting.stop(until));
    add(until, samples.collect());
    let seconds = until as f64 / 1e9;
    let counts = sums.into_iter().map(|sum| sum.sample(seconds)).collect();
    let status = status.or_else(|| waiter.end());
    Ok(Run { run: 0, command: 0, seconds, status, interrupted, counts })
}

/// Time slice of an event set. Each set gets two slices per interval, if the interval is long enough.
fn slice(interval: Option<Duration>, turns: usize) -> Option<Duration> {
    if turns < 2 {
        return None;
    }
    let part = interval.map_or(SLICE, |interval| interval / (2 * turns as u32));
    Some(part.clamp(Duration::from_millis(2), SLICE))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: fn(u64) -> Sample = |count| Sample { count: Some(count), share: 1.0 };

    #[test]
    fn a_sum_of_exact_counts_is_exact() {
        let mut sum = Sum::default();
        for (count, seconds) in [(1, 0.1), (2, 0.2), (3, 0.7)] {
            sum.add(EXACT(count), seconds);
        }
        assert_eq!(sum.sample(1.0), EXACT(6));
        assert_eq!(Sum::default().sample(1.0), Sample::NOT_COUNTED);
    }

    #[test]
    fn an_interval_without_a_count_makes_an_estimate() {
        let mut sum = Sum::default();
        sum.add(EXACT(10), 1.0);
        sum.add(Sample::NOT_COUNTED, 1.0);
        assert_eq!(sum.sample(2.0), Sample { count: Some(20), share: 0.5 });
        let mut sum = Sum::default();
        sum.add(Sample { count: Some(8), share: 0.25 }, 4.0);
        assert_eq!(sum.sample(4.0), Sample { count: Some(8), share: 0.25 });
    }

    #[test]
    fn each_event_set_gets_two_turns() {
        assert_eq!(slice(None, 1), None);
        assert_eq!(slice(None, 2), Some(SLICE));
        assert_eq!(slice(Some(Duration::from_millis(60)), 3), Some(Duration::from_millis(10)));
        assert_eq!(slice(Some(Duration::from_millis(1)), 3), Some(Duration::from_millis(2)));
    }
}

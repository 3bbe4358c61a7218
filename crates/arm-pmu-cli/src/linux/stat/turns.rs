//! Counts with several filters on one PMU. All counters share one filter, so filters take turns.

use arm_pmu_linux::perf::Error;

use super::counting::Counting;
use super::run::Sum;
use crate::linux::report::sample::Sample;

/// A PMU with several filters; one filter counts at a time.
pub struct Turns {
    all: Vec<Turn>,
    /// Index of the filter that counts.
    current: usize,
    /// Number of changes of the event set in this turn.
    rotations: usize,
    /// Start of this turn.
    since: u64,
    /// Start of the first turn after the last [`Counting::take`].
    begin: u64,
}

struct Turn {
    counting: Box<dyn Counting>,
    /// Count of each column since the last [`Counting::take`].
    sums: Vec<Sum>,
}

impl Turns {
    /// Creates one turn for each handle. Each handle counts on one PMU, and comes with its number
    /// of columns.
    pub fn new(all: Vec<(Box<dyn Counting>, usize)>) -> Self {
        let turn = |(counting, columns)| Turn { counting, sums: vec![Sum::default(); columns] };
        let all = all.into_iter().map(turn).collect();
        Self { all, current: 0, rotations: 0, since: 0, begin: 0 }
    }

    /// Ends the current turn and adds its counts.
    fn end(&mut self, now: u64) {
        let seconds = now.saturating_sub(self.since) as f64 / 1e9;
        let turn = &mut self.all[self.current];
        let samples = turn.counting.stop(now);
        turn.sums.iter_mut().zip(samples).for_each(|(sum, sample)| sum.add(sample, seconds));
    }

    /// Starts counting with this filter at the beginning of its turn. A number past the last filter
    /// wraps around to the first filter.
    fn begin(&mut self, filter: usize, now: u64) -> Result<(), Error> {
        (self.current, self.since, self.rotations) = (filter % self.all.len(), now, 0);
        self.all[self.current].counting.start(now)
    }

    /// Returns the count of each column, scaled to the whole time.
    fn samples(&mut self, now: u64) -> Vec<Sample> {
        let seconds = now.saturating_sub(self.begin) as f64 / 1e9;
        let sums = self.all.iter_mut().flat_map(|turn| &mut turn.sums);
        sums.map(|sum| std::mem::take(sum).sample(seconds)).collect()
    }
}

impl Counting for Turns {
    fn start(&mut self, now: u64) -> Result<(), Error> {
        self.all.iter_mut().flat_map(|turn| &mut turn.sums).for_each(|sum| *sum = Sum::default());
        self.begin = now;
        self.begin(0, now)
    }

    fn rotate(&mut self, now: u64) {
        self.rotations += 1;
        let turn = &mut self.all[self.current].counting;
        if self.rotations < turn.turns() {
            turn.rotate(now);
            return;
        }
        self.end(now);
        // A filter that fails to start counts nothing; `error` returns the reason.
        let _has_an_error = self.begin(self.current + 1, now);
    }

    fn take(&mut self, now: u64) -> Vec<Sample> {
        self.end(now);
        let samples = self.samples(now);
        self.begin = now;
        let _has_an_error = self.begin(self.current + 1, now);
        samples
    }

    fn stop(&mut self, now: u64) -> Vec<Sample> {
        self.end(now);
        self.samples(now)
    }

    fn turns(&self) -> usize {
        self.all.iter().map(|turn| turn.counting.turns()).sum()
    }

    fn error(&self) -> Option<&Error> {
        self.all.iter().find_map(|turn| turn.counting.error())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    /// Test PMU that has a fixed rate and number of event sets, and logs its starts and stops.
    struct Steady {
        rate: u64,
        turns: usize,
        name: char,
        started: Option<u64>,
        log: Rc<RefCell<String>>,
    }

    const SECOND: u64 = 1_000_000_000;

    impl Counting for Steady {
        fn start(&mut self, now: u64) -> Result<(), Error> {
            assert_eq!(self.started, None);
            self.started = Some(now);
            self.log.borrow_mut().push(self.name);
            Ok(())
        }

        fn rotate(&mut self, _: u64) {
            self.log.borrow_mut().push('r');
        }

        fn take(&mut self, _: u64) -> Vec<Sample> {
            panic!("still counts while another filter may be set");
        }

        fn stop(&mut self, now: u64) -> Vec<Sample> {
            let started = self.started.take().expect("it counts");
            self.log.borrow_mut().push('.');
            vec![Sample { count: Some(self.rate * (now - started) / SECOND), share: 1.0 }]
        }

        fn turns(&self) -> usize {
            self.turns
        }
    }

    fn turns(turns: &[usize]) -> (Turns, Rc<RefCell<String>>) {
        let log = Rc::new(RefCell::new(String::new()));
        let steady = |(turns, name, rate): (usize, char, u64)| -> (Box<dyn Counting>, usize) {
            (Box::new(Steady { rate, turns, name, started: None, log: Rc::clone(&log) }), 1)
        };
        let all = turns.iter().zip("ab".chars()).zip([100, 7]);
        (Turns::new(all.map(|((turns, name), rate)| steady((*turns, name, rate))).collect()), log)
    }

    fn estimate(count: u64, share: f64) -> Sample {
        Sample { count: Some(count), share }
    }

    #[test]
    fn filters_take_turns_and_give_estimates() {
        let (mut both, log) = turns(&[1, 1]);
        assert_eq!(both.turns(), 2);
        both.start(0).expect("a start");
        both.rotate(3 * SECOND);
        assert_eq!(both.stop(4 * SECOND), [estimate(400, 0.75), estimate(28, 0.25)]);
        assert_eq!(*log.borrow(), "a.b.");
        // A new run begins with the first filter.
        both.start(10 * SECOND).expect("a start");
        assert_eq!(both.stop(12 * SECOND), [estimate(200, 1.0), Sample::NOT_COUNTED]);
    }

    #[test]
    fn an_interval_has_its_own_counts() {
        let (mut both, log) = turns(&[1, 1]);
        both.start(0).expect("a start");
        both.rotate(SECOND);
        assert_eq!(both.take(2 * SECOND), [estimate(200, 0.5), estimate(14, 0.5)]);
        // After the second filter, it is the turn of the first filter again.
        both.rotate(3 * SECOND);
        assert_eq!(both.take(4 * SECOND), [estimate(200, 0.5), estimate(14, 0.5)]);
        assert_eq!(*log.borrow(), "a.b.a.b.a");
    }

    #[test]
    fn a_turn_includes_all_event_sets() {
        let (mut both, log) = turns(&[3, 1]);
        assert_eq!(both.turns(), 4);
        both.start(0).expect("a start");
        (1..=5).for_each(|second| both.rotate(second * SECOND));
        assert_eq!(*log.borrow(), "arr.b.ar");
    }
}

//! A mock PMU with event counters and an optional cycle counter for the selection 'c'.

use std::cell::Cell;
use std::rc::Rc;

use arm_pmu_core::bus::BusError;
use arm_pmu_core::count::{Count, CountError};
use arm_pmu_core::measure::{AssignError, Monitor, RunningMonitor, StartStop};
use arm_pmu_core::metric::{About, Inputs, Metric, MetricError, MetricUnit, Term};

/// Counts of the events that happen while the PMU runs. Each event is a letter.
#[derive(Clone)]
pub struct Work(Rc<Cell<[u64; 128]>>);

impl Work {
    /// Adds `times` events of the letter `what`.
    pub fn happens(&self, what: char, times: u64) {
        let mut all = self.0.get();
        all[what as usize] += times;
        self.0.set(all);
    }

    fn of(&self, what: char) -> u64 {
        self.0.get()[what as usize]
    }
}

/// A driver, stopped or running.
#[derive(Debug)]
pub struct Pmu<const EVENTS: usize, const CYCLES: bool> {
    pub work: Work,
    selected: Vec<char>,
    begin: [u64; 128],
    /// Number of wraps of each counter at the last read of its flag.
    wraps: Vec<u64>,
    counts: Vec<Count>,
    /// Selections in each run.
    pub runs: Vec<String>,
    /// Number of calls of `assign`.
    pub asked: usize,
    pub broken: Cell<bool>,
    /// Whether another party disturbs the next measurement.
    pub lost: Cell<bool>,
}

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Work")
    }
}

impl<const EVENTS: usize, const CYCLES: bool> Pmu<EVENTS, CYCLES> {
    pub fn new() -> Self {
        Self {
            work: Work(Rc::new(Cell::new([0; 128]))),
            selected: Vec::new(),
            begin: [0; 128],
            wraps: Vec::new(),
            counts: Vec::new(),
            runs: Vec::new(),
            asked: 0,
            broken: Cell::new(false),
            lost: Cell::new(false),
        }
    }

    fn begin(&mut self) {
        self.begin = self.work.0.get();
        self.wraps = vec![0; self.selected.len()];
        self.runs.push(self.selected.iter().collect());
    }

    fn end(&mut self) {
        let lost = self.lost.take();
        let count = |what| match lost {
            true => Count::invalid(self.counted(what) as u32, CountError::Disturbed),
            false => self.count_of(what),
        };
        self.counts = self.selected.iter().map(|what| count(*what)).collect();
    }

    fn counted(&self, what: char) -> u64 {
        self.work.of(what) - self.begin[what as usize]
    }

    fn count_of(&self, what: char) -> Count {
        let counted = self.counted(what);
        match u32::try_from(counted) {
            Ok(counted) => Count::new(counted),
            Err(_) => Count::invalid(counted as u32, CountError::Overflowed),
        }
    }
}

impl<const EVENTS: usize, const CYCLES: bool> Monitor for Pmu<EVENTS, CYCLES> {
    type Selection = char;
    const COUNTERS: usize = EVENTS + CYCLES as usize;
    const CLOCK: Option<char> = if CYCLES { Some('c') } else { None };

    fn assign(&mut self, what: &[char]) -> Result<(), AssignError> {
        self.asked += 1;
        if self.broken.get() {
            return Err(AssignError::BusError(BusError::new()));
        }
        let cycles = what.iter().filter(|what| CYCLES && **what == 'c').count();
        let asked = what.len() - cycles;
        if cycles > 1 {
            return Err(AssignError::CyclesTwice);
        }
        if asked > EVENTS {
            return Err(AssignError::TooMany { asked, counters: EVENTS });
        }
        self.selected = what.to_vec();
        Ok(())
    }

    fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        self.begin();
        let result = work();
        self.end();
        result
    }

    fn count(&mut self, nth: usize) -> Count {
        self.counts.get(nth).copied().unwrap_or(Count::NOT_COUNTED)
    }
}

impl<const EVENTS: usize, const CYCLES: bool> RunningMonitor for Pmu<EVENTS, CYCLES> {
    type Selection = char;
    const COUNTERS: usize = EVENTS + CYCLES as usize;

    fn take_overflows(&mut self) -> u32 {
        let mut flags = 0;
        for (number, what) in self.selected.iter().enumerate() {
            let wraps = self.counted(*what) >> 32;
            flags |= u32::from(wraps != self.wraps[number]) << number;
            self.wraps[number] = wraps;
        }
        flags
    }

    fn acknowledged(&self) -> u32 {
        let bits =
            self.wraps.iter().enumerate().map(|(number, wraps)| u32::from(*wraps > 0) << number);
        bits.sum()
    }

    fn selection(&self, counter: usize) -> Option<char> {
        self.selected.get(counter).copied()
    }

    fn read(&self, counts: &mut [Count]) {
        for (count, what) in counts.iter_mut().zip(&self.selected) {
            *count = self.count_of(*what);
        }
    }

    fn started_from(&self, _: usize) -> u32 {
        0
    }
}

impl<const EVENTS: usize, const CYCLES: bool> StartStop for Pmu<EVENTS, CYCLES> {
    type Running = Self;

    fn start(mut self) -> Self {
        self.begin();
        self
    }

    fn stop(mut running: Self) -> Self {
        running.end();
        running
    }
}

/// A running PMU with two counters, whose values a test sets. The second counter counts the first selection.
pub struct Running<S> {
    pub selections: [Option<S>; 2],
    pub counts: [Count; 2],
    /// Overflow flags that are set.
    pub flags: u32,
    /// Selection that counts every 64th cycle.
    pub by_64: Option<S>,
}

impl<S> Running<S> {
    pub fn of(selections: [S; 2], counts: [Count; 2]) -> Self {
        Self { selections: selections.map(Some), counts, flags: 0, by_64: None }
    }
}

impl<S: Copy + PartialEq> RunningMonitor for Running<S> {
    type Selection = S;
    const COUNTERS: usize = 2;

    fn take_overflows(&mut self) -> u32 {
        std::mem::take(&mut self.flags)
    }

    fn acknowledged(&self) -> u32 {
        0
    }

    fn selection(&self, counter: usize) -> Option<S> {
        *self.selections.get(self.counter_of(counter))?
    }

    fn read(&self, counts: &mut [Count]) {
        counts.copy_from_slice(&[self.counts[1], self.counts[0]]);
    }

    fn counter_of(&self, nth: usize) -> usize {
        if nth < 2 { 1 - nth } else { nth }
    }

    fn started_from(&self, _: usize) -> u32 {
        0
    }

    fn divider(&self, counter: usize) -> u32 {
        if self.by_64.is_some() && self.selection(counter) == self.by_64 { 64 } else { 1 }
    }
}

/// Metrics with different units. The last metric is never computable.
pub struct Of<const UNIT: usize>;

const UNITS: [MetricUnit; 5] = [
    MetricUnit::Percent,
    MetricUnit::Ratio,
    MetricUnit::Occurrences,
    MetricUnit::Bytes,
    MetricUnit::Percent,
];

impl<const UNIT: usize> Metric for Of<UNIT> {
    type Selection = char;
    type Events = [char; 3];
    const UNIT: MetricUnit = UNITS[UNIT];
    const ABOUT: About =
        About { name: "OF", unit: Self::UNIT, formula: "", doc: "", caveat: "", source: "" };
    fn events(&self) -> [char; 3] {
        ['p', 'w', 'l']
    }
    fn formula(&self, inputs: &Inputs) -> Term {
        if UNIT == 4 {
            return Term::none(MetricError::UnavailableMetric("No event counts the whole."));
        }
        (inputs.nth(0) - inputs.nth(2)) / inputs.nth(1)
    }
}

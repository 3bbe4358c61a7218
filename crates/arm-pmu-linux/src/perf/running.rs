//! The PMU while it counts.

use std::cell::RefCell;

use arm_pmu_core::count::{Amount, Count, CountError};
use arm_pmu_core::measure::{RunningMonitor, StartStop};

use super::error::Error;
use super::group::Reading;
use super::kind::Kind;
use super::pmu::Pmu;

/// The running PMU of one device.
///
/// For the traits of this family, this is a PMU with 32-bit counters; the overflow flags are derived from the
/// kernel's counts. If an event occurs 2^32 times or more between two readings, the count is the error
/// [`Disturbed`](arm_pmu_core::count::CountError::Disturbed). [`amounts`](Self::amounts) returns all 64 bits.
#[derive(Debug)]
pub struct Running<S: Kind> {
    pmu: Pmu<S>,
    seen: RefCell<Seen>,
}

/// State from earlier readings.
#[derive(Debug, Default)]
struct Seen {
    /// Last value of each counter; empty before the first reading.
    last: Vec<u64>,
    /// Overflow flags that were not yet returned.
    flags: u32,
    acknowledged: u32,
    error: Option<Error>,
}

impl Seen {
    /// Records a reading. Returns the counters that counted 2^32 or more since the last reading.
    fn note(&mut self, reading: &Reading, counters: usize) -> u32 {
        let mut too_much = 0;
        let first = self.last.is_empty();
        self.last.resize(counters, 0);
        for (nth, last) in self.last.iter_mut().enumerate() {
            let now = reading.raw(nth);
            if now >> 32 != *last >> 32 {
                self.flags |= bit(nth);
            }
            // At the first reading, the overflow flag reports 2^32 or more events since the start.
            if !first && now.wrapping_sub(*last) >> 32 != 0 {
                too_much |= bit(nth);
            }
            *last = now;
        }
        too_much
    }
}

/// Overflow flag of a counter. The PMUs of this family have at most 32 counters.
const fn bit(nth: usize) -> u32 {
    if nth < u32::BITS as usize { 1 << nth } else { 0 }
}

impl<S: Kind> StartStop for Pmu<S> {
    type Running = Running<S>;

    fn start(self) -> Running<S> {
        self.start()
    }

    fn stop(running: Running<S>) -> Self {
        running.stop()
    }
}

impl<S: Kind> Pmu<S> {
    /// Starts counting the [assigned](arm_pmu_core::measure::Monitor::assign) selections from zero.
    #[must_use]
    pub fn start(mut self) -> Running<S> {
        self.begin();
        Running { pmu: self, seen: RefCell::default() }
    }
}

impl<S: Kind> Running<S> {
    /// Stops counting. [`Pmu::amount`] returns the amounts.
    #[must_use]
    pub fn stop(self) -> Pmu<S> {
        let Self { mut pmu, seen } = self;
        pmu.end();
        pmu.set_error(seen.into_inner().error);
        pmu
    }

    /// Returns each selection with its amount since the start, with one system call.
    ///
    /// # Errors
    ///
    /// Fails if the kernel does not return counts.
    pub fn amounts(&self) -> Result<Vec<(S::Selection, Amount)>, Error> {
        let Some(reading) = self.pmu.read()? else { return Ok(Vec::new()) };
        let selections = (0..).map_while(|nth| self.pmu.selection(nth));
        Ok(selections.enumerate().map(|(nth, one)| (one, reading.amount(nth))).collect())
    }

    /// Reads all counters with one system call.
    fn reading(&self) -> Option<(Reading, u32)> {
        let mut seen = self.seen.borrow_mut();
        match self.pmu.read() {
            Ok(Some(reading)) => {
                let too_much = seen.note(&reading, S::COUNTERS);
                Some((reading, too_much))
            }
            Ok(None) => None,
            Err(error) => {
                seen.error = Some(error);
                None
            }
        }
    }
}

impl<S: Kind> RunningMonitor for Running<S> {
    type Selection = S::Selection;

    const COUNTERS: usize = S::COUNTERS;

    /// Returns the flags from the last reading, so no second system call is needed.
    fn take_overflows(&mut self) -> u32 {
        if self.seen.borrow().last.is_empty() {
            self.reading();
        }
        let seen = self.seen.get_mut();
        let flags = std::mem::take(&mut seen.flags);
        seen.acknowledged |= flags;
        flags
    }

    fn acknowledged(&self) -> u32 {
        self.seen.borrow().acknowledged
    }

    fn read(&self, counts: &mut [Count]) {
        let reading = self.reading();
        for (nth, place) in counts.iter_mut().enumerate() {
            *place = match &reading {
                _ if self.pmu.selection(nth).is_none() => Count::NOT_COUNTED,
                None => Count::NOT_COUNTED,
                Some((reading, too_much)) if too_much & bit(nth) != 0 => {
                    Count::invalid(reading.raw(nth) as u32, CountError::Disturbed)
                }
                Some((reading, _)) => reading.count(nth),
            };
        }
    }

    fn selection(&self, counter: usize) -> Option<Self::Selection> {
        self.pmu.selection(counter)
    }

    fn started_from(&self, _: usize) -> u32 {
        0
    }
}

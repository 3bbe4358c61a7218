//! Groups of events that the kernel counts together.

use std::io::{self, ErrorKind};

use arm_pmu_core::count::{Amount, Count, CountError, Scaling};

use super::call::{Counter, Event, How, Whose, flag};
use super::page::Page;

/// An open group, initially disabled.
pub(crate) struct Group {
    /// Counters of the group; the first one is the leader.
    counters: Vec<Counter>,
    /// One page for each counter if the counters are read in user mode; otherwise empty.
    pages: Vec<Page>,
    /// Counts at the end of the last run. The kernel's counts continue from run to run.
    end: Reading,
}

/// Counts of a group at one instant, read with one system call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    counts: Vec<u64>,
    /// Nanoseconds for which the group was enabled.
    pub(crate) enabled: u64,
    /// Nanoseconds on the counters.
    pub(crate) running: u64,
}

impl Group {
    /// Opens all events. An error includes the index of the event that the kernel rejected.
    ///
    /// The group is pinned: the kernel keeps it on the counters all the time, or reports an error.
    pub(crate) fn open(
        events: &[Event],
        whose: Whose,
        user_only: bool,
    ) -> Result<Self, (usize, io::Error)> {
        let others = How { flags: flag::user_only(user_only), ..How::default() };
        let flags = others.flags | flag::DISABLED | flag::PINNED;
        let first = How { flags, with_group: true, ..others };
        let counters = Counter::open_all(events, whose, first, others)?;
        Ok(Self { counters, pages: Vec::new(), end: Reading::default() })
    }

    /// Switches to reads in user mode. Enables the group briefly for a test. Returns whether all counters can be read.
    pub(crate) fn read_in_user_mode(&mut self) -> io::Result<bool> {
        self.pages = self.counters.iter().map(Counter::page).collect::<io::Result<_>>()?;
        self.enable()?;
        let readable = self.in_user_mode().is_some();
        self.disable()?;
        Ok(readable)
    }

    pub(crate) fn enable(&self) -> io::Result<()> {
        self.leader()?.enable()
    }

    fn leader(&self) -> io::Result<&Counter> {
        self.counters.first().ok_or_else(|| ErrorKind::InvalidInput.into())
    }

    /// Stops the group, and returns the counts since the start.
    pub(crate) fn disable(&mut self) -> io::Result<Reading> {
        self.leader()?.disable()?;
        let now = self.raw()?;
        let counted = now.since(&self.end);
        self.end = now;
        Ok(counted)
    }

    /// Returns the counts since the start.
    pub(crate) fn read(&self) -> io::Result<Reading> {
        let now = self.in_user_mode().map_or_else(|| self.raw(), Ok)?;
        Ok(now.since(&self.end))
    }

    /// Reads without a system call, if user-mode reads are enabled and all events are on counters. This reading has
    /// no times, because each event has been on a counter for the whole time.
    fn in_user_mode(&self) -> Option<Reading> {
        let counts: Option<Vec<_>> = self.pages.iter().map(Page::read).collect();
        let counts = counts.filter(|counts| !counts.is_empty())?;
        Some(Reading { counts, ..Reading::default() })
    }

    /// Reads the kernel's counts. Returns [`ErrorKind::UnexpectedEof`] if the kernel could not place the group on the
    /// counters.
    fn raw(&self) -> io::Result<Reading> {
        // The kernel returns the number of counts, the two times, and then the counts.
        let words = self.leader()?.words(3 + self.counters.len())?;
        match words.as_slice() {
            [_, enabled, running, counts @ ..] => {
                Ok(Reading { counts: counts.to_vec(), enabled: *enabled, running: *running })
            }
            _ => Err(ErrorKind::InvalidData.into()),
        }
    }
}

impl Reading {
    fn since(&self, earlier: &Self) -> Self {
        let before = |nth: usize| earlier.counts.get(nth).copied().unwrap_or(0);
        let counts = self.counts.iter().enumerate();
        Self {
            counts: counts.map(|(nth, count)| count.wrapping_sub(before(nth))).collect(),
            enabled: self.enabled.saturating_sub(earlier.enabled),
            running: self.running.saturating_sub(earlier.running),
        }
    }

    /// Kernel's count of one event, valid or not.
    pub(crate) fn raw(&self, nth: usize) -> u64 {
        self.counts.get(nth).copied().unwrap_or(0)
    }

    /// Whether the group was enabled but never on the counters. Counts of such a group are meaningless.
    pub(crate) const fn never_ran(&self) -> bool {
        self.running == 0 && self.enabled > 0
    }

    /// Whether the group was on the counters for only a part of the time.
    pub(crate) const fn is_partial(&self) -> bool {
        self.running > 0 && self.running < self.enabled
    }

    /// Count of one event in 64 bits; an estimate if the event was on a counter for only a part of the time.
    pub(crate) fn amount(&self, nth: usize) -> Amount {
        match self.counts.get(nth) {
            Some(_) if self.never_ran() => Amount::NOT_COUNTED,
            Some(count) if self.is_partial() => {
                let (time_running, time_enabled) = (self.running, self.enabled);
                Amount::scaled(*count, Scaling { time_running, time_enabled })
            }
            Some(count) => Amount::new(*count),
            None => Amount::NOT_COUNTED,
        }
    }

    /// Count of one event, as on a 32-bit counter that wraps.
    pub(crate) fn count(&self, nth: usize) -> Count {
        let raw = self.raw(nth);
        match self.amount(nth) {
            Amount::NOT_COUNTED => Count::NOT_COUNTED,
            _ if self.is_partial() => Count::invalid(raw as u32, CountError::Disturbed),
            _ => match u32::try_from(raw) {
                Ok(count) => Count::new(count),
                Err(_) => Count::invalid(raw as u32, CountError::Overflowed),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(count: u64, running: u64, enabled: u64) -> Reading {
        Reading { counts: vec![count], enabled, running }
    }

    #[test]
    fn an_unscheduled_group_has_no_count() {
        // A CCI-400 with a group of five events returned these numbers.
        let garbage = reading(0x1_8000_0000, 0, 5_000_000);
        assert_eq!(garbage.count(0), Count::NOT_COUNTED);
        assert_eq!(garbage.amount(0), Amount::NOT_COUNTED);
    }

    #[test]
    fn a_part_of_the_time_gives_an_estimate() {
        let half = reading(50, 10, 20);
        assert_eq!(half.amount(0).to_string(), "~100");
        assert_eq!(half.amount(0).scaling().running_per_mille(), 500);
        assert_eq!(half.count(0).exact(), Err(CountError::Disturbed));
    }

    #[test]
    fn a_64_bit_count_is_an_amount() {
        let large = reading((1 << 32) + 7, 20, 20);
        assert_eq!(large.amount(0), Amount::new((1 << 32) + 7));
        assert_eq!(large.count(0).exact(), Err(CountError::Overflowed));
        assert_eq!(large.count(0).lower_bound(), (1 << 32) + 7);
        assert_eq!(reading(u32::MAX.into(), 1, 1).count(0), Count::new(u32::MAX));
        assert_eq!(large.count(1), Count::NOT_COUNTED);
    }

    #[test]
    fn runs_count_from_the_previous_end() {
        let run = reading(90, 30, 30).since(&reading(50, 10, 10));
        assert_eq!((run.amount(0), run.enabled, run.running), (Amount::new(40), 20, 20));
        // The process never ran in this time.
        assert_eq!(reading(50, 10, 10).since(&reading(50, 10, 10)).amount(0), Amount::new(0));
    }
}

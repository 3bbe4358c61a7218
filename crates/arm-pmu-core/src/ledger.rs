//! The bookkeeping of a driver, without a device.

use core::num::NonZeroU32;

use crate::{AssignError, Count, Inexact, Lost};

/// What a driver knows of its counters: what each is to count, what the device was told, what was
/// counted, and what speaks against it.
///
/// For drivers. The procedures of an IP, what is written and read and in which order, are its own;
/// this is what they have in common.
#[derive(Clone, Debug)]
pub struct Ledger<S, const COUNTERS: usize> {
    /// What is to be counted from the next start on.
    wanted: [Slot<S>; COUNTERS],
    /// What the device was told. All off before the first start.
    programmed: [Slot<S>; COUNTERS],
    started: bool,
    /// The counters that the device was told to use, one bit each.
    in_use: u32,
    /// What was counted at the last stop.
    counts: [Count; COUNTERS],
    /// Counters of which the flag came up since the start; it may have been cleared since then.
    overflowed: u32,
    /// What somebody else changed, if anything.
    lost: Lost,
}

/// What one counter is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<S> {
    /// What it counts, if anything.
    pub selection: Option<S>,
    /// The value that it starts from.
    pub from: u32,
}

impl<S> Slot<S> {
    /// Counts nothing.
    pub const OFF: Self = Self { selection: None, from: 0 };
}

impl<S: Copy, const COUNTERS: usize> Ledger<S, COUNTERS> {
    /// Nothing was counted yet, and nothing is to be.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(COUNTERS <= 32, "flags are bits of a word") }
        Self {
            wanted: [Slot::OFF; COUNTERS],
            programmed: [Slot::OFF; COUNTERS],
            started: false,
            in_use: 0,
            counts: [Count::NOTHING; COUNTERS],
            overflowed: 0,
            lost: Lost { counters: 0, disabled: false },
        }
    }

    /// The counters, to say what each counts.
    pub fn counters(&mut self) -> [Counter<'_, S>; COUNTERS] {
        self.wanted.each_mut().map(|slot| Counter { slot })
    }

    /// One counter for each of `what`, the others off.
    ///
    /// # Errors
    ///
    /// If there are too few counters. Nothing has changed then.
    pub fn assign(&mut self, what: &[S]) -> Result<(), AssignError> {
        if what.len() > COUNTERS {
            return Err(AssignError::TooMany { asked: what.len(), counters: COUNTERS });
        }
        self.wanted =
            core::array::from_fn(|number| Slot { selection: what.get(number).copied(), from: 0 });
        Ok(())
    }

    /// What is to be counted from the next start on.
    #[must_use]
    pub const fn wanted(&self) -> &[Slot<S>; COUNTERS] {
        &self.wanted
    }

    /// The device is about to be told: forgets the last measurement.
    pub fn begin(&mut self) {
        self.started = true;
        self.in_use = 0;
        for (number, slot) in self.wanted.iter().enumerate() {
            self.in_use |= u32::from(slot.selection.is_some()) << number;
        }
        self.programmed = self.wanted;
        self.counts = [Count::NOTHING; COUNTERS];
        self.overflowed = 0;
        self.lost = Lost { counters: 0, disabled: false };
    }

    /// Whether there was a start.
    #[must_use]
    pub const fn started(&self) -> bool {
        self.started
    }

    /// What the device was told to count, counter by counter.
    #[must_use]
    pub fn programmed(&self) -> [Option<S>; COUNTERS] {
        self.programmed.map(|slot| slot.selection)
    }

    /// The counters that the device was told to use, one bit each.
    #[must_use]
    pub const fn in_use(&self) -> u32 {
        self.in_use
    }

    /// Does something with each counter that the device was told to use: number and selection.
    #[inline(always)]
    pub fn each_in_use<R>(&self, mut work: impl FnMut(usize, S) -> R) -> [Option<R>; COUNTERS] {
        let mut results = [const { None }; COUNTERS];
        let slots = self.programmed.iter().zip(&mut results).enumerate();
        for (number, (slot, result)) in slots {
            if let Some(selection) = slot.selection {
                *result = Some(work(number, selection));
            }
        }
        results
    }

    /// The value that a counter was started from.
    #[must_use]
    pub fn started_from(&self, number: usize) -> u32 {
        self.programmed.get(number).map_or(0, |slot| slot.from)
    }

    /// The device was told to count from another value on, while it counts: forgets what the counter
    /// counted, and that it overflowed. Gives whether the counter is in use, that is, whether this holds.
    pub fn restart(&mut self, number: usize, from: u32) -> bool {
        match self.programmed.get_mut(number) {
            Some(slot) if slot.selection.is_some() => {
                slot.from = from;
                self.overflowed &= !(1 << number);
                true
            }
            _ => false,
        }
    }

    /// Somebody interfered with these counters, or with the PMU as a whole. A measurement is as good
    /// as its worst part, so what was lost before stays lost.
    pub const fn add_loss(&mut self, counters: u32, disabled: bool) {
        self.lost.counters |= counters;
        self.lost.disabled |= disabled;
    }

    /// The flags of these counters came up.
    pub const fn add_overflows(&mut self, counters: u32) {
        self.overflowed |= counters;
    }

    /// What a counter counted that holds `value` now, with what is known against it.
    fn judge(&self, number: usize, value: u32, fault: bool) -> Count {
        self.judge_with(number, value, self.overflowed >> number & 1 == 1, fault)
    }

    fn judge_with(&self, number: usize, value: u32, overflowed: bool, fault: bool) -> Count {
        let from = self.started_from(number);
        let events = value.wrapping_sub(from);
        if fault {
            Count::doubtful(events, Inexact::Fault)
        } else if self.lost.counter(number as u32) {
            Count::doubtful(events, Inexact::Lost)
        } else if overflowed {
            Count::overflowed_from(from, value)
        } else if value < from {
            // Without a wrap a counter is not below where it started.
            Count::doubtful(events, Inexact::Lost)
        } else {
            Count::exactly(events)
        }
    }

    /// A value of a counter that counts on, read so that a wrap in the middle is seen.
    ///
    /// `flag` reads the overflow flag, `value` the counter; `enabled` tells whether the PMU as a whole
    /// still counts, `fault` whether an access failed.
    #[must_use]
    #[inline(always)]
    pub fn snapshot(
        &self,
        number: usize,
        enabled: bool,
        flag: impl Fn() -> bool,
        value: impl Fn() -> u32,
        fault: impl Fn() -> bool,
    ) -> Count {
        let before = flag();
        let first = value();
        let after = flag();
        // If it wrapped between the reads, the first value may be from before that.
        let value = if before == after { first } else { value() };
        let overflowed = before || after || self.overflowed >> number & 1 == 1;
        let count = self.judge_with(number, value, overflowed, fault());
        match count.exact() {
            Err(Inexact::Fault | Inexact::Lost) => count,
            _ if !enabled => Count::doubtful(count.wrapped(), Inexact::Lost),
            _ => count,
        }
    }

    /// Takes the values at the stop: `None` for a counter that did not count.
    pub fn settle(&mut self, values: [Option<u32>; COUNTERS], fault: bool) {
        for (number, value) in values.iter().enumerate() {
            self.counts[number] = match *value {
                Some(value) => self.judge(number, value, fault),
                None => Count::NOTHING,
            };
        }
    }

    /// What was counted at the last stop; [`Count::NOTHING`] for a counter that did not count.
    #[must_use]
    pub const fn counts(&self) -> [Count; COUNTERS] {
        self.counts
    }

    /// What somebody else changed since the last start.
    #[must_use]
    pub const fn lost(&self) -> Option<Lost> {
        Lost::new(self.lost.counters, self.lost.disabled)
    }
}

impl<S: Copy, const COUNTERS: usize> Default for Ledger<S, COUNTERS> {
    fn default() -> Self {
        Self::new()
    }
}

/// One counter, to say what it counts. The `counters` method of a stopped PMU gives them.
#[derive(Debug)]
#[must_use = "the counter is not set until one of its methods is called"]
pub struct Counter<'p, S> {
    slot: &'p mut Slot<S>,
}

impl<S: Copy> Counter<'_, S> {
    /// Counts this from the next start on.
    pub fn count(self, what: impl Into<S>) {
        self.count_from(what, 0);
    }

    /// Counts this from the next start on, and starts at `from` in place of 0.
    ///
    /// The overflow flag goes up at the event with the number 2^32 - `from`, and asserts the interrupt
    /// if the PMU and the SoC are set up for it. The [count](Count) is that of the events, as ever:
    /// `from` is not part of it. It is [overflowed](Count::overflowed) as soon as the flag came up.
    pub fn count_from(self, what: impl Into<S>, from: u32) {
        *self.slot = Slot { selection: Some(what.into()), from };
    }

    /// Counts this from the next start on, so that the counter overflows at the event with the
    /// number `events`: a budget. The same as [`count_from`](Self::count_from) 2^32 - `events`.
    pub fn overflow_after(self, what: impl Into<S>, events: NonZeroU32) {
        self.count_from(what, events.get().wrapping_neg());
    }

    /// Counts nothing from the next start on.
    pub fn off(self) {
        *self.slot = Slot::OFF;
    }

    /// What it will count from the next start on.
    #[must_use]
    pub fn selection(&self) -> Option<S> {
        self.slot.selection
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two counters: the first counts 'a', the second nothing.
    fn ledger() -> Ledger<char, 2> {
        let mut ledger = Ledger::new();
        let [first, _] = ledger.counters();
        first.count('a');
        ledger.begin();
        ledger
    }

    #[test]
    fn counts_are_those_of_counters_in_use() {
        let mut ledger = ledger();
        assert_eq!(ledger.programmed(), [Some('a'), None]);
        assert_eq!(ledger.counts(), [Count::NOTHING; 2]);
        ledger.settle([Some(5), None], false);
        assert_eq!(ledger.counts(), [Count::exactly(5), Count::NOTHING]);
        ledger.begin();
        assert_eq!(ledger.counts(), [Count::NOTHING; 2]);
    }

    #[test]
    fn doubts_are_ranked_and_kept_until_the_next_start() {
        let mut ledger = ledger();
        ledger.add_overflows(0b1);
        assert_eq!(ledger.judge(0, 5, false).exact(), Err(Inexact::Overflowed));
        assert_eq!(ledger.judge(1, 5, false).exact(), Ok(5));
        ledger.add_loss(0b1, false);
        ledger.add_loss(0b10, false);
        ledger.add_loss(0, false);
        assert_eq!(ledger.lost(), Lost::new(0b11, false));
        assert_eq!(ledger.judge(0, 5, false).exact(), Err(Inexact::Lost));
        ledger.add_loss(0, true);
        assert_eq!(ledger.lost(), Lost::new(0b11, true));
        assert_eq!(ledger.judge(0, 5, true).exact(), Err(Inexact::Fault));
        ledger.begin();
        assert_eq!((ledger.lost(), ledger.judge(0, 5, false).exact()), (None, Ok(5)));
    }

    #[test]
    fn a_counter_is_told_and_tells() {
        let mut ledger = Ledger::<char, 3>::new();
        let [a, b, c] = ledger.counters();
        a.count_from('a', 7);
        b.overflow_after('b', NonZeroU32::new(10).unwrap());
        c.count('c');
        let [a, _, c] = ledger.counters();
        assert_eq!(a.selection(), Some('a'));
        c.off();
        let slot = |selection, from| Slot { selection: Some(selection), from };
        assert_eq!(ledger.wanted(), &[slot('a', 7), slot('b', u32::MAX - 9), Slot::OFF]);
        assert!(!ledger.started());
        ledger.begin();
        assert!(ledger.started());
        ledger.assign(&['x', 'y', 'z']).unwrap();
        assert_eq!(ledger.programmed(), [Some('a'), Some('b'), None]);
        // 17 in a counter that started at 7, and 4 in one that started at 2^32 - 10.
        ledger.add_overflows(0b010);
        assert_eq!(ledger.judge(0, 17, false), Count::exactly(10));
        assert_eq!(ledger.judge(1, 4, false).at_least(), 14);
        assert_eq!(ledger.snapshot(1, true, || false, || 4, || false).at_least(), 14);
        assert_eq!(ledger.judge(0, 7, false), Count::exactly(0));
        assert_eq!(ledger.judge(0, 6, false).exact(), Err(Inexact::Lost), "below its start");
    }

    #[test]
    fn a_running_counter_is_read_around_a_wrap() {
        use core::cell::Cell;
        let ledger = ledger();
        // The counter wraps after so many reads of flag or value.
        for wraps_after in 0..5 {
            let reads = Cell::new(0);
            let wrapped = || {
                reads.set(reads.get() + 1);
                reads.get() > wraps_after
            };
            let value = || if wrapped() { 1 } else { u32::MAX };
            let count = ledger.snapshot(0, true, wrapped, value, || false);
            let possible = [u64::from(u32::MAX), (1 << 32) + 1];
            assert!(possible.contains(&count.at_least()), "{wraps_after}: {count}");
        }
        let snapshot = |enabled, flag, fault| ledger.snapshot(0, enabled, || flag, || 5, || fault);
        assert_eq!(snapshot(true, false, false), Count::exactly(5));
        assert_eq!(snapshot(true, true, false).exact(), Err(Inexact::Overflowed));
        assert_eq!(snapshot(false, true, false).exact(), Err(Inexact::Lost));
        assert_eq!(snapshot(false, false, true).exact(), Err(Inexact::Fault));
        // Somebody else cleared the flag between the two looks: it was up all the same.
        let looks = Cell::new(0);
        let up_at_first = || {
            looks.set(looks.get() + 1);
            looks.get() == 1
        };
        assert!(ledger.snapshot(0, true, up_at_first, || 5, || false).overflowed());
    }

    #[test]
    fn a_counter_begins_anew_by_itself() {
        let mut ledger = ledger();
        ledger.add_overflows(0b1);
        assert!(ledger.restart(0, u32::MAX));
        assert_eq!(
            (ledger.started_from(0), ledger.judge(0, u32::MAX, false)),
            (u32::MAX, Count::exactly(0))
        );
        assert!(!ledger.restart(1, 7) && !ledger.restart(9, 7), "not in use, not there");
        assert_eq!(ledger.started_from(1), 0);
    }

    #[test]
    fn too_many_selections_change_nothing() {
        let mut ledger = ledger();
        let refused = ledger.assign(&['x', 'y', 'z']);
        assert_eq!(refused, Err(AssignError::TooMany { asked: 3, counters: 2 }));
        assert_eq!(ledger.wanted()[0].selection, Some('a'));
        ledger.assign(&['x']).unwrap();
        assert_eq!(ledger.wanted(), &[Slot { selection: Some('x'), from: 0 }, Slot::OFF]);
        assert_eq!(ledger.programmed(), [Some('a'), None], "the device was told otherwise");
    }
}

//! The bookkeeping of a driver, without a device.

use core::num::NonZeroU32;

use crate::{AssignError, Count, Lost};

/// What a driver knows of its counters: what each is to count, what the device was told, what was
/// counted, and what speaks against it.
///
/// For drivers. The procedures of an IP, what is written and read and in which order, are its own;
/// this is what they have in common. Sets of counters are words, one bit for each counter.
///
/// A start is [`begin`](Self::begin), after which the [`slots`](Self::slots) are what the device has to
/// be told, and then [`told`](Self::told). A stop is [`hold`](Self::hold), what speaks against the counts, and
/// at last [`settle`](Self::settle). Nothing is judged before somebody asks for the counts; between the
/// start and the end of the stop nobody does.
// Of the orders that were tried, with this one the smallest programs are smallest (`cargo xtask size`): what is
// zero at first, and what is moved with the driver, is written by a few stores then, and no call.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Ledger<S, const COUNTERS: usize, C = ()> {
    /// What the device was told; as long as it was told to count nothing, what it is to be told.
    plan: Settings<S, COUNTERS, C>,
    /// The counters that the device was told to use. None before the first start.
    in_use: u32,
    /// Counters of which the flag came up since the start; it may have been cleared since then.
    overflowed: u32,
    /// Counters that somebody else changed.
    lost: u32,
    /// All counters if somebody else switched the PMU off, else none.
    off: u32,
    /// What the counters held at the last stop.
    values: [u32; COUNTERS],
    /// Counters of which nothing speaks against what they held at the last stop: most counts ask no more.
    sound: u32,
    /// Whether an access failed until the last stop.
    fault: bool,
    /// What it is to be told at the next start, if that is something else: made when it is asked for, so
    /// that a start need not copy what did not change.
    next: Option<Settings<S, COUNTERS, C>>,
}

/// What all counters are set to; `C` is for what is beside them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<S, const COUNTERS: usize, C> {
    pub(crate) slots: [Slot<S>; COUNTERS],
    pub(crate) clock: C,
}

/// What speaks against the values of counters that count: [`Ledger::doubts`] gives it, once for all
/// counters that are read.
#[derive(Clone, Copy, Debug)]
pub struct Doubts {
    lost: u32,
    overflowed: u32,
}

impl Doubts {
    /// A value of a counter that counts on and started at `from`, read so that a wrap in the middle is
    /// seen.
    ///
    /// `flags` reads the overflow flags, a set of counters of which only this one matters; `value` reads the
    /// counter; `fault` tells whether an access failed.
    #[must_use]
    #[inline(always)]
    pub fn read(
        self,
        number: usize,
        from: u32,
        flags: impl Fn() -> u32,
        value: impl Fn() -> u32,
        fault: impl Fn() -> bool,
    ) -> Count {
        let bit = 1 << number;
        let before = flags();
        let first = value();
        let after = flags();
        // If it wrapped between the reads, the first value may be from before that.
        let value = if (before ^ after) & bit == 0 { first } else { value() };
        let (up, fault) = (before | after, fault());
        if (up | (self.overflowed | self.lost)) & bit == 0 && !fault && value >= from {
            return Count::exactly(value - from);
        }
        doubt(bit, (from, value), up | self.overflowed, self.lost, fault)
    }
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

    /// Counts this, and starts from this value.
    #[must_use]
    #[inline(always)]
    pub const fn on(selection: S, from: u32) -> Self {
        Self { selection: Some(selection), from }
    }
}

impl<S: Copy, const COUNTERS: usize> Ledger<S, COUNTERS> {
    /// Nothing was counted yet, and nothing is to be.
    #[must_use]
    #[inline(always)]
    pub const fn new() -> Self {
        Self::with_clock(())
    }
}

impl<S: Copy, const COUNTERS: usize, C: Copy> Ledger<S, COUNTERS, C> {
    #[inline(always)]
    pub(crate) const fn with_clock(clock: C) -> Self {
        const { assert!(COUNTERS < 32, "flags are bits of a word, of which one is for a clock") }
        Self {
            plan: Settings { slots: [Slot::OFF; COUNTERS], clock },
            next: None,
            in_use: 0,
            overflowed: 0,
            lost: 0,
            off: 0,
            sound: 0,
            values: [0; COUNTERS],
            fault: false,
        }
    }

    /// What is to hold from the next start on, to be changed.
    pub(crate) fn plan(&mut self) -> &mut Settings<S, COUNTERS, C> {
        if self.started() { self.next.get_or_insert(self.plan) } else { &mut self.plan }
    }

    /// What is to be counted from the next start on, to be changed: each becomes a [`Counter`] by `into`.
    pub fn wanted_mut(&mut self) -> &mut [Slot<S>; COUNTERS] {
        &mut self.plan().slots
    }

    /// What is to be counted from the next start on.
    #[must_use]
    pub const fn wanted(&self) -> &[Slot<S>; COUNTERS] {
        match &self.next {
            Some(next) => &next.slots,
            None => &self.plan.slots,
        }
    }

    /// A start: the device is about to be told the [`slots`](Self::slots).
    #[inline(always)]
    pub fn begin(&mut self) {
        if let Some(next) = &self.next {
            self.plan = *next;
            self.next = None;
        }
    }

    /// What the device was told since the last [`begin`](Self::begin), or is being told.
    #[must_use]
    #[inline(always)]
    pub const fn slots(&self) -> &[Slot<S>; COUNTERS] {
        &self.plan.slots
    }

    #[inline(always)]
    pub(crate) const fn clock(&self) -> &C {
        &self.plan.clock
    }

    /// The device was told to use these counters, and those that are `wrong` among them did not take
    /// what they were told. Forgets what spoke against the last measurement.
    #[inline(always)]
    pub const fn told(&mut self, in_use: u32, wrong: u32) {
        self.in_use = in_use;
        self.overflowed = 0;
        self.lost = wrong;
        self.off = 0;
    }

    /// Whether there was a start, and at the last one something to count.
    #[must_use]
    pub const fn started(&self) -> bool {
        self.in_use != 0
    }

    /// The counters that the device was told to use.
    #[must_use]
    #[inline(always)]
    pub const fn in_use(&self) -> u32 {
        self.in_use
    }

    /// What a counter was last programmed to count; `None` if it is not in use, or not there.
    #[must_use]
    pub fn selection(&self, number: usize) -> Option<S> {
        let used = number < COUNTERS && self.in_use >> number & 1 == 1;
        self.plan.slots.get(number).filter(|_| used)?.selection
    }

    /// Counters that overflowed since the start, and whose flag the driver cleared: how often is not
    /// known.
    #[must_use]
    #[inline(always)]
    pub const fn acknowledged(&self) -> u32 {
        self.overflowed
    }

    /// The value that a counter was started from.
    #[must_use]
    pub fn started_from(&self, number: usize) -> u32 {
        self.plan.slots.get(number).map_or(0, |slot| slot.from)
    }

    /// The device was told to count from another value on, while it counts: forgets what the counter
    /// counted, and that it overflowed. The next start knows nothing of it. Gives whether the counter is in use,
    /// that is, whether this holds.
    pub fn restart(&mut self, number: usize, from: u32) -> bool {
        let holds = number < COUNTERS && self.forgets(1 << number);
        if holds {
            self.plan.slots[number].from = from;
        }
        holds
    }

    /// As [`restart`](Self::restart), of what is beside the counters and has this bit: gives it, if it is
    /// in use, to be changed.
    pub(crate) fn restart_clock(&mut self, bit: u32) -> Option<&mut C> {
        self.forgets(bit).then_some(&mut self.plan.clock)
    }

    /// Forgets that this overflowed, if it is in use. The next start is as the last one was meant to be,
    /// whatever is told to the device meanwhile.
    fn forgets(&mut self, bit: u32) -> bool {
        let in_use = self.in_use & bit != 0;
        if in_use {
            self.next.get_or_insert(self.plan);
            self.overflowed &= !bit;
        }
        in_use
    }

    /// Somebody interfered with these counters, or with the PMU as a whole. A measurement is as good
    /// as its worst part, so what was lost before stays lost.
    #[inline(always)]
    pub const fn add_loss(&mut self, counters: u32, disabled: bool) {
        self.lost |= counters;
        if disabled {
            self.off = u32::MAX;
        }
    }

    /// The flags of these counters came up.
    #[inline(always)]
    pub const fn add_overflows(&mut self, counters: u32) {
        self.overflowed |= counters;
    }

    /// What a counter counted that has this number in sets of counters, started at `from`, and held
    /// `value` when it was stopped. [`Count::NOTHING`] if it did not count.
    #[inline(always)]
    pub(crate) const fn judge(&self, number: u32, from: u32, value: u32) -> Count {
        if let Some(count) = self.exact(number, from, value) {
            return count;
        }
        if self.in_use >> number & 1 == 0 {
            return Count::NOTHING;
        }
        doubt(1 << number, (from, value), self.overflowed, self.lost | self.off, self.fault)
    }

    /// The same, if nothing speaks against it.
    #[inline(always)]
    pub(crate) const fn exact(&self, number: u32, from: u32, value: u32) -> Option<Count> {
        if self.sound >> number & 1 != 0 && value >= from {
            return Some(Count::exactly(value - from));
        }
        None
    }

    /// What a counter started from, and what it held when it was stopped.
    #[inline(always)]
    pub(crate) const fn held(&self, number: usize) -> (u32, u32) {
        (self.plan.slots[number].from, self.values[number])
    }

    /// What speaks against values that are read now; `enabled` tells whether the PMU as a whole still
    /// counts.
    #[must_use]
    #[inline(always)]
    pub const fn doubts(&self, enabled: bool) -> Doubts {
        // Words, so that loops over the counters need not be made twice.
        let lost = self.lost | self.off | if enabled { 0 } else { u32::MAX };
        Doubts { lost, overflowed: self.overflowed }
    }

    /// Asks for the value of each counter in use, by its number and what it counts: they were stopped.
    #[inline(always)]
    pub fn hold(&mut self, mut value: impl FnMut(usize, S) -> u32) {
        // Not zipped: where code is optimized for size, that would be a function and a copy of all this.
        for number in 0..COUNTERS {
            if let Some(selection) = self.plan.slots[number].selection {
                self.values[number] = value(number, selection);
            }
        }
    }

    /// All counters were stopped and [held](Self::hold), and what speaks against them was said; `fault` if an
    /// access failed. From now on there are counts.
    #[inline(always)]
    pub const fn settle(&mut self, fault: bool) {
        self.fault = fault;
        let doubted = self.overflowed | self.lost | self.off;
        self.sound = if fault { 0 } else { self.in_use & !doubted };
    }

    /// What a counter counted until the last stop; [`Count::NOTHING`] if it did not count, or is not there.
    #[must_use]
    pub const fn count(&self, number: usize) -> Count {
        if number >= COUNTERS {
            return Count::NOTHING;
        }
        let (from, value) = self.held(number);
        self.judge(number as u32, from, value)
    }

    /// What somebody else changed since the last start.
    #[must_use]
    pub const fn lost(&self) -> Option<Lost> {
        Lost::new(self.lost, self.off != 0)
    }
}

impl<S: Copy, const COUNTERS: usize> Ledger<S, COUNTERS> {
    /// One counter for each of `what`, the others off.
    ///
    /// # Errors
    ///
    /// If there are too few counters. Nothing has changed then.
    pub fn assign(&mut self, what: &[S]) -> Result<(), AssignError> {
        if what.len() > COUNTERS {
            return Err(AssignError::TooMany { asked: what.len(), counters: COUNTERS });
        }
        let mut selections = what.iter();
        for slot in &mut self.plan().slots {
            *slot = selections.next().map_or(Slot::OFF, |selection| Slot::on(*selection, 0));
        }
        Ok(())
    }
}

impl<S: Copy, const COUNTERS: usize> Default for Ledger<S, COUNTERS> {
    fn default() -> Self {
        Self::new()
    }
}

/// What a counter counted that something speaks against: not what is usual, so the code is kept out of the way.
/// Its words are not borrowed, as a driver that is borrowed would have to lie in memory.
#[cold]
const fn doubt(
    bit: u32,
    (from, value): (u32, u32),
    overflowed: u32,
    lost: u32,
    fault: bool,
) -> Count {
    Count::judged(from, value, overflowed & bit != 0, lost & bit != 0, fault)
}

/// One counter, to say what it counts. The `counters` method of a stopped PMU gives them.
#[derive(Debug)]
#[must_use = "the counter is not set until one of its methods is called"]
pub struct Counter<'p, S> {
    slot: &'p mut Slot<S>,
}

impl<'p, S> From<&'p mut Slot<S>> for Counter<'p, S> {
    #[inline(always)]
    fn from(slot: &'p mut Slot<S>) -> Self {
        Self { slot }
    }
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
        *self.slot = Slot::on(what.into(), from);
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
    use crate::Inexact;

    /// Two counters: the first counts 'a', the second nothing.
    fn ledger() -> Ledger<char, 2> {
        let mut ledger = Ledger::new();
        let [first, _] = counters(&mut ledger);
        first.count('a');
        start(&mut ledger);
        ledger
    }

    fn counters<const COUNTERS: usize>(
        ledger: &mut Ledger<char, COUNTERS>,
    ) -> [Counter<'_, char>; COUNTERS] {
        ledger.wanted_mut().each_mut().map(Counter::from)
    }

    fn counts<const COUNTERS: usize>(ledger: &Ledger<char, COUNTERS>) -> [Count; COUNTERS] {
        core::array::from_fn(|number| ledger.count(number))
    }

    /// A start, of which the device took everything.
    fn start<const COUNTERS: usize>(ledger: &mut Ledger<char, COUNTERS>) {
        ledger.begin();
        let used = ledger.slots().iter().enumerate().filter(|(_, slot)| slot.selection.is_some());
        let in_use = used.fold(0, |in_use, (number, _)| in_use | 1 << number);
        ledger.told(in_use, 0);
    }

    /// What the device was told to count.
    fn selections<const COUNTERS: usize>(
        ledger: &Ledger<char, COUNTERS>,
    ) -> [Option<char>; COUNTERS] {
        ledger.slots().map(|slot| slot.selection)
    }

    /// A stop that finds this value in a counter.
    fn stop<const COUNTERS: usize>(
        ledger: &mut Ledger<char, COUNTERS>,
        number: usize,
        value: u32,
    ) -> Count {
        let other = ledger.values;
        ledger.hold(|counter, _| if counter == number { value } else { other[counter] });
        ledger.settle(false);
        ledger.count(number)
    }

    #[test]
    fn counts_are_those_of_counters_in_use() {
        let mut ledger = Ledger::<char, 2>::new();
        assert_eq!((counts(&ledger), ledger.in_use()), ([Count::NOTHING; 2], 0));
        let [first, _] = counters(&mut ledger);
        first.count('a');
        assert_eq!(counts(&ledger), [Count::NOTHING; 2], "not started");
        start(&mut ledger);
        assert_eq!(selections(&ledger), [Some('a'), None]);
        assert_eq!(stop(&mut ledger, 0, 5), Count::exactly(5));
        assert_eq!(stop(&mut ledger, 1, 5), Count::NOTHING);
        assert_eq!(counts(&ledger), [Count::exactly(5), Count::NOTHING]);
        assert_eq!(ledger.count(2), Count::NOTHING, "there is no such counter");
    }

    #[test]
    fn doubts_are_ranked_and_kept_until_the_next_start() {
        let mut ledger = Ledger::<char, 2>::new();
        for counter in counters(&mut ledger) {
            counter.count('a');
        }
        start(&mut ledger);
        ledger.add_overflows(0b1);
        assert_eq!(stop(&mut ledger, 0, 5).exact(), Err(Inexact::Overflowed));
        assert_eq!(stop(&mut ledger, 1, 5).exact(), Ok(5));
        ledger.add_loss(0b1, false);
        assert_eq!(stop(&mut ledger, 1, 5).exact(), Ok(5));
        ledger.add_loss(0b10, false);
        ledger.add_loss(0, false);
        assert_eq!(ledger.lost(), Lost::new(0b11, false));
        assert_eq!(stop(&mut ledger, 0, 5).exact(), Err(Inexact::Lost));
        ledger.add_loss(0, true);
        assert_eq!(ledger.lost(), Lost::new(0b11, true));
        ledger.settle(true);
        assert_eq!(ledger.count(0).exact(), Err(Inexact::Fault));
        start(&mut ledger);
        assert_eq!((ledger.lost(), stop(&mut ledger, 0, 5).exact()), (None, Ok(5)));
        ledger.add_loss(0, true);
        assert_eq!(stop(&mut ledger, 1, 5).exact(), Err(Inexact::Lost), "the PMU was off");
        assert_eq!(ledger.count(0).exact(), Err(Inexact::Lost));
        ledger.told(0b11, 0b1);
        assert_eq!(ledger.lost(), Lost::new(0b1, false), "it did not take what it was told");
    }

    #[test]
    fn two_doubts_are_no_less_than_one() {
        let mut ledger = ledger();
        ledger.add_overflows(0b1);
        for flags in [0b0, 0b1] {
            let count = ledger.doubts(true).read(0, 0, || flags, || 5, || false);
            assert!(count.overflowed(), "it was up before");
        }
        ledger.add_loss(0b1, false);
        let read = |ledger: &Ledger<char, 2>, enabled| {
            ledger.doubts(enabled).read(0, 0, || 0, || 5, || false).exact()
        };
        assert_eq!(read(&ledger, true), Err(Inexact::Lost), "and overflowed");
        assert_eq!(read(&ledger, false), Err(Inexact::Lost), "and disabled");
        ledger.add_loss(0, true);
        assert_eq!(read(&ledger, true), Err(Inexact::Lost), "and was off");
        assert_eq!(read(&ledger, false), Err(Inexact::Lost), "and still is");
        assert_eq!(stop(&mut ledger, 0, 5).exact(), Err(Inexact::Lost));
        start(&mut ledger);
        ledger.add_loss(0, true);
        assert_eq!(read(&ledger, false), Err(Inexact::Lost), "was off, and still is");
        ledger.add_loss(0b1, false);
        assert_eq!(stop(&mut ledger, 0, 5).exact(), Err(Inexact::Lost), "was off, and changed");
    }

    #[test]
    fn a_counter_is_told_and_tells() {
        let mut ledger = Ledger::<char, 3>::new();
        let [a, b, c] = counters(&mut ledger);
        a.count_from('a', 7);
        b.overflow_after('b', NonZeroU32::new(10).unwrap());
        c.count('c');
        let [a, _, c] = counters(&mut ledger);
        assert_eq!(a.selection(), Some('a'));
        c.off();
        assert_eq!(ledger.wanted(), &[Slot::on('a', 7), Slot::on('b', u32::MAX - 9), Slot::OFF]);
        assert!(!ledger.started());
        start(&mut ledger);
        assert!(ledger.started());
        assert_eq!(ledger.slots(), ledger.wanted());
        assert_eq!([0, 1, 2, 3].map(|number| ledger.started_from(number)), [7, u32::MAX - 9, 0, 0]);
        // 17 in a counter that started at 7, and 4 in one that started at 2^32 - 10.
        ledger.add_overflows(0b010);
        assert_eq!(stop(&mut ledger, 0, 17), Count::exactly(10));
        assert_eq!(stop(&mut ledger, 1, 4).at_least(), 14);
        assert_eq!(ledger.doubts(true).read(1, u32::MAX - 9, || 0, || 4, || false).at_least(), 14);
        assert_eq!(stop(&mut ledger, 0, 7), Count::exactly(0));
        assert_eq!(stop(&mut ledger, 0, 6).exact(), Err(Inexact::Lost), "below its start");
    }

    #[test]
    fn selections_and_overflows_are_those_of_the_last_start() {
        let mut ledger = Ledger::<char, 2>::new();
        let [first, _] = counters(&mut ledger);
        first.count('a');
        assert_eq!(ledger.selection(0), None, "not started");
        start(&mut ledger);
        ledger.add_overflows(0b1);
        let [first, second] = counters(&mut ledger);
        first.count('x');
        second.count('y');
        let selections = [0, 1, 2, usize::MAX].map(|number| ledger.selection(number));
        assert_eq!((selections, ledger.acknowledged()), ([Some('a'), None, None, None], 0b1));
        start(&mut ledger);
        assert_eq!((ledger.selection(1), ledger.acknowledged()), (Some('y'), 0));
    }

    #[test]
    fn a_start_of_nothing_is_none() {
        let mut ledger = Ledger::<char, 2>::new();
        start(&mut ledger);
        assert!(!ledger.started());
        let [first, _] = counters(&mut ledger);
        first.count('a');
        assert_eq!(
            selections(&ledger),
            [Some('a'), None],
            "there is nothing to be kept for a resume"
        );
        start(&mut ledger);
        assert!(ledger.started());
        assert_eq!(stop(&mut ledger, 0, 3), Count::exactly(3));
    }

    #[test]
    fn what_is_said_after_a_start_waits_for_the_next() {
        let mut ledger = ledger();
        assert_eq!(stop(&mut ledger, 0, 5), Count::exactly(5));
        let [first, second] = counters(&mut ledger);
        first.count_from('x', 9);
        second.count('y');
        let [_, second] = counters(&mut ledger);
        assert_eq!(second.selection(), Some('y'));
        assert_eq!(ledger.wanted(), &[Slot::on('x', 9), Slot::on('y', 0)]);
        assert_eq!(selections(&ledger), [Some('a'), None], "the device was told otherwise");
        assert_eq!(counts(&ledger), [Count::exactly(5), Count::NOTHING]);
        assert_eq!(stop(&mut ledger, 0, 8), Count::exactly(8), "resumed, and stopped again");
        start(&mut ledger);
        assert_eq!(ledger.slots(), &[Slot::on('x', 9), Slot::on('y', 0)]);
        assert_eq!((ledger.in_use(), ledger.started_from(0)), (0b11, 9));
        start(&mut ledger);
        assert_eq!(ledger.slots(), &[Slot::on('x', 9), Slot::on('y', 0)], "the same again");
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
            let flags = || wrapped().into();
            let count = ledger.doubts(true).read(0, 0, flags, value, || false);
            let possible = [u64::from(u32::MAX), (1 << 32) + 1];
            assert!(possible.contains(&count.at_least()), "{wraps_after}: {count}");
        }
        let snapshot = |enabled, flag: bool, fault| {
            ledger.doubts(enabled).read(0, 0, || flag.into(), || 5, || fault)
        };
        assert_eq!(snapshot(true, false, false), Count::exactly(5));
        assert_eq!(snapshot(true, true, false).exact(), Err(Inexact::Overflowed));
        assert_eq!(snapshot(false, true, false).exact(), Err(Inexact::Lost));
        assert_eq!(snapshot(false, false, false).exact(), Err(Inexact::Lost));
        assert_eq!(snapshot(true, false, true).exact(), Err(Inexact::Fault));
        assert_eq!(snapshot(false, false, true).exact(), Err(Inexact::Fault));
        let from = |from| ledger.doubts(true).read(0, from, || 0, || 5, || false);
        assert_eq!((from(2), from(5)), (Count::exactly(3), Count::exactly(0)));
        assert_eq!(from(6).exact(), Err(Inexact::Lost), "below its start");
        // Somebody else cleared the flag between the two looks: it was up all the same.
        let looks = Cell::new(0);
        let up_at_first = || {
            looks.set(looks.get() + 1);
            looks.get() == 1
        };
        assert!(
            ledger.doubts(true).read(0, 0, || up_at_first().into(), || 5, || false).overflowed()
        );
    }

    #[test]
    fn a_running_counter_is_read_once_unless_its_own_flag_comes_up() {
        use core::cell::Cell;
        let ledger = ledger();
        for (before, after, reads) in [(0b00, 0b00, 1), (0b01, 0b01, 1), (0b00, 0b10, 1), (0, 1, 2)]
        {
            let (looks, values) = (Cell::new(0), Cell::new(0));
            let flags = || if looks.replace(1) == 0 { before } else { after };
            let value = || {
                values.set(values.get() + 1);
                5
            };
            let _ = ledger.doubts(true).read(0, 0, flags, value, || false);
            assert_eq!(values.get(), reads, "{before:#b} to {after:#b}");
        }
    }

    #[test]
    fn a_counter_begins_anew_by_itself() {
        let mut ledger = ledger();
        ledger.add_overflows(0b1);
        assert!(ledger.restart(0, u32::MAX));
        assert_eq!(ledger.started_from(0), u32::MAX);
        assert_eq!(stop(&mut ledger, 0, u32::MAX), Count::exactly(0));
        assert_eq!(ledger.wanted()[0].from, 0, "from the next start on");
        assert!(!ledger.restart(1, 7) && !ledger.restart(9, 7), "not in use, not there");
        assert_eq!(ledger.started_from(1), 0);
        ledger.told(u32::MAX, 0);
        assert!(!ledger.restart(2, 7) && !ledger.restart(31, 7), "bits that are no counters");
        assert!(ledger.restart(1, 7));
        assert_eq!(ledger.started_from(1), 7);
    }

    #[test]
    fn too_many_selections_change_nothing() {
        let mut ledger = ledger();
        let refused = ledger.assign(&['x', 'y', 'z']);
        assert_eq!(refused, Err(AssignError::TooMany { asked: 3, counters: 2 }));
        assert_eq!(ledger.wanted()[0].selection, Some('a'));
        ledger.assign(&['x']).unwrap();
        assert_eq!(ledger.wanted(), &[Slot::on('x', 0), Slot::OFF]);
        assert_eq!(selections(&ledger), [Some('a'), None], "the device was told otherwise");
        let mut fresh = Ledger::<char, 1>::new();
        fresh.assign(&['x']).unwrap();
        fresh.assign(&['y']).unwrap();
        start(&mut fresh);
        assert_eq!(selections(&fresh), [Some('y')]);
    }
}

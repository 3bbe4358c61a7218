//! A cycle counter beside the event counters.

use core::num::NonZeroU32;

use crate::{AssignError, Count, EventOrCycles, Ledger, Lost, Slot};

/// How many clock cycles add one to a cycle counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Divider {
    /// Each cycle counts: 2^32 cycles until the counter overflows.
    #[default]
    By1,
    /// Every 64th cycle counts: 2^38 cycles until the counter overflows. When the first of them comes
    /// is not documented, so a count may be off by one.
    By64,
}

impl Divider {
    /// 1 or 64.
    #[must_use]
    pub const fn cycles(self) -> u32 {
        match self {
            Self::By1 => 1,
            Self::By64 => 64,
        }
    }
}

/// What a cycle counter beside event counters is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Whether it counts.
    pub on: bool,
    /// What it counts.
    pub divider: Divider,
    /// The value that it starts from.
    pub from: u32,
    /// Whether it stands still, where that can be chosen, as long as non-invasive debug is not permitted, as
    /// event counters do.
    pub needs_debug: bool,
    /// Which of the selections is the cycles. It is part of the settings, so that a later setting does not
    /// change how the counts of the last run are read.
    nth: u8,
}

impl Clock {
    /// The cycle counter in a set of counters that is a word: [`Lost`] names it so, too.
    pub const BIT: u32 = 1 << Self::NUMBER;

    /// The number of that bit.
    pub const NUMBER: usize = Lost::CYCLE_COUNTER as usize;

    /// It does not count.
    pub const OFF: Self =
        Self { on: false, divider: Divider::By1, from: 0, needs_debug: false, nth: 0 };

    /// It does not count, and comes after so many event counters.
    const fn off_after(counters: usize) -> Self {
        Self { nth: counters as u8, ..Self::OFF }
    }
}

/// The cycle counter of a stopped PMU, to say whether and how it counts. The `cycle_counter` method of
/// a PMU that has one gives it.
#[derive(Debug)]
#[must_use = "the cycle counter is not set until one of its methods is called"]
pub struct Cycles<'p> {
    clock: &'p mut Clock,
}

impl Cycles<'_> {
    /// Counts cycles from the next start on.
    pub fn count(self, divider: Divider) {
        self.count_from(divider, 0);
    }

    /// Counts cycles from the next start on, and starts at `from` in place of 0.
    pub fn count_from(self, divider: Divider, from: u32) {
        *self.clock = Clock { on: true, divider, from, ..*self.clock };
    }

    /// Counts cycles from the next start on, so that the counter overflows when it counted `counts`
    /// times: a time limit. The same as [`count_from`](Self::count_from) 2^32 - `counts`.
    pub fn overflow_after(self, divider: Divider, counts: NonZeroU32) {
        self.count_from(divider, counts.get().wrapping_neg());
    }

    /// Does not count from the next start on.
    pub fn off(self) {
        *self.clock = Clock { on: false, from: 0, ..*self.clock };
    }
}

/// Some of the counters of a PMU that has a cycle counter beside its event counters: those that
/// overflowed, or those that are to interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CounterSet<const COUNTERS: usize> {
    /// The event counters, by number.
    #[cfg_attr(feature = "serde", serde(with = "crate::formats::arrays"))]
    pub counters: [bool; COUNTERS],
    /// The cycle counter.
    pub cycles: bool,
}

impl<const COUNTERS: usize> CounterSet<COUNTERS> {
    /// None of them.
    pub const NONE: Self = Self { counters: [false; COUNTERS], cycles: false };
    /// All of them.
    pub const ALL: Self = Self { counters: [true; COUNTERS], cycles: true };

    /// Whether it is none of them.
    #[must_use]
    pub fn is_empty(self) -> bool {
        !self.cycles && !self.counters.contains(&true)
    }

    /// Those that are in both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let mut both = other;
        for (counter, other) in self.counters.iter().zip(&mut both.counters) {
            *other &= counter;
        }
        both.cycles &= self.cycles;
        both
    }

    /// These event counters, counter 0 in bit 0, and perhaps the cycle counter.
    #[must_use]
    pub fn from_bits(counters: u32, cycles: bool) -> Self {
        Self { counters: core::array::from_fn(|number| counters >> number & 1 == 1), cycles }
    }

    /// The event counters as bits, counter 0 in bit 0.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.counters.iter().rev().fold(0, |bits, &counter| bits << 1 | u32::from(counter))
    }

    /// These counters, the cycle counter as [`Clock::BIT`].
    #[must_use]
    pub fn from_word(counters: u32) -> Self {
        Self::from_bits(counters, counters & Clock::BIT != 0)
    }

    /// All of them as bits, the cycle counter as [`Clock::BIT`].
    #[must_use]
    pub fn word(self) -> u32 {
        self.bits() | u32::from(self.cycles) << Lost::CYCLE_COUNTER
    }

    /// All of them as bits, with the numbers that [`Counting`](crate::Counting) gives: the cycle
    /// counter comes after the event counters.
    #[must_use]
    pub fn numbered(self) -> u32 {
        self.bits() | u32::from(self.cycles) << COUNTERS
    }
}

/// None of them.
impl<const COUNTERS: usize> Default for CounterSet<COUNTERS> {
    fn default() -> Self {
        Self::NONE
    }
}

/// The [`Ledger`] of a PMU that has a cycle counter beside its event counters.
///
/// For drivers. In a set of counters that is a word, the cycle counter is [`Clock::BIT`].
#[derive(Clone, Debug)]
pub struct TimedLedger<S, const COUNTERS: usize> {
    /// The event counters; in sets of counters, the cycle counter too.
    pub events: Ledger<S, COUNTERS, Clock>,
    /// What the cycle counter held at the last stop.
    cycles: u32,
}

impl<S: Copy, const COUNTERS: usize> TimedLedger<S, COUNTERS> {
    /// Nothing was counted yet, and nothing is to be.
    #[must_use]
    #[inline(always)]
    pub const fn new() -> Self {
        Self { events: Ledger::with_clock(Clock::off_after(COUNTERS)), cycles: 0 }
    }

    /// As [`Ledger::wanted_mut`]. From the next start on, the selections are in the order of the counters,
    /// the cycles last.
    pub fn wanted_mut(&mut self) -> &mut [Slot<S>; COUNTERS] {
        let plan = self.events.plan();
        plan.clock.nth = COUNTERS as u8;
        &mut plan.slots
    }

    /// The cycle counter, to say whether it counts. The order of the selections stays as it is.
    pub fn cycle_counter(&mut self) -> Cycles<'_> {
        Cycles { clock: &mut self.events.plan().clock }
    }

    /// From the next start on, lets the cycle counter stand still where non-invasive debug is not permitted,
    /// or not.
    pub fn cycles_need_debug(&mut self, yes: bool) {
        self.events.plan().clock.needs_debug = yes;
    }

    /// What the device was told of the cycle counter since the last [`begin`](Ledger::begin), or is being
    /// told.
    #[must_use]
    #[inline(always)]
    pub const fn clock(&self) -> &Clock {
        self.events.clock()
    }

    /// The value that a counter was started from, with the numbers that
    /// [`Counting`](crate::Counting) gives: the cycle counter comes after the event counters.
    #[must_use]
    pub fn started_from(&self, counter: usize) -> u32 {
        if counter == COUNTERS { self.clock().from } else { self.events.started_from(counter) }
    }

    /// What a counter was last programmed to count, with the numbers that
    /// [`Counting`](crate::Counting) gives. `None` if it is not in use, or not there.
    #[must_use]
    pub fn selection(&self, counter: usize) -> Option<EventOrCycles<S>> {
        if counter == COUNTERS {
            return self.counts_cycles().then_some(EventOrCycles::Cycles);
        }
        self.events.selection(counter).map(EventOrCycles::Event)
    }

    /// As [`Ledger::acknowledged`], with the numbers that [`Counting`](crate::Counting) gives.
    #[must_use]
    pub fn acknowledged(&self) -> u32 {
        CounterSet::<COUNTERS>::from_word(self.events.acknowledged()).numbered()
    }

    /// As [`Ledger::restart`], with the numbers that [`Counting`](crate::Counting) gives.
    pub fn restart(&mut self, counter: usize, from: u32) -> bool {
        if counter == COUNTERS {
            self.events.restart_clock(Clock::BIT).map(|clock| clock.from = from).is_some()
        } else {
            self.events.restart(counter, from)
        }
    }

    /// Whether the device was told to count cycles.
    #[must_use]
    #[inline(always)]
    pub const fn counts_cycles(&self) -> bool {
        self.events.in_use() & Clock::BIT != 0
    }

    /// This is what the cycle counter held when it was stopped.
    #[inline(always)]
    pub const fn hold_cycles(&mut self, value: u32) {
        self.cycles = value;
    }

    /// What was counted of the cycles at the last stop.
    #[must_use]
    pub const fn cycles(&self) -> Count {
        self.events.judge(Lost::CYCLE_COUNTER, self.clock().from, self.cycles)
    }

    /// One counter for each of `what`, the others off; every cycle counts.
    ///
    /// # Errors
    ///
    /// If there are too few counters. Nothing has changed then.
    #[inline]
    pub fn assign(&mut self, what: &[EventOrCycles<S>]) -> Result<(), AssignError> {
        let mut asked = 0;
        let mut cycles = None;
        for (nth, selection) in what.iter().enumerate() {
            match selection {
                EventOrCycles::Event(_) => asked += 1,
                EventOrCycles::Cycles if cycles.is_none() => cycles = Some(nth as u8),
                EventOrCycles::Cycles => return Err(AssignError::CyclesTwice),
            }
        }
        if asked > COUNTERS {
            return Err(AssignError::TooMany { asked, counters: COUNTERS });
        }
        let plan = self.events.plan();
        let needs_debug = plan.clock.needs_debug;
        plan.clock = Clock { needs_debug, ..Clock::off_after(COUNTERS) };
        if let Some(nth) = cycles {
            plan.clock.on = true;
            plan.clock.nth = nth;
        }
        let mut slots = plan.slots.iter_mut();
        for selection in what {
            if let EventOrCycles::Event(event) = selection
                && let Some(slot) = slots.next()
            {
                *slot = Slot::on(*event, 0);
            }
        }
        slots.for_each(|slot| *slot = Slot::OFF);
        Ok(())
    }

    /// What was counted of the `nth` selection at the last stop: in the order in which the selections were
    /// [assigned](Self::assign) before the start, or in that of the counters, the cycle counter last, if they
    /// were [set one by one](Self::wanted_mut).
    #[must_use]
    #[inline]
    pub const fn count(&self, nth: usize) -> Count {
        let event = self.event_of(nth);
        let exact = if nth == self.clock().nth as usize {
            self.events.exact(Lost::CYCLE_COUNTER, self.clock().from, self.cycles)
        } else if event < COUNTERS {
            let (from, value) = self.events.held(event);
            self.events.exact(event as u32, from, value)
        } else {
            None
        };
        match exact {
            Some(count) => count,
            None => self.doubted_count(nth),
        }
    }

    /// As [`count`](Self::count), if something speaks against it: out of the way.
    #[cold]
    #[inline(never)]
    const fn doubted_count(&self, nth: usize) -> Count {
        if nth == self.clock().nth as usize {
            return self.cycles();
        }
        self.events.count(self.event_of(nth))
    }

    /// The event counter of the `nth` selection, if that is an event.
    #[inline(always)]
    const fn event_of(&self, nth: usize) -> usize {
        if nth > self.clock().nth as usize { nth - 1 } else { nth }
    }

    /// The number of the counter of the `nth` selection, in the order of [`count`](Self::count), as
    /// [`Counting`](crate::Counting) numbers them: the cycle counter comes after the event counters.
    #[must_use]
    pub const fn counter_of(&self, nth: usize) -> usize {
        if nth == self.clock().nth as usize {
            return COUNTERS;
        }
        let event = self.event_of(nth);
        // There are fewer counters: no event has the cycle counter.
        if event < COUNTERS { event } else { usize::MAX }
    }
}

impl<S: Copy, const COUNTERS: usize> Default for TimedLedger<S, COUNTERS> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EventOrCycles::{Cycles, Event};
    use crate::{Counter, Inexact};

    /// A start, of which the device took everything.
    fn start(ledger: &mut TimedLedger<char, 2>) {
        ledger.events.begin();
        let events = ledger.events.slots().map(|slot| slot.selection.is_some());
        let in_use = CounterSet { counters: events, cycles: ledger.clock().on };
        ledger.events.told(in_use.word(), 0);
    }

    /// What the device was told to count.
    fn selections(ledger: &TimedLedger<char, 2>) -> [Option<char>; 2] {
        ledger.events.slots().map(|slot| slot.selection)
    }

    #[test]
    fn selections_find_their_counters() {
        let mut ledger = TimedLedger::<char, 2>::new();
        ledger.assign(&[Event('a'), Cycles, Event('b')]).unwrap();
        start(&mut ledger);
        assert!(ledger.counts_cycles());
        assert_eq!(selections(&ledger), [Some('a'), Some('b')]);
        ledger.events.hold(|number, _| [1, 3][number]);
        ledger.hold_cycles(2);
        ledger.events.settle(false);
        let counts = [0, 1, 2, 3].map(|nth| ledger.count(nth));
        assert_eq!(counts[..3], [1, 2, 3].map(Count::exactly));
        assert_eq!(counts[3], Count::NOTHING);
        assert_eq!([0, 1, 2].map(|nth| ledger.counter_of(nth)), [0, 2, 1]);
        assert!(ledger.counter_of(3) > 2);
        assert_eq!(ledger.cycles().exact(), Ok(2));
        ledger.assign(&[Event('b')]).unwrap();
        start(&mut ledger);
        assert!(!ledger.counts_cycles());
        ledger.events.settle(false);
        assert_eq!(ledger.cycles(), Count::NOTHING);
        assert_eq!(selections(&ledger), [Some('b'), None]);
    }

    #[test]
    fn selections_find_their_counters_wherever_the_cycles_are() {
        const VALUES: [u32; 4] = [10, 11, 12, 13];
        for place in 0..=4 {
            let mut what = [Cycles; 5];
            let mut events = ['a', 'b', 'c', 'd'].map(Event).into_iter();
            for (nth, what) in what.iter_mut().enumerate() {
                *what = if nth == place { Cycles } else { events.next().unwrap() };
            }
            let mut ledger = TimedLedger::<char, 4>::new();
            ledger.assign(&what).unwrap();
            ledger.events.begin();
            ledger.events.told(Clock::BIT | 0b1111, 0);
            ledger.events.hold(|number, _| VALUES[number]);
            ledger.hold_cycles(99);
            ledger.events.settle(false);
            let counter = |nth: usize| match nth {
                _ if nth == place => 4,
                _ if nth > place => nth - 1,
                _ => nth,
            };
            let expected: [_; 5] =
                core::array::from_fn(|nth| VALUES.get(counter(nth)).copied().unwrap_or(99));
            let nth = [0, 1, 2, 3, 4];
            assert_eq!(nth.map(|nth| ledger.counter_of(nth)), nth.map(counter), "{place}");
            assert_eq!(nth.map(|nth| ledger.count(nth)), expected.map(Count::exactly), "{place}");
            // Through the other function, of which more is asked.
            ledger.events.add_overflows(u32::MAX);
            ledger.events.settle(false);
            let doubtful = expected.map(|value| Count::doubtful(value, Inexact::Overflowed));
            assert_eq!(nth.map(|nth| ledger.count(nth)), doubtful, "{place}");
            for beyond in [5, 6] {
                assert_eq!(ledger.count(beyond), Count::NOTHING);
                assert_eq!(ledger.counter_of(beyond), usize::MAX);
            }
        }
    }

    /// A stop that finds 111 and 222 in the event counters, and 987654 in the cycle counter.
    fn stop(ledger: &mut TimedLedger<char, 2>) -> [Count; 3] {
        ledger.events.hold(|number, _| [111, 222][number]);
        ledger.hold_cycles(987_654);
        ledger.events.settle(false);
        [0, 1, 2].map(|nth| ledger.count(nth))
    }

    #[test]
    fn the_order_of_the_last_run_outlives_what_is_set_after_it() {
        let mut ledger = TimedLedger::<char, 2>::new();
        ledger.assign(&[Cycles, Event('a')]).unwrap();
        start(&mut ledger);
        let counts = [Count::exactly(987_654), Count::exactly(111), Count::NOTHING];
        let counters = [2, 0, 1];
        assert_eq!(stop(&mut ledger), counts);
        let unchanged = |ledger: &TimedLedger<char, 2>| {
            assert_eq!([0, 1, 2].map(|nth| ledger.count(nth)), counts);
            assert_eq!([0, 1, 2].map(|nth| ledger.counter_of(nth)), counters);
            let selections = [Some(Event('a')), None, Some(Cycles), None];
            assert_eq!([0, 1, 2, 3].map(|counter| ledger.selection(counter)), selections);
        };
        ledger.assign(&[Event('b'), Event('c')]).unwrap();
        unchanged(&ledger);
        let [first, _] = ledger.wanted_mut();
        Counter::from(first).count('d');
        ledger.cycle_counter().off();
        unchanged(&ledger);
        start(&mut ledger);
        let counts = [Count::exactly(111), Count::exactly(222), Count::NOTHING];
        assert_eq!(stop(&mut ledger), counts);
        assert_eq!([0, 1, 2].map(|nth| ledger.counter_of(nth)), [0, 1, 2]);
    }

    #[test]
    fn counters_that_are_set_one_by_one_are_in_their_own_order() {
        let mut ledger = TimedLedger::<char, 2>::new();
        ledger.cycle_counter().count(Divider::By1);
        let [_, second] = ledger.wanted_mut();
        Counter::from(second).count('b');
        start(&mut ledger);
        let counts = [Count::NOTHING, Count::exactly(222), Count::exactly(987_654)];
        assert_eq!(stop(&mut ledger), counts);
        ledger.assign(&[Cycles, Event('a')]).unwrap();
        ledger.cycle_counter().count(Divider::By64);
        start(&mut ledger);
        assert_eq!(ledger.clock().divider, Divider::By64);
        assert_eq!(ledger.counter_of(0), 2, "the cycles stay where they were assigned");
        let [first, _] = ledger.wanted_mut();
        Counter::from(first).count_from('a', 7);
        assert_eq!(ledger.counter_of(0), 2, "from the next start on");
        start(&mut ledger);
        assert_eq!(ledger.counter_of(0), 0);
    }

    #[test]
    fn the_cycle_counter_begins_anew_by_itself() {
        let mut ledger = TimedLedger::<char, 2>::new();
        assert!(!ledger.restart(2, 7), "not in use");
        ledger.assign(&[Event('a'), Cycles]).unwrap();
        start(&mut ledger);
        ledger.events.add_overflows(Clock::BIT | 0b01);
        assert!(ledger.restart(2, 7));
        assert_eq!([0, 1, 2].map(|counter| ledger.started_from(counter)), [0, 0, 7]);
        ledger.events.hold(|_, _| 1);
        ledger.hold_cycles(9);
        ledger.events.settle(false);
        assert_eq!(ledger.cycles(), Count::exactly(2));
        assert!(ledger.count(0).overflowed(), "the other overflowed all the same");
        assert!(ledger.restart(0, 5) && !ledger.restart(1, 5) && !ledger.restart(3, 5));
        assert_eq!([0, 1, 2].map(|counter| ledger.started_from(counter)), [5, 0, 7]);
        start(&mut ledger);
        assert_eq!(ledger.clock().from, 0, "from the next start on");
    }

    #[test]
    fn too_many_selections_change_nothing() {
        let mut ledger = TimedLedger::<char, 2>::new();
        ledger.assign(&[Event('a')]).unwrap();
        let three = [Event('x'), Event('y'), Event('z'), Cycles];
        let refused = ledger.assign(&three);
        assert_eq!(refused, Err(AssignError::TooMany { asked: 3, counters: 2 }));
        assert_eq!(ledger.assign(&[Cycles, Cycles]), Err(AssignError::CyclesTwice));
        start(&mut ledger);
        assert_eq!((selections(&ledger), ledger.counts_cycles()), ([Some('a'), None], false));
    }

    #[test]
    fn the_cycle_counter_is_numbered_after_the_event_counters() {
        let set = CounterSet::<3>::from_bits(0b1110, true);
        assert_eq!(set, CounterSet { counters: [false, true, true], cycles: true });
        assert_eq!((set.bits(), set.numbered()), (0b110, 0b1110));
        assert_eq!(set.word(), Clock::BIT | 0b110);
        assert_eq!(CounterSet::<3>::from_word(Clock::BIT | 0b110), set);
        assert_eq!(CounterSet::<3>::from_word(0b110).numbered(), 0b110);
        assert_eq!(CounterSet::<3>::from_bits(0b001, false).numbered(), 0b001);
        let mut ledger = TimedLedger::<char, 2>::new();
        let [_, second] = ledger.wanted_mut();
        Counter::from(second).count_from('a', 5);
        ledger.cycle_counter().count_from(Divider::By1, 7);
        start(&mut ledger);
        assert_eq!([0, 1, 2, 3].map(|counter| ledger.started_from(counter)), [0, 5, 7, 0]);
    }

    #[test]
    fn a_divider_holds_from_the_start_on() {
        let mut ledger = TimedLedger::<char, 2>::new();
        ledger.cycle_counter().count(Divider::By1);
        start(&mut ledger);
        ledger.cycle_counter().count(Divider::By64);
        assert_eq!(ledger.clock().divider, Divider::By1);
        start(&mut ledger);
        assert_eq!((ledger.clock().divider, Divider::default()), (Divider::By64, Divider::By1));
        assert_eq!((Divider::By1.cycles(), Divider::By64.cycles()), (1, 64));
        ledger.cycle_counter().overflow_after(Divider::By1, NonZeroU32::new(10).unwrap());
        start(&mut ledger);
        ledger.hold_cycles(u32::MAX - 9);
        ledger.events.settle(false);
        assert_eq!(ledger.cycles().exact(), Ok(0));
        ledger.cycle_counter().count_from(Divider::By64, 7);
        ledger.cycle_counter().off();
        start(&mut ledger);
        let off = Clock { divider: Divider::By64, ..Clock::off_after(2) };
        assert_eq!((ledger.counts_cycles(), ledger.clock()), (false, &off));
    }

    #[test]
    fn whether_debug_is_needed_holds_whatever_is_counted() {
        let mut ledger = TimedLedger::<char, 2>::new();
        ledger.cycles_need_debug(true);
        ledger.assign(&[Cycles]).unwrap();
        start(&mut ledger);
        assert!(ledger.clock().needs_debug);
        ledger.cycles_need_debug(false);
        assert!(ledger.clock().needs_debug, "from the next start on");
        ledger.cycles_need_debug(true);
        ledger.cycle_counter().count(Divider::By64);
        ledger.cycle_counter().off();
        start(&mut ledger);
        assert!(ledger.clock().needs_debug);
        ledger.cycles_need_debug(false);
        start(&mut ledger);
        assert!(!ledger.clock().needs_debug);
    }

    #[test]
    fn sets_of_counters() {
        let set = CounterSet { counters: [true, false, true], cycles: false };
        assert_eq!((set.bits(), set.is_empty()), (0b101, false));
        assert_eq!(CounterSet::<3>::ALL.and(set), set);
        assert_eq!(CounterSet { cycles: true, ..CounterSet::NONE }.and(set), CounterSet::NONE);
        assert!(CounterSet::<3>::default().is_empty());
        assert!(!CounterSet { cycles: true, ..CounterSet::<3>::NONE }.is_empty());
    }

    #[test]
    fn what_happens_to_one_counter_is_not_said_of_the_other() {
        let mut ledger = TimedLedger::<char, 2>::new();
        ledger.assign(&[Event('a'), Cycles]).unwrap();
        assert_eq!(ledger.events.in_use(), 0);
        start(&mut ledger);
        assert_eq!(ledger.events.in_use(), Clock::BIT | 0b01);
        ledger.events.hold(|_, _| 1);
        ledger.hold_cycles(2);
        ledger.events.add_overflows(0b01);
        ledger.events.settle(false);
        assert!(ledger.count(0).overflowed() && !ledger.cycles().overflowed());
        let read = |enabled, up: bool| {
            let flags = || if up { Clock::BIT } else { 0 };
            ledger.events.doubts(enabled).read(Clock::NUMBER, 0, flags, || 5, || false)
        };
        assert_eq!((read(true, false), read(true, true).overflowed()), (Count::exactly(5), true));
        assert_eq!(read(false, true).exact(), Err(Inexact::Lost));
        ledger.events.add_overflows(Clock::BIT);
        ledger.events.settle(false);
        assert!(ledger.cycles().overflowed());
        assert_eq!(ledger.events.lost(), None);
        ledger.events.add_loss(Clock::BIT, false);
        ledger.events.settle(false);
        assert_eq!(ledger.events.lost(), Lost::new(1 << Lost::CYCLE_COUNTER, false));
        assert_eq!(ledger.cycles().exact(), Err(Inexact::Lost));
        assert!(ledger.count(0).overflowed());
    }
}

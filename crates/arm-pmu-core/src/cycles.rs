//! A cycle counter beside the event counters.

use core::num::NonZeroU32;

use crate::{AssignError, Count, Counter, EventOrCycles, Ledger, Lost};

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

/// The cycle counter of a stopped PMU, to say whether and how it counts. The `cycle_counter` method of
/// a PMU that has one gives it.
#[derive(Debug)]
#[must_use = "the cycle counter is not set until one of its methods is called"]
pub struct Cycles<'p> {
    counter: Counter<'p, ()>,
    divider: &'p mut Divider,
}

impl Cycles<'_> {
    /// Counts cycles from the next start on.
    pub fn count(self, divider: Divider) {
        self.count_from(divider, 0);
    }

    /// Counts cycles from the next start on, and starts at `from` in place of 0.
    pub fn count_from(self, divider: Divider, from: u32) {
        *self.divider = divider;
        self.counter.count_from((), from);
    }

    /// Counts cycles from the next start on, so that the counter overflows when it counted `counts`
    /// times: a time limit. The same as [`count_from`](Self::count_from) 2^32 - `counts`.
    pub fn overflow_after(self, divider: Divider, counts: NonZeroU32) {
        self.count_from(divider, counts.get().wrapping_neg());
    }

    /// Does not count from the next start on.
    pub fn off(self) {
        self.counter.off();
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
/// For drivers.
#[derive(Clone, Debug)]
pub struct TimedLedger<S, const COUNTERS: usize> {
    /// The event counters.
    pub events: Ledger<S, COUNTERS>,
    /// The cycle counter.
    pub clock: Ledger<(), 1>,
    /// What is to hold from the next start on.
    wanted: Divider,
    /// What the device was told.
    programmed: Divider,
    /// Which of the selections that a [`Monitor`](crate::Monitor) was assigned is the cycles.
    nth_is_cycles: Option<usize>,
}

impl<S: Copy, const COUNTERS: usize> TimedLedger<S, COUNTERS> {
    /// Nothing was counted yet, and nothing is to be.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            events: Ledger::new(),
            clock: Ledger::new(),
            wanted: Divider::By1,
            programmed: Divider::By1,
            nth_is_cycles: None,
        }
    }

    /// The cycle counter, to say whether it counts.
    pub fn cycle_counter(&mut self) -> Cycles<'_> {
        let [counter] = self.clock.counters();
        Cycles { counter, divider: &mut self.wanted }
    }

    /// The device is about to be told: forgets the last measurement.
    pub fn begin(&mut self) {
        self.events.begin();
        self.clock.begin();
        self.programmed = self.wanted;
    }

    /// What the device was told of the divider.
    #[must_use]
    pub const fn divider(&self) -> Divider {
        self.programmed
    }

    /// The counters that the device was told to use.
    #[must_use]
    pub fn in_use(&self) -> CounterSet<COUNTERS> {
        CounterSet::from_bits(self.events.in_use(), self.counts_cycles())
    }

    /// The value that a counter was started from, with the numbers that
    /// [`Counting`](crate::Counting) gives: the cycle counter comes after the event counters.
    #[must_use]
    pub fn started_from(&self, counter: usize) -> u32 {
        match counter.checked_sub(COUNTERS) {
            None => self.events.started_from(counter),
            Some(beyond) => self.clock.started_from(beyond),
        }
    }

    /// The flags of these counters came up.
    pub fn add_overflows(&mut self, flags: CounterSet<COUNTERS>) {
        self.events.add_overflows(flags.bits());
        self.clock.add_overflows(flags.cycles.into());
    }

    /// Takes the values at the stop: `None` for a counter that did not count.
    pub fn settle(&mut self, values: [Option<u32>; COUNTERS], cycles: Option<u32>, fault: bool) {
        self.events.settle(values, fault);
        self.clock.settle([cycles], fault);
    }

    /// Whether the device was told to count cycles.
    #[must_use]
    pub const fn counts_cycles(&self) -> bool {
        self.clock.in_use() != 0
    }

    /// What was counted of the cycles at the last stop.
    #[must_use]
    pub const fn cycles(&self) -> Count {
        let [cycles] = self.clock.counts();
        cycles
    }

    /// Somebody interfered with these event counters, with the cycle counter, or with the PMU as a
    /// whole.
    pub fn add_loss(&mut self, counters: u32, cycles: bool, disabled: bool) {
        self.events.add_loss(counters, disabled);
        self.clock.add_loss(cycles.into(), disabled);
    }

    /// What somebody else changed since the last start; the cycle counter has the number
    /// [`Lost::CYCLE_COUNTER`].
    #[must_use]
    pub fn lost(&self) -> Option<Lost> {
        let (events, clock) = (self.events.lost(), self.clock.lost());
        let counters = |lost: Option<Lost>| lost.map_or(0, |lost| lost.counters);
        let disabled = |lost: Option<Lost>| lost.is_some_and(|lost| lost.disabled);
        Lost::new(
            counters(events) | counters(clock) << Lost::CYCLE_COUNTER,
            disabled(events) || disabled(clock),
        )
    }

    /// One counter for each of `what`, the others off; every cycle counts.
    ///
    /// # Errors
    ///
    /// If there are too few counters. Nothing has changed then.
    pub fn assign(&mut self, what: &[EventOrCycles<S>]) -> Result<(), AssignError> {
        let mut events = [None; COUNTERS];
        let mut asked = 0;
        let mut cycles = None;
        for (nth, selection) in what.iter().enumerate() {
            match selection {
                EventOrCycles::Cycles if cycles.is_some() => return Err(AssignError::CyclesTwice),
                EventOrCycles::Cycles => cycles = Some(nth),
                EventOrCycles::Event(event) => {
                    if let Some(slot) = events.get_mut(asked) {
                        *slot = Some(*event);
                    }
                    asked += 1;
                }
            }
        }
        if asked > COUNTERS {
            return Err(AssignError::TooMany { asked, counters: COUNTERS });
        }
        for (counter, event) in self.events.counters().into_iter().zip(events) {
            match event {
                Some(event) => counter.count(event),
                None => counter.off(),
            }
        }
        match cycles {
            Some(_) => self.cycle_counter().count(Divider::By1),
            None => self.cycle_counter().off(),
        }
        self.nth_is_cycles = cycles;
        Ok(())
    }

    /// What was counted of the `nth` selection that was [assigned](Self::assign).
    #[must_use]
    pub fn count(&self, nth: usize) -> Count {
        let event = match self.nth_is_cycles {
            Some(cycles) if nth == cycles => return self.cycles(),
            Some(cycles) if nth > cycles => nth - 1,
            _ => nth,
        };
        self.events.counts().get(event).copied().unwrap_or(Count::NOTHING)
    }

    /// The number of the counter of the `nth` selection that was [assigned](Self::assign), as
    /// [`Counting`](crate::Counting) numbers them: the cycle counter comes after the event counters.
    #[must_use]
    pub const fn counter_of(&self, nth: usize) -> usize {
        match self.nth_is_cycles {
            // Counters that were set one by one.
            None => nth,
            Some(cycles) if nth == cycles => COUNTERS,
            // There are fewer counters: no event has the cycle counter.
            Some(_) if nth > COUNTERS => usize::MAX,
            Some(cycles) if nth > cycles => nth - 1,
            Some(_) if nth == COUNTERS => usize::MAX,
            Some(_) => nth,
        }
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

    #[test]
    fn selections_find_their_counters() {
        let mut ledger = TimedLedger::<char, 2>::new();
        ledger.assign(&[Event('a'), Cycles, Event('b')]).unwrap();
        ledger.begin();
        assert!(ledger.counts_cycles());
        assert_eq!(ledger.events.programmed(), [Some('a'), Some('b')]);
        ledger.events.settle([Some(1), Some(3)], false);
        ledger.clock.settle([Some(2)], false);
        let counts = [0, 1, 2, 3].map(|nth| ledger.count(nth));
        assert_eq!(counts[..3], [1, 2, 3].map(Count::exactly));
        assert_eq!(counts[3], Count::NOTHING);
        assert_eq!([0, 1, 2].map(|nth| ledger.counter_of(nth)), [0, 2, 1]);
        assert!(ledger.counter_of(3) > 2);
        assert_eq!(ledger.cycles().exact(), Ok(2));
        ledger.assign(&[Event('b')]).unwrap();
        ledger.begin();
        assert!(!ledger.counts_cycles());
        assert_eq!(ledger.events.programmed(), [Some('b'), None]);
    }

    #[test]
    fn too_many_selections_change_nothing() {
        let mut ledger = TimedLedger::<char, 2>::new();
        ledger.assign(&[Event('a')]).unwrap();
        let three = [Event('x'), Event('y'), Event('z'), Cycles];
        let refused = ledger.assign(&three);
        assert_eq!(refused, Err(AssignError::TooMany { asked: 3, counters: 2 }));
        assert_eq!(ledger.assign(&[Cycles, Cycles]), Err(AssignError::CyclesTwice));
        ledger.begin();
        assert_eq!(
            (ledger.events.programmed(), ledger.counts_cycles()),
            ([Some('a'), None], false)
        );
    }

    #[test]
    fn the_cycle_counter_is_numbered_after_the_event_counters() {
        let set = CounterSet::<3>::from_bits(0b1110, true);
        assert_eq!(set, CounterSet { counters: [false, true, true], cycles: true });
        assert_eq!((set.bits(), set.numbered()), (0b110, 0b1110));
        assert_eq!(CounterSet::<3>::from_bits(0b001, false).numbered(), 0b001);
        let mut ledger = TimedLedger::<char, 2>::new();
        let [_, second] = ledger.events.counters();
        second.count_from('a', 5);
        ledger.cycle_counter().count_from(Divider::By1, 7);
        ledger.begin();
        assert_eq!([0, 1, 2, 3].map(|counter| ledger.started_from(counter)), [0, 5, 7, 0]);
    }

    #[test]
    fn a_divider_holds_from_the_start_on() {
        let mut ledger = TimedLedger::<char, 2>::new();
        ledger.cycle_counter().count(Divider::By64);
        assert_eq!(ledger.divider(), Divider::By1);
        ledger.begin();
        assert_eq!((ledger.divider(), Divider::default()), (Divider::By64, Divider::By1));
        assert_eq!((Divider::By1.cycles(), Divider::By64.cycles()), (1, 64));
        ledger.cycle_counter().overflow_after(Divider::By1, NonZeroU32::new(10).unwrap());
        ledger.begin();
        ledger.clock.settle([Some(u32::MAX - 9)], false);
        assert_eq!(ledger.cycles().exact(), Ok(0));
        ledger.cycle_counter().off();
        ledger.begin();
        assert!(!ledger.counts_cycles());
    }

    #[test]
    fn sets_of_counters() {
        let set = CounterSet { counters: [true, false, true], cycles: false };
        assert_eq!((set.bits(), set.is_empty()), (0b101, false));
        assert_eq!(CounterSet::<3>::ALL.and(set), set);
        assert_eq!(CounterSet { cycles: true, ..CounterSet::NONE }.and(set), CounterSet::NONE);
        assert!(CounterSet::<3>::default().is_empty());
        assert!(!CounterSet { cycles: true, ..CounterSet::<3>::NONE }.is_empty());
        let mut ledger = TimedLedger::<char, 2>::new();
        ledger.assign(&[Event('a'), Cycles]).unwrap();
        assert!(ledger.in_use().is_empty());
        ledger.begin();
        assert_eq!(ledger.in_use(), CounterSet { counters: [true, false], cycles: true });
        ledger.add_overflows(CounterSet { counters: [true, false], cycles: false });
        ledger.settle([Some(1), None], Some(2), false);
        assert!(ledger.count(0).overflowed() && !ledger.cycles().overflowed());
        ledger.add_overflows(CounterSet { counters: [false; 2], cycles: true });
        ledger.settle([Some(1), None], Some(2), false);
        assert!(ledger.cycles().overflowed());
    }

    #[test]
    fn losses_of_both_are_one() {
        let mut ledger = TimedLedger::<char, 2>::new();
        assert_eq!(ledger.lost(), None);
        ledger.add_loss(0b10, false, false);
        assert_eq!(ledger.lost(), Lost::new(0b10, false));
        ledger.add_loss(0, true, false);
        assert_eq!(ledger.lost(), Lost::new(1 << Lost::CYCLE_COUNTER | 0b10, false));
        ledger.add_loss(0, false, true);
        assert!(ledger.lost().is_some_and(|lost| lost.disabled));
    }
}

//! A cycle counter beside the event counters.

use core::num::NonZeroU32;

use crate::measure::Interference;

/// How many clock cycles add one to a cycle counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Divider {
    /// Each cycle counts: 2^32 cycles until the counter overflows.
    #[default]
    By1,
    /// Every 64th cycle counts: 2^38 cycles until the counter overflows.
    ///
    /// No manual says where the divider stands when the counter is enabled: after a start, after a resume, or
    /// after a stop that acknowledged an overflow, for which the counters of an ARM11 have to run. So the count
    /// differs from 1/64 of the cycles by less than one for a start, and by less than one more for each
    /// resume. After one start, 640 cycles are a count of 10, and 641 are 10 or 11; after a resume in
    /// between, 640 are 9, 10 or 11.
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
    pub(crate) nth: u8,
}

impl Clock {
    /// The cycle counter in a set of counters that is a word: [`Interference`] names it so, too.
    pub const BIT: u32 = 1 << Self::NUMBER;

    /// The number of that bit.
    pub const NUMBER: usize = Interference::CYCLE_COUNTER as usize;

    /// It does not count.
    pub const OFF: Self =
        Self { on: false, divider: Divider::By1, from: 0, needs_debug: false, nth: 0 };

    /// It does not count; of the selections, the cycles come after those of so many event counters.
    #[must_use]
    pub const fn off_after(counters: usize) -> Self {
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

impl<'p> From<&'p mut Clock> for Cycles<'p> {
    #[inline(always)]
    fn from(clock: &'p mut Clock) -> Self {
        Self { clock }
    }
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
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::arrays"))]
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
        self.bits() | u32::from(self.cycles) << Interference::CYCLE_COUNTER
    }

    /// All of them as bits, with the numbers that [`RunningMonitor`](crate::measure::RunningMonitor) gives: the cycle
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_numbers_the_cycle_counter_after_the_event_counters() {
        let set = CounterSet::<3>::from_bits(0b1110, true);
        assert_eq!(set, CounterSet { counters: [false, true, true], cycles: true });
        assert_eq!((set.bits(), set.numbered()), (0b110, 0b1110));
        assert_eq!(set.word(), Clock::BIT | 0b110);
        assert_eq!(CounterSet::<3>::from_word(Clock::BIT | 0b110), set);
        assert_eq!(CounterSet::<3>::from_word(0b110).numbered(), 0b110);
        assert_eq!(CounterSet::<3>::from_bits(0b001, false).numbered(), 0b001);
    }

    #[test]
    fn sets_are_intersected_and_may_be_empty() {
        let set = CounterSet { counters: [true, false, true], cycles: false };
        assert_eq!((set.bits(), set.is_empty()), (0b101, false));
        assert_eq!(CounterSet::<3>::ALL.and(set), set);
        assert_eq!(set.and(CounterSet::ALL), set);
        assert_eq!(CounterSet { cycles: true, ..CounterSet::NONE }.and(set), CounterSet::NONE);
        let cycles = CounterSet { cycles: true, ..CounterSet::<3>::NONE };
        assert_eq!(CounterSet::ALL.and(cycles), cycles);
        assert!(CounterSet::<3>::default().is_empty());
        assert!(!cycles.is_empty());
    }

    #[test]
    fn the_cycle_counter_keeps_what_a_call_does_not_name() {
        assert_eq!((Divider::By1.cycles(), Divider::By64.cycles()), (1, 64));
        assert_eq!(Divider::default(), Divider::By1);
        let mut clock = Clock { needs_debug: true, ..Clock::off_after(2) };
        let off = clock;
        Cycles::from(&mut clock).count_from(Divider::By64, 7);
        assert_eq!(clock, Clock { on: true, divider: Divider::By64, from: 7, ..off });
        Cycles::from(&mut clock).off();
        assert_eq!(clock, Clock { divider: Divider::By64, ..off });
        Cycles::from(&mut clock).overflow_after(Divider::By1, NonZeroU32::new(10).unwrap());
        assert_eq!(clock, Clock { on: true, from: u32::MAX - 9, ..off });
        Cycles::from(&mut clock).count(Divider::By1);
        assert_eq!(clock, Clock { on: true, ..off });
    }
}

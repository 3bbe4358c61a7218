//! A cycle counter in addition to the event counters.

use core::num::NonZeroU32;

use crate::measure::Interference;

/// Number of clock cycles for each increment of a cycle counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Divider {
    /// Counts every cycle: overflows after 2^32 cycles.
    #[default]
    By1,
    /// Counts every 64th cycle: overflows after 2^38 cycles.
    ///
    /// No manual defines the state of the divider when the counter is enabled. The counter is enabled at a start and
    /// at a resume. On an ARM11 the counter is also enabled at a stop that acknowledges an overflow, because the
    /// counters have to run while the flag is cleared. Therefore the count after a start differs from 1/64 of the
    /// cycles by less than one, and each resume can add up to one to this difference. Example: after one start, 640
    /// cycles result in a count of 10, and 641 cycles in 10 or 11. With one resume during these 640 cycles, the count
    /// is 9, 10 or 11.
    ///
    /// Metrics, intervals and printed snapshots convert each count to 64 cycles, as an estimate. A
    /// [`Count`](crate::count::Count) and [`Totals`](crate::measure::Totals) contain the counts
    /// themselves.
    By64,
}

impl Divider {
    /// Returns the number of cycles for each increment: 1 or 64.
    #[must_use]
    pub const fn cycles(self) -> u32 {
        match self {
            Self::By1 => 1,
            Self::By64 => 64,
        }
    }
}

/// Settings of a cycle counter that a PMU has in addition to its event counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Whether it counts.
    pub on: bool,
    /// Number of cycles for each increment.
    pub divider: Divider,
    /// Start value.
    pub from: u32,
    /// Whether the counter stops while non-invasive debug is not permitted.
    ///
    /// Event counters always stop while non-invasive debug is not permitted. The setting has an effect only
    /// on a PMU with a control bit for this.
    pub needs_debug: bool,
    /// Position of the cycle counter among the selections.
    ///
    /// The position is stored in the settings of a run, so that later settings do not reorder the last run's counts.
    pub(crate) nth: u8,
}

impl Clock {
    /// Bit of the cycle counter in words with a bit for each counter, such as [`Interference`].
    pub const BIT: u32 = 1 << Self::NUMBER;

    /// Number of the cycle counter's bit.
    pub const NUMBER: usize = Interference::CYCLE_COUNTER as usize;

    /// The cycle counter is off.
    pub const OFF: Self =
        Self { on: false, divider: Divider::By1, from: 0, needs_debug: false, nth: 0 };

    /// Returns the setting of a cycle counter that is off, at the position after `counters` event counters.
    #[must_use]
    pub const fn off_after(counters: usize) -> Self {
        Self { nth: counters as u8, ..Self::OFF }
    }
}

/// The cycle counter of a stopped PMU, for changing its settings.
///
/// The `cycle_counter` method of a `Pmu` returns this type. Settings apply from the next start on.
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
    /// Sets the counter to count cycles from zero.
    pub fn count(self, divider: Divider) {
        self.count_from(divider, 0);
    }

    /// Sets the counter to count cycles, with the start value `from`.
    pub fn count_from(self, divider: Divider, from: u32) {
        *self.clock = Clock { on: true, divider, from, ..*self.clock };
    }

    /// Makes the counter count cycles and overflow after `counts` increments.
    ///
    /// With [`Divider::By64`], an increment is 64 cycles. This call is [`count_from`](Self::count_from)
    /// with the start value 2^32 - `counts`.
    pub fn overflow_after(self, divider: Divider, counts: NonZeroU32) {
        self.count_from(divider, counts.get().wrapping_neg());
    }

    /// Turns the counter off.
    pub fn off(self) {
        *self.clock = Clock { on: false, from: 0, ..*self.clock };
    }
}

/// The cycle counter of a stopped PMU without a divider, for changing its settings.
///
/// The `cycle_counter` method of a `Pmu` returns this type. Settings apply from the next start on. The cycle counter
/// counts every cycle.
#[derive(Debug)]
#[must_use = "the cycle counter is not set until one of its methods is called"]
pub struct UndividedCycles<'p> {
    setting: Cycles<'p>,
}

impl<'p> From<Cycles<'p>> for UndividedCycles<'p> {
    #[inline(always)]
    fn from(setting: Cycles<'p>) -> Self {
        Self { setting }
    }
}

impl UndividedCycles<'_> {
    /// Sets the counter to count cycles from zero.
    pub fn count(self) {
        self.setting.count(Divider::By1);
    }

    /// Sets the counter to count cycles, with the start value `from`.
    pub fn count_from(self, from: u32) {
        self.setting.count_from(Divider::By1, from);
    }

    /// Makes the counter count cycles and overflow after `cycles` cycles.
    ///
    /// This call is [`count_from`](Self::count_from) with the start value 2^32 - `cycles`.
    pub fn overflow_after(self, cycles: NonZeroU32) {
        self.setting.overflow_after(Divider::By1, cycles);
    }

    /// Turns the counter off.
    pub fn off(self) {
        self.setting.off();
    }
}

/// A set of counters of a PMU with event counters and a cycle counter.
///
/// The set can contain, for example, the counters that overflowed, or the counters whose interrupts
/// are enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CounterSet<const COUNTERS: usize> {
    /// The event counters, in the order of their numbers.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::arrays"))]
    pub counters: [bool; COUNTERS],
    /// The cycle counter.
    pub cycles: bool,
}

impl<const COUNTERS: usize> CounterSet<COUNTERS> {
    /// No counter.
    pub const NONE: Self = Self { counters: [false; COUNTERS], cycles: false };
    /// All counters.
    pub const ALL: Self = Self { counters: [true; COUNTERS], cycles: true };

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        !self.cycles && !self.counters.contains(&true)
    }

    /// Returns the intersection of two sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let mut both = other;
        for (counter, other) in self.counters.iter().zip(&mut both.counters) {
            *other &= counter;
        }
        both.cycles &= self.cycles;
        both
    }

    /// Creates a set from a word with the event counters and a flag for the cycle counter.
    ///
    /// Bit 0 is event counter 0.
    #[must_use]
    pub fn from_bits(counters: u32, cycles: bool) -> Self {
        Self { counters: core::array::from_fn(|number| counters >> number & 1 == 1), cycles }
    }

    /// Returns the event counters as a word, with counter 0 in bit 0.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.counters.iter().rev().fold(0, |bits, &counter| bits << 1 | u32::from(counter))
    }

    /// Creates a set from a word, where [`Clock::BIT`] is the cycle counter.
    #[must_use]
    pub fn from_word(counters: u32) -> Self {
        Self::from_bits(counters, counters & Clock::BIT != 0)
    }

    /// Returns the set as a word, where [`Clock::BIT`] is the cycle counter.
    #[must_use]
    pub fn word(self) -> u32 {
        self.bits() | u32::from(self.cycles) << Interference::CYCLE_COUNTER
    }

    /// Returns the set as a word, with the cycle counter in the bit after the event counters.
    ///
    /// The bit numbers are the counter numbers of
    /// [`RunningMonitor`](crate::measure::RunningMonitor).
    #[must_use]
    pub fn numbered(self) -> u32 {
        self.bits() | u32::from(self.cycles) << COUNTERS
    }
}

/// The empty set.
impl<const COUNTERS: usize> Default for CounterSet<COUNTERS> {
    fn default() -> Self {
        Self::NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycle_counter_has_the_highest_number() {
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
    fn off_keeps_the_other_settings() {
        let on = Clock { on: true, divider: Divider::By64, from: 7, ..Clock::off_after(2) };
        let mut clock = Clock { needs_debug: true, ..on };
        Cycles::from(&mut clock).off();
        assert_eq!(clock, Clock { on: false, from: 0, needs_debug: true, ..on });
    }
}

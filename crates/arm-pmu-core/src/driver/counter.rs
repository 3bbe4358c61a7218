//! Settings of one event counter.

use core::num::NonZeroU32;

#[cfg(doc)]
use crate::count::Count;

/// Settings of one event counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterConfig<S> {
    /// Event that the counter counts; `None` if the counter is off.
    pub selection: Option<S>,
    /// Start value.
    pub from: u32,
}

impl<S> CounterConfig<S> {
    /// The counter is off.
    pub const OFF: Self = Self { selection: None, from: 0 };

    /// Creates a setting that counts `selection` from the value `from`.
    #[must_use]
    #[inline(always)]
    pub const fn on(selection: S, from: u32) -> Self {
        Self { selection: Some(selection), from }
    }
}

/// One event counter of a stopped PMU, for selecting its event.
///
/// The `counters` method of a `Pmu` returns the counters. Settings apply from the next start on.
#[derive(Debug)]
#[must_use = "the counter is not set until one of its methods is called"]
pub struct Counter<'p, S> {
    config: &'p mut CounterConfig<S>,
}

impl<'p, S> From<&'p mut CounterConfig<S>> for Counter<'p, S> {
    #[inline(always)]
    fn from(config: &'p mut CounterConfig<S>) -> Self {
        Self { config }
    }
}

impl<S: Copy> Counter<'_, S> {
    /// Makes the counter count `what` from zero.
    pub fn count(self, what: impl Into<S>) {
        self.count_from(what, 0);
    }

    /// Makes the counter count `what` from the start value `from`.
    ///
    /// The counter overflows after 2^32 - `from` events. The overflow asserts the interrupt if the interrupt is
    /// enabled in the PMU and in the SoC.
    ///
    /// The [count](Count) does not include `from`: a count is the number of events. The count is
    /// [overflowed](Count::overflowed) once the overflow flag is set.
    pub fn count_from(self, what: impl Into<S>, from: u32) {
        *self.config = CounterConfig::on(what.into(), from);
    }

    /// Makes the counter count `what` and overflow after `events` events.
    ///
    /// This call is [`count_from`](Self::count_from) with the start value 2^32 - `events`. A saturating counter is
    /// already full after `events` - 1 events.
    pub fn overflow_after(self, what: impl Into<S>, events: NonZeroU32) {
        self.count_from(what, events.get().wrapping_neg());
    }

    /// Turns the counter off.
    pub fn off(self) {
        *self.config = CounterConfig::OFF;
    }

    /// Returns the event for the next start; `None` if the counter is off.
    #[must_use]
    pub fn selection(&self) -> Option<S> {
        self.config.selection
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_overflows_after_its_budget() {
        let mut configs = [CounterConfig::OFF; 2];
        let [a, b] = configs.each_mut().map(Counter::from);
        a.overflow_after('a', NonZeroU32::new(10).unwrap());
        b.overflow_after('b', NonZeroU32::MAX);
        assert_eq!(configs, [CounterConfig::on('a', u32::MAX - 9), CounterConfig::on('b', 1)]);
    }
}

//! The setting of one event counter.

use core::num::NonZeroU32;

#[cfg(doc)]
use crate::count::Count;

/// The setting of one event counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterConfig<S> {
    /// Event that it counts; `None` if it is off.
    pub selection: Option<S>,
    /// Start value.
    pub from: u32,
}

impl<S> CounterConfig<S> {
    /// The counter is off.
    pub const OFF: Self = Self { selection: None, from: 0 };

    /// Creates the setting that counts `selection` from the value `from`.
    #[must_use]
    #[inline(always)]
    pub const fn on(selection: S, from: u32) -> Self {
        Self { selection: Some(selection), from }
    }
}

/// One event counter of a stopped PMU, to set the event that it counts.
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
    /// Sets the counter to count `what` from zero.
    pub fn count(self, what: impl Into<S>) {
        self.count_from(what, 0);
    }

    /// Sets the counter to count `what`, with the start value `from`.
    ///
    /// The counter overflows after 2^32 - `from` events. Its overflow flag asserts the interrupt if the PMU and
    /// the SoC are set up for it.
    ///
    /// The [count](Count) does not include `from`: it is the number of events. It is
    /// [overflowed](Count::overflowed) once the flag was set.
    pub fn count_from(self, what: impl Into<S>, from: u32) {
        *self.config = CounterConfig::on(what.into(), from);
    }

    /// Sets the counter to count `what` and to overflow after `events` events.
    ///
    /// This is [`count_from`](Self::count_from) with the start value 2^32 - `events`. A counter that saturates is
    /// full one event earlier.
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
    fn a_counter_writes_its_configuration() {
        let mut configs = [CounterConfig::OFF; 4];
        let [a, b, c, d] = configs.each_mut().map(Counter::from);
        a.count_from('a', 7);
        b.overflow_after('b', NonZeroU32::new(10).unwrap());
        c.count('c');
        d.overflow_after('d', NonZeroU32::MAX);
        let expected = [('a', 7), ('b', u32::MAX - 9), ('c', 0), ('d', 1)];
        assert_eq!(configs, expected.map(|(selection, from)| CounterConfig::on(selection, from)));
        let [a, b, _, _] = configs.each_mut().map(Counter::from);
        assert_eq!(a.selection(), Some('a'));
        a.off();
        b.count('x');
        assert_eq!(configs[..2], [CounterConfig::OFF, CounterConfig::on('x', 0)]);
        assert_eq!(CounterConfig::<char>::OFF, CounterConfig { selection: None, from: 0 });
        assert_eq!(Counter::from(&mut configs[0]).selection(), None);
    }
}

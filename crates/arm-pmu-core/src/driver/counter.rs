//! The setting of one event counter.

use core::num::NonZeroU32;

#[cfg(doc)]
use crate::count::Count;

/// The setting of one event counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterConfig<S> {
    /// What it counts; `None` if it is off.
    pub selection: Option<S>,
    /// Its start value.
    pub from: u32,
}

impl<S> CounterConfig<S> {
    /// Off.
    pub const OFF: Self = Self { selection: None, from: 0 };

    /// Counts `selection` from the value `from` on.
    #[must_use]
    #[inline(always)]
    pub const fn on(selection: S, from: u32) -> Self {
        Self { selection: Some(selection), from }
    }
}

/// One counter, to say what it counts. The `counters` method of a stopped PMU gives them.
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
        *self.config = CounterConfig::on(what.into(), from);
    }

    /// Counts this from the next start on, so that the counter overflows at the event with the
    /// number `events`: a budget. The same as [`count_from`](Self::count_from) 2^32 - `events`.
    pub fn overflow_after(self, what: impl Into<S>, events: NonZeroU32) {
        self.count_from(what, events.get().wrapping_neg());
    }

    /// Counts nothing from the next start on.
    pub fn off(self) {
        *self.config = CounterConfig::OFF;
    }

    /// What it will count from the next start on.
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

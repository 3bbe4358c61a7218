//! Samples at the overflows of counters.

use core::num::NonZeroU32;

use super::ring::{Sample, SampleWriter};
use crate::count::{Count, CountError};
use crate::measure::{MOST_COUNTERS, Rearm};

/// Number of events from one sample to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    shortest: NonZeroU32,
    /// Number of different periods, minus one.
    spread: u32,
}

impl Period {
    /// Random periods from half to one and a half times `events`. The mean is `events`.
    ///
    /// With equal periods, a loop whose length divides the period would always be sampled at the same place. With
    /// random periods, each place in such a loop is equally likely to be sampled.
    #[must_use]
    pub const fn about(events: NonZeroU32) -> Self {
        let (half, room) = (events.get() / 2, u32::MAX - events.get());
        let half = if half < room { half } else { room };
        match NonZeroU32::new(events.get() - half) {
            // There are `events` different periods, but fewer near the largest `u32`.
            Some(shortest) => {
                Self { shortest, spread: (2 * half).saturating_sub(1 - events.get() % 2) }
            }
            None => Self::exactly(events),
        }
    }

    /// Equal periods.
    #[must_use]
    pub const fn exactly(events: NonZeroU32) -> Self {
        Self { shortest: events, spread: 0 }
    }

    /// Returns the period that a random number selects.
    const fn at(self, random: u32) -> NonZeroU32 {
        let more = (random as u64 * (self.spread as u64 + 1)) >> 32;
        self.shortest.saturating_add(more as u32)
    }
}

/// A counter that is sampled.
#[derive(Debug)]
struct Sampled {
    counter: usize,
    period: Period,
    /// Period that ends with the next sample.
    current: NonZeroU32,
    /// State of the generator xorshift32.
    random: u32,
}

impl Sampled {
    fn new(counter: usize, period: Period) -> Self {
        // The seed must not be 0, and differs between counters.
        Self { counter, period, current: period.shortest, random: 0x9E37_79B9 ^ counter as u32 }
    }

    /// Draws the next period.
    fn draw(&mut self) -> NonZeroU32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        self.current = self.period.at(self.random);
        self.current
    }
}

/// Writes a sample, with up to `D` addresses, at each overflow of one of `C` counters.
///
/// Instructions of the handler are counted too, unless the PMU excludes the level or mode of the handler. These
/// instructions lengthen each period by the same number of events, so they do not change the shares of a profile.
#[derive(Debug)]
pub struct Sampler<'r, const C: usize = 1, const D: usize = 1> {
    counters: [Sampled; C],
    writer: SampleWriter<'r, D>,
}

impl<'r, const C: usize, const D: usize> Sampler<'r, C, D> {
    /// Starts the first period of these counters. Each counter must already count an event, with
    /// its interrupt enabled.
    ///
    /// [`counter_of`](crate::measure::RunningMonitor::counter_of) returns the number of a selection's counter.
    pub fn start(
        running: &mut impl Rearm,
        counters: [(usize, Period); C],
        writer: SampleWriter<'r, D>,
    ) -> Self {
        let mut counters = counters.map(|(counter, period)| Sampled::new(counter, period));
        for sampled in &mut counters {
            running.rearm(sampled.counter, sampled.draw());
        }
        Self { counters, writer }
    }

    /// Acknowledges overflows, writes a sample for each of them, and starts the next period.
    ///
    /// Call this in the handler of the overflow interrupt. `stack` is the address of the interrupted instruction,
    /// followed by its callers if they are known. Returns the overflowed counters that are not sampled; bit `n` is
    /// counter `n`.
    pub fn sample(&mut self, running: &mut impl Rearm, stack: &[usize]) -> u32 {
        let mut overflowed = running.take_overflows();
        for sampled in &mut self.counters {
            let Sampled { counter, current, .. } = *sampled;
            if counter >= 32 || overflowed >> counter & 1 == 0 {
                continue;
            }
            overflowed &= !(1 << counter);
            let mut counts = [Count::NOT_COUNTED; MOST_COUNTERS];
            running.read(&mut counts[..=counter]);
            let events = events(counts[counter]).filter(|events| *events >= current);
            running.rearm(counter, sampled.draw());
            self.writer.push(&Sample::new(stack, counter, current, events));
        }
        overflowed
    }
}

/// Returns the number of events of an overflowed counter, if the number is known.
fn events(count: Count) -> Option<NonZeroU32> {
    let events = match count.exact_u64() {
        Ok(events) => events,
        Err(CountError::Overflowed) => count.lower_bound(),
        Err(_) => return None,
    };
    NonZeroU32::new(u32::try_from(events).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn events(events: u32) -> NonZeroU32 {
        NonZeroU32::new(events).unwrap()
    }

    #[test]
    fn periods_lie_around_their_mean() {
        let near_end = (u32::MAX - 1, u32::MAX - 2, u32::MAX - 1);
        for (mean, shortest, longest) in
            [(1, 1, 1), (2, 1, 2), (7, 4, 10), (1_000, 500, 1_499), near_end]
        {
            let ends = [0, u32::MAX].map(|random| Period::about(events(mean)).at(random).get());
            assert_eq!(ends, [shortest, longest]);
            assert_eq!(
                [0, u32::MAX].map(|random| Period::exactly(events(mean)).at(random)),
                [events(mean); 2]
            );
        }
    }

    /// Numbers of samples in three functions, in which a loop executes 60, 30 and 10 instructions.
    fn shares(period: Period) -> [i32; 3] {
        let (mut sampled, mut position, mut samples) = (Sampled::new(0, period), 0, [0; 3]);
        for _ in 0..10_000 {
            position = (position + sampled.draw().get()) % 100;
            samples[usize::from(position >= 60) + usize::from(position >= 90)] += 1;
        }
        samples
    }

    #[test]
    fn random_periods_do_not_alias_with_loops() {
        assert_eq!(shares(Period::exactly(events(500))), [10_000, 0, 0]);
        for mean in [100, 200, 500, 1_000, 50, 333, 20] {
            for (found, right) in
                shares(Period::about(events(mean))).into_iter().zip([6_000, 3_000, 1_000])
            {
                assert!((found - right).abs() < 200, "{mean}: {found}, not {right}");
            }
        }
    }
}

//! Confidence in a difference of medians: the percentile bootstrap.
//!
//! The runs of each side are resampled with replacement, and each resample gives a difference of the medians. The
//! interval contains 95 % of these differences.

use serde::Serialize;

use crate::base::documents::documents;

/// Number of resamples.
pub const RESAMPLES: usize = 10_000;

/// Seed of the random numbers. With a constant seed, equal input gives equal intervals.
pub const SEED: u64 = 1;

/// Confidence level of the interval, in percent.
pub const PERCENT: u32 = 95;

/// Minimum number of runs that each side needs for a verdict.
pub const FEWEST_RUNS: usize = 5;

documents! {
    derive(Clone, Copy, Debug, PartialEq, Serialize)

    /// Confidence interval of a difference.
    Interval {
        low: f64,
        high: f64,
    }
}

impl Interval {
    /// Whether the interval contains this difference.
    pub fn contains(self, difference: f64) -> bool {
        (self.low..=self.high).contains(&difference)
    }

    /// Confidence interval from independent runs. Each side has at least one run.
    pub fn of_samples(this: &[f64], other: &[f64], resamples: usize) -> Self {
        let mut random = Random(SEED);
        let mut draw = |from: &[f64], to: &mut Vec<f64>| {
            to.clear();
            to.extend((0..from.len()).map(|_| from[random.below(from.len())]));
        };
        let resample = |one: &mut Vec<f64>, another: &mut Vec<f64>| {
            draw(this, one);
            draw(other, another);
        };
        Self::of_resamples(resamples, f64::from(PERCENT), resample, |this, other| this - other)
    }

    /// Confidence interval from pairs of runs. Each pair has one run of each side. There is at least one pair. Whole
    /// pairs are resampled, because a slow change, for example of temperature, affects both runs of a pair.
    pub fn of_pairs(pairs: &[(f64, f64)]) -> Self {
        Self::of_changes(pairs, f64::from(PERCENT), |this, other| this - other)
    }

    /// Interval for a function of both medians, with a confidence level of `percent`. There is at least one pair.
    pub fn of_changes(
        pairs: &[(f64, f64)],
        percent: f64,
        change: impl Fn(f64, f64) -> f64,
    ) -> Self {
        let mut random = Random(SEED);
        let resample = |one: &mut Vec<f64>, another: &mut Vec<f64>| {
            one.clear();
            another.clear();
            for _ in pairs {
                let (this, other) = pairs[random.below(pairs.len())];
                one.push(this);
                another.push(other);
            }
        };
        Self::of_resamples(RESAMPLES, percent, resample, change)
    }

    fn of_resamples(
        resamples: usize,
        percent: f64,
        mut resample: impl FnMut(&mut Vec<f64>, &mut Vec<f64>),
        change: impl Fn(f64, f64) -> f64,
    ) -> Self {
        let (mut this, mut other) = (Vec::new(), Vec::new());
        let mut changes = Vec::with_capacity(resamples);
        for _ in 0..resamples {
            resample(&mut this, &mut other);
            changes.push(change(middle(&mut this), middle(&mut other)));
        }
        changes.sort_unstable_by(f64::total_cmp);
        // Number of resamples that lie beyond each end of the interval.
        let outside = (resamples as f64 * (100.0 - percent) / 200.0) as usize;
        Self { low: changes[outside], high: changes[resamples - 1 - outside] }
    }
}

/// Median; for an even number of values, the mean of the middle two.
pub fn median(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| middle(&mut values.to_vec()))
}

/// Returns the median of at least one value; reorders the values.
fn middle(values: &mut [f64]) -> f64 {
    let half = values.len() / 2;
    let is_even = values.len() % 2 == 0;
    let (below, upper, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    let upper = *upper;
    if !is_even {
        return upper;
    }
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The sum of two large numbers can be inexact.
    lower + (upper - lower) / 2.0
}

/// SplitMix64 (G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number generators, 2014).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// Random number below `end`. The modulo bias is negligible for any practical number of runs.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Normally distributed random number, as the sum of twelve uniform numbers, which has a variance of 1.
    fn normal(random: &mut Random) -> f64 {
        let uniform = |random: &mut Random| random.next() as f64 / u64::MAX as f64;
        (0..12).map(|_| uniform(random)).sum::<f64>() - 6.0
    }

    /// Percentage of 200 measurements whose interval contains the true difference. Fewer resamples make the ends of an
    /// interval less exact, but do not shorten it.
    fn coverage(runs: usize, shift: f64, draw: fn(&mut Random) -> f64) -> f64 {
        let mut random = Random(99);
        let mut sample =
            |shift: f64| (0..runs).map(|_| draw(&mut random) + shift).collect::<Vec<_>>();
        let holds = (0..200).filter(|_| {
            let (this, other) = (sample(shift), sample(0.0));
            Interval::of_samples(&this, &other, 600).contains(shift)
        });
        holds.count() as f64 / 2.0
    }

    /// Random run time with a minimum and a long tail.
    fn exponential(random: &mut Random) -> f64 {
        -((random.next() as f64 + 1.0) / (u64::MAX as f64 + 2.0)).ln()
    }

    #[test]
    fn intervals_reach_their_stated_coverage() {
        for draw in [normal, exponential] {
            for (runs, shift) in [(5, 0.0), (5, 3.0), (20, 0.0)] {
                let percent = coverage(runs, shift, draw);
                assert!((91.0..=100.0).contains(&percent), "{runs} runs, {shift}: {percent} %");
            }
        }
    }

    #[test]
    fn pairing_cancels_common_drift() {
        let mut random = Random(7);
        // The drift is much larger than the difference.
        let pair = |round| {
            let drift = 100.0 * f64::from(round);
            (drift + 5.0 + 0.1 * normal(&mut random), drift + 0.1 * normal(&mut random))
        };
        let pairs: Vec<_> = (0..20).map(pair).collect();
        let (this, other): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        assert!(!Interval::of_pairs(&pairs).contains(0.0));
        assert!(Interval::of_samples(&this, &other, 600).contains(0.0));
    }

    #[test]
    fn the_median_ignores_order_and_overflow() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        let large = (1_u64 << 53) as f64;
        assert_eq!(median(&[large, large]), Some(large));
    }
}

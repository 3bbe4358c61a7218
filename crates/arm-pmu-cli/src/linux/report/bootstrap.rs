//! Confidence in a difference of medians: the percentile bootstrap.
//!
//! The runs of each side are drawn again, with repetition, and the difference of the medians is taken each time. The
//! interval holds 95 % of these differences.

use serde::Serialize;

use crate::base::documents::documents;

/// Number of differences.
pub const RESAMPLES: usize = 10_000;

/// Seed of the random numbers, so that the same input always produces the same interval.
pub const SEED: u64 = 1;

/// Part of the differences that the interval holds.
pub const PERCENT: u32 = 95;

/// Fewest runs of each side that suffice for a verdict.
pub const FEWEST_RUNS: usize = 5;

documents! {
    derive(Clone, Copy, Debug, PartialEq, Serialize)

    /// An interval of differences.
    Interval {
        low: f64,
        high: f64,
    }
}

impl Interval {
    /// Whether this difference lies in the interval.
    pub fn contains(self, difference: f64) -> bool {
        (self.low..=self.high).contains(&difference)
    }

    /// The interval for independent runs.
    pub fn of_samples(this: &[f64], other: &[f64]) -> Option<Self> {
        if this.is_empty() || other.is_empty() {
            return None;
        }
        Some(Self::independent(this, other, RESAMPLES))
    }

    fn independent(this: &[f64], other: &[f64], resamples: usize) -> Self {
        let mut random = Random(SEED);
        let mut draw = |from: &[f64], to: &mut Vec<f64>| {
            to.clear();
            to.extend((0..from.len()).map(|_| from[random.below(from.len())]));
        };
        Self::of_differences(resamples, |one, another| {
            draw(this, one);
            draw(other, another);
        })
    }

    /// The interval for pairs, of this side and of the other. The two runs of a pair follow each
    /// other, so they are drawn together: a slow change, such as of temperature, then affects both
    /// medians.
    pub fn of_pairs(pairs: &[(f64, f64)]) -> Option<Self> {
        if pairs.is_empty() {
            return None;
        }
        let mut random = Random(SEED);
        Some(Self::of_differences(RESAMPLES, |one, another| {
            one.clear();
            another.clear();
            for _ in pairs {
                let (this, other) = pairs[random.below(pairs.len())];
                one.push(this);
                another.push(other);
            }
        }))
    }

    fn of_differences(
        resamples: usize,
        mut resample: impl FnMut(&mut Vec<f64>, &mut Vec<f64>),
    ) -> Self {
        let (mut this, mut other) = (Vec::new(), Vec::new());
        let mut differences = Vec::with_capacity(resamples);
        for _ in 0..resamples {
            resample(&mut this, &mut other);
            differences.push(middle(&mut this) - middle(&mut other));
        }
        differences.sort_unstable_by(f64::total_cmp);
        // On each side, half of the resamples outside the interval.
        let outside = resamples * (100 - PERCENT as usize) / 200;
        Self { low: differences[outside], high: differences[resamples - 1 - outside] }
    }
}

/// The median: of an even number of values, the mean of the two in the middle.
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
    // Half of the sum would be inexact for large equal numbers.
    lower + (upper - lower) / 2.0
}

/// SplitMix64 (G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number generators, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// A number below `end`. The remainder's bias is negligible for any practical number of runs.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// A normally distributed number: the sum of twelve uniform ones has the variance 1.
    fn normal(random: &mut Random) -> f64 {
        let uniform = |random: &mut Random| random.next() as f64 / u64::MAX as f64;
        (0..12).map(|_| uniform(random)).sum::<f64>() - 6.0
    }

    /// How many of 200 measurements have an interval that holds the true difference, in percent.
    /// Fewer resamples than usual make the ends of an interval less exact, but do not shorten it.
    fn coverage(runs: usize, shift: f64, draw: fn(&mut Random) -> f64) -> f64 {
        let mut random = Random(99);
        let mut sample =
            |shift: f64| (0..runs).map(|_| draw(&mut random) + shift).collect::<Vec<_>>();
        let holds = (0..200).filter(|_| {
            let (this, other) = (sample(shift), sample(0.0));
            Interval::independent(&this, &other, 600).contains(shift)
        });
        holds.count() as f64 / 2.0
    }

    /// Times of a program: never shorter than it needs, sometimes much longer.
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
        let pairs: Vec<_> = (0..20)
            .map(|round| {
                let drift = 100.0 * f64::from(round);
                (drift + 5.0 + 0.1 * normal(&mut random), drift + 0.1 * normal(&mut random))
            })
            .collect();
        let (this, other): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        assert!(!Interval::of_pairs(&pairs).expect("an interval").contains(0.0));
        assert!(Interval::of_samples(&this, &other).expect("an interval").contains(0.0));
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        let large = (1_u64 << 53) as f64;
        assert_eq!(median(&[large, large]), Some(large));
    }

    #[test]
    fn the_same_runs_give_the_same_interval() {
        let (this, other) = ([1.0, 2.0, 4.0, 8.0, 16.0], [1.0, 3.0, 9.0, 27.0, 81.0]);
        assert_eq!(Interval::of_samples(&this, &other), Interval::of_samples(&this, &other));
        assert_eq!(Interval::of_samples(&[], &other), None);
        assert_eq!(Interval::of_pairs(&[]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn equal_runs_show_no_difference(runs in vec(0.0..1e12, 1..16)) {
            let interval = Interval::of_samples(&runs, &runs).expect("an interval");
            prop_assert!(interval.contains(0.0), "{interval:?}");
            let pairs: Vec<_> = runs.iter().map(|run| (*run, *run)).collect();
            prop_assert_eq!(Interval::of_pairs(&pairs), Some(Interval { low: 0.0, high: 0.0 }));
        }

        #[test]
        fn a_clear_shift_is_shown(
            this in vec(1000.0..1001.0, 5..16),
            other in vec(0.0..999.0, 5..16),
        ) {
            let interval = Interval::of_samples(&this, &other).expect("an interval");
            prop_assert!(interval.low > 0.0, "{interval:?}");
            let interval = Interval::of_samples(&other, &this).expect("an interval");
            prop_assert!(interval.high < 0.0, "{interval:?}");
        }

        #[test]
        fn the_interval_holds_the_difference_of_the_medians(
            this in vec(-1e6..1e6, 1..16),
            other in vec(-1e6..1e6, 1..16),
        ) {
            let interval = Interval::of_samples(&this, &other).expect("an interval");
            let difference = median(&this).expect("runs") - median(&other).expect("runs");
            prop_assert!(interval.contains(difference), "{interval:?} {difference}");
        }
    }
}

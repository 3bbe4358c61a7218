//! What several runs of the same work say together.

use core::fmt;

use crate::schedule::Placed;
use crate::{Amount, Group, Inexact, Metric, Value};

/// What was counted in one or more runs of the same work: made by [`Plan::run`](crate::Plan::run).
///
/// Each amount knows its [pass](Amount::pass). Whether the passes were alike is for
/// [`alike`](Self::alike) to say.
#[derive(Clone, Debug)]
#[must_use = "the amounts are what was measured"]
pub struct Passes<S, const N: usize> {
    entries: [Option<Placed<S>>; N],
    amounts: [Amount; N],
    witness: Option<S>,
    /// Of each pass.
    witnessed: [Amount; N],
    number: usize,
}

impl<S: Copy + PartialEq, const N: usize> Passes<S, N> {
    pub(crate) const fn new(
        entries: [Option<Placed<S>>; N],
        witness: Option<S>,
        number: usize,
    ) -> Self {
        let nothing = [Amount::NOTHING; N];
        Self { entries, amounts: nothing, witness, witnessed: nothing, number }
    }

    /// A pass was run.
    pub(crate) fn add(
        &mut self,
        pass: usize,
        witness: Option<Amount>,
        amounts: [Option<Amount>; N],
    ) {
        if let (Some(place), Some(witness)) = (self.witnessed.get_mut(pass), witness) {
            *place = witness.in_pass(pass as u32);
        }
        for (amount, place) in amounts.into_iter().zip(&mut self.amounts) {
            *place = amount.unwrap_or(*place);
        }
    }

    /// How many passes there were.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Each selection and how much of it there was, in the order of the plan. A selection of two groups
    /// comes twice.
    pub fn pairs(&self) -> impl Iterator<Item = (S, Amount)> + Clone + '_ {
        self.with_groups().map(|(_, selection, amount)| (selection, amount))
    }

    /// The selections of one group.
    pub fn group(&self, group: Group) -> impl Iterator<Item = (S, Amount)> + Clone + '_ {
        let of_group = self.with_groups().filter(move |(of, ..)| *of == group.0);
        of_group.map(|(_, selection, amount)| (selection, amount))
    }

    /// Whether all selections of a group were counted in one pass.
    #[must_use]
    pub fn is_together(&self, group: Group) -> bool {
        let mut passes = self.group(group).map(|(_, amount)| amount.pass());
        passes.next().is_none_or(|first| passes.all(|pass| pass == first))
    }

    /// How much of a selection there was; [`Amount::NOTHING`] if it was not in the plan. If more than one
    /// group has it, the amount is that of the first.
    #[must_use]
    pub fn amount(&self, selection: S) -> Amount {
        let found = self.pairs().find(|(of, _)| *of == selection);
        found.map_or(Amount::NOTHING, |(_, amount)| amount)
    }

    /// What a metric comes to: its inputs are found by their selections, all of them in one pass.
    ///
    /// Events that were [planned together](crate::Plan::together) are, if the PMU can count so many at once.
    /// Where inputs are from different passes there is no figure; [`Metric::find_in_any_pass`], told the
    /// [pairs](Self::pairs), mixes them.
    pub fn metric<T: Metric<Selection = S>>(&self, metric: &T) -> Value {
        metric.find(self.pairs())
    }

    /// What was counted in each pass to see whether they are alike, if anything was.
    #[must_use]
    pub const fn witness(&self) -> Option<S> {
        self.witness
    }

    /// How much of the witness there was in each pass. Nothing comes if there was no witness.
    pub fn witnessed(&self) -> impl Iterator<Item = Amount> + '_ {
        let number = if self.witness.is_some() { self.number } else { 0 };
        self.witnessed.iter().copied().take(number)
    }

    /// Whether the passes were alike: the witness differs from pass to pass by so many thousandths at
    /// the most.
    ///
    /// Two passes with the same number of cycles can still be different. That they differ is a fact.
    pub fn alike(&self, tolerance_per_mille: u32) -> Alike {
        if self.number < 2 {
            return Alike::OnePass;
        }
        if self.witness.is_none() {
            return Alike::NoWitness;
        }
        let mut spread = Spread { least: u64::MAX, most: 0 };
        for amount in self.witnessed() {
            match amount.estimate() {
                Ok(events) => {
                    spread.least = spread.least.min(events);
                    spread.most = spread.most.max(events);
                }
                Err(why) => return Alike::Unknown(why),
            }
        }
        if spread.per_mille() <= tolerance_per_mille {
            Alike::Within(spread)
        } else {
            Alike::Differ(spread)
        }
    }

    fn with_groups(&self) -> impl Iterator<Item = (usize, S, Amount)> + Clone + '_ {
        let all = self.entries.iter().zip(self.amounts);
        all.filter_map(|(entry, amount)| entry.map(|of| (of.group, of.selection, amount)))
    }
}

/// The least and the most of several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spread {
    /// The least of them.
    pub least: u64,
    /// The most of them.
    pub most: u64,
}

impl Spread {
    /// By how many thousandths of the most the least is less, rounded up.
    #[must_use]
    pub const fn per_mille(self) -> u32 {
        if self.most <= self.least {
            return 0;
        }
        let less = (self.most - self.least) as u128;
        (less * 1_000).div_ceil(self.most as u128) as u32
    }
}

/// Whether the [passes](Passes) over the same work were alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "what was counted in passes that differ does not belong together"]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Alike {
    /// There was one pass: everything was counted together.
    OnePass,
    /// Of the witness there was about the same in each.
    Within(Spread),
    /// The witness differs by more than is tolerated: amounts of different passes do not belong together.
    Differ(Spread),
    /// There was no witness, so nobody knows.
    NoWitness,
    /// How much there was of the witness is not known, for this reason.
    Unknown(Inexact),
}

impl fmt::Display for Alike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnePass => f.write_str("everything was counted in one pass"),
            Self::Within(spread) => {
                let per_mille = spread.per_mille();
                write!(f, "the passes differ by {}.{} %", per_mille / 10, per_mille % 10)
            }
            Self::Differ(spread) => {
                let per_mille = spread.per_mille();
                write!(
                    f,
                    "the passes differ by {}.{} %: do not compare across them",
                    per_mille / 10,
                    per_mille % 10
                )
            }
            Self::NoWitness => {
                f.write_str("nothing was counted that tells whether the passes are alike")
            }
            Self::Unknown(why) => write!(f, "whether the passes are alike is not known: {why}"),
        }
    }
}

//! How much of an event there was.

use core::fmt;

use crate::{Count, Inexact};

/// How many events there were, in 64 bits, and how that is known: what reports show and metrics are
/// computed from.
///
/// A [`Count`] is what one counter said after one run. An amount may also be a
/// [total](crate::Totals) over many wraps of the counter, or an estimate of an event that was counted
/// for a part of the time only. It knows in which pass over the work it was counted, because amounts
/// from different passes do not belong together unless the work does the same each time.
///
/// ```
/// use arm_pmu_core::{Amount, Count, NotExact, Share};
///
/// assert_eq!(Amount::from(Count::exactly(7)).exact(), Ok(7));
/// assert_eq!(Amount::exactly(1 << 40).to_string(), "1099511627776");
///
/// // 30 were seen in a quarter of the time.
/// let share = Share { counted: 25, of: 100 };
/// let estimate = Amount::scaled(30, share);
/// assert_eq!(estimate.to_string(), "~120");
/// assert_eq!(estimate.exact(), Err(NotExact::Estimate(share)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Amount {
    events: u64,
    known: Known,
    pass: u32,
}

/// Why an [`Amount`] is not known exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum NotExact {
    /// It is an estimate from this share of the time.
    Estimate(Share),
    /// What was counted cannot be relied on.
    Doubtful(Inexact),
}

impl fmt::Display for NotExact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Estimate(_) => f.write_str("it was counted for a part of the time only"),
            Self::Doubtful(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for NotExact {}

/// How a number of events is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
enum Known {
    Exactly,
    Scaled(Share),
    Not(Inexact),
}

/// For how much of the time something was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Share {
    /// So long it was counted, in any unit.
    pub counted: u64,
    /// So long the whole took, in the same unit.
    pub of: u64,
}

impl Share {
    /// All of the time.
    pub const WHOLE: Self = Self { counted: 1, of: 1 };

    /// In thousandths, rounded down; 0 of a whole that took no time.
    #[must_use]
    pub const fn per_mille(self) -> u32 {
        if self.of == 0 {
            return 0;
        }
        let per_mille = self.counted as u128 * 1_000 / self.of as u128;
        if per_mille > 1_000 { 1_000 } else { per_mille as u32 }
    }
}

impl Amount {
    /// Nothing is known of it.
    pub const NOTHING: Self = Self::doubtful(0, Inexact::NotCounted);

    /// So many events.
    #[must_use]
    pub const fn exactly(events: u64) -> Self {
        Self { events, known: Known::Exactly, pass: 0 }
    }

    /// A number that is not that of the events, and why. After an [overflow](Inexact::Overflowed) the
    /// events are at least so many; otherwise the number means nothing.
    #[must_use]
    pub const fn doubtful(events: u64, why: Inexact) -> Self {
        Self { events, known: Known::Not(why), pass: 0 }
    }

    /// An estimate: `events` were seen in a share of the time, and were as frequent in the rest.
    ///
    /// What was seen during no time at all says [nothing](Self::NOTHING). An estimate beyond 64 bits is
    /// [overflowed](Inexact::Overflowed).
    #[must_use]
    pub const fn scaled(events: u64, share: Share) -> Self {
        if share.counted == 0 {
            return Self::NOTHING;
        }
        if share.counted >= share.of {
            return Self::exactly(events);
        }
        // Rounded to the nearest. Two numbers of 64 bits fit into one of 128.
        let scaled =
            (events as u128 * share.of as u128 + share.counted as u128 / 2) / share.counted as u128;
        if scaled > u64::MAX as u128 {
            return Self::doubtful(u64::MAX, Inexact::Overflowed);
        }
        Self { events: scaled as u64, known: Known::Scaled(share), pass: 0 }
    }

    /// The same amount, counted in another pass over the work than pass 0.
    #[must_use]
    pub const fn in_pass(self, pass: u32) -> Self {
        Self { pass, ..self }
    }

    /// In which pass over the work it was counted.
    #[must_use]
    pub const fn pass(self) -> u32 {
        self.pass
    }

    /// The number of events.
    ///
    /// # Errors
    ///
    /// The reason, if it is not exactly known.
    pub const fn exact(self) -> Result<u64, NotExact> {
        match self.known {
            Known::Exactly => Ok(self.events),
            Known::Scaled(share) => Err(NotExact::Estimate(share)),
            Known::Not(why) => Err(NotExact::Doubtful(why)),
        }
    }

    /// The number of events, exact or estimated.
    ///
    /// # Errors
    ///
    /// The reason, if there is neither.
    pub const fn estimate(self) -> Result<u64, Inexact> {
        match self.known {
            Known::Exactly | Known::Scaled(_) => Ok(self.events),
            Known::Not(why) => Err(why),
        }
    }

    /// A number that the events certainly reached. 0 if nothing is certain.
    #[must_use]
    pub const fn at_least(self) -> u64 {
        match self.known {
            Known::Exactly | Known::Not(Inexact::Overflowed) => self.events,
            Known::Scaled(_) | Known::Not(_) => 0,
        }
    }

    /// For how much of the time it was counted.
    #[must_use]
    pub const fn share(self) -> Share {
        match self.known {
            Known::Scaled(share) => share,
            Known::Exactly | Known::Not(_) => Share::WHOLE,
        }
    }
}

impl From<Count> for Amount {
    fn from(count: Count) -> Self {
        match count.exact() {
            Ok(events) => Self::exactly(events.into()),
            Err(why) => Self::doubtful(count.at_least(), why),
        }
    }
}

/// The number; `~` and a number if it is estimated; `>= ` and a number after an overflow; a word if
/// there is no number.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.known {
            Known::Exactly => "",
            Known::Scaled(_) => "~",
            Known::Not(Inexact::Overflowed) => ">= ",
            Known::Not(why) => return f.pad(why.word()),
        };
        crate::count::pad_number(mark, self.events, f)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::format;
    use std::string::ToString;

    #[test]
    fn what_is_known_of_a_count_is_known_of_the_amount() {
        assert_eq!(Amount::from(Count::exactly(9)), Amount::exactly(9));
        let overflowed = Amount::from(Count::doubtful(9, Inexact::Overflowed));
        assert_eq!(overflowed.estimate(), Err(Inexact::Overflowed));
        assert_eq!(overflowed.at_least(), (1 << 32) + 9);
        let lost = Amount::from(Count::doubtful(9, Inexact::Lost));
        assert_eq!((lost.estimate(), lost.at_least()), (Err(Inexact::Lost), 0));
        assert_eq!(Amount::from(Count::NOTHING), Amount::NOTHING);
    }

    #[test]
    fn estimates_are_scaled_by_time_and_marked() {
        let third = Share { counted: 1, of: 3 };
        let amount = Amount::scaled(5, third);
        assert_eq!((amount.estimate(), amount.at_least()), (Ok(15), 0));
        assert_eq!((amount.share(), third.per_mille()), (third, 333));
        let why = amount.exact().unwrap_err();
        assert_eq!(why.to_string(), "it was counted for a part of the time only");
        assert_eq!(Amount::scaled(1, Share { counted: 2, of: 3 }).estimate(), Ok(2), "rounded");
        assert_eq!(Amount::scaled(5, Share { counted: 3, of: 3 }), Amount::exactly(5));
        assert_eq!(Amount::scaled(5, Share { counted: 0, of: 3 }), Amount::NOTHING);
        assert_eq!(Amount::scaled(u64::MAX / 3, third).estimate(), Ok(u64::MAX));
        let much = Amount::scaled(u64::MAX, third);
        assert_eq!(much.exact(), Err(NotExact::Doubtful(Inexact::Overflowed)));
        assert_eq!((Share::WHOLE.per_mille(), Share { counted: 0, of: 0 }.per_mille()), (1_000, 0));
        assert_eq!(Share { counted: u64::MAX, of: u64::MAX }.per_mille(), 1_000);
        assert_eq!(Share { counted: 2, of: 1 }.per_mille(), 1_000);
    }

    #[test]
    fn amounts_line_up_in_a_table() {
        let share = Share { counted: 1, of: 2 };
        assert_eq!(format!("{:>6}|", Amount::exactly(12)), "    12|");
        assert_eq!(format!("{:6}|", Amount::scaled(12, share)), "   ~24|");
        assert_eq!(format!("{:<6}|", Amount::scaled(12, share)), "~24   |");
        assert_eq!(Amount::doubtful(5, Inexact::Overflowed).to_string(), ">= 5");
        assert_eq!(format!("{:>6}|", Amount::doubtful(5, Inexact::Lost)), "  lost|");
        assert_eq!(format!("{:>6}|", Amount::NOTHING), "     -|");
    }

    #[test]
    fn an_amount_knows_its_pass() {
        assert_eq!(Amount::exactly(5).pass(), 0);
        let amount = Amount::exactly(5).in_pass(3);
        assert_eq!((amount.pass(), amount.exact()), (3, Ok(5)));
    }
}

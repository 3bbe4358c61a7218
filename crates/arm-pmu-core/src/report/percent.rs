//! Percentages of two amounts.

use core::fmt;

use super::text::padded;
use crate::count::{Amount, CountError};

/// A part of a whole, printed in percent, for example misses among lookups.
///
/// A percentage contains the amounts of the part and of the whole. If an amount is an estimate, the
/// percentage is also an estimate: `~12.5 %`.
///
/// ```
/// use arm_pmu_core::count::Amount;
/// use arm_pmu_core::report::Percent;
///
/// let rate = Percent { part: Amount::new(1), whole: Amount::new(8) };
/// assert_eq!((rate.per_mille(), rate.to_string()), (Ok(Some(125)), "12.5 %".to_owned()));
/// let nothing = Percent { part: Amount::new(0), whole: Amount::new(0) };
/// assert_eq!((nothing.per_mille(), nothing.to_string()), (Ok(None), "undefined".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Percent {
    /// The part.
    pub part: Amount,
    /// The whole.
    pub whole: Amount,
}

impl Percent {
    /// Returns the part in thousandths of the whole, rounded to the nearest integer.
    ///
    /// Returns `None` if the amount [`whole`](Self::whole) is 0.
    ///
    /// # Errors
    ///
    /// Returns the reason if one of the amounts is invalid.
    #[inline]
    pub const fn per_mille(self) -> Result<Option<u64>, CountError> {
        match (self.part.estimate(), self.whole.estimate()) {
            (Err(why), _) | (_, Err(why)) => Err(why),
            (Ok(_), Ok(0)) => Ok(None),
            (Ok(part), Ok(whole)) => {
                let per_mille = (part as u128 * 1_000 + whole as u128 / 2) / whole as u128;
                let most = u64::MAX as u128;
                Ok(Some(if per_mille > most { u64::MAX } else { per_mille as u64 }))
            }
        }
    }

    /// Returns whether both amounts are exact.
    #[must_use]
    #[inline]
    pub const fn is_exact(self) -> bool {
        self.part.exact().is_ok() && self.whole.exact().is_ok()
    }
}

/// Prints the percentage, aligned to the right by default.
impl fmt::Display for Percent {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.per_mille() {
            Ok(Some(per_mille)) => {
                let mark = if self.is_exact() { "" } else { "~" };
                let (whole, tenth) = (per_mille / 10, per_mille % 10);
                padded(f, format_args!("{mark}{whole}.{tenth} %"))
            }
            Ok(None) => padded(f, format_args!("undefined")),
            Err(why) => padded(f, format_args!("{}", why.word())),
        }
    }
}

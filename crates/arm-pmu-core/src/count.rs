//! What a counter said.

use core::fmt::{self, Write as _};

/// What one counter said: a number, if it is one that can be believed.
///
/// A counter that overflowed, or that somebody else reprogrammed meanwhile, still holds a number,
/// but a wrong one. [`exact`](Self::exact) refuses to give it; [`wrapped`](Self::wrapped) gives it
/// to those who say so.
///
/// ```
/// use arm_pmu_core::{Count, Inexact};
///
/// assert_eq!(Count::exactly(7).exact(), Ok(7));
///
/// let count = Count::doubtful(7, Inexact::Overflowed);
/// assert_eq!(count.exact(), Err(Inexact::Overflowed));
/// assert_eq!(count.wrapped(), 7);
/// assert_eq!(count.to_string(), ">= 4294967303");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Count {
    /// Modulo 2^32.
    value: u32,
    verdict: Verdict,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
enum Verdict {
    Exact,
    /// The counter overflowed, and 2^32 events beyond the value are certain.
    #[cfg_attr(feature = "serde", serde(rename = "overflowed"))]
    Beyond,
    /// The counter overflowed, as it started above 0, and no more than the value is certain.
    #[cfg_attr(feature = "serde", serde(rename = "overflowed_from_above_zero"))]
    Overflowed,
    Lost,
    Fault,
    NotCounted,
}

/// Why a [`Count`] is not the number of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Inexact {
    /// The counter passed 2^32 and started again from 0, once or more often.
    Overflowed,
    /// Somebody else stopped or reprogrammed the counter during the measurement.
    Lost,
    /// A register access failed, so nothing that was read can be relied on.
    Fault,
    /// The counter was not told to count anything, or did not run yet.
    NotCounted,
}

impl Inexact {
    /// What stands in a table where a number would.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Overflowed => "overflowed",
            Self::Lost => "lost",
            Self::Fault => "fault",
            Self::NotCounted => "-",
        }
    }
}

impl Count {
    /// A count that is the number of events.
    #[must_use]
    pub const fn exactly(value: u32) -> Self {
        Self { value, verdict: Verdict::Exact }
    }

    /// A counter value that is not the number of events, and why.
    #[must_use]
    pub const fn doubtful(value: u32, why: Inexact) -> Self {
        let verdict = match why {
            Inexact::Overflowed => Verdict::Beyond,
            Inexact::Lost => Verdict::Lost,
            Inexact::Fault => Verdict::Fault,
            Inexact::NotCounted => Verdict::NotCounted,
        };
        Self { value, verdict }
    }

    /// The events of a counter that started at `from`, holds `value`, and passed 2^32 meanwhile.
    ///
    /// Once or more often, nobody knows, so it is [overflowed](Self::overflowed) whatever the numbers.
    ///
    /// ```
    /// use arm_pmu_core::Count;
    ///
    /// // A budget of 10 events, of which 12 happened.
    /// let count = Count::overflowed_from(u32::MAX - 9, 2);
    /// assert!(count.overflowed());
    /// assert_eq!(count.at_least(), 12);
    /// ```
    #[must_use]
    pub const fn overflowed_from(from: u32, value: u32) -> Self {
        Self::judged(from, value, true, false, false)
    }

    /// The events of a counter that started at `from` and holds `value`, with what is known against it.
    #[inline(always)]
    pub(crate) const fn judged(
        from: u32,
        value: u32,
        overflowed: bool,
        lost: bool,
        fault: bool,
    ) -> Self {
        let below = value < from;
        // Without a wrap a counter is not below where it started.
        let mut verdict = if below { Verdict::Lost } else { Verdict::Exact };
        if overflowed {
            verdict = if below { Verdict::Overflowed } else { Verdict::Beyond };
        }
        if lost {
            verdict = Verdict::Lost;
        }
        if fault {
            verdict = Verdict::Fault;
        }
        Self { value: value.wrapping_sub(from), verdict }
    }

    /// The count of a counter that did not count.
    pub const NOTHING: Self = Self::doubtful(0, Inexact::NotCounted);

    /// The number of events.
    ///
    /// # Errors
    ///
    /// The reason, if the counter does not hold that number.
    pub const fn exact(self) -> Result<u32, Inexact> {
        match self.inexact() {
            None => Ok(self.value),
            Some(why) => Err(why),
        }
    }

    const fn inexact(self) -> Option<Inexact> {
        match self.verdict {
            Verdict::Exact => None,
            Verdict::Beyond | Verdict::Overflowed => Some(Inexact::Overflowed),
            Verdict::Lost => Some(Inexact::Lost),
            Verdict::Fault => Some(Inexact::Fault),
            Verdict::NotCounted => Some(Inexact::NotCounted),
        }
    }

    /// Whether 2^32 events beyond the value are certain.
    const fn beyond(self) -> bool {
        matches!(self.verdict, Verdict::Beyond)
    }

    /// The number of events modulo 2^32, unless the count was [lost](Inexact::Lost).
    #[must_use]
    pub const fn wrapped(self) -> u32 {
        self.value
    }

    /// Whether the counter passed 2^32.
    #[must_use]
    pub const fn overflowed(self) -> bool {
        matches!(self.verdict, Verdict::Beyond | Verdict::Overflowed)
    }

    /// A number that the events certainly reached: after an overflow, as many as make the counter pass
    /// 2^32 once. 0 if nothing is certain.
    #[must_use]
    pub const fn at_least(self) -> u64 {
        match self.verdict {
            Verdict::Exact | Verdict::Overflowed => self.value as u64,
            Verdict::Beyond => (1 << 32) + self.value as u64,
            Verdict::Lost | Verdict::Fault | Verdict::NotCounted => 0,
        }
    }

    /// The events between an `earlier` reading of the same running counter and this one.
    ///
    /// It is right across a wrap, provided that fewer than 2^32 events happened in between. Where
    /// the overflow flags prove that there were more, the result is [overflowed](Self::overflowed).
    /// Where they prove that the two do not belong together, because a counter that did not overflow
    /// cannot step back, it is [lost](Inexact::Lost): somebody set the counter, or `earlier` is from
    /// another run or the later of the two.
    ///
    /// ```
    /// use arm_pmu_core::{Count, Inexact};
    ///
    /// let before = Count::exactly(u32::MAX - 1);
    /// let after = Count::doubtful(3, Inexact::Overflowed);
    /// assert_eq!(after.since(before).exact(), Ok(5));
    /// ```
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        let value = self.value.wrapping_sub(earlier.value);
        match (earlier.inexact(), self.inexact()) {
            (Some(why), _) | (_, Some(why)) if !matches!(why, Inexact::Overflowed) => {
                Self::doubtful(value, why)
            }
            // A counter steps back by a wrap only, and a flag that is up stays up.
            (None, None) if self.value < earlier.value => Self::doubtful(value, Inexact::Lost),
            (Some(Inexact::Overflowed), None) => Self::doubtful(value, Inexact::Lost),
            (None, Some(Inexact::Overflowed)) if !self.beyond() && self.value < earlier.value => {
                Self::doubtful(value, Inexact::Lost)
            }
            // The flag came up meanwhile, yet the number of events modulo 2^32 did not step back.
            (None, Some(Inexact::Overflowed)) if self.beyond() && self.value >= earlier.value => {
                Self::doubtful(value, Inexact::Overflowed)
            }
            _ => Self::exactly(value),
        }
    }
}

/// The number; `>= ` and a number after an overflow; a word if there is no number.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inexact() {
            None => fmt::Display::fmt(&self.value, f),
            Some(Inexact::Overflowed) => pad_number(">= ", self.at_least(), f),
            Some(why) => f.pad(why.word()),
        }
    }
}

/// A mark and the number, padded as a number is: it stands at the right unless told otherwise.
pub(crate) fn pad_number(mark: &str, number: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let length = mark.len() + number.checked_ilog10().unwrap_or(0) as usize + 1;
    pad(length, f, |f| write!(f, "{mark}{number}"))
}

/// A text of so many characters, padded as a number is.
pub(crate) fn pad(
    length: usize,
    f: &mut fmt::Formatter<'_>,
    write: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    let missing = f.width().unwrap_or(0).saturating_sub(length);
    let left = match f.align() {
        Some(fmt::Alignment::Left) => 0,
        Some(fmt::Alignment::Center) => missing / 2,
        Some(fmt::Alignment::Right) | None => missing,
    };
    let fill = f.fill();
    (0..left).try_for_each(|_| f.write_char(fill))?;
    write(f)?;
    (left..missing).try_for_each(|_| f.write_char(fill))
}

impl fmt::Display for Inexact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overflowed => "the counter overflowed",
            Self::Lost => "the counter was stopped or reprogrammed by somebody else",
            Self::Fault => "a register access failed",
            Self::NotCounted => "the counter did not count",
        })
    }
}

impl core::error::Error for Inexact {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::format;

    #[test]
    fn only_an_exact_count_gives_its_number() {
        for why in [Inexact::Overflowed, Inexact::Lost, Inexact::Fault, Inexact::NotCounted] {
            assert_eq!(Count::doubtful(5, why).exact(), Err(why));
            assert_eq!(Count::doubtful(5, why).wrapped(), 5);
            assert_eq!(Count::doubtful(5, why).overflowed(), why == Inexact::Overflowed);
        }
        assert_eq!(Count::exactly(5).exact(), Ok(5));
        assert!(!Count::exactly(5).overflowed());
    }

    #[test]
    fn counts_line_up_in_a_table() {
        let overflowed = Count::doubtful(0, Inexact::Overflowed);
        assert_eq!(format!("{}", Count::exactly(12)), "12");
        assert_eq!(format!("{:>6}|", Count::exactly(12)), "    12|");
        assert_eq!(format!("{:6}|", Count::exactly(12)), "    12|");
        assert_eq!(format!("{overflowed}"), ">= 4294967296");
        assert_eq!(format!("{overflowed:15}|"), "  >= 4294967296|");
        assert_eq!(format!("{overflowed:>15}|"), "  >= 4294967296|");
        assert_eq!(format!("{:>6}|", Count::doubtful(1, Inexact::Lost)), "  lost|");
        assert_eq!(Count::doubtful(u32::MAX, Inexact::Overflowed).at_least(), (1 << 33) - 1);
        assert_eq!(Count::doubtful(1, Inexact::Fault).at_least(), 0);
        assert_eq!(format!("{:>6}|", Count::NOTHING), "     -|");
    }

    #[test]
    fn a_budget_is_counted_from_where_it_started() {
        let from = 0_u32.wrapping_sub(1_000);
        let used_up = Count::overflowed_from(from, 0);
        assert_eq!(
            (used_up.overflowed(), used_up.at_least(), used_up.wrapped()),
            (true, 1_000, 1_000)
        );
        let more = Count::overflowed_from(from, 300);
        assert_eq!((more.at_least(), more.exact()), (1_300, Err(Inexact::Overflowed)));
        assert_eq!(format!("{more}"), ">= 1300");
        // So many that the counter is back above the start.
        assert_eq!(Count::overflowed_from(from, from).at_least(), 1 << 32);
        assert_eq!(Count::overflowed_from(0, 7), Count::doubtful(7, Inexact::Overflowed));
        let before = Count::exactly(900);
        assert_eq!(more.since(before), Count::exactly(400));
        assert_eq!(Count::overflowed_from(from, from).since(before).exact(), Ok(u32::MAX - 899));
        assert_eq!(used_up.since(Count::exactly(1_000)), Count::exactly(0));
        assert_eq!(used_up.since(Count::exactly(1_001)).exact(), Err(Inexact::Lost));
    }

    #[test]
    fn a_difference_is_right_across_one_wrap_and_owns_up_to_more() {
        let exact = Count::exactly;
        let over = |value| Count::doubtful(value, Inexact::Overflowed);
        assert_eq!(exact(9).since(exact(4)), exact(5));
        assert_eq!(exact(9).since(exact(9)), exact(0));
        assert_eq!(over(1).since(exact(u32::MAX)), exact(2), "wrapped once");
        assert_eq!(over(7).since(exact(7)), over(0), "exactly 2^32 events");
        assert_eq!(over(9).since(exact(7)), over(2), "2^32 + 2 events");
        assert_eq!(over(9).since(over(4)), exact(5), "the flag was up before");
        let lost = Count::doubtful(1, Inexact::Lost);
        assert_eq!(exact(4).since(exact(9)).exact(), Err(Inexact::Lost), "it stepped back");
        assert_eq!(exact(4).since(over(9)).exact(), Err(Inexact::Lost), "it lost its flag");
        assert_eq!(lost.since(exact(0)).exact(), Err(Inexact::Lost));
        assert_eq!(exact(3).since(lost).exact(), Err(Inexact::Lost));
    }
}

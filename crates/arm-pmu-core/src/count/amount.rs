//! 64-bit event counts, exact or estimated.

use core::fmt;

use super::count::{Count, CountError, pad_number};

/// A 64-bit number of events: exact, estimated, or not valid.
///
/// Reports print amounts, and metrics are computed from amounts. A [`Count`] is the result of one counter in
/// one run. An amount can also be a [total](crate::measure::Totals) over many wraps of the counter, or an
/// estimate for an event that was counted for only part of the time.
///
/// An amount includes the number of its pass over the work. Amounts from different passes are comparable only if the
/// work does the same each time.
///
/// ```
/// use arm_pmu_core::count::{Amount, Count, CountError, Scaling};
///
/// assert_eq!(Amount::from(Count::new(7)).exact(), Ok(7));
/// assert_eq!(Amount::new(1 << 40).to_string(), "1099511627776");
///
/// // 30 events were counted in a quarter of the time.
/// let scaling = Scaling { time_running: 25, time_enabled: 100 };
/// let estimate = Amount::scaled(30, scaling);
/// assert_eq!(estimate.to_string(), "~120");
/// assert_eq!(estimate.exact(), Err(CountError::Estimated));
/// assert_eq!(estimate.scaling(), scaling);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Amount {
    events: u64,
    known: Known,
    pass: u32,
}

/// Whether an amount is exact, scaled or not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
enum Known {
    Exactly,
    Scaled(Scaling),
    Not(CountError),
}

/// Time during which an event was counted, and the time of the whole measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scaling {
    /// Time during which the event was counted, in any unit.
    pub time_running: u64,
    /// Time of the whole measurement, in the same unit.
    pub time_enabled: u64,
}

impl Scaling {
    /// The event was counted during the whole measurement.
    pub const WHOLE: Self = Self { time_running: 1, time_enabled: 1 };

    /// Returns `time_running` as a share of `time_enabled` in thousandths, rounded down.
    ///
    /// The result is 0 if `time_enabled` is 0, and never more than 1000.
    #[must_use]
    pub const fn running_per_mille(self) -> u32 {
        if self.time_enabled == 0 {
            return 0;
        }
        let per_mille = self.time_running as u128 * 1_000 / self.time_enabled as u128;
        if per_mille > 1_000 { 1_000 } else { per_mille as u32 }
    }
}

impl Amount {
    /// The event was not counted.
    pub const NOT_COUNTED: Self = Self::invalid(0, CountError::NotCounted);

    /// Creates an exact amount.
    #[must_use]
    pub const fn new(events: u64) -> Self {
        Self { events, known: Known::Exactly, pass: 0 }
    }

    /// Creates an amount that is not valid, with the reason.
    ///
    /// After an [overflow](CountError::Overflowed), or for a [saturated](CountError::Saturated) counter, `events` is
    /// a lower bound. With any other error, the number has no meaning.
    #[must_use]
    pub const fn invalid(events: u64, why: CountError) -> Self {
        Self { events, known: Known::Not(why), pass: 0 }
    }

    /// Estimates the events of the whole measurement from a count over part of the time.
    ///
    /// `events` were counted during `scaling.time_running`. The estimate assumes the same rate for the rest
    /// of the time. The estimate is rounded to the nearest integer.
    ///
    /// The amount is [`NOT_COUNTED`](Self::NOT_COUNTED) if `time_running` is 0, and exact if `time_running` is the
    /// whole time. If the estimate needs more than 64 bits, the amount is [overflowed](CountError::Overflowed), with
    /// `events` as its lower bound.
    #[must_use]
    pub const fn scaled(events: u64, scaling: Scaling) -> Self {
        if scaling.time_running == 0 {
            return Self::NOT_COUNTED;
        }
        if scaling.time_running >= scaling.time_enabled {
            return Self::new(events);
        }
        // The estimate is rounded to the nearest integer. The product of two 64-bit numbers fits
        // into 128 bits.
        let scaled = (events as u128 * scaling.time_enabled as u128
            + scaling.time_running as u128 / 2)
            / scaling.time_running as u128;
        if scaled > u64::MAX as u128 {
            return Self::invalid(events, CountError::Overflowed);
        }
        Self { events: scaled as u64, known: Known::Scaled(scaling), pass: 0 }
    }

    /// Estimates the number of all events from a counter that counts every `divider`th event.
    ///
    /// If the amount is a lower bound, the result is a lower bound too.
    #[must_use]
    #[inline]
    pub(crate) const fn of_each(self, divider: u32) -> Self {
        match self.known {
            Known::Exactly if divider > 1 => {
                let each = Scaling { time_running: 1, time_enabled: divider as u64 };
                Self::scaled(self.events, each).in_pass(self.pass)
            }
            _ => self,
        }
    }

    /// Returns the same amount with another pass number.
    #[must_use]
    pub const fn in_pass(self, pass: u32) -> Self {
        Self { pass, ..self }
    }

    /// Returns the number of the pass over the work, starting at 0.
    #[must_use]
    pub const fn pass(self) -> u32 {
        self.pass
    }

    /// Returns the number of events if it is exact.
    ///
    /// # Errors
    ///
    /// Returns the reason if the number is not exact.
    pub const fn exact(self) -> Result<u64, CountError> {
        match self.known {
            Known::Exactly => Ok(self.events),
            Known::Scaled(_) => Err(CountError::Estimated),
            Known::Not(why) => Err(why),
        }
    }

    /// Returns the number of events, exact or estimated.
    ///
    /// # Errors
    ///
    /// Returns the reason if the amount is neither exact nor an estimate.
    pub const fn estimate(self) -> Result<u64, CountError> {
        match self.known {
            Known::Exactly | Known::Scaled(_) => Ok(self.events),
            Known::Not(why) => Err(why),
        }
    }

    /// Returns a lower bound of the number of events, or 0 if no bound is known.
    #[must_use]
    pub const fn lower_bound(self) -> u64 {
        match self.known {
            Known::Exactly | Known::Not(CountError::Overflowed | CountError::Saturated) => {
                self.events
            }
            Known::Scaled(_) | Known::Not(_) => 0,
        }
    }

    /// Returns the time during which the event was counted, as a share of the whole time.
    ///
    /// The result is [`Scaling::WHOLE`] if the amount is not an estimate, and 1/64 if the counter counts every 64th
    /// cycle.
    #[must_use]
    pub const fn scaling(self) -> Scaling {
        match self.known {
            Known::Scaled(scaling) => scaling,
            Known::Exactly | Known::Not(_) => Scaling::WHOLE,
        }
    }
}

impl From<Count> for Amount {
    fn from(count: Count) -> Self {
        match count.exact_u64() {
            Ok(events) => Self::new(events),
            Err(why) => Self::invalid(count.lower_bound(), why),
        }
    }
}

/// Prints `7`, `~7` (estimated), `>= 7` (overflowed or saturated), or a word: `disturbed`.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.known {
            Known::Exactly => "",
            Known::Scaled(_) => "~",
            Known::Not(CountError::Overflowed | CountError::Saturated) => ">= ",
            Known::Not(why) => return f.pad(why.word()),
        };
        pad_number(mark, self.events, f)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::format;
    use std::string::ToString;

    #[test]
    fn an_amount_keeps_the_validity_of_its_count() {
        assert_eq!(Amount::from(Count::new(9)), Amount::new(9));
        let overflowed = Amount::from(Count::invalid(9, CountError::Overflowed));
        assert_eq!(overflowed.estimate(), Err(CountError::Overflowed));
        assert_eq!(overflowed.lower_bound(), (1 << 32) + 9);
        let lost = Amount::from(Count::invalid(9, CountError::Disturbed));
        assert_eq!((lost.estimate(), lost.lower_bound()), (Err(CountError::Disturbed), 0));
        assert_eq!(Amount::from(Count::NOT_COUNTED), Amount::NOT_COUNTED);
    }

    #[test]
    fn estimates_are_scaled_by_time_and_marked() {
        let third = Scaling { time_running: 1, time_enabled: 3 };
        let amount = Amount::scaled(5, third);
        assert_eq!((amount.estimate(), amount.lower_bound()), (Ok(15), 0));
        assert_eq!((amount.scaling(), third.running_per_mille()), (third, 333));
        let why = amount.exact().unwrap_err();
        assert_eq!(why.to_string(), "the event was counted for a part of the time only");
        assert_eq!(
            Amount::scaled(1, Scaling { time_running: 2, time_enabled: 3 }).estimate(),
            Ok(2),
            "rounded"
        );
        assert_eq!(Amount::scaled(5, Scaling { time_running: 3, time_enabled: 3 }), Amount::new(5));
        assert_eq!(
            Amount::scaled(5, Scaling { time_running: 0, time_enabled: 3 }),
            Amount::NOT_COUNTED
        );
        assert_eq!(Amount::scaled(u64::MAX / 3, third).estimate(), Ok(u64::MAX));
        let much = Amount::scaled(1 << 40, Scaling { time_running: 1, time_enabled: 1 << 40 });
        assert_eq!((much.exact(), much.lower_bound()), (Err(CountError::Overflowed), 1 << 40));
        assert_eq!(
            (
                Scaling::WHOLE.running_per_mille(),
                Scaling { time_running: 0, time_enabled: 0 }.running_per_mille()
            ),
            (1_000, 0)
        );
        assert_eq!(
            Scaling { time_running: u64::MAX, time_enabled: u64::MAX }.running_per_mille(),
            1_000
        );
        assert_eq!(Scaling { time_running: 2, time_enabled: 1 }.running_per_mille(), 1_000);
    }

    #[test]
    fn amounts_line_up_in_a_table() {
        let scaling = Scaling { time_running: 1, time_enabled: 2 };
        assert_eq!(format!("{:>6}|", Amount::new(12)), "    12|");
        assert_eq!(format!("{:6}|", Amount::scaled(12, scaling)), "   ~24|");
        assert_eq!(format!("{:<6}|", Amount::scaled(12, scaling)), "~24   |");
        assert_eq!(Amount::invalid(5, CountError::Overflowed).to_string(), ">= 5");
        let full = Amount::from(Count::invalid(5, CountError::Saturated));
        assert_eq!((full.to_string(), full.lower_bound()), (">= 5".to_string(), 5));
        assert_eq!(full.exact(), Err(CountError::Saturated));
        assert_eq!(format!("{:>11}|", Amount::invalid(5, CountError::Disturbed)), "  disturbed|");
        assert_eq!(format!("{:>6}|", Amount::NOT_COUNTED), "     -|");
    }

    #[test]
    fn a_divided_cycle_count_becomes_an_estimate() {
        let cycles = Amount::new(10).in_pass(3).of_each(64);
        assert_eq!((cycles.exact(), cycles.estimate()), (Err(CountError::Estimated), Ok(640)));
        assert_eq!((cycles.to_string(), cycles.pass()), ("~640".to_string(), 3));
        assert_eq!(Amount::new(10).of_each(1), Amount::new(10));
        let overflowed = Amount::invalid(1 << 32, CountError::Overflowed);
        assert_eq!(overflowed.of_each(64), overflowed);
    }
}

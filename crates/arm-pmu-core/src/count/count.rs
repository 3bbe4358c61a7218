//! Counts of one counter: exact, or with the reason why the count is not exact.

use core::fmt::{self, Write as _};

/// Count of one counter, with the reason if the count is not exact.
///
/// If a counter overflowed or other software reprogrammed it, its value is not the number of events. In these
/// cases, [`exact`](Self::exact) returns an error. [`wrapping_value`](Self::wrapping_value) always returns
/// the value.
///
/// ```
/// use arm_pmu_core::count::{Count, CountError};
///
/// assert_eq!(Count::new(7).exact(), Ok(7));
///
/// let count = Count::invalid(7, CountError::Overflowed);
/// assert_eq!(count.exact(), Err(CountError::Overflowed));
/// assert_eq!(count.wrapping_value(), 7);
/// assert_eq!(count.to_string(), ">= 4294967303");
/// ```
///
/// For a counter of 64 bits, [`exact_u64`](Self::exact_u64) returns the exact number even beyond 2^32.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Parts", from = "Parts"))]
pub struct Count {
    /// Modulo 2^32.
    value: u32,
    /// Bits 2:0: the [`Validity`]. Bits 31:3: number of events divided by 2^32, rounded down, if the count is exact.
    ///
    /// The field is 0 for an exact count below 2^32. A 64-bit number would add a cost to every
    /// driver.
    state: u32,
}

/// The fields of a count, as serialized and logged.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename = "Count"))]
struct Parts {
    value: u64,
    validity: Validity,
}

/// The relation of a counter value to the number of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
enum Validity {
    Exact,
    /// The counter overflowed, so the number of events exceeds the value by at least 2^32.
    #[cfg_attr(feature = "serde", serde(rename = "overflowed"))]
    Beyond,
    /// The counter started above 0 and overflowed. The value is a lower bound of the number of
    /// events.
    #[cfg_attr(feature = "serde", serde(rename = "overflowed_from_above_zero"))]
    Overflowed,
    Disturbed,
    BusError,
    NotCounted,
    /// The counter stopped at its highest value. The value is a lower bound of the number of
    /// events.
    Saturated,
    /// The counter wrapped at 2^32 and has 64 bits, so the value is exact.
    Wrapped,
}

impl Validity {
    const fn of(state: u32) -> Self {
        match state & Self::MASK {
            0 => Self::Exact,
            1 => Self::Beyond,
            2 => Self::Overflowed,
            3 => Self::Disturbed,
            4 => Self::BusError,
            5 => Self::NotCounted,
            6 => Self::Saturated,
            _ => Self::Wrapped,
        }
    }

    const MASK: u32 = 0b111;
}

/// Reason why a [`Count`] or an [`Amount`](crate::count::Amount) is not exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum CountError {
    /// The counter wrapped at 2^32 at least once.
    Overflowed,
    /// The counter saturated: it reached 2^32 - 1 and stopped there.
    ///
    /// The value of a full counter is a lower bound.
    Saturated,
    /// The counter was stopped or reprogrammed, or the device rejected its setting.
    ///
    /// Another driver, firmware, a debugger or an idle state can cause this.
    Disturbed,
    /// A register access failed.
    BusError,
    /// The counter was off or has not been started.
    NotCounted,
    /// The number is an estimate: the event was counted for only part of the time, or only every 64th cycle was
    /// counted.
    Estimated,
}

impl CountError {
    /// Returns the word that tables print instead of a number.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Overflowed => "overflowed",
            Self::Saturated => "saturated",
            Self::Disturbed => "disturbed",
            Self::BusError => "bus error",
            Self::NotCounted => "-",
            Self::Estimated => "estimated",
        }
    }
}

impl Count {
    /// Creates an exact count.
    #[must_use]
    pub const fn new(value: u32) -> Self {
        Self { value, state: Validity::Exact as u32 }
    }

    /// Creates an exact count of a counter of 64 bits.
    ///
    /// From 2^61 on, the result is [overflowed](Self::overflowed).
    #[must_use]
    pub const fn new_u64(events: u64) -> Self {
        Self::exactly(events, events >> 32 != 0)
    }

    const fn exactly(events: u64, wrapped: bool) -> Self {
        let high = (events >> 32) as u32;
        if high > u32::MAX >> Validity::MASK.count_ones() {
            return Self::invalid(events as u32, CountError::Overflowed);
        }
        let validity = if wrapped { Validity::Wrapped } else { Validity::Exact };
        Self { value: events as u32, state: high << Validity::MASK.count_ones() | validity as u32 }
    }

    /// Creates a count that is not exact, with the reason.
    ///
    /// After an [overflow](CountError::Overflowed), `value` is the number of events modulo 2^32.
    /// For a [saturated](CountError::Saturated) counter, `value` is a lower bound.
    #[must_use]
    pub const fn invalid(value: u32, why: CountError) -> Self {
        let validity = match why {
            CountError::Overflowed => Validity::Beyond,
            CountError::Saturated => Validity::Saturated,
            CountError::Disturbed => Validity::Disturbed,
            CountError::BusError => Validity::BusError,
            // A count is never an estimate.
            CountError::NotCounted | CountError::Estimated => Validity::NotCounted,
        };
        Self { value, state: validity as u32 }
    }

    /// Creates the count of a counter that overflowed.
    ///
    /// The counter started at `from` and holds `value`.
    ///
    /// The overflow flag does not show how often the counter wrapped. Therefore the count is always
    /// [overflowed](Self::overflowed).
    ///
    /// ```
    /// use arm_pmu_core::count::Count;
    ///
    /// // A budget of 10 events; 12 happened.
    /// let count = Count::overflowed_from(u32::MAX - 9, 2);
    /// assert!(count.overflowed());
    /// assert_eq!(count.lower_bound(), 12);
    /// ```
    #[must_use]
    pub const fn overflowed_from(from: u32, value: u32) -> Self {
        Self::with_status(from, value, true, false, false)
    }

    /// Creates the count of a counter that started at `from` and holds `value`.
    ///
    /// `overflowed`, `disturbed` and `error` are the possible reasons why the count is not exact.
    #[inline(always)]
    pub(crate) const fn with_status(
        from: u32,
        value: u32,
        overflowed: bool,
        disturbed: bool,
        error: bool,
    ) -> Self {
        let below = value < from;
        // A counter below its start value must have wrapped.
        let mut validity = if below { Validity::Disturbed } else { Validity::Exact };
        if overflowed {
            validity = if below { Validity::Overflowed } else { Validity::Beyond };
        }
        if disturbed {
            validity = Validity::Disturbed;
        }
        if error {
            validity = Validity::BusError;
        }
        Self { value: value.wrapping_sub(from), state: validity as u32 }
    }

    /// Creates the count of a counter of 64 bits that started at `from`. The upper half of `value` is the number of
    /// wraps at 2^32 since the start.
    ///
    /// `overflowed` is set if the overflow flag shows a wrap. If `value` and the flag disagree, other software wrote
    /// the counter or its flag.
    pub(crate) const fn of_long(from: u32, value: u64, overflowed: bool) -> Self {
        if overflowed != (value >> 32 != 0) || value < from as u64 {
            return Self::invalid((value as u32).wrapping_sub(from), CountError::Disturbed);
        }
        Self::exactly(value - from as u64, overflowed)
    }

    /// Creates the count of a counter that saturates. The counter started at `from` and holds
    /// `value`.
    ///
    /// A full counter may have missed events, so its count is a lower bound. If `was_full` is true, a value below
    /// 2^32 - 1 shows that other software wrote the counter. `disturbed` and `error` are other possible reasons why
    /// the count is not exact.
    #[inline(always)]
    pub(crate) const fn of_saturating(
        (from, value): (u32, u32),
        was_full: bool,
        disturbed: bool,
        error: bool,
    ) -> Self {
        let is_full = value == u32::MAX;
        let mut validity = if is_full { Validity::Saturated } else { Validity::Exact };
        if disturbed | (value < from) | (was_full & !is_full) {
            validity = Validity::Disturbed;
        }
        if error {
            validity = Validity::BusError;
        }
        Self { value: value.wrapping_sub(from), state: validity as u32 }
    }

    /// The count of a counter that was off.
    pub const NOT_COUNTED: Self = Self::invalid(0, CountError::NotCounted);

    /// Returns the number of events if it is exact.
    ///
    /// A count is exact if all checks of the driver passed. If registers return wrong values for a while, but correct
    /// values at the next check, this method returns a wrong number. [`driver`](crate::driver#what-no-call-detects)
    /// lists the faults that no driver detects. While the PMU runs, a change of one counter by other software is
    /// detected only at the stop.
    ///
    /// # Errors
    ///
    /// Returns the reason if the number is not exact. From 2^32 on, the reason is
    /// [overflowed](CountError::Overflowed). For a counter of 64 bits, [`exact_u64`](Self::exact_u64) also returns
    /// larger numbers.
    pub const fn exact(self) -> Result<u32, CountError> {
        match (self.inexact(), self.high()) {
            (None, 0) => Ok(self.value),
            (None, _) => Err(CountError::Overflowed),
            (Some(why), _) => Err(why),
        }
    }

    /// Returns the number of events if it is exact, even from 2^32 on.
    ///
    /// Only counters of 64 bits are exact beyond 2^32: the cycle counter of a core with PMUv3, and all counters from
    /// PMUv3p5 on.
    ///
    /// ```
    /// use arm_pmu_core::count::{Count, CountError};
    ///
    /// let count = Count::new_u64((1 << 32) + 7);
    /// assert_eq!(count.exact_u64(), Ok(4_294_967_303));
    /// assert_eq!(count.exact(), Err(CountError::Overflowed));
    /// assert_eq!(count.to_string(), "4294967303");
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the reason if the number is not exact. A number from 2^61 on is [overflowed](CountError::Overflowed).
    pub const fn exact_u64(self) -> Result<u64, CountError> {
        match self.inexact() {
            None => Ok(self.events()),
            Some(why) => Err(why),
        }
    }

    /// Returns the number of events divided by 2^32, rounded down, if the count is exact.
    const fn high(self) -> u32 {
        self.state >> Validity::MASK.count_ones()
    }

    /// Returns the number of events if the count is exact, otherwise the [wrapping value](Self::wrapping_value).
    const fn events(self) -> u64 {
        (self.high() as u64) << 32 | self.value as u64
    }

    const fn validity(self) -> Validity {
        Validity::of(self.state)
    }

    const fn inexact(self) -> Option<CountError> {
        match self.validity() {
            Validity::Exact | Validity::Wrapped => None,
            Validity::Beyond | Validity::Overflowed => Some(CountError::Overflowed),
            Validity::Saturated => Some(CountError::Saturated),
            Validity::Disturbed => Some(CountError::Disturbed),
            Validity::BusError => Some(CountError::BusError),
            Validity::NotCounted => Some(CountError::NotCounted),
        }
    }

    /// Returns whether the number of events is known to exceed the value by at least 2^32.
    const fn beyond(self) -> bool {
        matches!(self.validity(), Validity::Beyond)
    }

    /// Returns the value of the counter minus its start value, modulo 2^32.
    ///
    /// The result is the number of events modulo 2^32 if the count is exact or
    /// [overflowed](Self::overflowed). With any other error, the number has no meaning.
    #[must_use]
    pub const fn wrapping_value(self) -> u32 {
        self.value
    }

    /// Returns whether the counter wrapped at 2^32. A counter of 64 bits can have an exact count even after a wrap.
    #[must_use]
    pub const fn overflowed(self) -> bool {
        matches!(self.validity(), Validity::Beyond | Validity::Overflowed | Validity::Wrapped)
    }

    /// Returns a lower bound of the number of events, or 0 if no bound is known.
    ///
    /// If the counter overflowed, the bound assumes that it wrapped exactly once.
    #[must_use]
    pub const fn lower_bound(self) -> u64 {
        match self.validity() {
            Validity::Exact | Validity::Wrapped => self.events(),
            Validity::Overflowed | Validity::Saturated => self.value as u64,
            Validity::Beyond => (1 << 32) + self.value as u64,
            Validity::Disturbed | Validity::BusError | Validity::NotCounted => 0,
        }
    }

    /// Returns the number of events since an `earlier` reading of the same running counter.
    ///
    /// Across a wrap, the difference is correct if fewer than 2^32 events happened in between. If the
    /// overflow flags prove that more events happened, the result is [overflowed](Self::overflowed).
    ///
    /// The result is [disturbed](CountError::Disturbed) if the counter went backwards without an overflow:
    /// other software wrote the counter, `earlier` is from another run, or the readings are swapped.
    ///
    /// ```
    /// use arm_pmu_core::count::{Count, CountError};
    ///
    /// let before = Count::new(u32::MAX - 1);
    /// let after = Count::invalid(3, CountError::Overflowed);
    /// assert_eq!(after.since(before).exact(), Ok(5));
    /// ```
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        let value = self.value.wrapping_sub(earlier.value);
        if let (Ok(before), Ok(now)) = (earlier.exact_u64(), self.exact_u64()) {
            // Only a wrap decreases a value, and a wrap sets the flag. The overflow flag stays set.
            return match now.checked_sub(before) {
                Some(events) => Self::new_u64(events),
                None => Self::invalid(value, CountError::Disturbed),
            };
        }
        match (earlier.inexact(), self.inexact()) {
            // A full counter stays full, and a saturating counter does not wrap.
            (Some(CountError::Saturated), None | Some(CountError::Overflowed))
            | (Some(CountError::Overflowed), Some(CountError::Saturated)) => {
                Self::invalid(value, CountError::Disturbed)
            }
            // A saturating counter never goes backwards.
            (None | Some(CountError::Saturated), Some(CountError::Saturated))
                if self.value < earlier.value =>
            {
                Self::invalid(value, CountError::Disturbed)
            }
            // A difference is a lower bound only if both readings are lower bounds.
            (Some(CountError::Saturated), Some(why)) => Self::invalid(value, why),
            (Some(why), _) | (_, Some(why)) if !matches!(why, CountError::Overflowed) => {
                Self::invalid(value, why)
            }
            (Some(CountError::Overflowed), None) => Self::invalid(value, CountError::Disturbed),
            (None, Some(CountError::Overflowed))
                if !self.beyond() && self.value < earlier.value =>
            {
                Self::invalid(value, CountError::Disturbed)
            }
            // The counter wrapped in between, but its value is not smaller, so at least 2^32 events
            // happened.
            (None, Some(CountError::Overflowed))
                if self.beyond() && self.value >= earlier.value =>
            {
                Self::invalid(value, CountError::Overflowed)
            }
            _ => Self::new(value),
        }
    }
}

impl From<Count> for Parts {
    fn from(count: Count) -> Self {
        Self { value: count.events(), validity: count.validity() }
    }
}

#[cfg(feature = "serde")]
impl From<Parts> for Count {
    fn from(Parts { value, validity }: Parts) -> Self {
        match validity {
            Validity::Exact | Validity::Wrapped => {
                Self::exactly(value, matches!(validity, Validity::Wrapped) || value >> 32 != 0)
            }
            _ => Self { value: value as u32, state: validity as u32 },
        }
    }
}

impl fmt::Debug for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { value, validity } = (*self).into();
        f.debug_struct("Count").field("value", &value).field("validity", &validity).finish()
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for Count {
    fn format(&self, f: defmt::Formatter<'_>) {
        Parts::from(*self).format(f);
    }
}

/// Prints `7`, `>= 7` (overflowed or saturated), or a word: `disturbed`.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inexact() {
            None => fmt::Display::fmt(&self.events(), f),
            Some(CountError::Overflowed | CountError::Saturated) => {
                pad_number(">= ", self.lower_bound(), f)
            }
            Some(why) => f.pad(why.word()),
        }
    }
}

/// Writes a number after a mark such as `~`, aligned to the right by default.
pub(crate) fn pad_number(mark: &str, number: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let length = mark.len() + number.checked_ilog10().unwrap_or(0) as usize + 1;
    pad(length, f, |f| write!(f, "{mark}{number}"))
}

/// Writes a text of `length` characters, aligned to the right by default.
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

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overflowed => "the counter overflowed",
            Self::Saturated => "the counter is full",
            Self::Disturbed => "the counter was stopped or reprogrammed, or rejected its setting",
            Self::BusError => "a register access failed",
            Self::NotCounted => "the counter did not count",
            Self::Estimated => "the event was counted for a part of the time only",
        })
    }
}

impl core::error::Error for CountError {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::format;

    #[test]
    fn only_an_exact_count_gives_its_number() {
        for why in [
            CountError::Overflowed,
            CountError::Saturated,
            CountError::Disturbed,
            CountError::BusError,
            CountError::NotCounted,
        ] {
            assert_eq!(Count::invalid(5, why).exact(), Err(why));
            assert_eq!(Count::invalid(5, why).wrapping_value(), 5);
            assert_eq!(Count::invalid(5, why).overflowed(), why == CountError::Overflowed);
        }
        assert_eq!(Count::new(5).exact(), Ok(5));
        assert!(!Count::new(5).overflowed());
    }

    #[test]
    fn counts_line_up_in_a_table() {
        let overflowed = Count::invalid(0, CountError::Overflowed);
        assert_eq!(format!("{}", Count::new(12)), "12");
        assert_eq!(format!("{:>6}|", Count::new(12)), "    12|");
        assert_eq!(format!("{:6}|", Count::new(12)), "    12|");
        assert_eq!(format!("{overflowed}"), ">= 4294967296");
        assert_eq!(format!("{overflowed:15}|"), "  >= 4294967296|");
        assert_eq!(format!("{overflowed:>15}|"), "  >= 4294967296|");
        assert_eq!(format!("{:>11}|", Count::invalid(1, CountError::Disturbed)), "  disturbed|");
        assert_eq!(Count::invalid(u32::MAX, CountError::Overflowed).lower_bound(), (1 << 33) - 1);
        assert_eq!(Count::invalid(1, CountError::BusError).lower_bound(), 0);
        assert_eq!(format!("{:>6}|", Count::NOT_COUNTED), "     -|");
    }

    #[test]
    fn a_saturating_counter_is_exact_until_full() {
        let count = |from, value| Count::of_saturating((from, value), false, false, false);
        assert_eq!(count(0, 0), Count::new(0));
        assert_eq!(count(0, u32::MAX - 1), Count::new(u32::MAX - 1));
        assert_eq!(count(7, 7), Count::new(0));
        for from in [0, 7, u32::MAX - 1, u32::MAX] {
            let full = count(from, u32::MAX);
            assert_eq!(full, Count::invalid(u32::MAX - from, CountError::Saturated));
            assert_eq!(full.exact(), Err(CountError::Saturated));
            assert_eq!(full.lower_bound(), u64::from(u32::MAX - from));
            assert_eq!(format!("{full}"), format!(">= {}", u32::MAX - from));
        }
        let disturbed = Err(CountError::Disturbed);
        assert_eq!(count(7, 6).exact(), disturbed, "it does not wrap");
        assert_eq!(Count::of_saturating((0, 9), true, false, false).exact(), disturbed);
        let full = (0, u32::MAX);
        assert_eq!(
            Count::of_saturating(full, true, false, false).exact(),
            Err(CountError::Saturated)
        );
        assert_eq!(Count::of_saturating(full, true, true, false).exact(), disturbed);
        let error = Count::of_saturating(full, true, true, true);
        assert_eq!((error.exact(), error.lower_bound()), (Err(CountError::BusError), 0));
    }

    #[test]
    fn saturating_differences_are_lower_bounds() {
        let (exact, full) = (Count::new, |value| Count::invalid(value, CountError::Saturated));
        let disturbed = Err(CountError::Disturbed);
        assert_eq!(full(u32::MAX).since(exact(9)), full(u32::MAX - 9));
        assert_eq!(full(u32::MAX).since(exact(u32::MAX)), full(0));
        assert_eq!(full(100).since(full(100)), full(0));
        assert_eq!(full(99).since(full(100)).exact(), disturbed);
        assert_eq!(full(99).since(exact(100)).exact(), disturbed);
        assert_eq!(exact(u32::MAX).since(full(9)).exact(), disturbed, "it was emptied");
        for why in [CountError::BusError, CountError::Disturbed, CountError::NotCounted] {
            let lost = Count::invalid(100, why);
            assert_eq!(full(9).since(lost), Count::invalid(9_u32.wrapping_sub(100), why));
            let since = lost.since(full(9));
            assert_eq!((since.exact(), since.lower_bound()), (Err(why), 0));
        }
        let wrapped = Count::invalid(100, CountError::Overflowed);
        assert_eq!(wrapped.since(full(9)).exact(), disturbed);
        assert_eq!(full(9).since(wrapped).exact(), disturbed);
    }

    #[test]
    fn a_budget_subtracts_its_start_value() {
        let from = 0_u32.wrapping_sub(1_000);
        let used_up = Count::overflowed_from(from, 0);
        assert_eq!(
            (used_up.overflowed(), used_up.lower_bound(), used_up.wrapping_value()),
            (true, 1_000, 1_000)
        );
        let more = Count::overflowed_from(from, 300);
        assert_eq!((more.lower_bound(), more.exact()), (1_300, Err(CountError::Overflowed)));
        assert_eq!(format!("{more}"), ">= 1300");
        // The counter passed its start value again, so at least 2^32 events happened.
        assert_eq!(Count::overflowed_from(from, from).lower_bound(), 1 << 32);
        assert_eq!(Count::overflowed_from(0, 7), Count::invalid(7, CountError::Overflowed));
        let before = Count::new(900);
        assert_eq!(more.since(before), Count::new(400));
        assert_eq!(Count::overflowed_from(from, from).since(before).exact(), Ok(u32::MAX - 899));
        assert_eq!(used_up.since(Count::new(1_000)), Count::new(0));
        assert_eq!(used_up.since(Count::new(1_001)).exact(), Err(CountError::Disturbed));
    }

    #[test]
    fn differences_handle_one_wrap_and_detect_more() {
        let exact = Count::new;
        let over = |value| Count::invalid(value, CountError::Overflowed);
        assert_eq!(exact(9).since(exact(4)), exact(5));
        assert_eq!(exact(9).since(exact(9)), exact(0));
        assert_eq!(over(1).since(exact(u32::MAX)), exact(2), "wrapped once");
        assert_eq!(over(7).since(exact(7)), over(0), "exactly 2^32 events");
        assert_eq!(over(9).since(exact(7)), over(2), "2^32 + 2 events");
        assert_eq!(over(9).since(over(4)), exact(5), "the flag was already set");
        let lost = Count::invalid(1, CountError::Disturbed);
        assert_eq!(exact(4).since(exact(9)).exact(), Err(CountError::Disturbed), "backwards");
        assert_eq!(exact(4).since(over(9)).exact(), Err(CountError::Disturbed), "flag cleared");
        assert_eq!(lost.since(exact(0)).exact(), Err(CountError::Disturbed));
        assert_eq!(exact(3).since(lost).exact(), Err(CountError::Disturbed));
    }

    #[test]
    fn counts_of_64_bits_are_exact_below_2_to_the_61() {
        let wide = Count::new_u64;
        for events in [1 << 32, (1 << 32) + 7, (1 << 61) - 1] {
            let count = wide(events);
            assert_eq!(count.exact_u64(), Ok(events));
            assert_eq!(count.exact(), Err(CountError::Overflowed));
            assert_eq!((count.lower_bound(), count.overflowed()), (events, true));
            assert_eq!(count.wrapping_value(), events as u32);
            assert_eq!(format!("{count}"), format!("{events}"));
            assert_eq!(count.since(Count::new(3)), wide(events - 3));
            assert_eq!(count.since(wide(events - 3)), Count::new(3));
            assert_eq!(wide(events - 3).since(count).exact(), Err(CountError::Disturbed));
        }
        assert_eq!(wide(7), Count::new(7));
        assert_eq!(wide(1 << 61).exact_u64(), Err(CountError::Overflowed));
        assert_eq!(size_of::<Count>(), 8);
    }
}

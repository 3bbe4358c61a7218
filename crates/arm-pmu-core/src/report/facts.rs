//! Fields of a value in CSV and JSON.

use core::fmt;

use crate::count::{Amount, CountError};
use crate::metric::Decimal;

/// Fields of a value of any kind.
pub(super) struct Facts {
    pub(super) value: Option<Number>,
    pub(super) unit: &'static str,
    /// Validity of the value, for the CSV column `known`; empty for texts.
    pub(super) known: &'static str,
    /// Values of the fields in [`OTHERS`].
    pub(super) others: [Option<u64>; OTHERS.len()],
}

/// Names of the fields that only some kinds of values have.
pub(super) const OTHERS: [&str; 8] =
    ["pass", "time_running", "time_enabled", "slices", "least", "most", "part", "whole"];

/// A whole number, a number of tenths, or a number with decimals.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Whole(u64),
    Tenths(u64),
    Decimal(Decimal),
}

impl fmt::Display for Number {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => write!(f, "{number}"),
            Self::Tenths(tenths) => write!(f, "{}.{}", tenths / 10, tenths % 10),
            Self::Decimal(decimal) => write!(f, "{decimal}"),
        }
    }
}

impl Facts {
    #[inline]
    pub(super) const fn of_text(unit: &'static str) -> Self {
        Self { value: None, unit, known: "", others: [None; OTHERS.len()] }
    }

    #[inline]
    pub(super) fn of_amount(amount: Amount) -> Self {
        let mut others = [None; OTHERS.len()];
        let [pass, time_running, time_enabled, _, least, ..] = &mut others;
        *pass = Some(amount.pass().into());
        let known = match amount.exact() {
            Ok(_) => "exactly",
            Err(why) => {
                if why == CountError::Estimated {
                    *time_running = Some(amount.scaling().time_running);
                    *time_enabled = Some(amount.scaling().time_enabled);
                }
                if matches!(why, CountError::Overflowed | CountError::Saturated) {
                    *least = Some(amount.lower_bound());
                }
                known(why)
            }
        };
        let value = amount.estimate().ok().map(Number::Whole);
        Self { value, unit: "events", known, others }
    }
}

/// Returns the reason for a missing value as a word.
#[inline]
pub(super) const fn known(why: CountError) -> &'static str {
    match why {
        CountError::NotCounted => "not counted",
        _ => why.word(),
    }
}

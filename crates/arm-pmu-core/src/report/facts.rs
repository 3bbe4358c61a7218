//! What programs are told of a value.

use core::fmt;

use crate::RowValue;
use crate::metric::Decimal;
use crate::{Amount, CountError};

/// What is told of a value, whatever it is.
pub(super) struct Facts {
    pub(super) value: Option<Number>,
    pub(super) unit: &'static str,
    /// Empty where nothing is said of that.
    pub(super) known: &'static str,
    /// As [`OTHERS`] names them.
    pub(super) others: [Option<u64>; OTHERS.len()],
}

/// The names of what only some values have.
pub(super) const OTHERS: [&str; 8] =
    ["pass", "time_running", "time_enabled", "slices", "least", "most", "part", "whole"];

/// A whole number, one in tenths, or one with decimals.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Whole(u64),
    Tenths(u64),
    Decimal(Decimal),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => write!(f, "{number}"),
            Self::Tenths(tenths) => write!(f, "{}.{}", tenths / 10, tenths % 10),
            Self::Decimal(decimal) => write!(f, "{decimal}"),
        }
    }
}

impl Facts {
    pub(super) fn of(value: &RowValue<'_>) -> Self {
        match value {
            RowValue::Events(amount) => Self::of_amount(*amount),
            RowValue::MultiplexedCount { amount, slices, least, most } => {
                let mut facts = Self::of_amount(*amount);
                let [.., slices_of, least_of, most_of, _, _] = &mut facts.others;
                *slices_of = Some((*slices).into());
                if amount.estimate().is_ok() {
                    *least_of = least.estimate().ok();
                    *most_of = most.estimate().ok();
                }
                facts
            }
            RowValue::Percent(percent) => {
                let (value, known) = match percent.per_mille() {
                    Ok(Some(per_mille)) if percent.is_exact() => (Some(per_mille), "exactly"),
                    Ok(Some(per_mille)) => (Some(per_mille), "estimated"),
                    Ok(None) => (None, "undefined"),
                    Err(why) => (None, known(why)),
                };
                let [part, all] = [percent.part, percent.whole].map(|of| of.estimate().ok());
                Self {
                    value: value.map(Number::Tenths),
                    unit: "percent",
                    known,
                    others: [None, None, None, None, None, None, part, all],
                }
            }
            RowValue::Computed(computed) => computed.facts(),
            RowValue::Figure(_) => Self::of_text("figure"),
            RowValue::Text(_) => Self::of_text("text"),
        }
    }

    pub(super) const fn of_text(unit: &'static str) -> Self {
        Self { value: None, unit, known: "", others: [None; OTHERS.len()] }
    }

    fn of_amount(amount: Amount) -> Self {
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
                if why == CountError::Overflowed {
                    *least = Some(amount.lower_bound());
                }
                known(why)
            }
        };
        let value = amount.estimate().ok().map(Number::Whole);
        Self { value, unit: "events", known, others }
    }
}

/// Why there is no value.
pub(super) const fn known(why: CountError) -> &'static str {
    match why {
        CountError::NotCounted => "not counted",
        _ => why.word(),
    }
}

//! What programs are told of a value.

use core::fmt;

use super::RowValue;
use crate::ratio::Decimal;
use crate::{Amount, Inexact, NoValue, NotExact, Share, Value};

/// What is told of a value, whatever it is.
pub(super) struct Facts {
    pub(super) value: Option<Number>,
    pub(super) unit: &'static str,
    /// Empty where nothing is said of that.
    pub(super) known: &'static str,
    /// As [`OTHERS`] names them.
    pub(super) others: [Option<Number>; OTHERS.len()],
}

/// The names of what only some values have.
pub(super) const OTHERS: [&str; 8] =
    ["pass", "counted", "of", "slices", "least", "most", "part", "whole"];

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
        let whole = |number: u64| Some(Number::Whole(number));
        match value {
            RowValue::Events(amount) => Self::of_amount(*amount),
            RowValue::Sampled { amount, slices, least, most } => {
                let mut facts = Self::of_amount(*amount);
                let [.., slices_of, least_of, most_of, _, _] = &mut facts.others;
                *slices_of = whole((*slices).into());
                if amount.estimate().is_ok() {
                    *least_of = least.estimate().ok().and_then(whole);
                    *most_of = most.estimate().ok().and_then(whole);
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
                let [part, all] =
                    [percent.part, percent.whole].map(|of| of.estimate().ok().and_then(whole));
                Self {
                    value: value.map(Number::Tenths),
                    unit: "percent",
                    known,
                    others: [None, None, None, None, None, None, part, all],
                }
            }
            RowValue::Metric(value) => Self::of_metric(*value),
            RowValue::Figure(_) => Self::of_text("figure"),
            RowValue::Text(_) => Self::of_text("text"),
        }
    }

    const fn of_text(unit: &'static str) -> Self {
        Self { value: None, unit, known: "", others: [None; OTHERS.len()] }
    }

    fn of_metric(value: Value) -> Self {
        let mut facts = Self::of_text(value.unit().word());
        facts.known = match value.decimal(None) {
            Ok(decimal) => {
                facts.value = Some(Number::Decimal(decimal));
                if value.is_estimate() { "estimated" } else { "exactly" }
            }
            Err(NoValue::Doubtful { why, .. }) => known(why),
            Err(NoValue::Missing { .. }) => known(Inexact::NotCounted),
            Err(NoValue::OtherPass { .. }) => "other pass",
            Err(NoValue::TooLarge) => "too large",
            Err(why) => why.word(),
        };
        if let Ok(ratio) = value.estimate() {
            let number = |number: Option<i128>| u64::try_from(number?).ok().map(Number::Whole);
            if value.unit().is_fraction() {
                let [.., part, whole] = &mut facts.others;
                *part = number(Some(ratio.numerator()));
                *whole = number(Some(ratio.denominator()));
            } else {
                facts.value = number(ratio.times(1)).or(facts.value);
            }
        }
        facts
    }

    fn of_amount(amount: Amount) -> Self {
        let mut others = [None; OTHERS.len()];
        let [pass, counted, of, _, least, ..] = &mut others;
        *pass = Some(Number::Whole(amount.pass().into()));
        let known = match amount.exact() {
            Ok(_) => "exactly",
            Err(NotExact::Estimate(Share { counted: part, of: whole })) => {
                *counted = Some(Number::Whole(part));
                *of = Some(Number::Whole(whole));
                "estimated"
            }
            Err(NotExact::Doubtful(why)) => {
                if why == Inexact::Overflowed {
                    *least = Some(Number::Whole(amount.at_least()));
                }
                known(why)
            }
        };
        let value = amount.estimate().ok().map(Number::Whole);
        Self { value, unit: "events", known, others }
    }
}

/// Why there is no value.
const fn known(why: Inexact) -> &'static str {
    match why {
        Inexact::NotCounted => "not counted",
        Inexact::Overflowed | Inexact::Lost | Inexact::Fault => why.word(),
    }
}

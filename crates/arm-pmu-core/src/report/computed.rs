//! Values of metrics in rows.

use core::fmt;

use super::facts::{Facts, Number, known};
use super::text::length;
use crate::count::CountError;
use crate::metric::{MetricError, Value};

/// Value of a metric in a row, created by [`Row::metric`](super::Row::metric).
///
/// The code that prints such values takes 5 KB on a Cortex-A8. Only programs that use `Computed` contain
/// this code.
#[derive(Clone, Copy)]
pub struct Computed {
    value: Value,
    show: &'static Show,
}

impl Computed {
    #[inline]
    pub(super) const fn new(value: Value) -> Self {
        Self { value, show: &SHOW }
    }

    /// Returns the value.
    #[must_use]
    #[inline]
    pub const fn value(self) -> Value {
        self.value
    }

    /// Writes the figure, aligned to the right in `width` characters.
    #[inline]
    pub(super) fn figure(self, width: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.show.figure)(self.value, width, f)
    }

    /// Returns the number of characters of the figure.
    #[inline]
    pub(super) fn length(self) -> usize {
        (self.show.length)(self.value)
    }

    /// Returns a percentage in thousandths; `None` if the value is not a percentage.
    #[inline]
    pub(super) fn per_mille(self) -> Option<u64> {
        (self.show.per_mille)(self.value)
    }

    /// Returns the reason for a missing figure.
    ///
    /// The result is `None` if there is a figure, or if the word that is printed in place of the
    /// figure already states the whole reason.
    #[inline]
    pub(super) fn reason(self) -> Option<MetricError> {
        self.value.estimate().err().filter(|why| *why != MetricError::Undefined)
    }

    /// Writes the reason for a missing figure.
    #[inline]
    pub(super) fn write_reason(self, why: MetricError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.show.reason)(why, f)
    }

    #[inline]
    pub(super) fn facts(self) -> Facts {
        (self.show.facts)(self.value)
    }
}

impl fmt::Debug for Computed {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// Code with 128-bit divisions, called through pointers.
///
/// Only programs that create a [`Computed`] link this code.
struct Show {
    figure: fn(Value, usize, &mut fmt::Formatter<'_>) -> fmt::Result,
    length: fn(Value) -> usize,
    per_mille: fn(Value) -> Option<u64>,
    reason: fn(MetricError, &mut fmt::Formatter<'_>) -> fmt::Result,
    facts: fn(Value) -> Facts,
}

const SHOW: Show = Show {
    figure: |value, width, f| write!(f, "{:>width$}", value.figure()),
    length: |value| length(&value.figure()),
    per_mille: Value::per_mille,
    reason: |why, f| write!(f, "{why}"),
    facts,
};

#[inline]
fn facts(value: Value) -> Facts {
    let mut facts = Facts::of_text(value.unit().word());
    facts.known = match value.decimal(None) {
        Ok(decimal) => {
            facts.value = Some(Number::Decimal(decimal));
            if value.is_estimate() { "estimated" } else { "exactly" }
        }
        Err(MetricError::Doubtful { why, .. }) => known(why),
        Err(MetricError::Missing { .. }) => known(CountError::NotCounted),
        Err(MetricError::OtherPass { .. }) => "other pass",
        Err(MetricError::TooLarge) => "too large",
        Err(why) => why.word(),
    };
    if let Ok(ratio) = value.estimate() {
        let number = |number: Option<i128>| u64::try_from(number?).ok();
        if value.unit().is_fraction() {
            let [.., part, whole] = &mut facts.others;
            *part = number(Some(ratio.numerator()));
            *whole = number(Some(ratio.denominator()));
        } else {
            facts.value = number(ratio.times(1)).map(Number::Whole).or(facts.value);
        }
    }
    facts
}

//! Metrics that are computed from counts.

use core::ops::{Add, Div, Mul, Sub};

use crate::table::table;
use crate::{Measure, Origin};

table! {
    /// A metric, computed from counts of one group, and of one source if the group has sources.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Metric {
        /// Name in capitals: `SNOOP_HIT_RATE`.
        required name: &'static str,
        /// Type in the module `metrics` of the IP's crate.
        required rust: &'static str,
        /// Unit of the value.
        required measure: Measure,
        /// The formula as text.
        fixed formula: &'static str = "",
        /// The formula for evaluation.
        fixed expression: Expression = Expression::Number(0),
        /// Events to count.
        list inputs: Input,
        /// Inputs of the formula that are not counts.
        list arguments: Argument,
        /// Names that select several metrics at once: `topdown`, `caches`.
        list topics: &'static str,
        /// Topics to measure next if this metric is the largest of its topic.
        list next: &'static str,
        /// Meaning of the value.
        text doc: &'static str,
        /// Restrictions: missing events, and reasons for values that are too high or too low.
        optional caveat: &'static str,
        /// Units with the metric, if only some have it; empty if all units of the group have it.
        list only: &'static str,
        /// Origin of the formula.
        required origin: Origin,
    }
}

impl Metric {
    pub(crate) const fn formula(
        self,
        formula: &'static str,
        inputs: &'static [Input],
        expression: Expression,
    ) -> Self {
        Self { formula, inputs, expression, ..self }
    }

    /// Evaluates the formula in floating point, for counts in the order of the inputs and values in the order of the
    /// arguments. On division by zero, the result is infinite or not a number. A percentage is returned as a fraction
    /// of 1.
    ///
    /// `None` if a count or a value is missing.
    ///
    /// ```
    /// let cci550 = arm_pmu_tables::Pmu::find("cci550").unwrap();
    /// let of = cci550.find_metrics("snoop_hit_rate").next().unwrap();
    /// assert_eq!(of.metric.compute(&[15.0, 8.0, 12.0], &[]), Some(0.75));
    /// ```
    #[must_use]
    pub fn compute(&self, inputs: &[f64], arguments: &[f64]) -> Option<f64> {
        self.expression.evaluate(inputs, arguments, |number| number as f64)
    }
}

/// Counted input of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Input {
    /// Name of an event in the group.
    Event(&'static str),
    /// Clock cycles on the cycle counter, without a divider.
    Cycles,
}

table! {
    /// Input of a formula that is not a count.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Argument {
        /// Name in the formula.
        required name: &'static str,
        /// Meaning of the argument.
        required doc: &'static str,
        /// Known values; the first value whose conditions match is used.
        list values: ArgumentValue,
    }
}

table! {
    /// Value of an argument, with conditions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) ArgumentValue {
        /// Value of the argument under these conditions.
        required value: u32,
        /// Title of the product to which this value applies; `None` if it applies to all products
        /// with the same events.
        optional product: &'static str,
        /// First revision without this value: `r0p3`.
        optional before: &'static str,
    }
}

impl Argument {
    /// Returns the value on a product with this title and revision; `(1, 0)` is `r1p0`.
    #[must_use]
    pub fn value(&self, product: &str, revision: (u8, u8)) -> Option<u32> {
        let applies = |of: &&ArgumentValue| {
            of.product.is_none_or(|title| title == product)
                && of
                    .before
                    .is_none_or(|before| number(before).is_some_and(|before| revision < before))
        };
        self.values.iter().find(applies).map(|of| of.value)
    }
}

/// Parses a revision: `r1p0` is `(1, 0)`.
fn number(revision: &str) -> Option<(u8, u8)> {
    let (variant, revision) = revision.strip_prefix('r')?.split_once('p')?;
    Some((variant.parse().ok()?, revision.parse().ok()?))
}

/// Part of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Expression {
    /// An integer.
    Number(u64),
    /// Count of an input, by its index in [`Metric::inputs`](field@Metric::inputs).
    Input(usize),
    /// Value of an argument, by its index in [`Metric::arguments`](field@Metric::arguments).
    Argument(usize),
    /// Sum.
    Sum(&'static Expression, &'static Expression),
    /// First operand minus the second.
    Difference(&'static Expression, &'static Expression),
    /// Product.
    Product(&'static Expression, &'static Expression),
    /// First operand divided by the second.
    Quotient(&'static Expression, &'static Expression),
}

impl Expression {
    /// Evaluates the formula in any type of numbers: `f64`, or `arm_pmu_core::metric::Term` for exact fractions.
    ///
    /// `None` if an input or argument is missing.
    pub fn evaluate<T>(
        &self,
        inputs: &[T],
        arguments: &[T],
        number: impl Fn(u64) -> T + Copy,
    ) -> Option<T>
    where
        T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
    {
        let value = |part: &Self| part.evaluate(inputs, arguments, number);
        Some(match *self {
            Self::Number(constant) => number(constant),
            Self::Input(nth) => *inputs.get(nth)?,
            Self::Argument(nth) => *arguments.get(nth)?,
            Self::Sum(one, other) => value(one)? + value(other)?,
            Self::Difference(one, other) => value(one)? - value(other)?,
            Self::Product(one, other) => value(one)? * value(other)?,
            Self::Quotient(one, other) => value(one)? / value(other)?,
        })
    }
}

table! {
    /// A metric that users expect but that no events provide.
    #[derive(Clone, Copy, Debug)]
    pub(crate) UnavailableMetric {
        /// Name in capitals.
        required name: &'static str,
        /// Meaning of the metric.
        text doc: &'static str,
        /// Reason why the metric cannot be computed.
        text reason: &'static str,
        /// Units that lack the metric; empty if all units of the group lack it.
        list only: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

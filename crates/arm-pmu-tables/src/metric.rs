//! Figures that are computed from counts.

use core::ops::{Add, Div, Mul, Sub};

use crate::Origin;
use crate::table::table;
use crate::words::words;

words! {
    /// Unit of a figure.
    Measure {
        /// A part of a whole, shown in percent.
        "percent" => Percent,
        /// Number of one event in 1000 of another.
        "per_thousand" => PerThousand,
        /// Number of one event for each of another.
        "ratio" => Ratio,
        /// Number of occurrences.
        "occurrences" => Occurrences,
        /// A number of bytes.
        "bytes" => Bytes,
    }
}

table! {
    /// A figure computed from counts of events of one group, and of one source if the group has
    /// sources.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Metric {
        /// In capitals: `SNOOP_HIT_RATE`.
        required name: &'static str,
        /// The type in the module `metrics` of the IP's crate.
        required rust: &'static str,
        /// Unit of the figure.
        required measure: Measure,
        /// The formula as text.
        fixed formula: &'static str = "",
        /// The formula, to be computed.
        fixed expression: Expression = Expression::Number(0),
        /// Events to count.
        list inputs: Input,
        /// Inputs of the formula besides counts.
        list arguments: Argument,
        /// Names with which users count several metrics: `topdown`, `caches`.
        list topics: &'static str,
        /// Topics to measure next if this is the largest of its topic.
        list next: &'static str,
        /// What it tells.
        text doc: &'static str,
        /// Limits of the figure: gaps, and reasons why it is too high or too low.
        optional caveat: &'static str,
        /// The only units that have it; empty if all units of its group have it.
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

    /// The figure in floating point, of a count for each of the inputs and a value for each of the
    /// arguments, in their order. Not a number, or infinite, where it divides by zero.
    ///
    /// `None` if one is missing. A figure in percent is a fraction of 1.
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

/// Input of a metric that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Input {
    /// An event of the group, by its name.
    Event(&'static str),
    /// Cycles, each of them, on the counter of cycles.
    Cycles,
}

table! {
    /// Input of a formula besides counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Argument {
        /// Its name in the formula.
        required name: &'static str,
        /// What it is.
        required doc: &'static str,
        /// It is 1 on revisions before this one (`r0p3`), and 0 from it on.
        optional before: &'static str,
    }
}

/// A part of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Expression {
    /// An integer.
    Number(u64),
    /// The count of an input, by its place in [`Metric::inputs`](field@Metric::inputs).
    Input(usize),
    /// The value of an argument, by its place in [`Metric::arguments`](field@Metric::arguments).
    Argument(usize),
    /// The sum of both.
    Sum(&'static Expression, &'static Expression),
    /// The first without the second.
    Difference(&'static Expression, &'static Expression),
    /// The product of both.
    Product(&'static Expression, &'static Expression),
    /// The first divided by the second.
    Quotient(&'static Expression, &'static Expression),
}

impl Expression {
    /// The value, in any type of numbers: `f64`, or `arm_pmu_core::metric::Term` for exact fractions.
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
    /// A figure that people look for, and that no events give.
    #[derive(Clone, Copy, Debug)]
    pub(crate) UnavailableMetric {
        /// In capitals.
        required name: &'static str,
        /// Meaning of the figure.
        text doc: &'static str,
        /// Why there is none.
        text reason: &'static str,
        /// The only units that lack it; empty if all units of the group do.
        list only: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

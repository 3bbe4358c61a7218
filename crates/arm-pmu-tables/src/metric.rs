//! Figures that are computed from counts.

use core::ops::{Add, Div, Mul, Sub};

use crate::Origin;
use crate::words::words;

words! {
    /// What a figure is measured in.
    Measure {
        /// A part of a whole, shown in percent.
        "percent" => Percent,
        /// How many of one for each of another.
        "ratio" => Ratio,
        /// How often something happened.
        "occurrences" => Occurrences,
        /// A number of bytes.
        "bytes" => Bytes,
    }
}

/// A figure that is computed from the counts of events of one group; where the group has sources, of one
/// source.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Metric {
    /// In capitals: `SNOOP_HIT_RATE`.
    pub name: &'static str,
    /// The type in the module `metrics` of the IP's crate.
    pub rust: &'static str,
    /// What it is measured in.
    pub measure: Measure,
    /// The formula as text.
    pub formula: &'static str,
    /// The formula, to be computed.
    pub expression: Expression,
    /// What has to be counted.
    pub inputs: &'static [Input],
    /// What the formula needs beside counts.
    pub arguments: &'static [Argument],
    /// What it tells.
    pub doc: &'static str,
    /// What it does not tell, or what makes it too high or too low.
    pub caveat: Option<&'static str>,
    /// The only units that have it; empty if all units of its group have it.
    pub only: &'static [&'static str],
    /// Where the formula comes from.
    pub origin: Origin,
}

impl Metric {
    pub(crate) const fn new(
        name: &'static str,
        rust: &'static str,
        measure: Measure,
        origin: Origin,
    ) -> Self {
        Self {
            name,
            rust,
            measure,
            formula: "",
            expression: Expression::Number(0),
            inputs: &[],
            arguments: &[],
            doc: "",
            caveat: None,
            only: &[],
            origin,
        }
    }

    pub(crate) const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    pub(crate) const fn formula(
        self,
        formula: &'static str,
        inputs: &'static [Input],
        expression: Expression,
    ) -> Self {
        Self { formula, inputs, expression, ..self }
    }

    pub(crate) const fn arguments(self, arguments: &'static [Argument]) -> Self {
        Self { arguments, ..self }
    }

    pub(crate) const fn caveat(self, caveat: &'static str) -> Self {
        Self { caveat: Some(caveat), ..self }
    }

    pub(crate) const fn only(self, only: &'static [&'static str]) -> Self {
        Self { only, ..self }
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

/// What a metric counts.
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

/// What a formula needs beside counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Argument {
    /// Its name in the formula.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
}

impl Argument {
    pub(crate) const fn new(name: &'static str, doc: &'static str) -> Self {
        Self { name, doc }
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

/// A figure that people look for, and that no events give.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct UnavailableMetric {
    /// In capitals.
    pub name: &'static str,
    /// What it would tell.
    pub doc: &'static str,
    /// Why there is none.
    pub reason: &'static str,
    /// The only units that lack it; empty if all units of the group do.
    pub only: &'static [&'static str],
    /// Where that comes from.
    pub origin: Origin,
}

impl UnavailableMetric {
    pub(crate) const fn new(name: &'static str, origin: Origin) -> Self {
        Self { name, doc: "", reason: "", only: &[], origin }
    }

    pub(crate) const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    pub(crate) const fn reason(self, reason: &'static str) -> Self {
        Self { reason, ..self }
    }

    #[allow(dead_code, reason = "a spec can limit a figure to some units")]
    pub(crate) const fn only(self, only: &'static [&'static str]) -> Self {
        Self { only, ..self }
    }
}

//! Rows of reports.

use core::fmt;

use super::computed::Computed;
use super::facts::{Facts, Number, known};
use super::percent::Percent;
use crate::count::Amount;
use crate::measure::{CountSnapshot, Interval, Measurement};
use crate::metric::Value;
use crate::schedule::{MultiplexedCount, MultiplexedCounts, Passes};

/// One row of a [`Report`](crate::report::Report): a name and a value.
#[derive(Clone, Copy)]
pub struct Row<'r> {
    /// Name.
    pub name: &'r dyn fmt::Display,
    /// Value.
    pub value: RowValue<'r>,
}

/// The value of a [`Row`].
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum RowValue<'r> {
    /// Number of events.
    Events(Amount),
    /// Number of events, from a [`MultiplexedRun`](crate::schedule::MultiplexedRun).
    MultiplexedCount {
        /// Amount for the whole time.
        amount: Amount,
        /// Number of slices that counted the event.
        slices: u32,
        /// Estimate from the slice with the lowest rate.
        least: Amount,
        /// Estimate from the slice with the highest rate.
        most: Amount,
    },
    /// Percentage of two amounts.
    Percent(Percent),
    /// Value of a metric.
    Computed(Computed),
    /// Value that the caller computed. A table prints this value in the column of values.
    Figure(&'r dyn fmt::Display),
    /// Text.
    Text(&'r dyn fmt::Display),
}

impl<'r> Row<'r> {
    /// Creates a row with a number of events.
    #[must_use]
    #[inline]
    pub const fn events(name: &'r dyn fmt::Display, amount: Amount) -> Self {
        Self { name, value: RowValue::Events(amount) }
    }

    /// Creates a row with a percentage.
    #[must_use]
    #[inline]
    pub const fn percent(name: &'r dyn fmt::Display, percent: Percent) -> Self {
        Self { name, value: RowValue::Percent(percent) }
    }

    /// Creates a row with the value of a metric.
    ///
    /// If there is no figure, the table prints the reason.
    ///
    /// ```
    /// use arm_pmu_core::count::Count;
    /// use arm_pmu_core::measure::Measurement;
    /// use arm_pmu_core::metric::Metric;
    /// use arm_pmu_core::report::{Report, Row, Section};
    ///
    /// fn print<M: Metric<Selection: std::fmt::Display>>(
    ///     measured: &Measurement<M::Selection, (), 2>,
    ///     metric: &M,
    /// ) {
    ///     let figure = Row::metric(&"hit rate", measured.metric(metric));
    ///     print!("{}", Report::new(&[Section { title: &"L2", rows: &(measured, figure) }]).bars(20));
    /// }
    /// ```
    #[must_use]
    #[inline]
    pub const fn metric(name: &'r dyn fmt::Display, value: Value) -> Self {
        Self { name, value: RowValue::Computed(Computed::new(value)) }
    }

    /// Creates a row with a value that the caller computed.
    #[must_use]
    #[inline]
    pub const fn figure(name: &'r dyn fmt::Display, figure: &'r dyn fmt::Display) -> Self {
        Self { name, value: RowValue::Figure(figure) }
    }

    /// Creates a row with a text.
    #[must_use]
    #[inline]
    pub const fn text(name: &'r dyn fmt::Display, text: &'r dyn fmt::Display) -> Self {
        Self { name, value: RowValue::Text(text) }
    }
}

impl RowValue<'_> {
    #[inline]
    pub(super) fn facts(&self) -> Facts {
        match self {
            Self::Events(amount) => Facts::of_amount(*amount),
            Self::MultiplexedCount { amount, slices, least, most } => {
                let mut facts = Facts::of_amount(*amount);
                let [.., slices_of, least_of, most_of, _, _] = &mut facts.others;
                *slices_of = Some((*slices).into());
                if amount.estimate().is_ok() {
                    *least_of = least.estimate().ok();
                    *most_of = most.estimate().ok();
                }
                facts
            }
            Self::Percent(percent) => {
                let (value, known) = match percent.per_mille() {
                    Ok(Some(per_mille)) if percent.is_exact() => (Some(per_mille), "exactly"),
                    Ok(Some(per_mille)) => (Some(per_mille), "estimated"),
                    Ok(None) => (None, "undefined"),
                    Err(why) => (None, known(why)),
                };
                let [part, all] = [percent.part, percent.whole].map(|of| of.estimate().ok());
                Facts {
                    value: value.map(Number::Tenths),
                    unit: "percent",
                    known,
                    others: [None, None, None, None, None, None, part, all],
                }
            }
            Self::Computed(computed) => computed.facts(),
            Self::Figure(_) => Facts::of_text("figure"),
            Self::Text(_) => Facts::of_text("text"),
        }
    }

    /// Returns the number of events; `None` if the row has another kind of value.
    #[inline]
    pub(super) const fn amount(&self) -> Option<Amount> {
        match self {
            Self::Events(amount) | Self::MultiplexedCount { amount, .. } => Some(*amount),
            Self::Percent(_) | Self::Computed(_) | Self::Figure(_) | Self::Text(_) => None,
        }
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for Row<'_> {
    #[inline]
    fn format(&self, f: defmt::Formatter<'_>) {
        let name = defmt::Display2Format(self.name);
        match &self.value {
            RowValue::Events(amount) => defmt::write!(f, "{}: {}", name, amount),
            RowValue::MultiplexedCount { amount, slices, least, most } => {
                defmt::write!(
                    f,
                    "{}: {}, {} slices, like {} to {}",
                    name,
                    amount,
                    slices,
                    least,
                    most
                )
            }
            RowValue::Percent(percent) => defmt::write!(f, "{}: {}", name, percent),
            RowValue::Computed(computed) => defmt::write!(f, "{}: {}", name, computed.value()),
            RowValue::Figure(text) | RowValue::Text(text) => {
                defmt::write!(f, "{}: {}", name, defmt::Display2Format(*text))
            }
        }
    }
}

impl fmt::Debug for Row<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("name", &format_args!("{}", self.name))
            .field("value", &self.value)
            .finish()
    }
}

impl fmt::Debug for RowValue<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Events(amount) | Self::MultiplexedCount { amount, .. } => amount.fmt(f),
            Self::Percent(percent) => percent.fmt(f),
            Self::Computed(computed) => computed.fmt(f),
            Self::Figure(text) | Self::Text(text) => text.fmt(f),
        }
    }
}

/// Results that a [`Report`](crate::report::Report) prints as rows.
///
/// This trait is implemented for measurements, snapshots, intervals, passes, multiplexed counts, single rows, and pairs
/// of a name and an [`Amount`]. It is also implemented for slices, arrays and two-element tuples of these types. In a
/// tuple, the rows of the first element come first.
pub trait Rows {
    /// Calls `take` with each row until `take` returns an error.
    ///
    /// # Errors
    ///
    /// Returns the error that `take` returned.
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result;
}

impl<S: fmt::Display, R, const N: usize> Rows for Measurement<S, R, N> {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        let mut all = self.selections.iter().zip(self.counts);
        all.try_for_each(|(selection, count)| take(Row::events(selection, count.into())))
    }
}

impl<S: fmt::Display + Copy + PartialEq, const N: usize> Rows for CountSnapshot<S, N> {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        self.amounts().try_for_each(|(selection, amount)| take(Row::events(&selection, amount)))
    }
}

impl<S: fmt::Display + Copy, const N: usize> Rows for Interval<S, N> {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        self.pairs().try_for_each(|(selection, amount)| take(Row::events(&selection, amount)))
    }
}

/// Rows: the amounts, the reference event in each pass, and the spread.
impl<S: fmt::Display + Copy + PartialEq, const N: usize> Rows for Passes<S, N> {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        self.pairs().try_for_each(|(selection, amount)| take(Row::events(&selection, amount)))?;
        if self.number() < 2 {
            return Ok(());
        }
        if let Some(reference) = self.reference() {
            self.reference_amounts().try_for_each(|amount| {
                take(Row::events(&format_args!("reference: {reference}"), amount))
            })?;
        }
        match self.spread() {
            Ok(spread) => take(Row::text(&"passes", &format_args!("differ by {spread}"))),
            Err(why) => {
                take(Row::text(&"passes", &format_args!("differ by an unknown amount: {why}")))
            }
        }
    }
}

impl<S: fmt::Display + Copy + PartialEq, const N: usize> Rows for MultiplexedCounts<S, N> {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        self.counts().try_for_each(|count| {
            let MultiplexedCount { selection, amount, slices, least, most } = count;
            let value = RowValue::MultiplexedCount { amount, slices, least, most };
            take(Row { name: &selection, value })
        })
    }
}

impl<S: fmt::Display> Rows for (S, Amount) {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        take(Row::events(&self.0, self.1))
    }
}

impl Rows for Row<'_> {
    #[inline]
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        take(*self)
    }
}

impl<T: Rows> Rows for [T] {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        self.iter().try_for_each(|rows| rows.each(take))
    }
}

impl<T: Rows, const N: usize> Rows for [T; N] {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        self.as_slice().each(take)
    }
}

impl<T: Rows + ?Sized> Rows for &T {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        (**self).each(take)
    }
}

/// Rows of the first element, then rows of the second element.
impl<A: Rows, B: Rows> Rows for (A, B) {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        self.0.each(take)?;
        self.1.each(take)
    }
}

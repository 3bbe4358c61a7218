//! One line of a report, and what has such lines.

use core::fmt;

use super::computed::Computed;
use super::facts::{Facts, Number, known};
use super::percent::Percent;
use crate::count::Amount;
use crate::measure::{CountSnapshot, Interval, Measurement};
use crate::metric::Value;
use crate::schedule::{MultiplexedCount, MultiplexedCounts, Passes};

/// One line of a [`Report`](crate::report::Report): something with a name.
#[derive(Clone, Copy)]
pub struct Row<'r> {
    /// What it is.
    pub name: &'r dyn fmt::Display,
    /// How much of it there is.
    pub value: RowValue<'r>,
}

/// What a [`Row`] tells.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum RowValue<'r> {
    /// How many events there were.
    Events(Amount),
    /// How many there were, from slices of the time.
    MultiplexedCount {
        /// How many there were in the whole.
        amount: Amount,
        /// In so many slices they were counted.
        slices: u32,
        /// Were all of the time like the slice with the least.
        least: Amount,
        /// Were all of the time like the slice with the most.
        most: Amount,
    },
    /// How they compare.
    Percent(Percent),
    /// What a metric comes to.
    Computed(Computed),
    /// A figure that somebody else computed, as it prints: it stands among the numbers of the table.
    Figure(&'r dyn fmt::Display),
    /// Something to read.
    Text(&'r dyn fmt::Display),
}

impl<'r> Row<'r> {
    /// So many events.
    #[must_use]
    pub const fn events(name: &'r dyn fmt::Display, amount: Amount) -> Self {
        Self { name, value: RowValue::Events(amount) }
    }

    /// A part of a whole.
    #[must_use]
    pub const fn percent(name: &'r dyn fmt::Display, percent: Percent) -> Self {
        Self { name, value: RowValue::Percent(percent) }
    }

    /// What a metric comes to: its figure, beside which a table says why, where there is none.
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
    pub const fn metric(name: &'r dyn fmt::Display, value: Value) -> Self {
        Self { name, value: RowValue::Computed(Computed::new(value)) }
    }

    /// A figure that somebody else computed.
    #[must_use]
    pub const fn figure(name: &'r dyn fmt::Display, figure: &'r dyn fmt::Display) -> Self {
        Self { name, value: RowValue::Figure(figure) }
    }

    /// Something to read.
    #[must_use]
    pub const fn text(name: &'r dyn fmt::Display, text: &'r dyn fmt::Display) -> Self {
        Self { name, value: RowValue::Text(text) }
    }
}

impl RowValue<'_> {
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

    /// The number of events, if it is one.
    pub(super) const fn amount(&self) -> Option<Amount> {
        match self {
            Self::Events(amount) | Self::MultiplexedCount { amount, .. } => Some(*amount),
            Self::Percent(_) | Self::Computed(_) | Self::Figure(_) | Self::Text(_) => None,
        }
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for Row<'_> {
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("name", &format_args!("{}", self.name))
            .field("value", &self.value)
            .finish()
    }
}

impl fmt::Debug for RowValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Events(amount) | Self::MultiplexedCount { amount, .. } => amount.fmt(f),
            Self::Percent(percent) => percent.fmt(f),
            Self::Computed(computed) => computed.fmt(f),
            Self::Figure(text) | Self::Text(text) => text.fmt(f),
        }
    }
}

/// What can stand in a [`Report`](crate::report::Report): measurements, pairs of a name and an
/// [`Amount`], rows that were made one by one, and two of these one after the other, as a tuple.
pub trait Rows {
    /// Hands out each row. Stops at the first that is not taken.
    ///
    /// # Errors
    ///
    /// What `take` says.
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
        self.pairs().try_for_each(|(selection, count)| take(Row::events(&selection, count.into())))
    }
}

impl<S: fmt::Display + Copy, const N: usize> Rows for Interval<S, N> {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        self.pairs().try_for_each(|(selection, amount)| take(Row::events(&selection, amount)))
    }
}

/// After the amounts come the reference events, and by how much they differ.
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

/// One after the other.
impl<A: Rows, B: Rows> Rows for (A, B) {
    fn each(&self, take: &mut dyn FnMut(Row<'_>) -> fmt::Result) -> fmt::Result {
        self.0.each(take)?;
        self.1.each(take)
    }
}

//! Metrics: values computed from the counts of several events.

use core::fmt::{self, Display};

use super::about::About;
use super::error::MetricError;
use super::ratio::Term;
use super::unit::MetricUnit;
use super::value::Value;
use crate::count::Amount;

/// Highest number of inputs of a metric.
///
/// No PMU of this family counts more than 8 events at once.
pub const MOST_INPUTS: usize = 8;

/// A value computed from event counts, for example a hit rate or instructions per cycle.
///
/// The crate of each IP has its metrics in modules called `metrics`, and documents the meaning and the limits
/// of each metric. A metric lists the events that it needs, and looks them up in the results of a
/// measurement:
///
/// ```
/// use arm_pmu_core::measure::{AssignError, Monitor, measure};
/// use arm_pmu_core::metric::{About, Inputs, Metric, MetricUnit, Term, Value};
///
/// /// The share of knocks that were answered, on a PMU that selects events by letters.
/// struct AnswerRate;
///
/// impl Metric for AnswerRate {
///     type Selection = char;
///     type Events = [char; 2];
///     const ABOUT: About = About {
///         name: "ANSWER_RATE",
///         unit: MetricUnit::Percent,
///         formula: "ANSWER / KNOCK",
///         doc: "The share of knocks that were answered.",
///         caveat: "A knock at the wrong door is a knock.",
///         source: "The doorkeeper.",
///     };
///     fn events(&self) -> [char; 2] {
///         ['a', 'k']
///     }
///     fn formula(&self, inputs: &Inputs) -> Term {
///         inputs.nth(0) / inputs.nth(1)
///     }
/// }
///
/// fn answer_rate<M: Monitor<Selection = char>>(pmu: &mut M) -> Result<Value, AssignError> {
///     let measured = measure(pmu, AnswerRate.events(), || { /* wait */ })?;
///     Ok(measured.metric(&AnswerRate))
/// }
///
/// use arm_pmu_core::count::Amount;
/// let amounts = [Amount::new(15), Amount::new(20)];
/// assert_eq!(AnswerRate.compute(&amounts).to_string(), "75.00 %  (15 / 20)");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a metric",
    note = "the metrics of an IP are in the modules called `metrics` of its crate; a metric with a source or an argument takes it in parentheses: `SnoopHitRate(SI3)`"
)]
pub trait Metric {
    /// Selection of one counter: an event, or the cycles.
    type Selection: Copy + PartialEq;

    /// Array of selections.
    type Events: AsRef<[Self::Selection]>;

    /// Unit of the figure.
    const UNIT: MetricUnit = Self::ABOUT.unit;

    /// Description of the metric. A program contains these texts only if it uses the description.
    const ABOUT: About;

    /// Returns the selections of the inputs, at most [`MOST_INPUTS`].
    fn events(&self) -> Self::Events;

    /// Computes the formula from the numbers of [events](Self::events).
    ///
    /// Implementations supply this method. Callers use [`compute`](Self::compute) or [`find`](Self::find), which check
    /// that the counts are valid.
    fn formula(&self, inputs: &Inputs) -> Term;

    /// Computes the value from one amount for each event.
    ///
    /// The amounts must be in the order of [`events`](Self::events). If an input is missing or invalid, or if
    /// the inputs are from different passes over the work, the value is an error with the reason.
    fn compute(&self, amounts: &[Amount]) -> Value {
        value(self, |nth| amounts.get(nth).copied(), Mixed::Rejected)
    }

    /// Computes the value from the inputs that `counted` contains, by their selections.
    ///
    /// The order of `counted` does not matter, and other selections are ignored. If the amounts are from
    /// several passes over the work, all inputs come from the first pass that has all of them.
    fn find<I>(&self, counted: I) -> Value
    where
        I: IntoIterator<Item = (Self::Selection, Amount), IntoIter: Clone>,
    {
        let counted = counted.into_iter();
        let events = self.events();
        let in_pass = |event: &Self::Selection, pass| {
            let mut counted = counted.clone();
            counted.find(|(selection, amount)| selection == event && amount.pass() == pass)
        };
        let passes = counted.clone().map(|(_, amount)| amount.pass());
        let mut whole = passes
            .filter(|pass| events.as_ref().iter().all(|event| in_pass(event, *pass).is_some()));
        match whole.next() {
            Some(pass) => {
                let nth = |nth: usize| Some(in_pass(events.as_ref().get(nth)?, pass)?.1);
                value(self, nth, Mixed::Rejected)
            }
            None => value(self, |nth| first(self, counted.clone(), nth), Mixed::Rejected),
        }
    }

    /// Returns a value of this metric, for printing with names.
    ///
    /// The printed text contains the name of the metric. If an input is the reason for a missing
    /// value, the text also names the event. The names take space in the program; a [`Value`] alone
    /// contains no names.
    fn explain(&self, value: Value) -> Explained<'_, Self> {
        Explained::new(self, value)
    }

    /// Computes the value as [`find`](Self::find) does, but accepts inputs from different passes.
    ///
    /// With inputs from different passes, the value is an [estimate](Value::is_estimate). The error of the estimate
    /// depends on the difference between the passes.
    fn find_in_any_pass<I>(&self, counted: I) -> Value
    where
        I: IntoIterator<Item = (Self::Selection, Amount), IntoIter: Clone>,
    {
        let counted = counted.into_iter();
        match self.find(counted.clone()) {
            found if matches!(found.estimate(), Err(MetricError::OtherPass { .. })) => {
                value(self, |nth| first(self, counted.clone(), nth), Mixed::Allowed)
            }
            found => found,
        }
    }
}

/// Returns the first amount of an input, from any pass.
fn first<M: Metric + ?Sized>(
    metric: &M,
    mut counted: impl Iterator<Item = (M::Selection, Amount)>,
    nth: usize,
) -> Option<Amount> {
    let events = metric.events();
    let event = events.as_ref().get(nth)?;
    counted.find(|(selection, _)| selection == event).map(|(_, amount)| amount)
}

/// Treatment of inputs from different passes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mixed {
    Rejected,
    Allowed,
}

fn value<M: Metric + ?Sized>(
    metric: &M,
    nth: impl Fn(usize) -> Option<Amount>,
    mixed: Mixed,
) -> Value {
    let wanted = metric.events().as_ref().len();
    let result = inputs(wanted, &nth, mixed);
    let estimate = matches!(result, Ok((_, true)));
    let result = result.and_then(|(inputs, _)| metric.formula(&inputs).get());
    Value::new(result, estimate, M::UNIT)
}

/// Returns the values of the inputs, and whether one of them makes the result an estimate.
///
/// The function is not generic, so programs contain this long part of the computation once, and not
/// for each metric and result type.
fn inputs(
    wanted: usize,
    nth: &dyn Fn(usize) -> Option<Amount>,
    mixed: Mixed,
) -> Result<(Inputs, bool), MetricError> {
    let mut inputs = Inputs([0; MOST_INPUTS]);
    let mut estimate = false;
    let mut pass = None;
    for input in 0..wanted {
        let place = inputs.0.get_mut(input).ok_or(MetricError::Missing { input })?;
        let amount = nth(input).ok_or(MetricError::Missing { input })?;
        *place = amount.estimate().map_err(|why| MetricError::Doubtful { input, why })?;
        estimate |= amount.exact().is_err();
        if *pass.get_or_insert(amount.pass()) != amount.pass() {
            match mixed {
                Mixed::Rejected => return Err(MetricError::OtherPass { input }),
                Mixed::Allowed => estimate = true,
            }
        }
    }
    Ok((inputs, estimate))
}

/// Numbers of the events of a [`Metric`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs([u64; MOST_INPUTS]);

impl Inputs {
    /// Returns how often event `nth` was counted, as a term of a formula. `nth` starts at 0.
    #[must_use]
    pub fn nth(&self, nth: usize) -> Term {
        match self.0.get(nth) {
            Some(number) => Term::from(*number),
            None => Term::none(MetricError::Missing { input: nth }),
        }
    }
}

/// A metric's value that prints with the name of the metric and, if an input is invalid, the name
/// of that input.
///
/// [`Metric::explain`] returns it.
#[derive(Debug)]
pub struct Explained<'m, M: ?Sized> {
    metric: &'m M,
    value: Value,
}

impl<'m, M: ?Sized> Explained<'m, M> {
    pub(crate) const fn new(metric: &'m M, value: Value) -> Self {
        Self { metric, value }
    }
}

impl<M: Metric<Selection: Display> + ?Sized> Display for Explained<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", M::ABOUT.name)?;
        let events = self.metric.events();
        self.value.write(f, &|input, f| match events.as_ref().get(input) {
            Some(selection) => selection.fmt(f),
            None => write!(f, "input {}", input + 1),
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::count::CountError;
    use crate::metric::UnavailableMetric;
    use std::string::ToString;
    use std::vec::Vec;

    crate::metric! {
        Rate, "RATE", Percent;
        doc "The share.";
        formula "H / (A + B)" "";
        caveat "";
        source "None.";
        inputs(self) -> [char; 3] {
            0 hits: 'h',
            1 first: 'a',
            2 second: 'b',
        }
        hits / (first + second)
    }

    /// A metric that adds these inputs.
    struct Sum(Vec<char>);

    impl Metric for Sum {
        type Selection = char;
        type Events = Vec<char>;
        const ABOUT: About = About { unit: MetricUnit::Occurrences, ..Rate::ABOUT };
        fn events(&self) -> Vec<char> {
            self.0.clone()
        }
        fn formula(&self, inputs: &Inputs) -> Term {
            (0..self.0.len()).fold(Term::from(0), |sum, nth| sum + inputs.nth(nth))
        }
    }

    fn exactly(numbers: [u64; 3]) -> [Amount; 3] {
        numbers.map(Amount::new)
    }

    #[test]
    fn amounts_follow_the_event_order() {
        assert_eq!(Rate.compute(&exactly([15, 8, 12])).to_string(), "75.00 %  (15 / 20)");
        assert_eq!(Rate.compute(&exactly([15, 0, 0])).exact(), Err(MetricError::Undefined));
        let more = [15, 8, 12, 9].map(Amount::new);
        assert_eq!(Rate.compute(&more).to_string(), "75.00 %  (15 / 20)");
        let missing = MetricError::Missing { input: 2 };
        assert_eq!(Rate.compute(&more[..2]).exact(), Err(missing));
    }

    #[test]
    fn amounts_are_found_among_others() {
        let amounts = [('b', 12), ('x', 1), ('h', 15), ('a', 8), ('h', 99)];
        let counted = amounts.map(|(selection, n)| (selection, Amount::new(n)));
        assert_eq!(Rate.find(counted).to_string(), "75.00 %  (15 / 20)");
        assert_eq!(Rate.find_in_any_pass(counted), Rate.find(counted));
        let without = counted.into_iter().filter(|(selection, _)| *selection != 'a');
        assert_eq!(Rate.find(without.clone()).exact(), Err(MetricError::Missing { input: 1 }));
        assert_eq!(Rate.find_in_any_pass(without).exact(), Err(MetricError::Missing { input: 1 }));
    }

    #[test]
    fn inputs_from_different_passes_are_rejected_unless_allowed() {
        let mut amounts = exactly([15, 8, 12]);
        amounts[2] = amounts[2].in_pass(1);
        assert_eq!(Rate.compute(&amounts).exact(), Err(MetricError::OtherPass { input: 2 }));
        let counted: Vec<_> = "hab".chars().zip(amounts).collect();
        assert_eq!(Rate.find(counted.clone()).exact(), Err(MetricError::OtherPass { input: 2 }));
        let allowed = Rate.find_in_any_pass(counted);
        assert_eq!(allowed.to_string(), "~75.00 %  (15 / 20)");
        assert_eq!(allowed.exact(), Err(MetricError::Estimate));
        let elsewhere = exactly([15, 8, 12]).map(|amount| amount.in_pass(4));
        assert_eq!(Rate.compute(&elsewhere).to_string(), "75.00 %  (15 / 20)", "all in one");
    }

    #[test]
    fn a_pass_with_all_inputs_is_preferred() {
        // Both passes counted 'a', just as every pass counts cycles.
        let counted = [('a', 1, 0), ('x', 5, 0), ('h', 15, 1), ('a', 8, 1), ('b', 12, 1)];
        let counted = counted.map(|(selection, n, pass)| (selection, Amount::new(n).in_pass(pass)));
        assert_eq!(Rate.find(counted).to_string(), "75.00 %  (15 / 20)");
        assert!(!Rate.find_in_any_pass(counted).is_estimate());
        let counted = [('x', 5, 0), ('h', 7, 1), ('h', 15, 2), ('a', 8, 2), ('b', 12, 2)];
        let counted = counted.map(|(selection, n, pass)| (selection, Amount::new(n).in_pass(pass)));
        assert_eq!(
            Rate.find(counted).to_string(),
            "75.00 %  (15 / 20)",
            "the count of pass 1 is not used"
        );
    }

    #[test]
    fn inputs_beyond_the_capacity_are_missing() {
        let amounts = [Amount::new(1); MOST_INPUTS + 1];
        let sum = |wanted| Sum(std::vec!['a'; wanted]).compute(&amounts).estimate();
        assert_eq!(sum(MOST_INPUTS).unwrap().numerator(), 8);
        assert_eq!(sum(MOST_INPUTS + 1), Err(MetricError::Missing { input: MOST_INPUTS }));
        assert_eq!(sum(0).unwrap().numerator(), 0);
        let inputs = Inputs([1; MOST_INPUTS]);
        assert_eq!(inputs.nth(8).get(), Err(MetricError::Missing { input: 8 }));
    }

    #[test]
    fn the_description_of_a_metric_prints_in_lines() {
        let text = About { caveat: "Not more.", ..Rate::ABOUT }.to_string();
        assert_eq!(text, "RATE (percent) = H / (A + B)\nThe share.\nNot more.\nNone.");
        assert_eq!(Rate::ABOUT.to_string(), "RATE (percent) = H / (A + B)\nThe share.\nNone.");
        let none = UnavailableMetric { name: "HITS", reason: "No event.", source: "AN" };
        assert_eq!(none.to_string(), "HITS: No event.");
    }

    crate::metric! {
        ReadHitRate, "HIT_RATE", Percent;
        doc "";
        formula "HIT / READ" "";
        caveat "";
        source "";
        inputs(self) -> [&'static str; 2] {
            0 hits: "SI3:HIT",
            1 reads: "SI3:READ",
        }
        hits / reads
    }

    #[test]
    fn a_value_is_explained_with_the_names_of_events() {
        let told =
            |amounts: &[Amount]| ReadHitRate.explain(ReadHitRate.compute(amounts)).to_string();
        let exact = Amount::new;
        assert_eq!(told(&[exact(15), exact(20)]), "HIT_RATE: 75.00 %  (15 / 20)");
        assert_eq!(told(&[exact(15), exact(0)]), "HIT_RATE: undefined");
        let lost = Amount::invalid(0, CountError::Overflowed);
        assert_eq!(told(&[exact(15), lost]), "HIT_RATE: unknown: SI3:READ: the counter overflowed");
        assert_eq!(told(&[exact(15)]), "HIT_RATE: unknown: SI3:READ was not counted");
        assert_eq!(
            told(&[exact(15), exact(20).in_pass(1)]),
            "HIT_RATE: unknown: SI3:READ was counted in another pass over the work"
        );
    }
}

//! Figures that are computed from the counts of several events.

use core::fmt::{self, Display};

use super::about::About;
use super::error::MetricError;
use super::ratio::Term;
use super::unit::MetricUnit;
use super::value::Value;
use crate::count::Amount;

/// How many inputs a metric can have: as many as the PMU with the most counters can count at once.
pub const MOST_INPUTS: usize = 8;

/// A figure computed from how often some events happened: a hit rate, instructions per cycle.
///
/// The crate of each IP has its metrics in modules called `metrics`, with what each means and does not
/// mean. A metric knows which events it needs, and finds them in what was counted:
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
///     const UNIT: MetricUnit = MetricUnit::Percent;
///     const ABOUT: About = About {
///         name: "ANSWER_RATE",
///         unit: Self::UNIT,
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
    note = "the metrics of an IP are in the modules called `metrics` of its crate; one with a source or an argument is made with it: `SnoopHitRate(SI3)`"
)]
pub trait Metric {
    /// What one counter is told to count.
    type Selection: Copy + PartialEq;

    /// An array of selections.
    type Events: AsRef<[Self::Selection]>;

    /// What the figure is one of.
    const UNIT: MetricUnit;

    /// What the metric means, and what it does not, for people. It costs flash only where it is used.
    const ABOUT: About;

    /// What has to be counted: [`MOST_INPUTS`] at most.
    fn events(&self) -> Self::Events;

    /// The formula, of how often each of the [events](Self::events) happened. For implementations:
    /// callers want [`compute`](Self::compute) or [`find`](Self::find), which look at how the counts are
    /// known.
    fn formula(&self, inputs: &Inputs) -> Term;

    /// The figure, of an amount for each of the [events](Self::events), in their order.
    ///
    /// An input that is missing, cannot be relied on, or is from another pass over the work than the
    /// others gives no figure but that reason.
    fn compute(&self, amounts: &[Amount]) -> Value {
        value(self, |nth| amounts.get(nth).copied(), Mixed::Rejected)
    }

    /// The figure, of amounts among which the [events](Self::events) are, in any order and beside others.
    ///
    /// Where there are amounts from several passes over the work, all inputs are taken from one: the
    /// first that has them.
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

    /// A value of this metric as a line for people, with the name of the metric, and with that of the event
    /// where one gives no figure.
    ///
    /// These names take flash; the value itself has none.
    fn explain(&self, value: Value) -> Explained<'_, Self> {
        Explained::new(self, value)
    }

    /// As [`find`](Self::find), but inputs may be from different passes: then the figure is an
    /// [estimate](Value::is_estimate), and as good as the passes are alike.
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

/// The first amount of an input, from whatever pass.
fn first<M: Metric + ?Sized>(
    metric: &M,
    mut counted: impl Iterator<Item = (M::Selection, Amount)>,
    nth: usize,
) -> Option<Amount> {
    let events = metric.events();
    let event = events.as_ref().get(nth)?;
    counted.find(|(selection, _)| selection == event).map(|(_, amount)| amount)
}

/// What becomes of inputs from different passes.
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

/// The inputs, and whether any of them makes the figure an estimate.
///
/// It is not generic: each metric has several ways to its amounts, and this is the longest part of them.
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

/// How often each event of a [`Metric`] happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs([u64; MOST_INPUTS]);

impl Inputs {
    /// The number of the `nth` event, from 0, for use in a formula.
    #[must_use]
    pub fn nth(&self, nth: usize) -> Term {
        match self.0.get(nth) {
            Some(number) => Term::from(*number),
            None => Term::none(MetricError::Missing { input: nth }),
        }
    }
}

/// A value with the name of its metric and, where there is no figure, that of the input which is to blame.
/// Made by [`Metric::explain`].
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
        self.value.tell(f, &|input, f| match events.as_ref().get(input) {
            Some(selection) => selection.fmt(f),
            None => write!(f, "input {}", input + 1),
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::count::{Count, CountError, Scaling};
    use crate::metric::UnavailableMetric;
    use std::string::ToString;
    use std::vec::Vec;

    /// 'h' of 'a' and 'b'.
    struct Rate;

    const ABOUT: About = About {
        name: "RATE",
        unit: MetricUnit::Percent,
        formula: "H / (A + B)",
        doc: "The share.",
        caveat: "",
        source: "Nobody.",
    };

    impl Metric for Rate {
        type Selection = char;
        type Events = [char; 3];
        const UNIT: MetricUnit = MetricUnit::Percent;
        const ABOUT: About = ABOUT;
        fn events(&self) -> [char; 3] {
            ['h', 'a', 'b']
        }
        fn formula(&self, inputs: &Inputs) -> Term {
            inputs.nth(0) / (inputs.nth(1) + inputs.nth(2))
        }
    }

    /// As many inputs as it is told, all of them summed up.
    struct Sum(Vec<char>);

    impl Metric for Sum {
        type Selection = char;
        type Events = Vec<char>;
        const UNIT: MetricUnit = MetricUnit::Occurrences;
        const ABOUT: About = About { unit: Self::UNIT, ..ABOUT };
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
    fn amounts_are_taken_in_the_order_of_the_events() {
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
    fn an_input_that_cannot_be_relied_on_is_named() {
        for why in [
            CountError::Overflowed,
            CountError::Disturbed,
            CountError::BusError,
            CountError::NotCounted,
        ] {
            for input in 0..3 {
                let mut amounts = exactly([15, 8, 12]);
                amounts[input] = Amount::from(Count::invalid(7, why));
                let value = Rate.compute(&amounts);
                assert_eq!(value.exact(), Err(MetricError::Doubtful { input, why }));
                assert_eq!(value.estimate(), value.exact());
            }
        }
    }

    #[test]
    fn an_estimated_input_makes_an_estimate() {
        let mut amounts = exactly([15, 8, 12]);
        amounts[2] = Amount::scaled(3, Scaling { time_running: 1, time_enabled: 4 });
        assert_eq!(Rate.compute(&amounts).to_string(), "~75.00 %  (15 / 20)");
        assert_eq!(Rate.compute(&amounts).exact(), Err(MetricError::Estimate));
    }

    #[test]
    fn inputs_from_different_passes_are_refused_unless_allowed() {
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
    fn of_several_passes_one_that_has_all_inputs_is_taken() {
        // 'a' was counted in both, as cycles are.
        let counted = [('a', 1, 0), ('x', 5, 0), ('h', 15, 1), ('a', 8, 1), ('b', 12, 1)];
        let counted = counted.map(|(selection, n, pass)| (selection, Amount::new(n).in_pass(pass)));
        assert_eq!(Rate.find(counted).to_string(), "75.00 %  (15 / 20)");
        assert!(!Rate.find_in_any_pass(counted).is_estimate());
        let counted = [('x', 5, 0), ('h', 7, 1), ('h', 15, 2), ('a', 8, 2), ('b', 12, 2)];
        let counted = counted.map(|(selection, n, pass)| (selection, Amount::new(n).in_pass(pass)));
        assert_eq!(Rate.find(counted).to_string(), "75.00 %  (15 / 20)", "not that h of pass 1");
    }

    #[test]
    fn more_inputs_than_there_is_room_for_are_missing() {
        let amounts = [Amount::new(1); MOST_INPUTS + 1];
        let sum = |wanted| Sum(std::vec!['a'; wanted]).compute(&amounts).estimate();
        assert_eq!(sum(MOST_INPUTS).unwrap().numerator(), 8);
        assert_eq!(sum(MOST_INPUTS + 1), Err(MetricError::Missing { input: MOST_INPUTS }));
        assert_eq!(sum(0).unwrap().numerator(), 0);
        let inputs = Inputs([1; MOST_INPUTS]);
        assert_eq!(inputs.nth(8).get(), Err(MetricError::Missing { input: 8 }));
    }

    #[test]
    fn a_metric_tells_what_it_means() {
        let told = About { caveat: "Not more.", ..Rate::ABOUT }.to_string();
        assert_eq!(told, "RATE (percent) = H / (A + B)\nThe share.\nNot more.\nNobody.");
        assert_eq!(Rate::ABOUT.to_string(), "RATE (percent) = H / (A + B)\nThe share.\nNobody.");
        let none = UnavailableMetric { name: "HITS", reason: "Nobody counts them.", source: "AN" };
        assert_eq!(none.to_string(), "HITS: Nobody counts them.");
    }

    struct ReadHitRate;

    impl Metric for ReadHitRate {
        type Selection = &'static str;
        type Events = [&'static str; 2];
        const UNIT: MetricUnit = MetricUnit::Percent;
        const ABOUT: About = About {
            name: "HIT_RATE",
            unit: Self::UNIT,
            formula: "HIT / READ",
            doc: "",
            caveat: "",
            source: "",
        };
        fn events(&self) -> Self::Events {
            ["SI3:HIT", "SI3:READ"]
        }
        fn formula(&self, inputs: &Inputs) -> Term {
            inputs.nth(0) / inputs.nth(1)
        }
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

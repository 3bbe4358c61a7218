//! Checks that apply to each metric.

use std::fmt::Debug;

use arm_pmu::count::{Amount, Count, CountError, Scaling};
use arm_pmu::measure::Monitor;
use arm_pmu::metric::{About, Metric, MetricError, MetricUnit, Value};

/// A metric as an object. What is asked is then compiled once for each PMU: once for each metric took longer
/// than the rest of the crate.
pub trait Figure<S> {
    fn about(&self) -> About;
    fn unit(&self) -> MetricUnit;
    fn events(&self) -> Vec<S>;
    fn compute(&self, amounts: &[Amount]) -> Value;
    fn find(&self, counted: Vec<(S, Amount)>) -> Value;
    fn find_in_any_pass(&self, counted: Vec<(S, Amount)>) -> Value;
}

impl<S: Copy + PartialEq, M: Metric<Selection = S>> Figure<S> for M {
    fn about(&self) -> About {
        M::ABOUT
    }
    fn unit(&self) -> MetricUnit {
        M::UNIT
    }
    fn events(&self) -> Vec<S> {
        Metric::events(self).as_ref().to_vec()
    }
    fn compute(&self, amounts: &[Amount]) -> Value {
        Metric::compute(self, amounts)
    }
    fn find(&self, counted: Vec<(S, Amount)>) -> Value {
        Metric::find(self, counted)
    }
    fn find_in_any_pass(&self, counted: Vec<(S, Amount)>) -> Value {
        Metric::find_in_any_pass(self, counted)
    }
}

/// Counts the events of a metric on a device while `signal` makes them happen.
pub fn on<P: Monitor>(pmu: &mut P, events: &[P::Selection], signal: impl FnOnce()) -> Vec<Amount> {
    pmu.assign(events).expect("no more events than counters");
    pmu.run(signal);
    (0..events.len()).map(|nth| Amount::from(pmu.count(nth))).collect()
}

/// Checks the metric against `expected`, calculated by hand, and with missing or invalid counts.
/// `device` counts events while it signals the given number of each. Returns the name of the metric.
pub fn hold<S: Copy + Debug>(
    metric: &dyn Figure<S>,
    counted: &[(S, u64)],
    expected: &str,
    device: impl Fn(&[S], &[(S, u64)]) -> Vec<Amount>,
) -> &'static str {
    let About { name, unit, .. } = metric.about();
    assert_eq!(unit, metric.unit(), "{name}");
    let events = &metric.events();
    let amounts: Vec<_> = counted.iter().map(|(s, n)| (*s, Amount::new(*n))).collect();
    let value = metric.find(amounts.clone());
    assert_eq!(value.to_string(), expected, "{name}");
    assert!(value.exact().is_ok(), "{name}");
    // Every given count is needed.
    assert_eq!(events.len(), counted.len(), "{name}");
    for (nth, _) in counted.iter().enumerate() {
        let others = amounts.iter().enumerate().filter(|(other, _)| *other != nth);
        let without = metric.find(others.map(|(_, amount)| *amount).collect::<Vec<_>>());
        assert!(
            matches!(without.exact(), Err(MetricError::Missing { .. })),
            "{name} without {nth}"
        );
    }
    assert_eq!(metric.compute(&device(events, counted)), value, "{name} on a device");

    nothing_to_divide_by(metric, events.len());
    invalid_inputs(metric, events);
    // The largest counts do not panic.
    let most = vec![Amount::new(u64::MAX); events.len()];
    assert!(!metric.compute(&most).to_string().is_empty());
    name
}

fn nothing_to_divide_by<S>(metric: &dyn Figure<S>, inputs: usize) {
    let About { name, .. } = metric.about();
    let value = metric.compute(&vec![Amount::new(0); inputs]);
    match metric.unit() {
        MetricUnit::Percent | MetricUnit::Ratio => {
            assert_eq!(value.exact(), Err(MetricError::Undefined), "{name}");
            assert_eq!(value.to_string(), "undefined", "{name}");
        }
        _ => assert_eq!(value.exact().map(|ratio| ratio.numerator()), Ok(0), "{name}"),
    }
}

fn invalid_inputs<S: Copy>(metric: &dyn Figure<S>, events: &[S]) {
    let About { name, .. } = metric.about();
    let exact = vec![Amount::new(5); events.len()];
    for input in 0..events.len() {
        for why in [
            CountError::Overflowed,
            CountError::Disturbed,
            CountError::BusError,
            CountError::NotCounted,
        ] {
            let mut amounts = exact.clone();
            amounts[input] = Amount::from(Count::invalid(5, why));
            let expected = Err(MetricError::Doubtful { input, why });
            assert_eq!(metric.compute(&amounts).estimate(), expected, "{name}");
        }
        let mut amounts = exact.clone();
        amounts[input] = Amount::scaled(5, Scaling { time_running: 1, time_enabled: 2 });
        let value = metric.compute(&amounts);
        assert!(value.is_estimate() && value.to_string().starts_with('~'), "{name}: {value}");
        if events.len() > 1 {
            let mut amounts = exact.clone();
            amounts[input] = amounts[input].in_pass(1);
            let refused = metric.compute(&amounts).exact();
            assert!(matches!(refused, Err(MetricError::OtherPass { .. })), "{name}: {refused:?}");
            let counted = events.iter().copied().zip(amounts).collect::<Vec<_>>();
            assert!(metric.find_in_any_pass(counted).is_estimate(), "{name}");
        }
    }
}

/// Checks that each metric of a module was tested.
pub fn are_all(mut held: Vec<&str>, metrics: &[About]) {
    let mut names: Vec<_> = metrics.iter().map(|about| about.name).collect();
    held.sort_unstable();
    names.sort_unstable();
    assert_eq!(held, names);
    for about in metrics {
        assert!(about.source.starts_with("Source: "), "{about}");
    }
}

/// An unavailable metric gives the reason, for any counts.
pub fn gives_the_reason<M: Metric>(metric: M, about: &str) {
    assert!(Metric::events(&metric).as_ref().is_empty());
    let value = Metric::compute(&metric, &[Amount::new(5)]);
    let Err(MetricError::UnavailableMetric(reason)) = value.exact() else { panic!("{value}") };
    assert!(reason.contains(about), "{reason}");
    assert_eq!(value.to_string(), format!("not computable: {reason}"));
    assert_eq!(value.figure().to_string(), "not computable");
}

//! Checks for each metric.

use std::collections::BTreeSet;

use arm_pmu::count::{Amount, Count, CountError, Scaling};
use arm_pmu::measure::Monitor;
use arm_pmu::metric::{About, Metric, MetricError, MetricUnit, UnavailableMetric, Value};

use crate::devices::Device;

/// A metric as a trait object, so that the tests are compiled once for each PMU. Compiling the tests once for each
/// metric took longer than the rest of the crate.
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

/// Code that stands for the cycles in lists of event codes.
pub const CYCLES: u16 = u16::MAX;

/// A metric, the number of occurrences of each event, and the value calculated by hand.
pub type Row<'r, D> = (&'r dyn Figure<<D as Device>::Selection>, &'r [(u16, u32)], &'r str);

/// A metric that cannot be computed, and a part of the reason.
pub type Unavailable<'r, D> = (&'r dyn Figure<<D as Device>::Selection>, &'r str);

/// Checks all metrics of a PMU: the number of occurrences of each event, and the value calculated by hand.
macro_rules! check {
    ($device:ty; $($rows:tt)*) => {
        check!(@ $device, &[], &[]; $($rows)*);
    };
    ($device:ty, unavailable: [$($none:expr => $why:literal),* $(,)?]; $($rows:tt)*) => {
        check!(@ $device, &[$( (&$none, $why) ),*], NOT_COMPUTABLE; $($rows)*);
    };
    (
        @ $device:ty, $reasons:expr, $unavailable:expr;
        $( $metric:expr => $($event:tt: $number:literal),* => $value:literal; )*
    ) => {
        crate::metrics::support::check_all::<$device>(
            &[$( (&$metric, &[$( ($event, $number) ),*], $value) ),*],
            METRICS,
            $reasons,
            $unavailable,
        )
    };
}
pub(crate) use check;

/// Checks all metrics of a PMU.
pub fn check_all<D: Device>(
    rows: &[Row<'_, D>],
    metrics: &[About],
    reasons: &[Unavailable<'_, D>],
    unavailable: &[UnavailableMetric],
) {
    are_all(rows.iter().map(|row| row.0), metrics.iter().map(|about| about.name));
    are_all(reasons.iter().map(|reason| reason.0), unavailable.iter().map(|none| none.name));
    for about in metrics {
        assert!(about.source.starts_with("Source: "), "{about}");
    }
    for (metric, events, expected) in rows {
        let selection = |id| match id {
            CYCLES => <D::Pmu<'_> as Monitor>::CLOCK.expect("it has a cycle counter"),
            id => D::event(id),
        };
        let counted: Vec<_> = events.iter().map(|(id, n)| (selection(*id), *n)).collect();
        hold::<D>(*metric, &counted, expected);
    }
    for (metric, about) in reasons {
        gives_the_reason(*metric, about);
    }
}

/// Checks a metric with these counts, with missing and invalid counts, and on a device.
fn hold<D: Device>(
    metric: &dyn Figure<D::Selection>,
    counted: &[(D::Selection, u32)],
    expected: &str,
) {
    let About { name, unit, .. } = metric.about();
    assert_eq!(unit, metric.unit(), "{name}");
    let events = &metric.events();
    let amounts: Vec<_> = counted.iter().map(|(s, n)| (*s, Amount::new((*n).into()))).collect();
    let value = metric.find(amounts.clone());
    assert_eq!(value.to_string(), expected, "{name}");
    assert!(value.exact().is_ok(), "{name}");
    // The metric needs all given counts.
    assert_eq!(events.len(), counted.len(), "{name}");
    for (nth, _) in counted.iter().enumerate() {
        let mut others = amounts.clone();
        others.remove(nth);
        let without = metric.find(others).exact();
        assert!(matches!(without, Err(MetricError::Missing { .. })), "{name} without {nth}");
    }
    let device = D::new();
    let mut pmu = device.pmu();
    pmu.assign(events).expect("no more events than counters");
    pmu.run(|| counted.iter().for_each(|(what, n)| device.happens(*what, *n)));
    let on_device: Vec<_> = (0..events.len()).map(|nth| pmu.count(nth).into()).collect();
    assert_eq!(metric.compute(&on_device), value, "{name} on a device");

    nothing_to_divide_by(metric, events.len());
    invalid_inputs(metric, events);
    // The largest counts must not overflow.
    let most = vec![Amount::new(u64::MAX); events.len()];
    assert!(!metric.compute(&most).to_string().is_empty());
}

fn nothing_to_divide_by<S>(metric: &dyn Figure<S>, inputs: usize) {
    let About { name, .. } = metric.about();
    let value = metric.compute(&vec![Amount::new(0); inputs]);
    match metric.unit() {
        MetricUnit::Percent | MetricUnit::PerThousand | MetricUnit::Ratio => {
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

/// Checks that the list contains a metric of each of these names.
fn are_all<'m, S: 'm>(
    held: impl Iterator<Item = &'m dyn Figure<S>>,
    names: impl Iterator<Item = &'static str>,
) {
    let held: BTreeSet<_> = held.map(|metric| metric.about().name).collect();
    assert_eq!(held, names.collect());
}

/// Checks that an unavailable metric returns the reason, whatever the counts are.
fn gives_the_reason<S>(metric: &dyn Figure<S>, about: &str) {
    assert!(metric.events().is_empty());
    let value = metric.compute(&[Amount::new(5)]);
    let Err(MetricError::UnavailableMetric(reason)) = value.exact() else { panic!("{value}") };
    assert!(reason.contains(about), "{reason}");
    assert_eq!(value.to_string(), format!("not computable: {reason}"));
    assert_eq!(value.figure().to_string(), "not computable");
}

//! Metrics of cores with PMUv3 against values that another program computed.
//!
//! `metrics.csv` lists each formula as Arm's telemetry data writes it, or the spec if the metric is not Arm's; the core
//! `*` stands for all cores without a line of their own. The counts are random. Python's fractions computed `value`
//! from `formula`; `value` is a fraction of 1 where Arm multiplies by 100 or 1000.

use std::collections::BTreeSet;

use arm_pmu::metric::Term;
use arm_pmu_tables::{Input, MetricOf, Pmu, Space};
use proptest::prelude::*;

struct Line {
    metric: &'static str,
    core: &'static str,
    counts: Vec<(&'static str, u64)>,
    numerator: i128,
    denominator: i128,
}

fn lines() -> Vec<Line> {
    let line = |text: &'static str| {
        let cells: Vec<&str> = text.split(',').collect();
        let [metric, core, _, _, counts, value] = cells[..] else { panic!("{text}") };
        let counts = counts.split(' ').map(|count| count.split_once('=').expect(text));
        let (numerator, denominator) = value.split_once('/').expect(text);
        Line {
            metric,
            core,
            counts: counts.map(|(name, n)| (name, n.parse().expect(text))).collect(),
            numerator: numerator.parse().expect(text),
            denominator: denominator.parse().expect(text),
        }
    };
    include_str!("metrics.csv").lines().skip(1).map(line).collect()
}

/// All cores with PMUv3.
fn cores() -> impl Iterator<Item = Pmu> {
    Pmu::all().filter(|pmu| pmu.ip.space == Space::System && pmu.is_processor())
}

/// Computes the exact value of a metric.
fn compute(of: MetricOf, count: &dyn Fn(&str) -> u64) -> Term {
    let name = |input: &Input| match *input {
        Input::Event(name) => name,
        Input::Cycles => "CPU_CYCLES",
        _ => panic!("an unknown input"),
    };
    let inputs: Vec<_> =
        of.metric.inputs.iter().map(|input| Term::from(count(name(input)))).collect();
    let arguments = of.metric.arguments.iter();
    let arguments: Vec<_> =
        arguments.map(|of| Term::from(count(&of.name.to_ascii_uppercase()))).collect();
    of.metric.expression.evaluate(&inputs, &arguments, Term::from).expect("all inputs")
}

#[test]
fn every_metric_equals_the_telemetry_formula() {
    let lines = lines();
    let mut unused: BTreeSet<_> = (0..lines.len()).collect();
    for (pmu, of) in cores().flat_map(|pmu| pmu.metrics().map(move |of| (pmu, of))) {
        let about = format!("{pmu} {}", of.metric.name);
        let own = |core: &str| {
            let is = |line: &&Line| line.metric == of.metric.name && line.core == core;
            lines.iter().enumerate().filter(move |(_, line)| is(line)).collect::<Vec<_>>()
        };
        let mut found = own(pmu.ip.name);
        if found.is_empty() {
            found = own("*");
        }
        assert!(!found.is_empty(), "no line for {about}");
        for (nth, line) in found {
            unused.remove(&nth);
            let count = |name: &str| {
                let found = line.counts.iter().find(|(known, _)| *known == name);
                found.unwrap_or_else(|| panic!("{about}: the formula has no {name}")).1
            };
            let value = compute(of, &count).get().expect(&about);
            assert_eq!(
                value.numerator() * line.denominator,
                line.numerator * value.denominator(),
                "{about}"
            );
        }
    }
    let unused: Vec<_> =
        unused.into_iter().map(|nth| (lines[nth].core, lines[nth].metric)).collect();
    assert!(unused.is_empty(), "no core has {unused:?}");
}

/// Returns the four top-down shares of a core that counts slots, or none.
fn level_1(pmu: Pmu) -> Vec<MetricOf> {
    pmu.metrics().filter(|of| of.metric.topics.contains(&"topdown")).collect()
}

proptest! {
    /// The shares sum to 1 if each stalled slot is of either the front end or the back end, as in the architecture.
    #[test]
    fn level_1_sums_to_the_whole(
        cycles in 1_u64 << 24..1 << 42, slots in 1..16_u64, front in any::<u32>(), back in any::<u32>(),
        spec in 1..1_u64 << 40, retired in any::<u32>(), mispredicted in any::<u32>(), surplus in 0..2_u64,
    ) {
        for pmu in cores() {
            let shares = level_1(pmu);
            let has_surplus = |of: &MetricOf| of.metric.arguments.iter().any(|of| of.name == "surplus_slots");
            let surplus = if shares.iter().any(has_surplus) { surplus } else { 0 };
            let count = |name: &str| match name {
                "CPU_CYCLES" => cycles,
                "SLOTS" => slots,
                "SURPLUS_SLOTS" => surplus,
                "STALL_SLOT_FRONTEND" => u64::from(front) + surplus * cycles,
                "STALL_SLOT_BACKEND" => back.into(),
                "STALL_SLOT" => u64::from(front) + u64::from(back) + surplus * cycles,
                "OP_SPEC" => spec,
                "OP_RETIRED" => retired.into(),
                "BR_MIS_PRED" | "STALL_FRONTEND_FLUSH" => mispredicted.into(),
                _ => panic!("{name}"),
            };
            if shares.is_empty() {
                continue;
            }
            let each = shares.iter().map(|of| compute(*of, &count).get());
            let sum: f64 = each
                .map(|share| share.map(|share| share.numerator() as f64 / share.denominator() as f64))
                .sum::<Result<_, _>>()
                .expect("counts of minutes fit");
            prop_assert!((sum - 1.0).abs() < 1e-9, "{pmu}: {sum}");
        }
    }
}

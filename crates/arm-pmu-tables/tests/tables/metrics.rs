//! Compares metrics of cores with PMUv3 to values that another program computed.
//!
//! `metrics.csv` lists each formula as in Arm's telemetry data or, for other metrics, as in the spec; the core `*`
//! stands for all cores without a separate line. The counts are random. `value` was computed from `formula` with
//! Python's module `fractions`; it is a fraction of 1 where Arm multiplies by 100 or 1000.

use std::collections::BTreeSet;

use arm_pmu::metric::Term;
use arm_pmu_tables::{Input, MetricOf, Pmu, Space};

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
    include_str!("../metrics.csv").lines().skip(1).map(line).collect()
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

/// Each stalled slot belongs to either the front end or the back end, as in the architecture.
#[test]
fn level_1_metrics_sum_to_one() {
    let mut checked = 0;
    for pmu in cores() {
        let shares: Vec<_> =
            pmu.metrics().filter(|of| of.metric.topics.contains(&"topdown")).collect();
        let has_surplus = |of: &MetricOf| {
            of.metric.arguments.iter().any(|argument| argument.name == "surplus_slots")
        };
        let most = u64::from(shares.iter().any(has_surplus));
        for surplus in 0..=most {
            let count = |name: &str| match name {
                "CPU_CYCLES" => 1000,
                "SLOTS" => 5,
                "SURPLUS_SLOTS" => surplus,
                "STALL_SLOT_FRONTEND" => 1100 + surplus * 1000,
                "STALL_SLOT_BACKEND" => 1300,
                "STALL_SLOT" => 2400 + surplus * 1000,
                "OP_SPEC" => 2300,
                "OP_RETIRED" => 1700,
                "BR_MIS_PRED" | "STALL_FRONTEND_FLUSH" => 70,
                _ => panic!("{name}"),
            };
            let each = shares.iter().map(|of| compute(*of, &count));
            let Some(sum) = each.reduce(|sum, share| sum + share) else { continue };
            let sum = sum.get().expect("small counts fit");
            assert_eq!(sum.numerator(), sum.denominator(), "{pmu}");
            checked += 1;
        }
    }
    assert!(checked >= 6, "{checked}");
}

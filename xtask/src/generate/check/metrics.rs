//! Rules about metrics and formulas.

use super::prelude::*;
use super::{lists, names, provenance, text, units};
use crate::generate::spec::events::{self, Event};
use crate::generate::spec::formula::{Expression, Operator};
use crate::generate::spec::metrics::{Group, Metric, Metrics};

/// Highest number of inputs that the core crate supports.
const MOST_INPUTS: usize = 8;

/// Name of the cycle counter in formulas.
const CYCLES: &str = "cycles";

/// Applies every rule. Looks up names of events only if `sound`, that is, if the events have no
/// problems.
pub fn all(spec: &Spec, metrics: &Metrics, sound: bool, problems: &mut Problems) {
    groups_are_those_of_events(spec, metrics, sound, problems);
    names::of_metrics(spec, metrics, sound, problems);
    come_from_somewhere(metrics, problems);
    for group in metrics.groups.iter() {
        values_apply(spec, group, problems);
        let of_events = spec.events_of(group).filter(|_| sound);
        for metric in group.metrics.iter() {
            are_of_some_units(spec, of_events, &metric.only, problems);
            arguments_are_used(metric, problems);
            divide_by_something(&metric.formula.root, problems);
            if let Some(of_events) = of_events {
                names_mean_something(spec, of_events, group, metric, problems);
                have_inputs(of_events, group, metric, problems);
                happen(of_events, metric, problems);
                are_counted_alike(of_events, metric, problems);
            }
            text::is_a_sentence(&metric.doc, [&metric.name.0], problems);
            metric.caveat.iter().for_each(|t| text::is_a_sentence(t, [&metric.name.0], problems));
            for argument in metric.arguments.iter() {
                text::is_a_sentence(&argument.doc, [&argument.name.0], problems);
            }
        }
        for none in group.not_computable.iter() {
            are_of_some_units(spec, of_events, &none.only, problems);
            text::is_a_sentence(&none.doc, [&none.name.0], problems);
            text::is_a_sentence(&none.reason, [&none.name.0], problems);
        }
    }
}

/// Meaning of a name in a formula.
pub enum Meaning<'s> {
    Event(&'s Event),
    Cycles,
    Constant(u32),
    /// Index of the argument. Arguments that are constants of the group are not counted.
    Argument(usize),
}

/// Returns the meaning of a name. Returns `None` if the name is unknown.
pub fn meaning<'s>(
    spec: &Spec,
    of_events: &'s events::Group,
    group: &Group,
    metric: &Metric,
    name: &str,
) -> Option<Meaning<'s>> {
    if name == CYCLES {
        return spec.events.counters.cycles.as_ref().map(|_| Meaning::Cycles);
    }
    if let Some(value) = group.constant(name) {
        return Some(Meaning::Constant(value));
    }
    let mut open = metric.arguments.iter().filter(|of| group.constant(&of.name.0).is_none());
    if let Some(argument) = open.position(|argument| argument.name.0 == name) {
        return Some(Meaning::Argument(argument));
    }
    of_events.events.iter().find(|event| event.name.0 == name).map(Meaning::Event)
}

/// Calls `with` for each name of a formula, from left to right.
pub fn each_name<'e>(expression: &'e At<Expression>, with: &mut impl FnMut(&'e str, &'e Place)) {
    match &expression.value {
        Expression::Number(_) => {}
        Expression::Name(name) => with(name, &expression.place),
        Expression::Parentheses(inner) => each_name(inner, with),
        Expression::Binary(_, left, right) => {
            each_name(left, with);
            each_name(right, with);
        }
    }
}

/// A group of metrics has the name of one group of events, occurs once, and is not empty.
fn groups_are_those_of_events(
    spec: &Spec,
    metrics: &Metrics,
    sound: bool,
    problems: &mut Problems,
) {
    let units = metrics.groups.iter().map(|group| group.unit.as_ref().map(|unit| &unit.0));
    let names = metrics.groups.iter().map(|group| &group.name).zip(units);
    let names = names.map(|(name, unit)| ((&name.0, unit), &name.place));
    for ((name, _), place, first) in repeated(names) {
        report(problems, place, format!("the metrics of `{name}` are in another place"))
            .other(first, "here");
    }
    for group in metrics.groups.iter() {
        let At { value: Name(name), place } = &group.name;
        lists::has_group(spec, &group.name, group.unit.as_ref(), sound, problems);
        let complete = group.metrics.complete && group.not_computable.complete;
        if complete && group.metrics.is_empty() && group.not_computable.is_empty() {
            report(problems, place, format!("the group {name} has no metrics"));
        }
    }
}

/// Checks that each metric states the source of its formula, and that a single or inferred source
/// is named.
fn come_from_somewhere(metrics: &Metrics, problems: &mut Problems) {
    let file = origin!(metrics);
    let mut said = HashSet::new();
    for group in metrics.groups.iter() {
        let whole = provenance::inherit(origin!(group), file);
        let of_metrics = group.metrics.iter().map(|metric| (origin!(metric), &metric.name.place));
        let of_none = group.not_computable.iter().map(|none| (origin!(none), &none.name.place));
        for (own, place) in of_metrics.chain(of_none) {
            let own = provenance::inherit(own, whole);
            provenance::single_source_is_named(own, place, &mut said, problems);
            provenance::leads_somewhere(own, place, problems);
        }
    }
}

/// Checks that an `only` lists some of the units, and that its group belongs to all units.
fn are_of_some_units(
    spec: &Spec,
    group: Option<&events::Group>,
    only: &List<At<Name>>,
    problems: &mut Problems,
) {
    let Some(group) = group else { return };
    units::are_some(&spec.registers.units, only, problems);
    if let (Some(unit), Some(first)) = (&group.unit, only.first()) {
        let message = "the metrics of this group belong to one unit";
        report(problems, first, message).other(unit, "this one");
    }
}

fn arguments_are_used(metric: &Metric, problems: &mut Problems) {
    let mut used = HashSet::new();
    each_name(&metric.formula.root, &mut |name, _| {
        used.insert(name);
    });
    for At { value: Name(name), place } in metric.arguments.iter().map(|argument| &argument.name) {
        if !used.contains(name.as_str()) {
            report(problems, place, "the formula does not use this argument")
                .other(&metric.formula, "the formula");
        }
    }
}

/// Checks that each revision has the form r0p3, and that each product is one of the IP's.
fn values_apply(spec: &Spec, group: &Group, problems: &mut Problems) {
    for At { value: Name(text), place } in group.values.iter().filter_map(|of| of.before.as_ref()) {
        let numbers = text.strip_prefix('r').and_then(|rest| rest.split_once('p'));
        let is_number = |number: &str| number.parse::<u8>().is_ok_and(|number| number < 16);
        if !numbers.is_some_and(|(variant, revision)| is_number(variant) && is_number(revision)) {
            report(problems, place, format!("`{text}` is not a revision"))
                .help("write a variant and a revision below 16, as in r0p3");
        }
    }
    let arguments = group.metrics.iter().flat_map(|metric| metric.arguments.iter());
    let arguments: HashSet<_> = arguments.map(|argument| argument.name.0.as_str()).collect();
    for At { value: Name(name), place } in group.values.iter().map(|of| &of.name) {
        if !arguments.contains(name.as_str()) {
            report(problems, place, format!("no metric has the argument `{name}`"));
        }
    }
    let title = Some(spec.registers.title.0.as_str());
    let units = spec.architecture.iter().flat_map(|of| of.implementations.iter());
    let own = units.filter(|unit| Some(unit.title.0.as_str()) == title);
    let also = own.flat_map(|unit| unit.also.iter()).map(|product| product.title.0.as_str());
    let known: Vec<_> = title.into_iter().chain(also).collect();
    for product in group.values.iter().filter_map(|of| of.product.as_ref()) {
        if !known.contains(&product.0.as_str()) {
            report(problems, product, format!("`{}` is not a product of the IP", product.0))
                .help(suggest(&product.0, &known));
        }
    }
}

/// Each name in a formula is an event of all units of the metric, or another input.
fn names_mean_something(
    spec: &Spec,
    of_events: &events::Group,
    group: &Group,
    metric: &Metric,
    problems: &mut Problems,
) {
    each_name(&metric.formula.root, &mut |name, place| match meaning(
        spec, of_events, group, metric, name,
    ) {
        Some(Meaning::Event(event)) => all_units_have(spec, metric, event, place, problems),
        Some(_) => {}
        // Some arguments could not be read, and the name may be one of them.
        None if !metric.arguments.complete => {}
        None => unknown(spec, of_events, metric, name, place, problems),
    });
}

fn unknown(
    spec: &Spec,
    group: &events::Group,
    metric: &Metric,
    name: &str,
    place: &Place,
    problems: &mut Problems,
) {
    if name == CYCLES {
        report(problems, place, "the IP has no cycle counter")
            .other(&spec.events.counters, "no `cycles` here")
            .help("use an event that occurs every cycle, or an argument");
        return;
    }
    let has = |other: &&events::Group| other.events.iter().any(|event| event.name.0 == name);
    if let Some(other) = spec.events.groups.iter().find(has) {
        let message =
            format!("`{name}` is an event of `{}`, not of `{}`", other.name.0, group.name.0);
        report(problems, place, message)
            .other(&group.name, "the group")
            .help("a metric is computed from the events of its group");
        return;
    }
    let events = group.events.iter().map(|event| event.name.0.as_str());
    let arguments = metric.arguments.iter().map(|argument| argument.name.0.as_str());
    let cycles = spec.events.counters.cycles.iter().map(|_| CYCLES);
    let known: Vec<_> = arguments.chain(cycles).chain(events).collect();
    let message = format!("`{name}` is neither an event of `{}` nor an argument", group.name.0);
    report(problems, place, message).help(suggest(name, &known));
}

fn all_units_have(
    spec: &Spec,
    metric: &Metric,
    event: &Event,
    place: &Place,
    problems: &mut Problems,
) {
    if event.only.is_empty() {
        return;
    }
    let units = spec.registers.units.iter().map(|unit| &unit.name.0);
    let of_metric =
        |unit: &&String| metric.only.is_empty() || metric.only.iter().any(|only| only.0 == **unit);
    let lacks = |unit: &&String| event.only.iter().all(|only| only.0 != **unit);
    if let Some(unit) = units.filter(of_metric).find(lacks) {
        let message = format!("`{unit}` does not have the event `{}`", event.name.0);
        let only: Vec<_> = event.only.iter().map(|only| only.0.as_str()).collect();
        report(problems, place, message)
            .other(&event.name, "the event")
            .help(format!("write `only: [{}]`", only.join(", ")));
    }
}

/// A metric has at least one event, and at most the supported number of inputs.
fn have_inputs(of_events: &events::Group, group: &Group, metric: &Metric, problems: &mut Problems) {
    let mut inputs = HashSet::new();
    let is_event = |name: &str| of_events.events.iter().any(|event| event.name.0 == name);
    let mut known = true;
    each_name(&metric.formula.root, &mut |name, _| {
        let argument = metric.arguments.iter().any(|argument| argument.name.0 == name)
            || group.constant(name).is_some();
        known &= argument || name == CYCLES || is_event(name);
        if !argument {
            inputs.insert(name);
        }
    });
    let place = &metric.formula.place;
    if inputs.is_empty() {
        report(problems, place, "the formula has no event")
            .help("a metric is computed from counts");
    } else if inputs.len() > MOST_INPUTS && known {
        let message = format!("a metric has at most {MOST_INPUTS} inputs, not {}", inputs.len());
        report(problems, place, message);
    }
}

/// Returns the events of a metric, with their places in its formula.
fn named<'s>(group: &'s events::Group, metric: &'s Metric) -> Vec<(&'s Event, &'s Place)> {
    let mut named = Vec::new();
    each_name(&metric.formula.root, &mut |name, place| {
        named.extend(group.events.iter().find(|event| event.name.0 == name).map(|e| (e, place)));
    });
    named
}

/// Reports events of a metric that the product never signals.
fn happen(group: &events::Group, metric: &Metric, problems: &mut Problems) {
    for (event, place) in named(group, metric).into_iter().filter(|(event, _)| event.never_fires) {
        report(problems, place, format!("`{}` never fires", event.name.0))
            .other(&event.name, "the event");
    }
}

/// If events of a metric are counted under different conditions, the caveat describes the effect.
fn are_counted_alike(group: &events::Group, metric: &Metric, problems: &mut Problems) {
    type Is = fn(&Event) -> bool;
    let named = named(group, metric);
    let attributes: [(&str, Is); 3] = [
        ("secure_exempt", |event| event.secure_exempt),
        ("secure_only", |event| event.secure_only),
        ("filterable", |event| event.filterable),
    ];
    for (attribute, is) in attributes {
        let with = named.iter().find(|(event, _)| is(event));
        let without = named.iter().find(|(event, _)| !is(event));
        if let (Some((with, place)), Some((without, other)), None) = (with, without, &metric.caveat)
        {
            let message =
                format!("`{}` is `{attribute}`, and `{}` is not", with.name.0, without.name.0);
            report(problems, place, message)
                .other(other, "this one")
                .help("describe the effect on the figure in a `caveat`");
        }
    }
}

/// No divisor is a constant 0.
fn divide_by_something(expression: &At<Expression>, problems: &mut Problems) {
    match &expression.value {
        Expression::Number(_) | Expression::Name(_) => {}
        Expression::Parentheses(inner) => divide_by_something(inner, problems),
        Expression::Binary(operator, left, right) => {
            divide_by_something(left, problems);
            divide_by_something(right, problems);
            if *operator == Operator::Over && constant(right).is_some_and(|(above, _)| above == 0) {
                report(problems, &**right, "this divides by 0");
            }
        }
    }
}

/// Returns the value of an expression without counts, as a fraction; `None` if it is too large.
fn constant(expression: &At<Expression>) -> Option<(i128, i128)> {
    match &expression.value {
        Expression::Number(number) => Some((i128::from(*number), 1)),
        Expression::Name(_) => None,
        Expression::Parentheses(inner) => constant(inner),
        Expression::Binary(operator, left, right) => {
            let ((a, b), (c, d)) = (constant(left)?, constant(right)?);
            let sum = |sign: i128| {
                let other = c.checked_mul(b)?.checked_mul(sign)?;
                Some((a.checked_mul(d)?.checked_add(other)?, b.checked_mul(d)?))
            };
            match operator {
                Operator::Plus => sum(1),
                Operator::Minus => sum(-1),
                Operator::Times => Some((a.checked_mul(c)?, b.checked_mul(d)?)),
                Operator::Over if c == 0 => None,
                Operator::Over => Some((a.checked_mul(d)?, b.checked_mul(c)?)),
            }
        }
    }
}

#[test]
fn core_accepts_the_maximum_inputs() {
    assert_eq!(MOST_INPUTS, arm_pmu_core::metric::MOST_INPUTS);
}

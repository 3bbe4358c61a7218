//! The metrics of a spec without problems.

use super::Spec;
use super::metrics::{Meaning, meaning};
use super::provenance::{inherit, owned};
use super::units::indices;
use crate::generate::model::{Expression, Input, Metric, UnavailableMetric};
use crate::generate::spec::read::{At, Checked};
use crate::generate::spec::{self, events, formula, metrics, origin};

/// `None` only if a rule let something pass that it should not have.
pub fn metrics(spec: &Spec) -> Option<(Vec<Metric>, Vec<UnavailableMetric>)> {
    let (mut all, mut none) = (Vec::new(), Vec::new());
    let Some(of_ip) = &spec.metrics else { return Some((all, none)) };
    for group in of_ip.groups.iter() {
        let whole = inherit(origin!(group), origin!(of_ip));
        let index = spec.events.groups.iter().position(|g| group.is_of(g))?;
        let of_events = spec.events_of(group)?;
        for metric in group.metrics.iter() {
            all.push(one(spec, metric, of_events, index, whole)?);
        }
        for figure in group.not_computable.iter() {
            none.push(UnavailableMetric {
                name: figure.name.0.clone(),
                origin: owned(inherit(origin!(figure), whole)),
                group: index,
                only: indices(spec, &figure.only)?,
                doc: figure.doc.0.clone(),
                reason: figure.reason.0.clone(),
            });
        }
    }
    Some((all, none))
}

fn one(
    spec: &Spec,
    metric: &metrics::Metric,
    of_events: &events::Group,
    group: usize,
    whole: spec::Origin<'_>,
) -> Option<Metric> {
    let mut inputs = Vec::new();
    let root = expression(spec, metric, of_events, &metric.formula.root, &mut inputs)?;
    Some(Metric {
        name: metric.name.0.clone(),
        origin: owned(inherit(origin!(metric), whole)),
        group,
        only: indices(spec, &metric.only)?,
        unit: metric.unit,
        formula: metric.formula.text.clone(),
        root,
        inputs,
        arguments: metric.arguments.checked(),
        doc: metric.doc.0.clone(),
        caveat: metric.caveat.as_ref().map(|caveat| caveat.0.clone()),
    })
}

/// The expression; its inputs are collected into a list.
fn expression(
    spec: &Spec,
    metric: &metrics::Metric,
    group: &events::Group,
    from: &At<formula::Expression>,
    inputs: &mut Vec<Input>,
) -> Option<Expression> {
    Some(match &from.value {
        formula::Expression::Number(number) => Expression::Number(*number),
        formula::Expression::Parentheses(inner) => {
            let inner = expression(spec, metric, group, inner, inputs)?;
            Expression::Parentheses(Box::new(inner))
        }
        formula::Expression::Binary(operator, left, right) => {
            let left = expression(spec, metric, group, left, inputs)?;
            let right = expression(spec, metric, group, right, inputs)?;
            Expression::Binary(*operator, Box::new(left), Box::new(right))
        }
        formula::Expression::Name(name) => {
            let input = match meaning(spec, group, &metric.arguments, name)? {
                Meaning::Argument(argument) => return Some(Expression::Argument(argument)),
                Meaning::Cycles => Input::Cycles,
                Meaning::Event(event) => {
                    Input::Event(group.events.iter().position(|e| e.name.0 == event.name.0)?)
                }
            };
            let known = inputs.iter().position(|known| *known == input);
            Expression::Input(known.unwrap_or_else(|| {
                inputs.push(input);
                inputs.len() - 1
            }))
        }
    })
}

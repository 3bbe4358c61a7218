//! Builds the metrics of a spec that has no problems.

use super::metrics::{Meaning, meaning};
use super::provenance::{inherit, owned};
use super::units::indices;
use super::{Spec, common_events};
use crate::generate::model::{Expression, Input, Metric, UnavailableMetric};
use crate::generate::spec::read::{At, Checked};
use crate::generate::spec::{self, events, formula, metrics, origin};

/// Returns `None` only if a rule missed a problem.
pub fn metrics(spec: &Spec) -> Option<(Vec<Metric>, Vec<UnavailableMetric>)> {
    let (mut all, mut none) = (Vec::new(), Vec::new());
    let Some(of_ip) = &spec.metrics else { return Some((all, none)) };
    for group in of_ip.groups.iter() {
        let whole = inherit(origin!(group), origin!(of_ip));
        let index = spec.events.groups.iter().position(|g| group.is_of(g))?;
        let of_events = spec.events_of(group)?;
        for metric in group.metrics.iter() {
            let one = one(&Scope { spec, of_events, group, metric }, index, whole)?;
            // Only cores with the event have the metric.
            let has = |input: &Input| match input {
                Input::Event(event) => of_events
                    .events
                    .get(*event)
                    .is_some_and(|event| !common_events::is_unreported(spec, event.code.0)),
                Input::Cycles => true,
            };
            all.extend(Some(one).filter(|one| one.inputs.iter().all(has)));
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

/// The definitions in which the names of a formula are looked up.
struct Scope<'s> {
    spec: &'s Spec,
    of_events: &'s events::Group,
    group: &'s metrics::Group,
    metric: &'s metrics::Metric,
}

fn one(scope: &Scope<'_>, group: usize, whole: spec::Origin<'_>) -> Option<Metric> {
    let Scope { spec, metric, .. } = scope;
    let mut inputs = Vec::new();
    let root = scope.expression(&metric.formula.root, &mut inputs)?;
    let mut arguments = metric.arguments.checked();
    arguments.retain(|argument| scope.group.constant(&argument.name).is_none());
    let values = scope.group.values.checked();
    let is_open = |name: &str| arguments.iter().any(|argument| argument.name == name);
    let values = values.into_iter().filter(|value| is_open(&value.name)).collect();
    Some(Metric {
        name: metric.name.0.clone(),
        origin: owned(inherit(origin!(metric), whole)),
        group,
        only: indices(spec, &metric.only)?,
        unit: metric.unit,
        formula: scope.text(),
        root,
        inputs,
        arguments,
        values,
        topics: metric.topics.checked(),
        next: metric.next.checked(),
        doc: metric.doc.0.clone(),
        caveat: metric.caveat.checked(),
    })
}

impl Scope<'_> {
    /// The formula with numbers in place of its constants.
    fn text(&self) -> String {
        let text = &self.metric.formula.text;
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        // In the resulting pieces, words and other characters alternate.
        let pieces = text.split_inclusive(|c| !word(c)).flat_map(|piece| {
            let end = piece.trim_end_matches(|c| !word(c)).len();
            [&piece[..end], &piece[end..]]
        });
        let number = |piece: &str| self.group.constant(piece).map(|value| value.to_string());
        pieces.map(|piece| number(piece).unwrap_or_else(|| piece.to_owned())).collect()
    }

    /// Builds the expression, and collects its inputs into a list.
    fn expression(
        &self,
        from: &At<formula::Expression>,
        inputs: &mut Vec<Input>,
    ) -> Option<Expression> {
        let Self { spec, of_events, group, metric } = *self;
        Some(match &from.value {
            formula::Expression::Number(number) => Expression::Number(*number),
            formula::Expression::Parentheses(inner) => {
                let inner = self.expression(inner, inputs)?;
                Expression::Parentheses(Box::new(inner))
            }
            formula::Expression::Binary(operator, left, right) => {
                let left = self.expression(left, inputs)?;
                let right = self.expression(right, inputs)?;
                Expression::Binary(*operator, Box::new(left), Box::new(right))
            }
            formula::Expression::Name(name) => {
                let input = match meaning(spec, of_events, group, metric, name)? {
                    Meaning::Constant(value) => return Some(Expression::Number(value.into())),
                    Meaning::Argument(argument) => return Some(Expression::Argument(argument)),
                    Meaning::Cycles => Input::Cycles,
                    Meaning::Event(event) => Input::Event(
                        of_events.events.iter().position(|e| e.name.0 == event.name.0)?,
                    ),
                };
                let known = inputs.iter().position(|known| *known == input);
                Expression::Input(known.unwrap_or_else(|| {
                    inputs.push(input);
                    inputs.len() - 1
                }))
            }
        })
    }
}

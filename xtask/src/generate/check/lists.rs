//! Rules for lists of names, whatever the names stand for.

use std::fmt::Display;
use std::hash::Hash;

use super::prelude::*;

pub fn are_listed_once<'s, N: Copy + Display + Eq + Hash>(
    items: impl Iterator<Item = (N, &'s Place)>,
    problems: &mut Problems,
) {
    for (item, place, first) in repeated(items) {
        report(problems, place, format!("`{item}` is listed twice")).other(first, "first here");
    }
}

pub fn unknown<'s>(
    what: &str,
    name: &At<Name>,
    known: impl Iterator<Item = &'s str>,
    problems: &mut Problems,
) {
    report(problems, name, format!("there is no {what} `{}`", name.0))
        .help(suggest(&name.0, &known.collect::<Vec<_>>()));
}

/// There is exactly one group of events with this name, in this unit if one is given. A missing
/// group is a problem only if the events are `sound`.
pub fn has_group(
    spec: &Spec,
    name: &At<Name>,
    unit: Option<&At<Name>>,
    sound: bool,
    problems: &mut Problems,
) {
    let groups = &spec.events.groups;
    let mut same = groups.iter().filter(|of_events| of_events.is_called(name, unit));
    match (same.next(), same.next()) {
        (Some(first), Some(second)) => {
            let message = format!("several units have a group `{}`", name.0);
            let unit = first.unit.as_ref().map_or("..", |unit| unit.0.as_str());
            report(problems, name, message)
                .other(&second.name, "another")
                .help(format!("name its unit, as in `unit: {unit}`"));
        }
        (None, _) if sound => {
            let known = groups.iter().map(|group| &*group.name.0);
            unknown("group of events", name, known, problems);
        }
        _ => {}
    }
}

//! Rules about the names of events in other programs.

use super::prelude::*;
use super::{lists, units};
use crate::generate::problem::File;
use crate::generate::spec::aliases::{Alias, Aliases, Group, Row, Source};
use crate::generate::spec::events;
use crate::generate::spec::scalar::Dialect;

/// Applies every rule. Looks up names of events only if `sound`, that is, if the events have no
/// problems.
pub fn all(spec: &Spec, aliases: &Aliases, sound: bool, problems: &mut Problems) {
    legend_is_sound(spec, aliases, problems);
    // Otherwise a mistake in the legend would be reported again for each alias.
    let sound = sound && !problems.are_in(File::Aliases);
    sources_are_used(aliases, problems);
    cycles_are_counted(spec, aliases, problems);
    let units = aliases.groups.iter().map(|group| group.unit.as_ref().map(|unit| &unit.0));
    let names = aliases.groups.iter().map(|group| &group.name).zip(units);
    let names = names.map(|(name, unit)| ((&name.0, unit), &name.place));
    for ((name, _), place, first) in repeated(names) {
        report(problems, place, format!("the aliases of `{name}` are in two places"))
            .other(first, "here");
    }
    for group in aliases.groups.iter() {
        let unit = group.unit.as_ref();
        lists::has_group(spec, &group.name, unit, sound, problems);
        for event in group.events.iter() {
            are_listed(aliases, &event.name.place, &event.aliases, problems);
        }
        if let Some(of_events) = spec.group(&group.name, unit).filter(|_| sound) {
            events_are_in_order(of_events, group, problems);
            have_one_meaning(spec, aliases, of_events, group, problems);
        }
    }
}

/// Each source has a unique name, a version, and known units.
fn legend_is_sound(spec: &Spec, aliases: &Aliases, problems: &mut Problems) {
    let names = aliases.legend.iter().map(|source| (&source.name.0, &source.name.place));
    for (name, place, first) in repeated(names) {
        report(problems, place, format!("the legend has `{name}` twice"))
            .other(first, "first here");
    }
    for source in aliases.legend.iter() {
        let commit = &source.commit;
        if commit.0.len() != 40 || !commit.0.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let message = format!("`{}` is not a commit", shown(&commit.0));
            let help = "write its 40 hexadecimal digits, in quotes";
            report(problems, commit, message).help(help);
        }
        units::are_some(&spec.registers.units, &source.of, problems);
    }
}

fn sources_are_used(aliases: &Aliases, problems: &mut Problems) {
    let of_events = aliases.groups.iter().flat_map(|group| group.events.iter());
    let lists = of_events.clone().map(|event| &event.aliases);
    let lists = lists.chain(aliases.cycles.iter().map(|cycles| &cycles.aliases));
    let complete = aliases.groups.complete
        && aliases.groups.iter().all(|group| group.events.complete)
        && lists.clone().all(|list| list.complete);
    let used = lists.flat_map(|list| list.iter()).flat_map(|alias| alias.source.iter());
    let used: HashSet<&str> = used.map(|source| source.0.as_str()).collect();
    for source in aliases.legend.iter().filter(|_| complete) {
        if !used.contains(source.name.0.as_str()) {
            let message = format!("no alias is from `{}`", source.name.0);
            report(problems, &source.name, message).help("remove the source");
        }
    }
}

/// Only an IP with a cycle counter can have aliases for it, and their `code` must not be the code
/// of an event.
fn cycles_are_counted(spec: &Spec, aliases: &Aliases, problems: &mut Problems) {
    let Some(cycles) = &aliases.cycles else { return };
    are_listed(aliases, &cycles.place, &cycles.aliases, problems);
    if spec.events.counters.cycles.is_none() {
        report(problems, cycles, "the IP has no cycle counter")
            .other(&spec.events.counters, "no `cycles` here");
    }
    let mut events = spec.events.groups.iter().flat_map(|group| group.events.iter());
    if let Some(code) = &cycles.code
        && let Some(event) = events.find(|event| event.code.0 == code.0)
    {
        let message = format!("0x{:02X} is the event `{}`", code.0, event.name.0);
        report(problems, code, message)
            .other(&event.code, "the event")
            .help("the code of the cycle counter must not be the code of an event");
    }
    let mut taken = HashMap::new();
    for row in aliases.rows(&cycles.aliases) {
        if let Some(source) = source_of(aliases, &row) {
            is_new(None, source, &row, &mut taken, problems);
        }
    }
}

/// Checks that the list is not empty, and that its aliases have sources of the legend, in the order
/// of the legend.
fn are_listed(aliases: &Aliases, whose: &Place, list: &List<Alias>, problems: &mut Problems) {
    if list.is_empty() && list.complete {
        report(problems, whose, "the list of aliases is empty").help("remove it");
    }
    let mut before: Option<(usize, &At<Name>)> = None;
    for row in aliases.rows(list) {
        let (legend, source) = (&aliases.legend, row.source);
        let Some(at) = aliases.position(&row) else {
            if legend.complete {
                let known: Vec<_> = legend.iter().map(|source| source.name.0.as_str()).collect();
                report(problems, source, format!("the legend has no `{}`", source.0))
                    .help(suggest(&source.0, &known));
            }
            continue;
        };
        if let Some((_, other)) = before.filter(|(earlier, _)| *earlier > at) {
            let message = format!("`{}` is before `{}` in the legend", source.0, other.0);
            report(problems, source, message)
                .other(other, "before this one")
                .help("aliases are in the order of the legend");
        }
        before = Some((at, source));
    }
}

fn source_of<'s>(aliases: &'s Aliases, row: &Row<'_>) -> Option<&'s Source> {
    aliases.legend.get(aliases.position(row)?)
}

/// The events exist, are listed once, and are in the order of their group.
fn events_are_in_order(of_events: &events::Group, group: &Group, problems: &mut Problems) {
    let mut before: Option<(usize, &At<Name>)> = None;
    let mut taken: HashMap<&str, &Place> = HashMap::new();
    for name in group.events.iter().map(|event| &event.name) {
        let at = of_events.events.iter().position(|event| event.name.0 == name.0);
        let Some(at) = at else {
            let known: Vec<_> = of_events.events.iter().map(|e| e.name.0.as_str()).collect();
            let message = format!("`{}` is not an event of `{}`", name.0, of_events.name.0);
            report(problems, name, message).help(near(&name.0, &known));
            continue;
        };
        let first = *taken.entry(&name.0).or_insert(&name.place);
        if first != &name.place {
            report(problems, name, format!("`{}` is listed twice", name.0))
                .other(first, "first here");
        } else if let Some((_, other)) = before.filter(|(earlier, _)| *earlier > at) {
            let message = format!("`{}` precedes `{}` in the list of events", name.0, other.0);
            report(problems, name, message).other(other, "before this one");
        }
        before = Some((at, name));
    }
}

/// Suggests the nearest name, or refers to the file with all names.
fn near(name: &str, known: &[&str]) -> String {
    match suggest(name, known) {
        near if near.starts_with("did you mean") => near,
        _ => "events.yaml lists them".to_owned(),
    }
}

/// Checks that an alias belongs to one event in a unit and dialect. Other groups can have the same
/// alias: the source distinguishes the events.
fn have_one_meaning(
    spec: &Spec,
    aliases: &Aliases,
    of_events: &events::Group,
    group: &Group,
    problems: &mut Problems,
) {
    let all = spec.registers.units.iter().map(|unit| Some(unit.name.0.as_str()));
    let units: Vec<_> = if all.len() == 0 { vec![None] } else { all.collect() };
    let mut taken = HashMap::new();
    for event in group.events.iter() {
        let known = of_events.events.iter().find(|known| known.name.0 == event.name.0);
        for (row, known) in
            aliases.rows(&event.aliases).iter().filter_map(|row| Some((row, known?)))
        {
            let Some(source) = source_of(aliases, row) else { continue };
            let mut both = units.iter().filter(|unit| {
                of_events.unit.as_ref().is_none_or(|of| Some(of.0.as_str()) == **unit)
                    && is_of(&known.only, **unit)
                    && is_of(&source.of, **unit)
            });
            let Some(first) = both.next() else {
                let of: Vec<_> = source.of.iter().map(|unit| format!("`{}`", unit.0)).collect();
                let message =
                    format!("`{}` is not an event of {}", event.name.0, of.join(" or of "));
                report(problems, row.source, message)
                    .other(&source.name, "the units of the source");
                continue;
            };
            let mut all = std::iter::once(first).chain(both);
            let _ = all.all(|unit| is_new(*unit, source, row, &mut taken, problems));
        }
    }
}

/// Returns whether the list `of` contains the unit; an empty list means all units.
fn is_of(of: &List<At<Name>>, unit: Option<&str>) -> bool {
    of.is_empty() || of.iter().any(|of| Some(of.0.as_str()) == unit)
}

/// The names of one dialect in one unit, with their places in the spec.
type Taken<'s> = HashMap<(Option<&'s str>, Dialect, &'s str), &'s Place>;

/// Returns whether the name is still unused in its dialect.
fn is_new<'s>(
    unit: Option<&'s str>,
    source: &Source,
    row: &Row<'s>,
    taken: &mut Taken<'s>,
    problems: &mut Problems,
) -> bool {
    let first = *taken.entry((unit, *source.dialect, row.name)).or_insert(row.place);
    let is_new = first == row.place;
    if !is_new {
        let dialect = source.dialect.word();
        let message = format!("{dialect} already has the name `{}`", shown(row.name));
        report(problems, row.place, message)
            .other(first, "first here")
            .help("within a unit, a dialect gives each name to only one event of a group");
    }
    is_new
}

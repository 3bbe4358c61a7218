//! Rules about the units of an IP and their pages.

use super::lists::{are_listed_once, unknown};
use super::location::aligned;
use super::prelude::*;
use crate::generate::spec::events::{Event, Group};
use crate::generate::spec::registers::PageOfUnit;

/// Maximum number of units, far more than any real IP has. There is a limit because each unit has
/// its own files.
const MOST_UNITS: usize = 16;

/// The list of units is not empty and not too long.
pub fn are_not_too_many(spec: &Registers, problems: &mut Problems) {
    if let Some(beyond) = spec.units.get(MOST_UNITS) {
        report(problems, &beyond.name, format!("an IP has at most {MOST_UNITS} units"));
    }
}

/// Returns the names of the units, or only `None` if the IP is one PMU.
pub fn units_or_all(spec: &Spec) -> impl Iterator<Item = Option<&str>> {
    let units = &spec.registers.units;
    let whole = units.is_empty().then_some(None);
    whole.into_iter().chain(units.iter().map(|unit| Some(unit.name.0.as_str())))
}

/// Returns the groups of a unit: its own, and the groups of all units.
pub fn groups_of<'s>(spec: &'s Spec, unit: Option<&str>) -> impl Iterator<Item = &'s Group> {
    let has = move |group: &&Group| match (&group.unit, unit) {
        (Some(of), Some(unit)) => of.0 == unit,
        _ => true,
    };
    spec.events.groups.iter().filter(has)
}

/// Each unit states the offset of each page once, and no other offsets.
pub fn have_all_pages(spec: &Registers, problems: &mut Problems) {
    if spec.units.is_empty()
        && spec.units.complete
        && let Some(page) = spec.pages.first()
    {
        report(problems, page, "the offset of this page is missing")
            .help("list the `units` of the IP with their `pages`");
    }
    let names: Vec<_> = spec.pages.iter().map(|page| page.name.0.as_str()).collect();
    for unit in spec.units.iter() {
        let mut sound = unit.pages.complete;
        for (nth, page) in unit.pages.iter().enumerate() {
            if !names.contains(&page.name.0.as_str()) {
                sound = false;
                if spec.pages.complete {
                    unknown("page", &page.name, names.iter().copied(), problems);
                }
            } else if let Some(first) = unit.pages[..nth].iter().find(|p| p.name.0 == page.name.0) {
                sound = false;
                let message = format!("the unit has `{}` already", page.name.0);
                report(problems, &page.name, message).other(&first.name, "here");
            }
            aligned(&page.offset.place, "offset", page.offset.0, problems);
        }
        let has = |name: &str| unit.pages.iter().any(|page| page.name.0 == name);
        // A wrong name is often the missing name with a typing error. The two problems are then one
        // mistake, so only one is reported.
        if let Some(missing) = names.iter().find(|name| !has(name))
            && sound
        {
            let message = format!("this unit does not state the offset of the page `{missing}`");
            report(problems, &unit.name, message)
                .help("list its `name` and `offset` in the `pages` of the unit");
        }
    }
}

/// The pages of a unit do not overlap, and end below 4 GB.
pub fn have_pages_apart(spec: &Registers, problems: &mut Problems) {
    for page in spec.pages.iter() {
        if page.length.0 == 0 {
            report(problems, &page.length, "the page has no room for a register");
        }
        aligned(&page.length.place, "length", page.length.0, problems);
    }
    for unit in spec.units.iter() {
        let mut taken: Vec<(u64, u64, &PageOfUnit)> = Vec::new();
        for page in unit.pages.iter() {
            let Some(length) = spec.pages.iter().find(|p| p.name.0 == page.name.0) else {
                continue;
            };
            let start = u64::from(page.offset.0);
            let end = start + u64::from(length.length.0);
            let across = taken.iter().find(|(first, after, other)| {
                start < *after && *first < end && other.name.0 != page.name.0
            });
            if let Some((_, _, other)) = across {
                let message = format!("{} lies across {}", page.name.0, other.name.0);
                report(problems, &page.offset, message).other(&other.offset, "here");
            }
            // The end address must fit in 32 bits too, because generated code contains it, even on
            // 32-bit targets.
            if u32::try_from(end).is_err() {
                report(problems, &page.offset, "the page does not end below 4 GB");
            }
            taken.push((start, end, page));
        }
    }
}

pub fn is_known(units: &List<Unit>, name: &At<Name>, problems: &mut Problems) {
    if units.complete && units.iter().all(|unit| unit.name.0 != name.0) {
        unknown("unit", name, units.iter().map(|unit| &*unit.name.0), problems);
    }
}

/// Each of the names is a unit, and none is listed twice.
pub fn are_known<'s>(
    units: &List<Unit>,
    names: impl Iterator<Item = &'s At<Name>> + Clone,
    problems: &mut Problems,
) {
    names.clone().for_each(|name| is_known(units, name, problems));
    are_listed_once(names.map(|name| (&*name.0, &name.place)), problems);
}

/// Checks that a register is not limited to some units if all units need it.
pub fn have_registers(spec: &Spec, problems: &mut Problems) {
    let registers = &spec.registers.registers;
    for register in registers.iter() {
        are_some(&spec.registers.units, &register.only, problems);
        let Some(only) = register.only.first() else { continue };
        let name = &register.name.0;
        let counters = &spec.events.counters;
        let counts = counters.value.iter().chain(&counters.cycles).any(|of| of.0 == *name)
            || counters.event.iter().chain(&counters.source).any(|path| path.register == *name);
        let selects = registers
            .iter()
            .any(|other| other.selected_by.as_ref().is_some_and(|by| by.register.0 == *name));
        if counts || selects {
            report(problems, only, format!("all units need `{name}`"))
                .help("every unit needs the registers that hold counts or select events");
        }
    }
}

/// A driver of SMMUv3 PMCGs needs units with two pages, and uses from 2 to 31 of their counters.
pub fn are_counter_groups(spec: &Spec, problems: &mut Problems) {
    let Registers { driver, pages, units, registers, .. } = &spec.registers;
    let Some(used) = driver.as_ref().and_then(|driver| driver.group_counters.as_ref()) else {
        return;
    };
    let values = &spec.events.counters.value;
    let counters =
        registers.iter().find(|register| values.iter().any(|of| of.0 == register.name.0));
    // If an entry was dropped because of a mistake, it may be the entry that seems to be missing.
    if !(pages.complete && units.complete && registers.complete) {
        return;
    }
    let most = counters.and_then(|register| register.count.as_ref()).map_or(1, |count| count.0);
    if pages.len() != 2 || units.is_empty() || !(2..=most.min(31)).contains(&used.0) {
        let message = "a driver of counter groups does not fit this IP";
        report(problems, used, message).help(
            "the IP has `units` and two `pages`, and the driver uses from 2 to 31 of its counters",
        );
    }
}

/// An `only` lists some units of the IP, but not all.
pub fn are_some(units: &List<Unit>, only: &List<At<Name>>, problems: &mut Problems) {
    are_known(units, only.iter(), problems);
    if let Some(first) = only.first()
        && units.complete
        && !units.is_empty()
        && units.iter().all(|unit| only.iter().any(|name| name.0 == unit.name.0))
    {
        report(problems, first, "this lists all units")
            .help("`only` is not needed if every unit has it");
    }
}

/// Checks that each unit has events, in its own groups or in the groups of all units. Without
/// sources, a unit has only one group.
pub fn have_events(spec: &Spec, problems: &mut Problems) {
    let (units, groups) = (&spec.registers.units, &spec.events.groups);
    for group in groups.iter() {
        group.unit.iter().for_each(|unit| is_known(units, unit, problems));
        for event in group.events.iter() {
            are_some(units, &event.only, problems);
            if let (Some(unit), Some(only)) = (&group.unit, event.only.first()) {
                let message = "the events of this group belong to one unit";
                report(problems, only, message).other(unit, "this one");
            }
        }
    }
    if !groups.complete {
        return;
    }
    // If events have sources, the sources distinguish the groups, even if no key names the field
    // that selects a source.
    let has_sources = spec.events.counters.source.is_some()
        || groups.iter().any(|group| !group.sources.is_empty());
    let mut sound = true;
    let mut taken: Vec<(Option<&str>, &Place)> = Vec::new();
    for group in groups.iter() {
        let unit = group.unit.as_ref().map(|unit| unit.0.as_str());
        let clash = |other: Option<&str>| unit.is_none() || other.is_none() || other == unit;
        if !has_sources && let Some((_, other)) = taken.iter().find(|(other, _)| clash(*other)) {
            sound = false;
            report(problems, &group.name, "two groups cannot be distinguished")
                .other(other, "the other")
                .help("without sources, a unit has one group of events");
        }
        sound &= unit.is_none_or(|unit| units.iter().any(|known| known.name.0 == unit));
        taken.push((unit, &group.name.place));
    }
    // If a group names a unit that does not exist, units without a group are not reported as well:
    // the group was often meant for one of them.
    if sound && !groups.is_empty() {
        units.iter().for_each(|unit| has_events(unit, groups, problems));
    }
}

fn has_events(unit: &Unit, groups: &List<Group>, problems: &mut Problems) {
    let name = &unit.name;
    let of_unit = |group: &&Group| group.unit.as_ref().is_none_or(|of| of.0 == name.0);
    let mut of_unit = groups.iter().filter(of_unit).peekable();
    if of_unit.peek().is_none() {
        report(problems, name, "no group has the events of this unit")
            .help(format!("list them in a group with `unit: {}`", name.0));
    }
    let has = |event: &Event| event.only.is_empty() || event.only.iter().any(|o| o.0 == name.0);
    for Group { name: group, events, .. } in of_unit {
        if events.complete && !events.is_empty() && !events.iter().any(has) {
            report(problems, name, "the unit has no event")
                .other(group, "all of these belong to other units");
        }
    }
}

pub fn index(spec: &Spec, name: &At<Name>) -> Option<usize> {
    spec.registers.units.iter().position(|unit| unit.name.value == name.value)
}

pub fn indices(spec: &Spec, names: &List<At<Name>>) -> Option<Vec<usize>> {
    names.iter().map(|name| index(spec, name)).collect()
}

//! `aliases.yaml`: names of the events in other programs.

use super::declare::mapping;
use super::events::OneOrMore;
use super::read::{At, List};
use super::scalar::{Dialect, Hex, Name, Text};
use crate::generate::problem::Place;

mapping! {
    "a spec of aliases" => Aliases {
        /// Name of the directory under specs/ and of the crate.
        required ip: At<Text>,
        /// Files that contain the aliases.
        required legend: List<Source>,
        /// Names of the cycle counter.
        optional cycles: Cycles,
        required groups: List<Group>,
    }
}

mapping! {
    /// A file with names of events.
    "a source of aliases" => Source {
        /// Name of the file in `source`.
        required name: At<Name>,
        required dialect: At<Dialect>,
        /// OWNER/NAME.
        required repository: At<Text>,
        /// Path of the file in the repository.
        required path: At<Text>,
        /// Commit of the repository: 40 hexadecimal digits.
        required commit: At<Text>,
        /// Units to which the named events belong; if omitted: all.
        list of: At<Name>,
    }
}

mapping! {
    /// Names of the cycle counter in other programs.
    "the aliases of the counter of cycles" => Cycles {
        /// Code with which these programs select the cycle counter. The code must not be an event
        /// code.
        optional code: At<Hex>,
        required aliases: List<Alias>,
    }
}

mapping! {
    /// Aliases of the events of one group.
    "a group of aliases" => Group {
        /// Name of the group of events.
        required name: At<Name>,
        /// Unit of the group, if several units have a group of that name.
        optional unit: At<Name>,
        required events: List<Event>,
    }
}

mapping! {
    /// Names of an event in other programs.
    "the aliases of an event" => Event {
        /// Name of the event.
        required name: At<Name>,
        required aliases: List<Alias>,
    }
}

/// A name, and one source in which it occurs.
pub struct Row<'s> {
    pub source: &'s At<Name>,
    pub name: &'s str,
    /// Place of the name, or of a further source of the name.
    pub place: &'s Place,
}

impl Aliases {
    /// Returns a row for each pair of a name and one of its sources. If a name has several sources, its rows are in the
    /// order of the legend.
    pub fn rows<'s>(&self, list: &'s List<Alias>) -> Vec<Row<'s>> {
        let rows = list.iter().flat_map(|Alias { source, name, .. }| {
            let places =
                std::iter::once(&name.place).chain(source.iter().skip(1).map(|of| &of.place));
            source.iter().zip(places).map(|(source, place)| Row { source, name: &name.0, place })
        });
        let mut rows: Vec<_> = rows.collect();
        if list.iter().any(|alias| alias.source.is_list) {
            rows.sort_by_key(|row| self.position(row));
        }
        rows
    }

    /// Returns the number of the source in the legend.
    pub fn position(&self, row: &Row<'_>) -> Option<usize> {
        self.legend.iter().position(|source| source.name.0 == row.source.0)
    }
}

mapping! {
    "an alias" => Alias {
        /// Entry of the legend that has this name for the event; a list if several entries have it.
        required source: OneOrMore<At<Name>>,
        /// Name of the event in that file.
        required name: At<Text>,
    }
}

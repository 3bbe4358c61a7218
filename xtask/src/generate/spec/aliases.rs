//! `aliases.yaml`: the names that other programs have for events.

use super::declare::mapping;
use super::events::OneOrMore;
use super::read::{At, List};
use super::scalar::{Dialect, Hex, Name, Text};

mapping! {
    "a spec of aliases" => Aliases {
        /// The name of the directory under specs/ and of the crate.
        required ip: At<Text>,
        /// The files with the names.
        required legend: List<Source>,
        /// Names of the cycle counter.
        optional cycles: Cycles,
        required groups: List<Group>,
    }
}

mapping! {
    /// A file with names of events.
    "a source of aliases" => Source {
        /// Its name in `source`.
        required name: At<Name>,
        required dialect: At<Dialect>,
        /// OWNER/NAME.
        required repository: At<Text>,
        /// The path of the file in the repository.
        required path: At<Text>,
        /// The version of the repository: 40 hexadecimal digits.
        required commit: At<Text>,
        /// The units to which the named events belong; left out: all.
        list of: At<Name>,
    }
}

mapping! {
    /// Names of the cycle counter in other programs.
    "the aliases of the counter of cycles" => Cycles {
        /// The code that selects the event in this software. It must not be the code of an event.
        optional code: At<Hex>,
        required aliases: List<Alias>,
    }
}

mapping! {
    /// Aliases of the events of one group.
    "a group of aliases" => Group {
        /// The name of the group of events.
        required name: At<Name>,
        /// The unit of the group, if several units have one of that name.
        optional unit: At<Name>,
        required events: List<Event>,
    }
}

mapping! {
    /// Names of an event in other programs.
    "the aliases of an event" => Event {
        /// The name of the event.
        required name: At<Name>,
        required aliases: List<Alias>,
    }
}

mapping! {
    "an alias" => Alias {
        /// The entry of the legend; several if each has this name.
        required source: OneOrMore<At<Name>>,
        /// The name, as in that file.
        required name: At<Text>,
    }
}

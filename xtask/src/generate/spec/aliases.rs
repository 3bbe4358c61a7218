//! `aliases.yaml`: the names that other programs have for events.

use super::declare::mapping;
use super::read::{At, List};
use super::scalar::{Dialect, Hex, Name, Text};

mapping! {
    "a spec of aliases" => Aliases {
        /// The name of the directory under specs/, which is that of the crate.
        required ip: At<Text>,
        /// The files that have the names.
        required legend: List<Source>,
        /// Names of the counter of cycles.
        optional cycles: Cycles,
        required groups: List<Group>,
    }
}

mapping! {
    /// A file that has names of events.
    "a source of aliases" => Source {
        /// What `source` calls it.
        required name: At<Name>,
        required dialect: At<Dialect>,
        /// OWNER/NAME.
        required repository: At<Text>,
        /// Of the file in the repository.
        required path: At<Text>,
        /// The version of the repository: 40 hexadecimal digits.
        required commit: At<Text>,
        /// The only units whose events it names.
        list of: At<Name>,
    }
}

mapping! {
    /// What other programs call the counter of cycles.
    "the aliases of the counter of cycles" => Cycles {
        /// The number that they give it in the place of an event's code. It is no event.
        optional code: At<Hex>,
        required aliases: List<Alias>,
    }
}

mapping! {
    /// Aliases of the events of one group.
    "a group of aliases" => Group {
        /// That of the group of events.
        required name: At<Name>,
        /// The unit whose group it is, where several have one of that name.
        optional unit: At<Name>,
        required events: List<Event>,
    }
}

mapping! {
    /// What other programs call an event.
    "the aliases of an event" => Event {
        /// That of the event.
        required name: At<Name>,
        required aliases: List<Alias>,
    }
}

mapping! {
    "an alias" => Alias {
        /// The entry of the legend.
        required source: At<Name>,
        /// As it stands there.
        required name: At<Text>,
    }
}

//! Names of events in other programs.

use crate::Dialect;
use crate::table::table;

table! {
    /// Name of an event or of the cycle counter in another program.
    ///
    /// Programs disagree: one name can mean different events, and the tables contain all meanings.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Alias {
        /// The name.
        required name: &'static str,
        /// File with the name.
        required source: &'static AliasSource,
    }
}

impl Alias {
    /// Program with the name.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.source.dialect
    }

    /// Returns whether the name belongs to this unit or, if no unit is given, to any unit.
    #[must_use]
    pub fn is_of(&self, unit: Option<&str>) -> bool {
        crate::is_of(self.source.units, unit)
    }
}

table! {
    /// A file with event names.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) AliasSource {
        /// Program with these names.
        required dialect: Dialect,
        /// Repository: `torvalds/linux`.
        required repository: &'static str,
        /// Path of the file in the repository.
        required path: &'static str,
        /// Version of the repository.
        required commit: &'static str,
        /// Units of the named events; empty for all units.
        list units: &'static str,
    }
}

impl AliasSource {
    /// Creates an alias: a name that this file has for an event.
    pub(crate) const fn name(&'static self, name: &'static str) -> Alias {
        Alias::new(name, self)
    }
}

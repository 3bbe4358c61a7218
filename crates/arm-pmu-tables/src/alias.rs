//! The names that other programs have for events.

use crate::table::table;
use crate::words::words;

words! {
    /// A family of names: the names of events in one program, or in a part of it.
    Dialect {
        /// Arm's machine-readable event lists (ARM-software/data).
        "arm-data" => ArmData,
        /// The profiler gator, of Streamline.
        "gator" => Gator,
        /// gator, for any PMCG of SMMUv3.
        "gator-smmuv3" => GatorSmmuv3,
        /// The library libpfm4.
        "libpfm4" => Libpfm4,
        /// The generic events of Linux perf: `cycles`, `L1-dcache-load-misses`.
        "linux-generic" => LinuxGeneric,
        /// The constants of the drivers in Linux.
        "linux-kernel" => LinuxKernel,
        /// The event names of a PMU under Linux, for the command `perf`.
        "linux-perf" => LinuxPerf,
        /// The profiler OProfile.
        "oprofile" => Oprofile,
    }
}

/// A name that another program has for an event, or for the counter of cycles.
///
/// Programs disagree: one name can mean different events, and all of them are kept.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Alias {
    /// The name.
    pub name: &'static str,
    /// The file that has it.
    pub source: &'static AliasSource,
}

impl Alias {
    /// The program that has the name.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.source.dialect
    }

    /// Whether it is a name for the event in this unit; without a unit, in any.
    #[must_use]
    pub fn is_of(&self, unit: Option<&str>) -> bool {
        crate::is_of(self.source.units, unit)
    }
}

table! {
    /// A file that has names of events.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) AliasSource {
        /// The program that has these names.
        required dialect: Dialect,
        /// The repository: `torvalds/linux`.
        required repository: &'static str,
        /// The file in the repository.
        required path: &'static str,
        /// The version of the repository.
        required commit: &'static str,
        /// The units to which the named events belong; empty if all.
        list units: &'static str,
    }
}

impl AliasSource {
    /// A name in this file.
    pub(crate) const fn name(&'static self, name: &'static str) -> Alias {
        Alias { name, source: self }
    }
}

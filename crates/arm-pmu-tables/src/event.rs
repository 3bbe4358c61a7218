//! Events, and the sources that signal them.

use crate::table::table;
use crate::words::words;
use crate::{Alias, Metric, Origin, UnavailableMetric};

table! {
    /// Events of one kind of source, or of the PMU itself, and the metrics that are computed from them.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Group {
        /// Its name: `slave`.
        required name: &'static str,
        /// The enum of its events: `SlaveEvent`; empty where each unit has
        /// [its own](field@crate::Unit::rust_events).
        required rust: &'static str,
        /// The enum of its sources: `SlaveSource`; empty if it has none.
        text rust_source: &'static str,
        /// Kind of a source, or of the block that has the events, in the singular: `slave
        /// interface`.
        required title: &'static str,
        /// The unit that has these events, if not all units have them.
        optional unit: &'static str,
        /// Origin of the facts shared by all its events.
        required origin: Origin,
        /// The sources; empty if the PMU itself is the source.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        fixed sources: &'static [Source] = &[],
        /// The events, in the order of the spec.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list events: Event,
        /// Figures that are computed from counts of these events.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list metrics: Metric,
        /// Figures that people look for, and that no events give.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list unavailable: UnavailableMetric,
    }
}

impl Group {
    pub(crate) const fn sources(self, rust: &'static str, sources: &'static [Source]) -> Self {
        Self { rust_source: rust, sources, ..self }
    }
}

table! {
    /// A source of events: an interface of an interconnect.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Source {
        /// The value of the source field.
        required id: u32,
        /// Its name, also in Rust: `SI3`.
        required name: &'static str,
        /// The full name.
        required title: &'static str,
        /// The bit of EVNTBUS where its events start, if known.
        optional evntbus: u32,
    }
}

words! {
    /// Unit of an event's count.
    Counted {
        /// Something happened once.
        "occurrences" => Occurrences,
        /// A cycle passed.
        "cycles" => Cycles,
        /// A transfer on a bus.
        "beats" => Beats,
    }
}

table! {
    /// An event.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Event {
        /// The number in the manual. With a source it makes an [event id](crate::EventId).
        required code: u32,
        /// In capitals: `READ_REQUEST_ANY`.
        required name: &'static str,
        /// The variant of the enum of its group.
        required rust: &'static str,
        /// Unit of the count.
        fixed counted: Counted = Counted::Occurrences,
        /// Condition under which it counts.
        text doc: &'static str,
        /// More about it.
        optional note: &'static str,
        /// Its bit of EVNTBUS, from the first bit of its source, if known.
        optional evntbus: u32,
        /// Counts in every security state.
        flag secure_exempt: bool,
        /// Only signalled by ACE interfaces, not by ACE-Lite ones.
        flag ace_only: bool,
        /// This product never signals it.
        flag never_fires: bool,
        /// Obeys a StreamID filter.
        flag filterable: bool,
        /// Counts only under Secure observation.
        flag secure_only: bool,
        /// Has the same code in every implementation of the architecture.
        flag architectural: bool,
        /// The only units that have it; empty if all units of its group have it.
        list only: &'static str,
        /// Origin of the fact.
        required origin: Origin,
        /// The names that other programs have for it.
        list aliases: Alias,
    }
}

impl Event {
    pub(crate) const fn counts(self, counted: Counted) -> Self {
        Self { counted, ..self }
    }

    /// The words of the attributes that it has: `filterable`, `secure_exempt`.
    pub fn attributes(&self) -> impl Iterator<Item = &'static str> + use<> {
        let all = [
            ("secure_exempt", self.secure_exempt),
            ("ace_only", self.ace_only),
            ("never_fires", self.never_fires),
            ("filterable", self.filterable),
            ("secure_only", self.secure_only),
            ("architectural", self.architectural),
        ];
        all.into_iter().filter(|(_, has)| *has).map(|(word, _)| word)
    }
}

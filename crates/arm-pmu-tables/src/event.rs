//! Events and their sources.

use crate::table::table;
use crate::{Alias, Counted, Metric, Origin, UnavailableMetric};

table! {
    /// Events that one kind of source or the PMU itself has, and the metrics that use these events.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Group {
        /// Name: `slave`.
        required name: &'static str,
        /// Enum of the events: `SlaveEvent`; empty if each unit has a [separate enum](field@crate::Unit::rust_events).
        required rust: &'static str,
        /// Enum of the sources: `SlaveSource`; empty without sources.
        text rust_source: &'static str,
        /// Kind of a source, or of the block with the events, in the singular: `slave interface`.
        required title: &'static str,
        /// The unit that has these events, if other units lack them.
        optional unit: &'static str,
        /// Origin of the facts that all events share.
        required origin: Origin,
        /// Sources; empty if the PMU itself is the source.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        fixed sources: &'static [Source] = &[],
        /// Events in the order of the spec.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list events: Event,
        /// Metrics computed from these events.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list metrics: Metric,
        /// Metrics that users expect but that no events provide.
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
        /// Value of the source field.
        required id: u32,
        /// Name, which is also the name in Rust: `SI3`.
        required name: &'static str,
        /// Full name.
        required title: &'static str,
        /// First bit of the source's events on EVNTBUS, if known.
        optional evntbus: u32,
    }
}

table! {
    /// An event.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Event {
        /// Number in the manual. Code and source form an [event id](crate::EventId).
        required code: u32,
        /// Name in capitals: `READ_REQUEST_ANY`.
        required name: &'static str,
        /// Variant in the enum of the group.
        required rust: &'static str,
        /// Unit of the count.
        fixed counted: Counted = Counted::Occurrences,
        /// Condition under which the event counts.
        text doc: &'static str,
        /// Further information.
        optional note: &'static str,
        /// Bit on EVNTBUS, relative to the first bit of the source, if known.
        optional evntbus: u32,
        /// Whether the event counts in every security state.
        flag secure_exempt: bool,
        /// Whether only ACE interfaces signal the event, and ACE-Lite interfaces do not.
        flag ace_only: bool,
        /// Whether this product never signals the event.
        flag never_fires: bool,
        /// Whether a StreamID filter applies to the event.
        flag filterable: bool,
        /// Whether the event counts only under Secure observation.
        flag secure_only: bool,
        /// Whether the event has the same code in every implementation of the architecture.
        flag architectural: bool,
        /// Units with the event, if only some have it; empty if all units of the group have it.
        list only: &'static str,
        /// Origin of the fact.
        required origin: Origin,
        /// Names in other programs.
        list aliases: Alias,
    }
}

impl Event {
    pub(crate) const fn counts(self, counted: Counted) -> Self {
        Self { counted, ..self }
    }

    /// Words of the attributes that are set: `filterable`, `secure_exempt`.
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

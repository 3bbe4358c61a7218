//! Events, and the sources that signal them.

use crate::words::words;
use crate::{Alias, Metric, Origin, UnavailableMetric};

/// Events of one kind of source, or of the PMU itself, and the metrics that are computed from them.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Group {
    /// Its name: `slave`.
    pub name: &'static str,
    /// The enum of its events: `SlaveEvent`; empty where each unit has
    /// [its own](field@crate::Unit::rust_events).
    pub rust: &'static str,
    /// The enum of its sources: `SlaveSource`; empty if it has none.
    pub rust_source: &'static str,
    /// What a source is, or what has the events, in the singular: `slave interface`.
    pub title: &'static str,
    /// The unit that has these events, if not all units have them.
    pub unit: Option<&'static str>,
    /// Where what holds for all its events comes from.
    pub origin: Origin,
    /// The sources; empty if the PMU itself is the source.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub sources: &'static [Source],
    /// The events, in the order of the spec.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub events: &'static [Event],
    /// Figures that are computed from counts of these events.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub metrics: &'static [Metric],
    /// Figures that people look for, and that no events give.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub unavailable: &'static [UnavailableMetric],
}

impl Group {
    pub(crate) const fn new(
        name: &'static str,
        rust: &'static str,
        title: &'static str,
        origin: Origin,
    ) -> Self {
        Self {
            name,
            rust,
            rust_source: "",
            title,
            unit: None,
            origin,
            sources: &[],
            events: &[],
            metrics: &[],
            unavailable: &[],
        }
    }

    pub(crate) const fn unit(self, unit: &'static str) -> Self {
        Self { unit: Some(unit), ..self }
    }

    pub(crate) const fn sources(self, rust: &'static str, sources: &'static [Source]) -> Self {
        Self { rust_source: rust, sources, ..self }
    }

    pub(crate) const fn events(self, events: &'static [Event]) -> Self {
        Self { events, ..self }
    }

    pub(crate) const fn metrics(self, metrics: &'static [Metric]) -> Self {
        Self { metrics, ..self }
    }

    pub(crate) const fn unavailable(self, unavailable: &'static [UnavailableMetric]) -> Self {
        Self { unavailable, ..self }
    }
}

/// What signals events: an interface of an interconnect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Source {
    /// The value of the source field.
    pub id: u32,
    /// Its name, also in Rust: `SI3`.
    pub name: &'static str,
    /// The full name.
    pub title: &'static str,
    /// The bit of EVNTBUS where its events start, if known.
    pub evntbus: Option<u32>,
}

impl Source {
    pub(crate) const fn new(id: u32, name: &'static str, title: &'static str) -> Self {
        Self { id, name, title, evntbus: None }
    }

    pub(crate) const fn evntbus(self, bit: u32) -> Self {
        Self { evntbus: Some(bit), ..self }
    }
}

words! {
    /// What one count of an event stands for.
    Counted {
        /// Something happened once.
        "occurrences" => Occurrences,
        /// A cycle passed.
        "cycles" => Cycles,
        /// A transfer on a bus.
        "beats" => Beats,
    }
}

/// An event.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Event {
    /// The number in the manual. With a source it makes an [event id](crate::EventId).
    pub code: u32,
    /// In capitals: `READ_REQUEST_ANY`.
    pub name: &'static str,
    /// The variant of the enum of its group.
    pub rust: &'static str,
    /// What one count stands for.
    pub counted: Counted,
    /// What makes it count.
    pub doc: &'static str,
    /// More about it.
    pub note: Option<&'static str>,
    /// Its bit of EVNTBUS, from the first bit of its source, if known.
    pub evntbus: Option<u32>,
    /// Counts in every security state.
    pub secure_exempt: bool,
    /// Only signalled by ACE interfaces, not by ACE-Lite ones.
    pub ace_only: bool,
    /// This product never signals it.
    pub never_fires: bool,
    /// Obeys a StreamID filter.
    pub filterable: bool,
    /// Counts only under Secure observation.
    pub secure_only: bool,
    /// Has the same code in every implementation of the architecture.
    pub architectural: bool,
    /// The only units that have it; empty if all units of its group have it.
    pub only: &'static [&'static str],
    /// Where it comes from.
    pub origin: Origin,
    /// The names that other programs have for it.
    pub aliases: &'static [Alias],
}

impl Event {
    pub(crate) const fn new(
        code: u32,
        name: &'static str,
        rust: &'static str,
        origin: Origin,
    ) -> Self {
        Self {
            code,
            name,
            rust,
            counted: Counted::Occurrences,
            doc: "",
            note: None,
            evntbus: None,
            secure_exempt: false,
            ace_only: false,
            never_fires: false,
            filterable: false,
            secure_only: false,
            architectural: false,
            only: &[],
            origin,
            aliases: &[],
        }
    }

    pub(crate) const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    pub(crate) const fn note(self, note: &'static str) -> Self {
        Self { note: Some(note), ..self }
    }

    pub(crate) const fn counts(self, counted: Counted) -> Self {
        Self { counted, ..self }
    }

    pub(crate) const fn evntbus(self, bit: u32) -> Self {
        Self { evntbus: Some(bit), ..self }
    }

    pub(crate) const fn secure_exempt(self) -> Self {
        Self { secure_exempt: true, ..self }
    }

    pub(crate) const fn ace_only(self) -> Self {
        Self { ace_only: true, ..self }
    }

    pub(crate) const fn never_fires(self) -> Self {
        Self { never_fires: true, ..self }
    }

    pub(crate) const fn filterable(self) -> Self {
        Self { filterable: true, ..self }
    }

    pub(crate) const fn secure_only(self) -> Self {
        Self { secure_only: true, ..self }
    }

    pub(crate) const fn architectural(self) -> Self {
        Self { architectural: true, ..self }
    }

    pub(crate) const fn only(self, only: &'static [&'static str]) -> Self {
        Self { only, ..self }
    }

    pub(crate) const fn aliases(self, aliases: &'static [Alias]) -> Self {
        Self { aliases, ..self }
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

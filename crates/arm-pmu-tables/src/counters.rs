//! The counters of an IP, and how an event id is composed.

use crate::{Alias, Bits, Source};

/// Number and registers of the counters.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Counters {
    /// Number of event counters.
    pub count: u32,
    /// Width of a count.
    pub bits: u32,
    /// The register that holds the counts, an array or one that a selector picks from; or one register
    /// for each counter.
    pub value: &'static [&'static str],
    /// The field that takes the code of an event; or one field for each counter.
    pub event: &'static [FieldPath],
    /// The field that takes the source of an event, where events have sources.
    pub source: Option<FieldPath>,
    /// Where code and source are in an event id.
    pub id: EventId,
    /// The counter of cycles, if there is one beside those of events.
    pub cycles: Option<CycleCounter>,
}

impl Counters {
    pub(crate) const fn new(count: u32, bits: u32, id: EventId) -> Self {
        Self { count, bits, value: &[], event: &[], source: None, id, cycles: None }
    }

    pub(crate) const fn value(self, value: &'static [&'static str]) -> Self {
        Self { value, ..self }
    }

    pub(crate) const fn event(self, event: &'static [FieldPath]) -> Self {
        Self { event, ..self }
    }

    pub(crate) const fn source(self, source: FieldPath) -> Self {
        Self { source: Some(source), ..self }
    }

    pub(crate) const fn cycles(self, cycles: CycleCounter) -> Self {
        Self { cycles: Some(cycles), ..self }
    }
}

/// A field of a register: `EVENT_SELECT.EVENT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct FieldPath {
    /// The name of the register.
    pub register: &'static str,
    /// The name of the field.
    pub field: &'static str,
}

impl FieldPath {
    pub(crate) const fn new(register: &'static str, field: &'static str) -> Self {
        Self { register, field }
    }
}

/// Where code and source are in an event id, the number that a counter is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct EventId {
    /// The bits of the code.
    pub code: Bits,
    /// The bits of the source, where events have sources.
    pub source: Option<Bits>,
}

impl EventId {
    pub(crate) const fn new(code: Bits, source: Option<Bits>) -> Self {
        Self { code, source }
    }

    /// Number of bits of an id.
    #[must_use]
    pub const fn width(&self) -> u32 {
        let above = match self.source {
            Some(source) => source.high,
            None => 0,
        };
        1 + if above > self.code.high { above } else { self.code.high }
    }

    /// The id of an event at a source.
    #[must_use]
    pub fn compose(&self, source: Option<&Source>, code: u32) -> u32 {
        let source = self.source.zip(source).map_or(0, |(bits, source)| source.id << bits.low);
        source | code << self.code.low
    }

    /// The code and the source in an id; `None` if the id has bits beyond both.
    #[must_use]
    pub fn split(&self, id: u32) -> Option<(u32, Option<u32>)> {
        let source = self.source.map(|bits| bits.of(id));
        let known = self.code.mask() | self.source.map_or(0, Bits::mask);
        (u64::from(id) & !known == 0).then_some((self.code.of(id), source))
    }
}

/// A counter of cycles beside those of events.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct CycleCounter {
    /// The register that holds the count.
    pub register: &'static str,
    /// The number that other programs give this counter in the place of an event's code. It is no event.
    pub code: Option<u32>,
    /// The names that other programs have for it.
    pub aliases: &'static [Alias],
}

impl CycleCounter {
    pub(crate) const fn new(register: &'static str) -> Self {
        Self { register, code: None, aliases: &[] }
    }

    pub(crate) const fn code(self, code: u32) -> Self {
        Self { code: Some(code), ..self }
    }

    pub(crate) const fn aliases(self, aliases: &'static [Alias]) -> Self {
        Self { aliases, ..self }
    }
}

//! The counters of an IP, and how an event id is composed.

use crate::table::table;
use crate::{Alias, Bits, Source};

table! {
    /// Number and registers of the counters.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Counters {
        /// Number of event counters.
        required count: u32,
        /// Width of a count.
        required bits: u32,
        /// The register that holds the counts, an array or one that a selector picks from; or one register
        /// for each counter.
        list value: &'static str,
        /// The field that selects the event; or one field for each counter.
        list event: FieldPath,
        /// The field that takes the source of an event, where events have sources.
        optional source: FieldPath,
        /// Positions of code and source in an event id.
        required id: EventId,
        /// The cycle counter, if there is one besides the event counters.
        optional cycles: CycleCounter,
    }
}

table! {
    /// A field of a register: `EVENT_SELECT.EVENT`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) FieldPath {
        /// The name of the register.
        required register: &'static str,
        /// The name of the field.
        required field: &'static str,
    }
}

table! {
    /// Positions of code and source in an event id, the number that selects an event.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) EventId {
        /// The bits of the code.
        required code: Bits,
        /// The bits of the source, where events have sources.
        required source: Option<Bits>,
    }
}

impl EventId {
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

table! {
    /// A cycle counter besides the event counters.
    #[derive(Clone, Copy, Debug)]
    pub(crate) CycleCounter {
        /// The register that holds the count.
        required register: &'static str,
        /// The number that other programs give this counter in the place of an event's code. It is no event.
        optional code: u32,
        /// The names that other programs have for it.
        list aliases: Alias,
    }
}

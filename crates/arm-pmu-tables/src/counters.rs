//! Counters of an IP, and the format of event ids.

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
        /// Registers that contain the counts: one array, one register behind a selector, or a register for each
        /// counter.
        list value: &'static str,
        /// Field that selects the event, or one field for each counter.
        list event: FieldPath,
        /// Field that selects the source of an event, if events have sources.
        optional source: FieldPath,
        /// Positions of code and source in an event id.
        required id: EventId,
        /// Cycle counter, in addition to the event counters.
        optional cycles: CycleCounter,
    }
}

table! {
    /// A field of a register: `EVENT_SELECT.EVENT`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) FieldPath {
        /// Name of the register.
        required register: &'static str,
        /// Name of the field.
        required field: &'static str,
    }
}

table! {
    /// Bits of the code and bits of the source in an event id, which is the number that selects an
    /// event.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) EventId {
        /// Bits of the code.
        required code: Bits,
        /// Bits of the source, if events have sources.
        required source: Option<Bits>,
    }
}

impl EventId {
    /// Number of bits of an event id.
    #[must_use]
    pub const fn width(&self) -> u32 {
        let above = match self.source {
            Some(source) => source.high,
            None => 0,
        };
        1 + if above > self.code.high { above } else { self.code.high }
    }

    /// Composes the id of an event at a source.
    #[must_use]
    pub fn compose(&self, source: Option<&Source>, code: u32) -> u32 {
        let source = self.source.zip(source).map_or(0, |(bits, source)| source.id << bits.low);
        source | code << self.code.low
    }

    /// Splits an id into code and source; `None` if the id has other bits set.
    #[must_use]
    pub fn split(&self, id: u32) -> Option<(u32, Option<u32>)> {
        let source = self.source.map(|bits| bits.of(id));
        let known = self.code.mask() | self.source.map_or(0, Bits::mask);
        (u64::from(id) & !known == 0).then_some((self.code.of(id), source))
    }
}

table! {
    /// A cycle counter in addition to the event counters.
    #[derive(Clone, Copy, Debug)]
    pub(crate) CycleCounter {
        /// Register with the count.
        required register: &'static str,
        /// Number that other programs use for this counter in place of an event code. The number is not an event code.
        optional code: u32,
        /// Names in other programs.
        list aliases: Alias,
    }
}

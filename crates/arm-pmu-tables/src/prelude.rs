//! Imports of the generated tables.

pub(crate) use crate::{
    Access::*, AliasSource, Architecture, Argument, ArgumentValue, Bits, Block, Confidence::*,
    Counted, Counters, CycleCounter, Dialect, Document, Event, EventBus, EventId, Expression as E,
    Field, FieldPath, FieldValue, Finding, FixableBy, Group, Input, Ip, LinuxDriver, LinuxPmu,
    Location, MainId, Manual, Measure, Metric, NonSecure, Origin, Page, PlacedPage, Register,
    Reserved::*, ReservedBits, Reset, Source, Space, UnavailableMetric, Unit, UserMode,
};

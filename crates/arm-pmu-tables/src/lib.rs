#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "schema")]
extern crate alloc;

mod alias;
mod counters;
mod event;
mod finding;
mod ip;
mod linux;
mod lookup;
mod metric;
mod names;
mod origin;
pub mod platform;
mod pmu;
mod prelude;
mod register;
mod table;
mod words;

// `cargo xtask gen` formats this module: rustfmt would split the long lines of events.
#[rustfmt::skip]
mod generated;

pub use alias::{Alias, AliasSource};
pub use counters::{Counters, CycleCounter, EventId, FieldPath};
pub use event::{Event, Group, Source};
pub use finding::Finding;
pub use generated::IPS;
pub use generated::platforms::PLATFORMS;
pub use generated::words::{
    Access, Confidence, Counted, Dialect, FixableBy, LinuxDriver, Measure, NonSecure, Reserved,
    UserMode,
};
pub use ip::{
    Architecture, Block, Document, EventBus, Ip, MainId, Manual, Page, PlacedPage, Space, Unit,
};
pub use linux::LinuxPmu;
pub use lookup::{EventMatch, FoundBy, Matched, RegisterMatch};
pub use metric::{Argument, ArgumentValue, Expression, Input, Metric, UnavailableMetric};
pub use names::same_name;
pub use origin::Origin;
pub use platform::Platform;
pub use pmu::{EventOf, MetricOf, Pmu, Selection, UnavailableOf};
pub use register::{
    Bits, Field, FieldValue, Location, Operands, Register, ReservedBits, Reset, Selector,
};

/// Whether a unit has a feature that only the units in `only` have; if `only` is empty, all units have the feature. If
/// no unit is given, returns whether any unit has the feature.
fn is_of(only: &[&str], unit: Option<&str>) -> bool {
    only.is_empty() || unit.is_none_or(|unit| only.contains(&unit))
}

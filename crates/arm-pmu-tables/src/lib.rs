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

pub use alias::{Alias, AliasSource, Dialect};
pub use counters::{Counters, CycleCounter, EventId, FieldPath};
pub use event::{Counted, Event, Group, Source};
pub use finding::{Finding, FixableBy};
pub use generated::IPS;
pub use generated::platforms::PLATFORMS;
pub use ip::{
    Architecture, Block, Document, EventBus, Ip, MainId, Manual, Page, PlacedPage, Space, Unit,
};
pub use linux::{LinuxDriver, LinuxPmu};
pub use lookup::{EventMatch, FoundBy, Matched, RegisterMatch};
pub use metric::{Argument, ArgumentValue, Expression, Input, Measure, Metric, UnavailableMetric};
pub use names::same_name;
pub use origin::{Confidence, Origin};
pub use platform::Platform;
pub use pmu::{EventOf, MetricOf, Pmu, Selection, UnavailableOf};
pub use register::{
    Access, Bits, Field, FieldValue, Location, NonSecure, Operands, Register, Reserved,
    ReservedBits, Reset, Selector, UserMode,
};

/// Whether a unit has a feature of the units in `only`; if `only` is empty, all units have the feature. If no unit is
/// given, returns whether any unit has the feature.
fn is_of(only: &[&str], unit: Option<&str>) -> bool {
    only.is_empty() || unit.is_none_or(|unit| only.contains(&unit))
}

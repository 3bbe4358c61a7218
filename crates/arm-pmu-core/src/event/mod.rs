//! Events that a counter can count.
//!
//! Start with [`Event`]: an event of the manual, with its code, its name and its [`Unit`]. The crate
//! of each IP has enums of events. `#[derive(Event)]` of `arm-pmu-derive` implements the trait.
//!
//! Each IP also has a `Selection`: an event together with its source, the interface where it happens. All
//! selections have an [`EventId`] and share the error types of this module. On a PMU with a cycle counter,
//! [`EventOrCycles`] selects an event or the cycles.
//!
//! [Example](Event)

mod define;
mod event;
mod event_or_cycles;
mod items;
mod selection;

pub use event::{Event, Unit, UnknownCode, UnknownName};
pub use event_or_cycles::{EventOrCycles, WithCycles};
#[doc(hidden)]
pub use items::{parse, print};
pub use selection::{EventId, InvalidSelection, Selectable, UnknownEvent, UnknownId};

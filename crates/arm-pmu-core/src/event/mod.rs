//! What a counter can count.
//!
//! Start with [`Event`]: one event that the manual lists, with its code, its name and its [`Unit`]. The crate
//! of each IP has enums of events. `#[derive(Event)]` of `arm-pmu-derive` writes the implementation.
//!
//! Each IP also has a `Selection`: an event and where it happens. All selections have an [`EventId`], and the
//! same errors. [`EventOrCycles`] is what a PMU with a cycle counter counts.

mod event;
mod event_or_cycles;
mod selection;

pub use event::{Event, Unit, UnknownCode, UnknownName};
pub use event_or_cycles::EventOrCycles;
pub use selection::{EventId, InvalidSelection, Selectable, UnknownEvent, UnknownId};

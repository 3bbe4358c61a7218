//! What a counter can count.

mod event;
mod selection;

pub use event::{Event, Unit, UnknownCode, UnknownName};
pub use selection::{EventId, InvalidSelection, Selectable, UnknownEvent, UnknownId};

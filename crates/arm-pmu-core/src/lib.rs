//! What every Arm PMU crate of this family shares.
//!
//! | concept | item |
//! |---|---|
//! | where registers live | [`Space`]: [`Memory`] or [`Cp15`] |
//! | where one register lives, and what may be written to it | [`Located`] |
//! | the way to the registers | [`Bus`]: [`Mmio`], [`CoreCp15`], or a simulated device |
//! | what a counter can count | [`Event`] |
//! | what a counter said | [`Count`] |
//! | how much of an event there was, however it was counted | [`Amount`] |
//! | a driver, whatever the IP | [`Monitor`], [`CycleCounter`], [`measure`], [`calibrate`] |
//! | a running PMU, whatever the IP | [`Counting`], [`Totals`] |
//! | what a driver remembers | [`Ledger`], [`Counter`], [`TimedLedger`], [`Clock`], [`Cycles`] |
//!
//! The crate has no dependencies, needs neither `std` nor a heap, and is the only library of the
//! family that holds `unsafe` code: making a [`Mmio`] or a [`CoreCp15`] is the one promise a user
//! gives; everything behind it is safe.
//!
//! Most users do not depend on this crate directly: the crate of their IP re-exports what is needed.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod amount;
mod bus;
mod count;
mod cycles;
mod event;
mod ledger;
mod measure;
mod mmio;
mod monitor;
mod refused;
mod selection;
mod space;
mod totals;
mod user_mode;

mod cp15;

pub use amount::{Amount, NotExact, Share};
pub use bus::{Bus, Fault};
pub use count::{Count, Inexact};
pub use cp15::CoreCp15;
pub use cycles::{Clock, CounterSet, Cycles, Divider, TimedLedger};
pub use event::{Event, Unit, UnknownCode, UnknownName};
pub use ledger::{Counter, Ledger, Slot};
pub use measure::{EventOrCycles, Measurement, Overhead, calibrate, measure};
pub use mmio::Mmio;
pub use monitor::{AssignError, CycleCounter, Lost, Monitor, run_between};
pub use refused::{Reason, Refused};
pub use selection::{InvalidSelection, UnknownId};
pub use space::{Cp15, Located, Memory, Operands, Space};
pub use totals::{Counting, Totals, longest_interval};
pub use user_mode::{RegisterAccess, UserMode};

//! Registers, and access to them.
//!
//! Start with [`Bus`]: it reads and writes registers. [`Mmio`] is a bus to registers in memory, [`Cp15`] a bus
//! to those of the core itself; a simulated device has one of its own. Making a `Mmio` or a `Cp15` is `unsafe`,
//! and nothing else in this crate is.
//!
//! - A [`Space`] is a set of registers: a [`MemorySpace`], a [`Cp15Space`], or a region of [`TwoPages`]. A bus
//!   reaches the registers of one space.
//! - A [`RegisterSpec`] is one register: its [`Location`], and what a write starts from.
//! - A [`BusError`] says that a register could not be reached.
//! - [`RegisterAccess`] says what User mode can do with a register.

mod bus;
mod cp15;
mod mmio;
mod space;
mod user_mode;

pub use bus::{Bus, BusError};
pub use cp15::Cp15;
pub use mmio::{IntoPages, Mmio};
pub use space::{Cp15Space, Location, MemorySpace, Operands, RegisterSpec, Space, TwoPages, Word};
pub use user_mode::{RegisterAccess, UserMode};

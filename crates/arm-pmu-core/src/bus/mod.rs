//! Registers, and access to registers.
//!
//! Start with [`Bus`], which reads and writes registers. [`Mmio`] is a bus to memory-mapped registers. [`Cp15`]
//! and [`Sysreg`] are buses to registers of the core, in AArch32 and AArch64. A simulated device has its own
//! bus. Only the creation of an `Mmio`, a `Cp15` or a `Sysreg` is `unsafe`.
//!
//! - A [`Space`] is a set of registers: a [`MemorySpace`], a [`Cp15Space`], a [`SysregSpace`], or a region of
//!   [`TwoPages`]. A bus reaches the registers of one space.
//! - A [`RegisterSpec`] describes one register: its [`Location`], and the value that a write starts from.
//! - A [`BusError`] reports an access that did not reach the device.
//! - [`RegisterAccess`] describes the access of User mode to a register.
//! - A [`ControlRegister`] shows how EL2 and EL3 limit the PMU of a core.
//!
//! [Example](Bus)

mod bus;
mod control;
mod cp15;
mod mmio;
mod space;
mod sysreg;
mod user_mode;

pub use bus::{Bus, BusError};
pub use control::ControlRegister;
pub use cp15::Cp15;
pub use mmio::{IntoPages, Mmio};
pub use space::{
    Cp15Space, Location, MemorySpace, Operands, RegisterSpec, Space, SysregSpace, SystemRegister,
    TwoPages, Word,
};
pub use sysreg::Sysreg;
pub use user_mode::{RegisterAccess, UserMode};

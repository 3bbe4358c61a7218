//! Access to registers.

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

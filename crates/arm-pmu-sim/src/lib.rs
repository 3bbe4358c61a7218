// The example in `lib.md` is tested in `refusals/lib.rs`: it needs a driver, which this crate cannot depend on, because
// the tests of the drivers depend on this crate.
#![cfg_attr(not(doctest), doc = include_str!("lib.md"))]

mod access;
mod armv7;
mod bus;
mod cci;
mod cci5xx;
mod cp15;
#[path = "generated/devices.rs"]
mod devices;
mod divider;
mod handle;
mod intercepted;
mod noise;
mod pmcg;
mod pmuv3;
mod port;
mod register;
mod register_file;
mod selected;
mod sysreg;
mod violation;

pub use access::{PageOrder, Response, Security, UserAccess};
pub use armv7::{ExecutionMode, StaleSelector};
pub use bus::{AnyOffset, MemoryBus};
pub use cp15::{AnyOperands, Cp15Access, Cp15Bus, Cp15Register, Violation};
pub use devices::arm11::FlagsClear;
pub use devices::cci400::CountsWritable;
pub use devices::*;
pub use intercepted::{Attempt, Effect, Intercepted, Keyed, ignoring_stores};
pub use noise::Noise;
pub use pmcg::Stream;
pub use pmuv3::ExceptionLevel;
pub use register::{Access, Register};
pub use sysreg::{AnySystemRegister, SysregAccess, SysregBus, SysregRegister, SysregViolation};
pub use violation::{MemoryViolation, Strict, Watched};

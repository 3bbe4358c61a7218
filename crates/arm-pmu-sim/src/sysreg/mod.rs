//! Common parts of devices in a core with AArch64 system registers.

mod bus;
mod register;
mod violation;

use arm_pmu_core::bus::SystemRegister;

use crate::cp15::Mode;
use crate::port::Way;

pub use bus::{AnySystemRegister, SysregBus};
pub use register::SysregRegister;
pub use violation::SysregViolation;

/// One entry of the journal of a device with system registers: an access by software, in program order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SysregAccess {
    /// A register was read (MRS).
    Load {
        /// Which one.
        register: SystemRegister,
        /// Value returned to software; 0 if the access was refused.
        value: u64,
    },
    /// A register was written (MSR); entered when issued, possibly before it takes effect.
    Store {
        /// Which one.
        register: SystemRegister,
        /// Value written, whether or not it took effect.
        value: u64,
    },
    /// Software waited until its earlier accesses had taken effect.
    Synchronize,
}

/// Access path to system registers.
#[derive(Debug)]
pub(crate) enum SystemRegisters {}

impl Way for SystemRegisters {
    type Key = SystemRegister;
    type Requester = Mode;
    type Access = SysregAccess;
    type Value = u64;
    const ZEROS: u64 = 0;
    const ONES: u64 = u64::MAX;
    const IN_CORE: bool = true;
    const SYNCHRONIZE: SysregAccess = SysregAccess::Synchronize;

    fn loaded(register: SystemRegister, value: u64) -> SysregAccess {
        SysregAccess::Load { register, value }
    }

    fn stored(register: SystemRegister, value: u64) -> SysregAccess {
        SysregAccess::Store { register, value }
    }
}

//! Common parts of devices in a core with CP15 registers.

mod bus;
mod register;
mod registers;
mod violation;

use arm_pmu_core::bus::Operands;

use crate::port::Way;

pub use bus::{AnyOperands, Cp15Bus};
pub use register::{Cp15Register, UserAccess};
pub(crate) use registers::Cp15Registers;
pub use violation::Violation;

/// One entry of the journal of a device with CP15 registers: an access by software, in program order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cp15Access {
    /// A register was read (MRC).
    Load {
        /// Which one.
        operands: Operands,
        /// Value returned to software; 0 if the access was refused.
        value: u32,
    },
    /// A register was written (MCR); entered when issued, possibly before it takes effect.
    Store {
        /// Which one.
        operands: Operands,
        /// Value written, whether or not it took effect.
        value: u32,
    },
    /// Software waited until its earlier accesses had taken effect.
    Synchronize,
}

/// Mode of the software: privileged or User, on AArch64 EL1 and above or EL0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Privileged,
    User,
}

/// Access path to CP15 registers.
#[derive(Debug)]
pub(crate) enum Coprocessor {}

impl Way for Coprocessor {
    type Key = Operands;
    type Requester = Mode;
    type Access = Cp15Access;
    type Value = u32;
    const ZEROS: u32 = 0;
    const ONES: u32 = u32::MAX;
    const IN_CORE: bool = true;
    const SYNCHRONIZE: Cp15Access = Cp15Access::Synchronize;

    fn loaded(operands: Operands, value: u32) -> Cp15Access {
        Cp15Access::Load { operands, value }
    }

    fn stored(operands: Operands, value: u32) -> Cp15Access {
        Cp15Access::Store { operands, value }
    }
}

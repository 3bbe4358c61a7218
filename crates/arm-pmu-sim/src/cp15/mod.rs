//! Common parts of the devices in a core, which have CP15 registers.

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
        /// The answer; 0 if the access was refused.
        value: u32,
    },
    /// A register was written (MCR); entered when issued, which may be before it takes effect.
    Store {
        /// Which one.
        operands: Operands,
        /// Value written, whether or not it took effect.
        value: u32,
    },
    /// Software made sure that its earlier accesses had taken effect.
    Synchronize,
}

/// The mode of the software: on AArch64, at EL1 or above, or at EL0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Privileged,
    User,
}

/// The way to CP15 registers.
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

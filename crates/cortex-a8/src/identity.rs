//! Identity of the Cortex-A8 among the cores with an ARMv7 PMU.

use armv7_pmu::{Implementation, NoFilter};

use crate::registers::MAIN_ID_PART;
use crate::{CortexA8Event, Finding, Selection};

/// The Cortex-A8.
pub struct CortexA8;

impl Implementation for CortexA8 {
    type Selection = Selection;
    type Finding = Finding;
    type Filter = NoFilter;

    const MAIN_ID_PART: u16 = MAIN_ID_PART;
    const INSTRUCTION: u8 = CortexA8Event::InstructionExecuted as u8;
}

/// Returns whether a Main ID Register value is that of a Cortex-A8.
///
/// [`Cp15::main_id`](crate::Cp15::main_id) reads the register (CP15 c0, c0, 0).
///
/// ```
/// assert!(cortex_a8::is_cortex_a8(0x413F_C082)); // an AM335x
/// ```
#[must_use]
pub const fn is_cortex_a8(main_id: u32) -> bool {
    armv7_pmu::is::<CortexA8>(main_id)
}

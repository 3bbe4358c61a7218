//! Identity of the Cortex-A9 among the cores with an ARMv7 PMU.

use armv7_pmu::{Implementation, NoFilter};

use crate::registers::MAIN_ID_PART;
use crate::{CortexA9Event, Finding, Selection};

/// The Cortex-A9.
pub struct CortexA9;

impl Implementation for CortexA9 {
    type Selection = Selection;
    type Finding = Finding;
    type Filter = NoFilter;

    const MAIN_ID_PART: u16 = MAIN_ID_PART;
    const INSTRUCTION: u8 = CortexA9Event::InstRenamed as u8;
}

/// Returns whether a Main ID Register value is that of a Cortex-A9.
///
/// [`Cp15::main_id`](crate::Cp15::main_id) reads the register (CP15 c0, c0, 0).
///
/// ```
/// assert!(cortex_a9::is_cortex_a9(0x413F_C090)); // a Zynq-7000
/// ```
#[must_use]
pub const fn is_cortex_a9(main_id: u32) -> bool {
    armv7_pmu::is::<CortexA9>(main_id)
}

//! Identity of the Cortex-A7 among the cores with an ARMv7 PMU.

use armv7_pmu::{Filter, Implementation};

use crate::registers::MAIN_ID_PART;
use crate::{CortexA7Event, Finding, Selection};

/// The Cortex-A7.
pub struct CortexA7;

impl Implementation for CortexA7 {
    type Selection = Selection;
    type Finding = Finding;
    type Filter = Filter;

    const MAIN_ID_PART: u16 = MAIN_ID_PART;
    const INSTRUCTION: u8 = CortexA7Event::InstRetired as u8;
}

/// Returns whether a Main ID Register value is that of a Cortex-A7.
///
/// [`Cp15::main_id`](crate::Cp15::main_id) reads the register (CP15 c0, c0, 0).
///
/// ```
/// assert!(cortex_a7::is_cortex_a7(0x410F_C075)); // a Raspberry Pi 2
/// ```
#[must_use]
pub const fn is_cortex_a7(main_id: u32) -> bool {
    armv7_pmu::is::<CortexA7>(main_id)
}

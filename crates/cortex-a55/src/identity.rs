//! Identity of the Cortex-A55 among the cores with PMUv3.

use arm_pmuv3::{Core, Implementation};

use crate::registers::MAIN_ID_PART;
use crate::{CortexA55Event, Finding, Selection};

/// The Cortex-A55.
pub struct CortexA55;

impl Implementation for CortexA55 {
    type Selection = Selection;
    type Finding = Finding;

    const INSTRUCTION: u16 = CortexA55Event::InstRetired as u16;
}

impl Core for CortexA55 {
    const MAIN_ID_PART: u16 = MAIN_ID_PART;
}

/// Returns whether a Main ID Register value is that of a Cortex-A55.
///
/// [`Sysreg::main_id`](crate::Sysreg::main_id) reads the register, MIDR_EL1.
///
/// ```
/// assert!(cortex_a55::is_cortex_a55(0x411F_D050));
/// assert!(!cortex_a55::is_cortex_a55(0x410F_D034)); // a Cortex-A53
/// ```
#[must_use]
pub const fn is_cortex_a55(main_id: u32) -> bool {
    arm_pmuv3::is::<CortexA55>(main_id)
}

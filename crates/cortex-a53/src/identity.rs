//! Identity of the Cortex-A53 among the cores with PMUv3.

use arm_pmuv3::{Core, Implementation};

use crate::registers::MAIN_ID_PART;
use crate::{CortexA53Event, Finding, Selection};

/// The Cortex-A53.
pub struct CortexA53;

impl Implementation for CortexA53 {
    type Selection = Selection;
    type Finding = Finding;

    const INSTRUCTION: u16 = CortexA53Event::InstRetired as u16;
}

impl Core for CortexA53 {
    const MAIN_ID_PART: u16 = MAIN_ID_PART;
}

/// Returns whether a Main ID Register value is that of a Cortex-A53.
///
/// [`Sysreg::main_id`](crate::Sysreg::main_id) reads the register, MIDR_EL1.
///
/// ```
/// assert!(cortex_a53::is_cortex_a53(0x410F_D034)); // a Raspberry Pi 3
/// ```
#[must_use]
pub const fn is_cortex_a53(main_id: u32) -> bool {
    arm_pmuv3::is::<CortexA53>(main_id)
}

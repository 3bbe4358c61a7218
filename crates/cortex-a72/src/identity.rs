//! Identity of the Cortex-A72 among the cores with PMUv3.

use arm_pmuv3::{Core, Implementation};

use crate::registers::MAIN_ID_PART;
use crate::{CortexA72Event, Finding, Selection};

/// The Cortex-A72.
pub struct CortexA72;

impl Implementation for CortexA72 {
    type Selection = Selection;
    type Finding = Finding;

    const INSTRUCTION: u16 = CortexA72Event::InstRetired as u16;
}

impl Core for CortexA72 {
    const MAIN_ID_PART: u16 = MAIN_ID_PART;
    /// The Cortex-A57 has the same events (Arm's data).
    const ALSO: Option<u16> = Some(0xD07);
}

/// Returns whether a Main ID Register value is that of a Cortex-A72 or a Cortex-A57.
///
/// [`Sysreg::main_id`](crate::Sysreg::main_id) reads the register, MIDR_EL1.
///
/// ```
/// assert!(cortex_a72::is_cortex_a72(0x410F_D083)); // a Raspberry Pi 4
/// assert!(cortex_a72::is_cortex_a72(0x411F_D072)); // a Cortex-A57
/// ```
#[must_use]
pub const fn is_cortex_a72(main_id: u32) -> bool {
    arm_pmuv3::is::<CortexA72>(main_id)
}

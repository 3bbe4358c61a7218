//! Identity of the SKELETON IP among the cores with PMUv3.

use arm_pmuv3::{Core, Implementation};

use crate::registers::MAIN_ID_PART;
use crate::{Finding, Selection, SkeletonIpEvent};

/// The SKELETON IP.
pub struct SkeletonIp;

impl Implementation for SkeletonIp {
    type Selection = Selection;
    type Finding = Finding;

    const INSTRUCTION: u16 = SkeletonIpEvent::InstRetired as u16;
}

impl Core for SkeletonIp {
    const MAIN_ID_PART: u16 = MAIN_ID_PART;
}

/// Returns whether a Main ID Register value is that of a SKELETON IP.
///
/// [`Sysreg::main_id`](crate::Sysreg::main_id) reads the register, MIDR_EL1.
#[must_use]
pub const fn is_skeleton_ip(main_id: u32) -> bool {
    arm_pmuv3::is::<SkeletonIp>(main_id)
}

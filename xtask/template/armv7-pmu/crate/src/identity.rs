//! Identity of the SKELETON IP among the cores with an ARMv7 PMU.

use armv7_pmu::{Implementation, NoFilter};

use crate::registers::MAIN_ID_PART;
use crate::{Finding, Selection, SkeletonIpEvent};

/// The SKELETON IP.
pub struct SkeletonIp;

impl Implementation for SkeletonIp {
    type Selection = Selection;
    type Finding = Finding;
    type Filter = NoFilter;

    const MAIN_ID_PART: u16 = MAIN_ID_PART;
    const INSTRUCTION: u8 = SkeletonIpEvent::InstRetired as u8;
}

/// Returns whether a Main ID Register value is that of a SKELETON IP.
///
/// [`Cp15::main_id`](crate::Cp15::main_id) reads the register (CP15 c0, c0, 0).
#[must_use]
pub const fn is_skeleton_ip(main_id: u32) -> bool {
    armv7_pmu::is::<SkeletonIp>(main_id)
}

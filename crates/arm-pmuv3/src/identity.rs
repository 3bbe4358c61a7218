//! The implementation that stands for every core with PMUv3.

use crate::{CommonEvent, Finding, Implementation, Selection};

/// Every core with PMUv3.
pub struct ArmPmuv3;

impl Implementation for ArmPmuv3 {
    type Selection = Selection;
    type Finding = Finding;

    const INSTRUCTION: u16 = CommonEvent::InstRetired as u16;
    const HAS_THRESHOLDS: bool = true;
    const HAS_OTHERS: bool = true;
}

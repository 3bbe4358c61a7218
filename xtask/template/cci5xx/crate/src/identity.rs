//! Identity of the SKELETON IP among the CCI-5xx.

use arm_pmu_core::event::Event as _;
use cci5xx::Implementation;

use crate::events::Listed;
use crate::registers::{pid0, pid1};
use crate::{Finding, Selection, SlaveEvent};

/// The SKELETON IP.
pub struct SkeletonIp;

impl Implementation for SkeletonIp {
    type Selection = Selection;
    type Finding = Finding;

    const PART: u16 = cci5xx::part_number(pid0::RESET_SKELETON_IP, pid1::RESET);
    const READ_BEATS: u16 = SlaveEvent::ReadDataBeat.code();
    const WRITE_BEATS: u16 = SlaveEvent::WriteDataBeat.code();
    const READ_REQUESTS: u16 = SlaveEvent::ReadRequestAny.code();

    fn never_fires(selection: Selection) -> bool {
        match selection.listed() {
            Some(Listed::Slave(_, event)) => event.never_fires(),
            Some(Listed::Master(_, event)) => event.never_fires(),
            Some(Listed::Global(_, event)) => event.never_fires(),
            None => false,
        }
    }
}

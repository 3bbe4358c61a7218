//! Events of the three cores, from AN195 table 2.

use super::Core;
use crate::selected::events;

/// Meaning of an event number for a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The counter counts an event.
    Event,
    /// The cycle counter counts every cycle.
    Cycles,
    /// It counts nothing.
    Unused,
    /// Undefined.
    Reserved,
}

/// The number of the event that is every cycle.
pub(super) const EVERY_CYCLE: u8 = 0xFF;
/// Event numbers of the ETMEXTOUT lines: the first line, the second line, both lines.
pub(super) const ETMEXTOUT: [u8; 3] = [0x20, 0x21, 0x22];

const ARM1136: &[u8] = events!(
    u8: 0x00..=0x07, 0x09..=0x0D, 0x0F..=0x12, 0x20..=0x22, 0xFF
);
const ARM1156: &[u8] = events!(
    u8: 0x00..=0x02, 0x05..=0x07, 0x09..=0x0D, 0x10..=0x14, 0x20..=0x22, 0x30..=0x38, 0xFF
);
const ARM1176: &[u8] = events!(
    u8: 0x00..=0x07, 0x09..=0x0D, 0x0F..=0x12, 0x20..=0x26, 0xFF
);
/// Event numbers of the micro TLBs and of the main TLB, which the ARM1156 does not have.
const UNUSED_ON_ARM1156: &[u8] = &[0x03, 0x04, 0x0F];

impl Core {
    pub(super) const fn events(self) -> &'static [u8] {
        match self {
            Self::Arm1136 => ARM1136,
            Self::Arm1156 => ARM1156,
            Self::Arm1176 => ARM1176,
        }
    }

    pub(super) fn kind(self, event: u8) -> Kind {
        match event {
            EVERY_CYCLE => Kind::Cycles,
            _ if self.events().contains(&event) => Kind::Event,
            _ if self == Self::Arm1156 && UNUSED_ON_ARM1156.contains(&event) => Kind::Unused,
            _ => Kind::Reserved,
        }
    }
}

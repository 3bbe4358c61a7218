//! Registers of a CCI-400, from the facts in its documents.

use crate::cci::pmcr;
use crate::register::Register;

pub(super) const PART_NUMBER: u16 = 0x420;
pub(super) const COUNTERS: usize = 4;

const fn counter_block(name: &'static str, offset: usize) -> Register {
    Register { count: COUNTERS, stride: 0x1000, ..Register::new(name, offset) }
}

// [0] permits access by Non-secure software.
pub(super) const SECURE_ACCESS: Register =
    Register { read_write: 1, ..Register::new("SECURE_ACCESS", 0x008) };

// [5] DP, [3] CCD, [2] CCR, in addition to the bits that all CCIs have.
pub(super) const PMCR: Register = {
    let common = pmcr(COUNTERS);
    Register {
        read_write: common.read_write | DP | CCD,
        write_one_to_act: common.write_one_to_act | CCR,
        ..common
    }
};
/// Stops the cycle counter while NIDEN is LOW.
pub(super) const DP: u32 = 1 << 5;
/// Counts only every 64th cycle.
pub(super) const CCD: u32 = 1 << 3;
/// Zeroes the cycle counter.
pub(super) const CCR: u32 = 1 << 2;

// [7:4] revision, [3] JEDEC, [2:0] JEP106 code [6:4].
pub(super) const PID2: Register = Register::constant("PID2", 0xFE8, 0xFF, 0x6B);
/// PID2\[7:4\] of r1p0, the first revision with the events of r1.
pub(super) const R1P0: u32 = 5;

// The block of the cycle counter is like the blocks of the event counters, but has no event select.
pub(super) const CYCLE_COUNT: Register =
    Register { read_write: u32::MAX, ..Register::new("CYCLE_COUNT", 0x9004) };
pub(super) const CYCLE_COUNT_CONTROL: Register =
    Register { read_write: 1, ..Register::new("CYCLE_COUNT_CONTROL", 0x9008) };
pub(super) const CYCLE_OVERFLOW_STATUS: Register =
    Register { write_one_to_clear: 1, ..Register::new("CYCLE_OVERFLOW_STATUS", 0x900C) };

// [7:5] source, [4:0] event code.
pub(super) const EVENT_SELECT: Register =
    Register { read_write: 0xFF, ..counter_block("EVENT_SELECT", 0xA000) };
pub(super) const EVENT_COUNT: Register =
    Register { read_write: u32::MAX, ..counter_block("EVENT_COUNT", 0xA004) };
// [0] enables the counter.
pub(super) const COUNT_CONTROL: Register =
    Register { read_write: 1, ..counter_block("COUNT_CONTROL", 0xA008) };
// [0] the counter passed 2^32.
pub(super) const OVERFLOW_STATUS: Register =
    Register { write_one_to_clear: 1, ..counter_block("OVERFLOW_STATUS", 0xA00C) };

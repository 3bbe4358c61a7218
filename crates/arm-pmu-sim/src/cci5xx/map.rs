//! Registers of a CCI-500 or CCI-550, from the facts in its documents.

use crate::cci::{pid0, pid1, pmcr};
use crate::register::Register;

pub(super) const COUNTERS: usize = 8;
/// Distance between consecutive counter blocks.
const BLOCK: usize = 0x10000;

const fn counter_block(name: &'static str, offset: usize) -> Register {
    Register { count: COUNTERS, stride: BLOCK, ..Register::new(name, offset) }
}

// [2] Secure observation override (CCI-550 only), [1] debug monitor security override, [0] Non-secure
// register access override.
const fn secure_access(read_write: u32) -> Register {
    Register { read_write, ..Register::new("SECURE_ACCESS", SECURE_ACCESS) }
}
pub(super) const SECURE_ACCESS: usize = 0x008;
pub(super) const ALL_TO_NON_SECURE: u32 = 1 << 0;
pub(super) const MONITORS_TO_SECURE_ONLY: u32 = 1 << 1;
pub(super) const OBSERVE_SECURE: u32 = 1 << 2;

pub(crate) const PMCR: Register = pmcr(COUNTERS);

// [0] enables all interface monitors.
pub(super) const IMCR: Register = Register { read_write: 1, ..Register::new("IMCR", 0x104) };

// [8:5] source, [4:0] event code.
pub(crate) const EVENT_SELECT: Register =
    Register { read_write: 0x1FF, ..counter_block("EVENT_SELECT", 0x10000) };
pub(crate) const EVENT_COUNT: Register =
    Register { read_write: u32::MAX, ..counter_block("EVENT_COUNT", 0x10004) };
// [0] enables the counter.
pub(crate) const COUNT_CONTROL: Register =
    Register { read_write: 1, ..counter_block("COUNT_CONTROL", 0x10008) };
// [0] the counter passed 2^32.
pub(crate) const OVERFLOW_STATUS: Register =
    Register { write_one_to_clear: 1, ..counter_block("OVERFLOW_STATUS", 0x1000C) };

// [31:24] outstanding snoops, [23:16] writes, [15:8] reads, [7:0] stalled channels.
pub(super) const SLAVE_MONITOR: Register = Register {
    count: 7,
    stride: 4,
    read_only: u32::MAX,
    ..Register::new("SLAVE_MONITOR", 0x90000)
};
// [23:16] outstanding writes, [15:8] reads, [4:0] stalled channels.
pub(crate) const fn master_monitor(count: usize) -> Register {
    Register {
        count,
        stride: 4,
        read_only: 0x00FF_FF1F,
        ..Register::new("MASTER_MONITOR", 0x90100)
    }
}

pub(crate) const fn registers(part: u16, writable_access: u32, masters: usize) -> [Register; 21] {
    [
        secure_access(writable_access),
        PMCR,
        IMCR,
        Register::constant("PID4", 0xFD0, 0xFF, 0x84),
        Register::constant("PID5", 0xFD4, 0x00, 0x00),
        Register::constant("PID6", 0xFD8, 0x00, 0x00),
        Register::constant("PID7", 0xFDC, 0x00, 0x00),
        pid0(part),
        pid1(part),
        // Revision code 1, as in the CCI-500 of the Kirin 950; the codes of the CCI-550 are not known.
        Register::constant("PID2", 0xFE8, 0xFF, 0x1B),
        Register::constant("PID3", 0xFEC, 0xFF, 0x00),
        Register::constant("CID0", 0xFF0, 0xFF, 0x0D),
        Register::constant("CID1", 0xFF4, 0xFF, 0xF0),
        Register::constant("CID2", 0xFF8, 0xFF, 0x05),
        Register::constant("CID3", 0xFFC, 0xFF, 0xB1),
        EVENT_SELECT,
        EVENT_COUNT,
        COUNT_CONTROL,
        OVERFLOW_STATUS,
        SLAVE_MONITOR,
        master_monitor(masters),
    ]
}

/// Returns whether the register is one of the interface monitors.
pub(super) fn interface_monitor(offset: usize) -> bool {
    offset >= SLAVE_MONITOR.offset
}

/// Returns whether the register belongs to the PMU or to the interface monitors: all registers outside
/// the control page, and two registers in the control page.
pub(super) fn observes_performance(offset: usize) -> bool {
    offset >= EVENT_SELECT.offset || offset == PMCR.offset || offset == IMCR.offset
}

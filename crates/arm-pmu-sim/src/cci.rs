//! Common parts of the CoreLink CCI-400, CCI-500 and CCI-550.

use crate::register::Register;
use crate::register_file::RegisterFile;

/// PMCR\[15:11\], the number of event counters.
pub(crate) const PMU_CNT_NUM: u32 = 11;
/// PMCR\[4\] drives events onto EVNTBUS, which is not simulated.
pub(crate) const EX: u32 = 1 << 4;
/// PMCR\[1\] zeroes the event counters.
pub(crate) const RST: u32 = 1 << 1;
/// PMCR\[0\] enables all counters.
pub(crate) const CEN: u32 = 1 << 0;

/// PMCR with its common fields.
pub(crate) const fn pmcr(counters: usize) -> Register {
    Register {
        read_only: 0x1F << PMU_CNT_NUM,
        read_write: EX | CEN,
        write_one_to_act: RST,
        reset: (counters as u32) << PMU_CNT_NUM,
        ..Register::new("PMCR", 0x100)
    }
}

/// Part number \[7:0\].
pub(crate) const fn pid0(part: u16) -> Register {
    Register::constant("PID0", 0xFE0, 0xFF, part as u32 & 0xFF)
}

/// \[7:4\] JEP106 code \[3:0\], \[3:0\] part number \[11:8\].
pub(crate) const fn pid1(part: u16) -> Register {
    Register::constant("PID1", 0xFE4, 0xFF, 0xB0 | part as u32 >> 8)
}

/// Puts another part number into PID0 and PID1, and another number of counters into PMCR.
pub(crate) fn identify(registers: &mut RegisterFile, part: u16, counters: u8) {
    for register in [pid0(part), pid1(part)] {
        registers.poke(register.offset, register.reset);
    }
    let pmcr = pmcr(usize::from(counters));
    let rest = registers.load(pmcr.offset) & !pmcr.read_only;
    registers.poke(pmcr.offset, rest | pmcr.reset);
}

/// Adds to the count at one offset; if it wraps, sets the flag at another.
pub(crate) fn add(registers: &mut RegisterFile, count: usize, flag: usize, times: u64) {
    if registers.add(count, times) {
        registers.poke(flag, 1);
    }
}

/// A set of event codes: bit n is set for code n.
pub(crate) const fn codes<const N: usize>(listed: [u8; N]) -> u32 {
    let mut set = 0;
    let mut nth = 0;
    while nth < N {
        set |= 1 << listed[nth];
        nth += 1;
    }
    set
}

/// The set of the event codes from `first` to `last`.
pub(crate) const fn code_range(first: u8, last: u8) -> u32 {
    u32::MAX >> (31 - last) & u32::MAX << first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_codes() {
        assert_eq!(codes([]), 0);
        assert_eq!(codes([0, 4, 31]), 0x8000_0011);
        assert_eq!(code_range(0, 31), u32::MAX);
        assert_eq!(code_range(4, 6), 0x70);
        assert_eq!(code_range(9, 9), 0x200);
    }
}

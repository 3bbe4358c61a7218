//! The loops over the lines. Both processors have these instructions.

use core::arch::asm;

/// Follows the offsets at the start of lines: three instructions a line, one of them a load.
///
/// # Safety
///
/// Each of `lines` steps from `offset` on leads to an offset of a line behind `base`.
pub unsafe fn read(base: *const u8, mut offset: usize, lines: usize) -> usize {
    // SAFETY: as above.
    unsafe {
        asm!(
            "2: ldr {offset}, [{base}, {offset}]",
            "subs {left}, {left}, #1",
            "bne 2b",
            offset = inout(reg) offset,
            base = in(reg) base,
            left = inout(reg) lines => _,
        );
    }
    offset
}

/// Same, with a store to the second word of each line: five instructions a line.
///
/// # Safety
///
/// Like [`read`], and no other code uses the lines.
pub unsafe fn write(base: *mut u8, mut offset: usize, lines: usize) -> usize {
    // SAFETY: as above.
    unsafe {
        asm!(
            "2: add {line}, {base}, {offset}",
            "ldr {offset}, [{line}]",
            "str {left}, [{line}, #{word}]",
            "subs {left}, {left}, #1",
            "bne 2b",
            word = const size_of::<usize>(),
            line = out(reg) _,
            offset = inout(reg) offset,
            base = in(reg) base,
            left = inout(reg) lines => _,
        );
    }
    offset
}

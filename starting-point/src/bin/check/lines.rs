//! Loops over the lines, in AArch64 and ARMv7-A assembly.

use core::arch::asm;

/// Reads one line after the other: each line contains the offset of the next. Each line takes three
/// instructions, one of them a load.
///
/// # Safety
///
/// The loop makes `lines` steps. The first reads at `offset` from `base`, and each step reads the
/// offset of the next; there must be a line at each of these offsets.
pub unsafe fn read(base: *const u8, mut offset: usize, lines: usize) -> usize {
    // SAFETY: the caller ensures the requirements above.
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

/// Goes from line to line by the offset in each line, and writes the second word of each line. The
/// loop executes five instructions for each line.
///
/// # Safety
///
/// The requirements of [`read`] apply, and no other code may use the lines.
pub unsafe fn write(base: *mut u8, mut offset: usize, lines: usize) -> usize {
    // SAFETY: the caller ensures the requirements above.
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

//! Loops over the lines, in AArch64 and ARMv7-A assembly.

use core::arch::asm;

/// Follows the offsets in the lines. Each line takes three instructions, one of them a load.
///
/// # Safety
///
/// Each of the `lines` steps, starting at `offset`, must find a line at its offset from `base`.
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

/// Follows the offsets and stores to each line's second word. A line takes five instructions.
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

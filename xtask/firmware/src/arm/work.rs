//! Work with a known number of instructions.
#![allow(unsafe_code)]

/// Runs two instructions for each of `turns`, up to 2^31 of them, and a few more, always the same.
#[inline(never)]
pub fn spin(turns: u32) {
    // SAFETY: counts a register down, past 0.
    unsafe {
        core::arch::asm!("1: subs {turns}, {turns}, #1", "bpl 1b",
            turns = inout(reg) turns => _, options(nomem, nostack));
    }
}

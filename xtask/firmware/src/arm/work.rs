//! Work with a known number of instructions.
#![allow(unsafe_code)]

/// Runs two instructions for each of `turns`, at most 2^31, and a constant number of further
/// instructions.
#[inline(never)]
pub fn spin(turns: u32) {
    // SAFETY: counts a register down, past 0.
    unsafe {
        core::arch::asm!("1: subs {turns}, {turns}, #1", "bpl 1b",
            turns = inout(reg) turns => _, options(nomem, nostack));
    }
}

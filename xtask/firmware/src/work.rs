//! Work with a known number of instructions.
#![allow(unsafe_code)]

/// Number of instructions in a turn of [`spin`].
pub const TURN: u32 = 2;

/// Runs two instructions for each of `turns`, and a constant number of further instructions.
#[inline(never)]
pub fn spin(turns: usize) {
    // SAFETY: the code only counts a register down until it is negative.
    unsafe {
        core::arch::asm!("1: subs {turns}, {turns}, #1", "bpl 1b",
            turns = inout(reg) turns => _, options(nomem, nostack));
    }
}

//! ARMv7-A code of the samples: the interrupt's vector, and a known number of instructions.

use core::arch::{asm, global_asm};

// The return state and the registers that a call does not preserve are kept on the stack of Supervisor mode.
global_asm!(
    ".section .vectors, \"ax\"",
    ".arm",
    ".balign 32",
    ".global sample_vectors",
    "sample_vectors:",
    "   b     start",
    ".rept 5",
    "   b     1f",
    ".endr",
    "   b     sample_entry",
    "1: mov   r0, lr",
    "   b     exception",
    "sample_entry:",
    "   sub   lr, lr, #4",
    "   srsdb sp!, #0x13",
    "   cps   #0x13",
    "   push  {{r0-r3, r12, lr}}",
    "   ldr   r0, [sp, #24]",
    // Calls need a stack that is aligned to 8 bytes.
    "   and   r1, sp, #4",
    "   sub   sp, sp, r1",
    "   push  {{r1, r2}}",
    "   bl    interrupt",
    "   pop   {{r1, r2}}",
    "   add   sp, sp, r1",
    "   pop   {{r0-r3, r12, lr}}",
    "   rfeia sp!",
);

unsafe extern "C" {
    static sample_vectors: u8;
}

/// Takes interrupts from now on.
pub fn unmask() {
    // SAFETY: each vector leads to the handler or to a panic, and VBAR is written first.
    unsafe {
        let vectors = &raw const sample_vectors;
        asm!("mcr p15, 0, {}, c12, c0, 0", "isb", "cpsie i", in(reg) vectors);
    }
}

pub fn mask() {
    // SAFETY: masking interrupts changes no value.
    unsafe { asm!("cpsid i") }
}

/// Executes this number of instructions, and a few more.
#[inline(always)]
pub fn execute(instructions: usize) {
    // SAFETY: the loop changes its own register only.
    unsafe {
        asm!("1: subs {0}, {0}, #2", "bhi 1b", inout(reg) instructions => _, options(nomem, nostack))
    }
}

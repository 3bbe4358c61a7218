//! AArch64 code of the program `sample`: the interrupt vector, and work with a known number of
//! instructions.

use core::arch::{asm, global_asm};

// The handler may use all registers that a call does not preserve.
global_asm!(
    ".macro registers access",
    ".irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 30",
    "   \\access x\\n, [sp, #(512 + 8 * \\n)]",
    ".endr",
    ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,\
     16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
    "   \\access q\\n, [sp, #(16 * \\n)]",
    ".endr",
    ".endm",
    ".section .vectors, \"ax\"",
    ".balign 0x800",
    ".global sample_vectors",
    "sample_vectors:",
    ".rept 5",
    "   mov  x0, x30",
    "   b    exception",
    "   .balign 0x80",
    ".endr",
    // Interrupt from the same Exception level.
    "   sub  sp, sp, #768",
    "   str  x0, [sp, #512]",
    "   b    sample_entry",
    ".rept 10",
    "   .balign 0x80",
    "   mov  x0, x30",
    "   b    exception",
    ".endr",
    "sample_entry:",
    "   registers str",
    "   mrs  x1, currentel",
    "   cmp  x1, #(2 << 2)",
    "   b.eq 2f",
    "   b.hi 3f",
    "   mrs  x0, elr_el1",
    "   b    4f",
    "2: mrs  x0, elr_el2",
    "   b    4f",
    "3: mrs  x0, elr_el3",
    "4: bl   interrupt",
    "   registers ldr",
    "   ldr  x0, [sp, #512]",
    "   add  sp, sp, #768",
    "   eret",
);

unsafe extern "C" {
    static sample_vectors: u8;
}

/// Unmasks interrupts, which are taken at the current Exception level.
pub fn unmask() {
    let level: u64;
    // SAFETY: each vector leads to the handler or to a panic.
    unsafe {
        asm!("mrs {}, currentel", out(reg) level);
        let vectors = &raw const sample_vectors;
        match level >> 2 & 3 {
            3 => {
                asm!("msr vbar_el3, {0}", "mrs {0}, scr_el3", "orr {0}, {0}, #2", "msr scr_el3, {0}", inout(reg) vectors => _)
            }
            2 => {
                asm!("msr vbar_el2, {0}", "mrs {0}, hcr_el2", "orr {0}, {0}, #16", "msr hcr_el2, {0}", inout(reg) vectors => _)
            }
            _ => asm!("msr vbar_el1, {}", in(reg) vectors),
        }
        asm!("isb", "msr daifclr, #2");
    }
}

pub fn mask() {
    // SAFETY: masking interrupts changes no value.
    unsafe { asm!("msr daifset, #2") }
}

/// Executes this number of instructions, and a few more.
#[inline(always)]
pub fn execute(instructions: usize) {
    // SAFETY: the loop changes its own register only.
    unsafe {
        asm!("1: subs {0}, {0}, #2", "b.hi 1b", inout(reg) instructions => _, options(nomem, nostack))
    }
}

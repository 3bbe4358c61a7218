//! From reset to `run_image`.
#![allow(unsafe_code)]

// QEMU starts an ELF file at EL1 with the stack pointer of EL1, MMU and caches off, interrupts masked.
core::arch::global_asm!(
    ".section .text.start, \"ax\"",
    ".global start",
    "start:",
    "   ldr  x0, =stack_top",
    "   mov  sp, x0",
    "   ldr  x0, =vectors",
    "   msr  vbar_el1, x0",
    // Compiled code uses vector registers: CPACR_EL1.FPEN.
    "   mov  x0, #(3 << 20)",
    "   msr  cpacr_el1, x0",
    "   isb",
    "   ldr  x0, =bss_start",
    "   ldr  x1, =bss_end",
    "1: cmp  x0, x1",
    "   b.hs 2f",
    "   stp  xzr, xzr, [x0], #16",
    "   b    1b",
    "2: b    run_image",
    ".ltorg",
);

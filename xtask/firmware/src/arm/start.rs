//! Start-up code from reset to `run_image`.
#![allow(unsafe_code)]

// QEMU starts an ELF file in Supervisor mode, with MMU and caches off and interrupts masked.
//
// All exceptions except the supervisor call share one stack, because exceptions that return do not
// nest.
core::arch::global_asm!(
    ".section .text.start, \"ax\"",
    ".arm",
    ".global start",
    "start:",
    "   ldr   r0, =exception_stack_top",
    "   cpsid aif, #0x17", // Abort
    "   mov   sp, r0",
    "   cps   #0x1B", // Undefined
    "   mov   sp, r0",
    "   cps   #0x12", // IRQ
    "   mov   sp, r0",
    "   cps   #0x11", // FIQ
    "   mov   sp, r0",
    "   cps   #0x1F", // System: the registers of User mode
    "   ldr   sp, =user_stack_top",
    "   cps   #0x13", // Supervisor
    "   ldr   sp, =stack_top",
    // The ARM1136 has no vector base address register. The linker script places its vectors at
    // address 0.
    "   ldr   r0, =vectors",
    "   cmp   r0, #0",
    "   mcrne p15, 0, r0, c12, c0, 0",
    "   ldr   r0, =bss_start",
    "   ldr   r1, =bss_end",
    "   mov   r2, #0",
    "1: cmp   r0, r1",
    "   strlo r2, [r0], #4",
    "   blo   1b",
    "   b     run_image",
    ".ltorg",
);

//! Start-up code from reset to `run_image`.
#![allow(unsafe_code)]

// QEMU starts an ELF file at the highest Exception level of the machine: EL1 on `virt`, EL2 with `virtualization=on`,
// EL3 with `secure=on`. MMU and caches are off, and interrupts masked. The image stays at the Exception level in
// which QEMU starts it.
core::arch::global_asm!(
    ".section .text.start, \"ax\"",
    ".global start",
    "start:",
    "   ldr  x0, =stack_top",
    "   mov  sp, x0",
    "   ldr  x0, =vectors",
    "   mrs  x1, currentel",
    "   cmp  x1, #(2 << 2)",
    "   b.eq 4f",
    "   b.hi 5f",
    // EL1. CPACR_EL1.FPEN permits vector registers, which compiled code uses.
    "   msr  vbar_el1, x0",
    "   mov  x0, #(3 << 20)",
    "   msr  cpacr_el1, x0",
    "   b    6f",
    // EL2. CPTR_EL2.TFP is 0, and the reserved bits are 1.
    "4: msr  vbar_el2, x0",
    "   mov  x0, #0x33FF",
    "   msr  cptr_el2, x0",
    "   b    6f",
    // EL3. CPTR_EL3.TFP is 0. SCR_EL3.RW is 1: QEMU ignores bit M of filters while lower levels are AArch32. HCR_EL2.RW
    // is 1 for the same reason; without EL2 the write has no effect. SCR_EL3.NS is 1, because without EL2 QEMU would
    // treat MDCR_EL2.HPMN as 0, and no event counter would obey PMCR_EL0.E.
    "5: msr  vbar_el3, x0",
    "   msr  cptr_el3, xzr",
    "   mov  x0, #0x431",
    "   msr  scr_el3, x0",
    "   mov  x0, #(1 << 31)",
    "   msr  hcr_el2, x0",
    "6: isb",
    "   ldr  x0, =bss_start",
    "   ldr  x1, =bss_end",
    "1: cmp  x0, x1",
    "   b.hs 2f",
    "   stp  xzr, xzr, [x0], #16",
    "   b    1b",
    "2: b    run_image",
    ".ltorg",
);

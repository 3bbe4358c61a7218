//! Runs functions at EL0.
#![allow(unsafe_code)]

use super::exception_level;

/// Calls a function at EL0. The function cannot print, because every exception at EL0 ends the
/// image.
///
/// # Panics
///
/// If the processor is not at EL1.
pub fn at_el0(function: extern "C" fn(usize), argument: usize) {
    assert_eq!(exception_level(), 1, "the vectors are for EL1");
    // SAFETY: MMU and caches are off, so EL0 can access all memory. The function is safe to call
    // with any argument.
    unsafe { call_at_el0(function, argument) };
}

unsafe extern "C" {
    /// Calls `function` with `argument` at EL0.
    ///
    /// # Safety
    ///
    /// The caller must be at EL1, and the function must accept the argument.
    fn call_at_el0(function: extern "C" fn(usize), argument: usize);
}

// The function returns to `svc` with the caller's registers unchanged, so only the link register is
// saved.
core::arch::global_asm!(
    ".section .text.el0, \"ax\"",
    ".global call_at_el0",
    "call_at_el0:",
    "   str  x30, [sp, #-16]!",
    "   ldr  x9, =user_stack_top",
    "   msr  sp_el0, x9",
    "   mov  x9, #0x3C0",
    "   msr  spsr_el1, x9",
    "   msr  elr_el1, x0",
    "   mov  x0, x1",
    "   adr  x30, 1f",
    "   eret",
    "1: svc  #0",
    ".global exception_at_el0",
    "exception_at_el0:",
    "   mrs  x9, esr_el1",
    "   lsr  x9, x9, #26",
    "   cmp  x9, #0x15",
    "   b.ne fatal_exception",
    "   ldr  x30, [sp], #16",
    "   ret",
    ".ltorg",
);

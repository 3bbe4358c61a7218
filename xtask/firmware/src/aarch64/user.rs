//! Runs functions at EL0, where accesses to performance monitor registers are exceptions.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::exception_level;

/// Number of instructions that trapped at EL0, and the last such instruction.
#[unsafe(no_mangle)]
static NOT_PERMITTED: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];

/// Calls a function at EL0, where no register access is permitted. Each instruction that traps is
/// skipped.
///
/// Returns the number of instructions that trapped, and the last such instruction. The function
/// cannot print.
///
/// # Panics
///
/// If the processor is not at EL1.
pub fn not_permitted_at_el0(function: extern "C" fn(usize), argument: usize) -> (u32, u32) {
    assert_eq!(exception_level(), 1, "the vectors are for EL1");
    let [count, instruction] = &NOT_PERMITTED;
    count.store(0, Relaxed);
    // SAFETY: MMU and caches are off, so EL0 can access all memory. The function accepts its
    // argument.
    unsafe { call_at_el0(function, argument) };
    (count.load(Relaxed), instruction.load(Relaxed))
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
// saved. Exceptions of other classes than an undefined (0) or trapped (0x18) instruction end the
// image.
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
    "   stp  x0, x1, [sp, #-32]!",
    "   str  x2, [sp, #16]",
    "   mrs  x0, esr_el1",
    "   lsr  x0, x0, #26",
    "   cmp  x0, #0x15",
    "   b.eq 3f",
    "   cbz  x0, 2f",
    "   cmp  x0, #0x18",
    "   b.ne fatal_exception",
    "2: mrs  x0, elr_el1",
    "   ldr  w1, [x0], #4",
    "   msr  elr_el1, x0",
    "   ldr  x0, =NOT_PERMITTED",
    "   ldr  w2, [x0]",
    "   add  w2, w2, #1",
    "   stp  w2, w1, [x0]",
    "   ldr  x2, [sp, #16]",
    "   ldp  x0, x1, [sp], #32",
    "   eret",
    "3: add  sp, sp, #32",
    "   ldr  x30, [sp], #16",
    "   ret",
    ".ltorg",
);

//! The undefined instruction exception, which some checks cause on purpose.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the next exception is expected.
static EXPECTED: AtomicBool = AtomicBool::new(false);

/// Whether the expected exception occurred.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Makes one CP15 access that may be undefined.
///
/// Returns `None` if the access was undefined and so had no effect. A second undefined access, or any
/// other undefined instruction, ends the image with a failure.
pub fn undefined<R>(access: impl FnOnce() -> R) -> Option<R> {
    TAKEN.store(false, Relaxed);
    EXPECTED.store(true, Relaxed);
    let result = access();
    EXPECTED.store(false, Relaxed);
    (!TAKEN.load(Relaxed)).then_some(result)
}

// The handler returns to the next instruction: in Arm state, the link register points there.
core::arch::global_asm!(
    ".section .text.undefined_instruction, \"ax\"",
    ".arm",
    ".global undefined_instruction",
    "undefined_instruction:",
    "   push  {{r0-r3, r12, lr}}",
    "   sub   r0, lr, #4",
    "   bl    on_undefined_instruction",
    "   ldmfd sp!, {{r0-r3, r12, pc}}^",
);

/// # Panics
///
/// If the exception was not expected.
#[unsafe(no_mangle)]
extern "C" fn on_undefined_instruction(address: *const u32) {
    // SAFETY: the core just fetched an Arm instruction from this address.
    let instruction = unsafe { address.read() };
    assert!(
        is_cp15_access(instruction) && EXPECTED.load(Relaxed),
        "undefined instruction {instruction:#010x} at {address:p}"
    );
    EXPECTED.store(false, Relaxed);
    TAKEN.store(true, Relaxed);
}

/// Returns whether the instruction is an MRC or MCR of coprocessor 15. Other instructions are not
/// skipped, because compiled code assumes that nothing runs after a UDF.
const fn is_cp15_access(instruction: u32) -> bool {
    instruction & 0x0F00_0F10 == 0x0E00_0F10
}

//! The semihosting call of AArch64.
#![allow(unsafe_code)]

/// Makes the call `operation`, and ignores its result.
///
/// # Safety
///
/// `parameter` fits the operation, and the memory that it reads there is valid.
pub(crate) unsafe fn call(operation: usize, parameter: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        core::arch::asm!("hlt #0xF000", inout("x0") operation => _, in("x1") parameter);
    }
}

//! The semihosting call of Arm state.
#![allow(unsafe_code)]

/// Makes the call `operation`, and ignores its result.
///
/// # Safety
///
/// `parameter` fits the operation, and the memory that it reads there is valid.
pub(crate) unsafe fn call(operation: usize, parameter: usize) {
    // SAFETY: guaranteed by the caller. In Supervisor mode the call may overwrite the link register.
    unsafe {
        core::arch::asm!("svc 0x123456", inout("r0") operation => _, in("r1") parameter,
            out("lr") _);
    }
}

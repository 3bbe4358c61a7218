//! Switches to User mode and back.
#![allow(unsafe_code)]

use core::ffi::c_void;

/// Runs `work` in User mode.
///
/// It can print. The stack of User mode has 16 KB.
///
/// Only for callers in Supervisor mode: it cannot be nested.
pub fn in_user_mode<F: FnOnce() -> R, R>(work: F) -> R {
    let mut call = Call { work: Some(work), result: None };
    // SAFETY: the checks of an image run in Supervisor mode, and the pointer has the type that `run` expects. MMU and
    // caches are off, so User mode can access all memory.
    unsafe { call_in_user_mode(run::<F, R>, (&raw mut call).cast()) };
    call.result.expect("`run` puts one there")
}

/// A function for User mode, and its result.
struct Call<F, R> {
    work: Option<F>,
    result: Option<R>,
}

extern "C" fn run<F: FnOnce() -> R, R>(call: *mut c_void) {
    // SAFETY: `in_user_mode` passes its own `Call<F, R>`, and waits for the result.
    let call = unsafe { &mut *call.cast::<Call<F, R>>() };
    call.result = call.work.take().map(|work| work());
}

unsafe extern "C" {
    /// Calls `function` with `argument` in User mode.
    ///
    /// # Safety
    ///
    /// The caller must be in Supervisor mode, and the function must accept the argument.
    fn call_in_user_mode(function: extern "C" fn(*mut c_void), argument: *mut c_void);
}

// The stack of Supervisor mode does not change until User mode executes `svc`. `svc 0` returns to
// Supervisor mode: the handler drops its own words and returns in place of `call_in_user_mode`. Every other `svc` is a
// semihosting call, which QEMU does not accept from User mode. The handler repeats that call in Supervisor mode.
core::arch::global_asm!(
    ".section .text.user_mode, \"ax\"",
    ".arm",
    ".global call_in_user_mode",
    "call_in_user_mode:",
    "   push  {{r3-r11, lr}}",
    "   mov   r4, r0",
    "   mov   r0, r1",
    // Enters User mode by an exception return: after a CPS, QEMU would count as in the previous mode.
    "   mrs   r1, cpsr",
    "   bic   r1, r1, #0x1F",
    "   orr   r1, r1, #0x10",
    "   msr   spsr_cxsf, r1",
    "   adr   lr, 3f",
    "   movs  pc, lr",
    "3: blx   r4",
    "   svc   0",
    ".global supervisor_call",
    "supervisor_call:",
    "   push  {{r12, lr}}",
    "   ldr   r12, [lr, #-4]",
    "   bics  r12, r12, #0xFF000000",
    "   beq   1f",
    "   svc   0x123456",
    "   ldmfd sp!, {{r12, pc}}^",
    "1: add   sp, sp, #8",
    "   pop   {{r3-r11, pc}}",
);

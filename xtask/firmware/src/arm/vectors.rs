//! The exception vectors, and the exceptions that end an image.
#![allow(unsafe_code)]

core::arch::global_asm!(
    ".section .vectors, \"ax\"",
    ".arm",
    ".balign 32",
    ".global vectors",
    "vectors:",
    "   b start",
    "   b undefined_instruction",
    "   b supervisor_call",
    "   b exception", // prefetch abort
    "   b exception", // data abort
    "   b .",         // not used by these cores
    "   b exception", // interrupt
    "   b exception", // fast interrupt
    "exception:",
    "   mrs r0, cpsr",
    "   mov r1, lr",
    "   b   fatal_exception",
);

#[unsafe(no_mangle)]
extern "C" fn fatal_exception(status: usize, return_address: usize) -> ! {
    // 0x17 is an abort, 0x12 an interrupt, 0x11 a fast interrupt.
    panic!("exception to mode {:#x} a few bytes before {return_address:#010x}", status & 0x1F);
}

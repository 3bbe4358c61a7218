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
    "   b prefetch_abort",
    "   b data_abort",
    "   b .", // not used by these cores
    "   b interrupt",
    "   b fast_interrupt",
    "prefetch_abort:",
    "   mov r0, #0",
    "   b   1f",
    "data_abort:",
    "   mov r0, #1",
    "   b   1f",
    "interrupt:",
    "   mov r0, #2",
    "   b   1f",
    "fast_interrupt:",
    "   mov r0, #3",
    "1: mov r1, lr",
    "   b   fatal_exception",
);

#[unsafe(no_mangle)]
extern "C" fn fatal_exception(number: usize, return_address: usize) -> ! {
    const NAMES: [&str; 4] = ["prefetch abort", "data abort", "interrupt", "fast interrupt"];
    panic!("{} a few bytes before {return_address:#010x}", NAMES[number]);
}

//! The exception vectors: an exception ends the image, unless [`super::user`] expects it.
#![allow(unsafe_code)]

// Sixteen vectors, 0x80 bytes each: four kinds of exception from four places.
core::arch::global_asm!(
    ".section .vectors, \"ax\"",
    ".balign 0x800",
    ".global vectors",
    "vectors:",
    ".rept 8",
    "   .balign 0x80",
    "   b fatal_exception",
    ".endr",
    "   .balign 0x80",
    "   b exception_at_el0",
    ".rept 7",
    "   .balign 0x80",
    "   b fatal_exception",
    ".endr",
);

#[unsafe(no_mangle)]
extern "C" fn fatal_exception() -> ! {
    let (syndrome, address, fault_address): (usize, usize, usize);
    macro_rules! read {
        ($syndrome:literal, $address:literal, $fault_address:literal) => {
            // SAFETY: only reads the exception's syndrome registers, which this Exception level has.
            unsafe {
                core::arch::asm!(
                    concat!("mrs {}, ", $syndrome), concat!("mrs {}, ", $address),
                    concat!("mrs {}, ", $fault_address), out(reg) syndrome, out(reg) address,
                    out(reg) fault_address, options(nomem, nostack, preserves_flags));
            }
        };
    }
    match super::exception_level() {
        1 => read!("esr_el1", "elr_el1", "far_el1"),
        2 => read!("esr_el2", "elr_el2", "far_el2"),
        _ => read!("esr_el3", "elr_el3", "far_el3"),
    }
    panic!("exception at {address:#x}: ESR {syndrome:#x}, FAR {fault_address:#x}");
}

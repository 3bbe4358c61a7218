//! The exception vectors. An exception ends the image.
#![allow(unsafe_code)]

// Sixteen vectors, 0x80 bytes each: four kinds of exception from four places.
core::arch::global_asm!(
    ".section .vectors, \"ax\"",
    ".balign 0x800",
    ".global vectors",
    "vectors:",
    ".rept 16",
    "   .balign 0x80",
    "   b fatal_exception",
    ".endr",
);

#[unsafe(no_mangle)]
extern "C" fn fatal_exception() -> ! {
    let (syndrome, address, fault_address): (usize, usize, usize);
    // SAFETY: reads the syndrome registers of the exception.
    unsafe {
        core::arch::asm!("mrs {}, esr_el1", "mrs {}, elr_el1", "mrs {}, far_el1",
            out(reg) syndrome, out(reg) address, out(reg) fault_address,
            options(nomem, nostack, preserves_flags));
    }
    panic!("exception at {address:#x}: ESR {syndrome:#x}, FAR {fault_address:#x}");
}

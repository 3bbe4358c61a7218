//! Code specific to AArch64: the driver, start-up, and power-off.

use core::arch::{asm, global_asm};

pub use cortex_a53 as driver;
use cortex_a53::arm_pmu_core::driver::ProbeErrorKind;
use cortex_a53::{Pmu, Sysreg};

/// Returns the driver if it matches this core.
pub fn pmu() -> Result<Pmu<Sysreg>, ProbeErrorKind> {
    // SAFETY: there is one core, at EL1 or above, and no other code uses the PMU.
    let bus = unsafe { Sysreg::new() };
    let main_id = bus.main_id();
    Pmu::probe(bus, main_id).map_err(|error| error.kind())
}

// QEMU starts an ELF file at EL1 of `virt`, at EL2 with `virtualization=on`, and at EL3 with `secure=on`, with MMU and
// caches off. At EL3, the PMU counts no events unless MDCR_EL3.SPME is set; the diagnosis reports this.
global_asm!(
    ".section .text.start, \"ax\"",
    ".global start",
    "start:",
    "   ldr  x0, =stack_top",
    "   mov  sp, x0",
    "   ldr  x0, =vectors",
    "   mrs  x1, currentel",
    "   cmp  x1, #(2 << 2)",
    "   b.eq 2f",
    "   b.hi 3f",
    // EL1. CPACR_EL1.FPEN permits vector registers, which compiled code uses.
    "   msr  vbar_el1, x0",
    "   mov  x0, #(3 << 20)",
    "   msr  cpacr_el1, x0",
    "   b    4f",
    // EL2. CPTR_EL2.TFP is cleared, and the reserved bits are set.
    "2: msr  vbar_el2, x0",
    "   mov  x0, #0x33FF",
    "   msr  cptr_el2, x0",
    "   b    4f",
    // EL3.
    "3: msr  vbar_el3, x0",
    "   msr  cptr_el3, xzr",
    "4: isb",
    "   ldr  x0, =bss_start",
    "   ldr  x1, =bss_end",
    "5: cmp  x0, x1",
    "   b.hs 6f",
    "   stp  xzr, xzr, [x0], #16",
    "   b    5b",
    "6: b    run",
    ".ltorg",
    // Sixteen vectors of 0x80 bytes, for four kinds of exceptions from four origins.
    ".section .vectors, \"ax\"",
    ".balign 0x800",
    "vectors:",
    ".rept 16",
    "   .balign 0x80",
    "   mov  x0, x30",
    "   b    exception",
    ".endr",
);

#[unsafe(no_mangle)]
extern "C" fn exception(link: usize) -> ! {
    panic!("an exception, after a call that returns to {link:#x}");
}

/// Powers the machine off with a PSCI call to firmware, as on `virt`.
pub fn power_off() -> ! {
    // SAFETY: SYSTEM_OFF does not return.
    unsafe { asm!("hvc #0", "1: wfi", "b 1b", in("x0") 0x8400_0008_u64, options(noreturn)) }
}

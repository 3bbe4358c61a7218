//! Code specific to ARMv7-A: the driver, start-up, and power-off.

use core::arch::{asm, global_asm};

use cortex_a7::arm_pmu_core::driver::ProbeErrorKind;
use cortex_a7::{Cp15, Pmu};

pub use cortex_a7 as driver;

/// Returns the driver if it matches this core.
pub fn pmu() -> Result<Pmu<Cp15>, ProbeErrorKind> {
    // SAFETY: there is one core, in a privileged mode, and no other code uses the PMU.
    let bus = unsafe { Cp15::new() };
    let main_id = bus.main_id();
    Pmu::probe(bus, main_id).map_err(|error| error.kind())
}

// QEMU starts an ELF file in Supervisor mode, with MMU and caches off and interrupts masked.
global_asm!(
    ".section .text.start, \"ax\"",
    ".arm",
    ".global start",
    "start:",
    "   ldr   r0, =stack_top",
    "   cpsid aif, #0x17", // Abort
    "   mov   sp, r0",
    "   cps   #0x1B", // Undefined
    "   mov   sp, r0",
    "   cps   #0x13", // Supervisor
    "   mov   sp, r0",
    "   ldr   r0, =vectors",
    "   mcr   p15, 0, r0, c12, c0, 0", // VBAR
    "   ldr   r0, =bss_start",
    "   ldr   r1, =bss_end",
    "   mov   r2, #0",
    "1: cmp   r0, r1",
    "   strlo r2, [r0], #4",
    "   blo   1b",
    "   b     run",
    ".ltorg",
    ".section .vectors, \"ax\"",
    ".arm",
    ".balign 32",
    "vectors:",
    "   b start",
    ".rept 7",
    "   b 1f",
    ".endr",
    "1: mov r0, lr",
    "   b exception",
);

#[unsafe(no_mangle)]
extern "C" fn exception(link: usize) -> ! {
    panic!("an exception at an instruction a few bytes before {link:#x}");
}

/// Powers the machine off with a PSCI call to firmware, as on `virt`.
pub fn power_off() -> ! {
    // SAFETY: SYSTEM_OFF does not return. The word encodes `hvc #0`, which some ARMv7-A assemblers do not support.
    unsafe {
        asm!(".inst 0xE1400070", "1: wfi", "b 1b", in("r0") 0x8400_0008_u32, options(noreturn))
    }
}

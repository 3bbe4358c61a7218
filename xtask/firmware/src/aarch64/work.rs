//! The Exception level, its controls, and waiting.
#![allow(unsafe_code)]

/// Sleeps for at least this number of seconds of the timer, at EL1 of `virt` without EL2 and EL3.
///
/// QEMU with `-icount sleep=off` skips the time in which the core waits, and still counts its cycles.
pub fn sleep(seconds: u64) {
    /// Registers of the GICv2 of `virt`: a distributor, and the interface of the core.
    const DISTRIBUTOR: usize = 0x0800_0000;
    const INTERFACE: usize = 0x0801_0000;
    /// The interrupt of the physical timer, INTID 30. It stays masked in the core, and ends `wfi` when it is pending.
    const TIMER: u32 = 1 << 30;
    let write = |address: usize, value: u32| {
        // SAFETY: these are registers of the interrupt controller, which nothing else uses.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(address).write_volatile(value) }
    };
    write(DISTRIBUTOR, 1);
    write(DISTRIBUTOR + 0x100, TIMER);
    write(INTERFACE + 4, 0xFF);
    write(INTERFACE, 1);
    // SAFETY: the timer has no other user, and is off afterwards.
    unsafe {
        core::arch::asm!(
            "mrs {ticks}, cntfrq_el0",
            "mul {ticks}, {ticks}, {seconds}",
            "mrs {now}, cntpct_el0",
            "add {ticks}, {ticks}, {now}",
            "msr cntp_cval_el0, {ticks}",
            "msr cntp_ctl_el0, {on}",
            "isb",
            "wfi",
            "msr cntp_ctl_el0, xzr",
            "isb",
            ticks = out(reg) _, now = out(reg) _, seconds = in(reg) seconds, on = in(reg) 1_u64, options(nostack));
    }
    write(DISTRIBUTOR + 0x180, TIMER);
}

/// Returns the Exception level: 1 to 3.
#[must_use]
pub fn exception_level() -> u64 {
    let level: u64;
    // SAFETY: reading a register has no other effect.
    unsafe {
        core::arch::asm!("mrs {}, currentel", out(reg) level,
            options(nomem, nostack, preserves_flags));
    }
    level >> 2 & 0b11
}

/// Returns whether the core has EL2.
#[must_use]
pub fn has_el2() -> bool {
    let features: u64;
    // SAFETY: reading a register has no other effect.
    unsafe {
        core::arch::asm!("mrs {}, id_aa64pfr0_el1", out(reg) features,
            options(nomem, nostack, preserves_flags));
    }
    features >> 8 & 0xF != 0
}

/// Defines a function that changes bits of a register temporarily.
macro_rules! with_control {
    ($(#[$doc:meta])* $name:ident, $register:literal, $level:literal) => {
        $(#[$doc])*
        pub fn $name<T>(bits: u64, value: u64, run: impl FnOnce() -> T) -> T {
            assert!(exception_level() >= $level, concat!("no access to ", $register));
            let before: u64;
            // SAFETY: the callers change bits that concern performance monitors, and the old value is
            // restored.
            unsafe {
                core::arch::asm!(concat!("mrs {}, ", $register), out(reg) before, options(nostack));
                core::arch::asm!(concat!("msr ", $register, ", {}"), "isb",
                    in(reg) before & !bits | value, options(nostack));
            }
            let result = run();
            // SAFETY: as above.
            unsafe {
                core::arch::asm!(concat!("msr ", $register, ", {}"), "isb", in(reg) before,
                    options(nostack));
            }
            result
        }
    };
}

with_control! {
    /// Runs code with these bits of MDCR_EL2 changed.
    ///
    /// # Panics
    ///
    /// If the core is below EL2, where MDCR_EL2 cannot be accessed.
    with_mdcr_el2, "mdcr_el2", 2
}

with_control! {
    /// Runs code with these bits of MDCR_EL3 changed.
    ///
    /// # Panics
    ///
    /// If the core is below EL3, where MDCR_EL3 cannot be accessed.
    with_mdcr_el3, "mdcr_el3", 3
}

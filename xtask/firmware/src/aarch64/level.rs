//! The Exception level and its controls.
#![allow(unsafe_code)]

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

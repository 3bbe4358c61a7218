//! CP15 registers of the core that runs.
#![allow(unsafe_code)]

use core::fmt;
use core::marker::PhantomData;

use crate::Operands;
#[cfg(target_arch = "arm")]
use crate::{Bus, Cp15, RegisterSpec};

/// Sole user of the CP15 performance monitor registers of one Arm core.
///
/// It exists on every host, so that documentation, examples and editors see the same items
/// everywhere, but only a 32-bit Arm target can make one.
///
/// It can be moved (an overflow handler needs the PMU in a mutex), but it belongs to the core that
/// it was made on: see [`new`](Self::new).
pub struct CoreCp15 {
    not_sync: PhantomData<*mut u32>,
    /// Nothing of this type exists where there is no CP15.
    #[cfg(not(target_arch = "arm"))]
    never: core::convert::Infallible,
}

// SAFETY: the registers hold no references. That they are used on one core only is promised to `new`.
unsafe impl Send for CoreCp15 {}

impl CoreCp15 {
    /// Takes over the performance monitor registers of the core that this runs on.
    ///
    /// # Safety
    ///
    /// As long as the bus is in use, it is used on this core only, nothing else on the core accesses
    /// its performance monitor registers, and this software is allowed to (privileged, or user
    /// access is enabled): an access that is not allowed is an undefined instruction.
    #[cfg(target_arch = "arm")]
    #[inline(always)]
    #[must_use]
    pub const unsafe fn new() -> Self {
        Self { not_sync: PhantomData }
    }

    /// There is no CP15 on this target.
    ///
    /// # Safety
    ///
    /// Never returns, so there is nothing to promise here; on a 32-bit Arm target the caller
    /// promises to use the bus on the present core only, as the sole user of its performance
    /// monitor registers, and to be allowed to access them.
    ///
    /// # Panics
    ///
    /// Always.
    #[cfg(not(target_arch = "arm"))]
    #[must_use]
    pub const unsafe fn new() -> Self {
        panic!("CP15 registers exist on 32-bit Arm targets only; use a simulated device here")
    }
}

impl CoreCp15 {
    /// The Main ID Register of the core, which says what processor it is. Drivers want it to
    /// [identify](crate::ProbeErrorKind::Processor) theirs.
    ///
    /// In User mode this is an undefined instruction.
    #[inline(always)]
    #[must_use]
    pub fn main_id(&self) -> u32 {
        #[cfg(target_arch = "arm")]
        {
            let value: u32;
            // SAFETY: reads an identification register, without any other effect.
            unsafe {
                core::arch::asm!("mrc p15, 0, {value}, c0, c0, 0", value = out(reg) value,
                    options(nomem, nostack, preserves_flags));
            }
            value
        }
        #[cfg(not(target_arch = "arm"))]
        match self.never {}
    }
}

#[cfg(target_arch = "arm")]
impl Bus for CoreCp15 {
    type Space = Cp15;

    #[inline(always)]
    fn load<S: RegisterSpec<Space = Cp15>>(&self, index: usize) -> u32 {
        only_performance_monitor::<S>(index);
        let value: u32;
        // SAFETY: `new` promises that the access is allowed. Not `nomem`: the measured code's
        // accesses must not move across it.
        unsafe {
            core::arch::asm!("mrc p15, {opc1}, {value}, c{crn}, c{crm}, {opc2}",
                opc1 = const S::KEY.opc1, crn = const S::KEY.crn, crm = const S::KEY.crm,
                opc2 = const S::KEY.opc2, value = out(reg) value, options(nostack, preserves_flags));
        }
        value
    }

    #[inline(always)]
    fn store<S: RegisterSpec<Space = Cp15>>(&self, index: usize, value: u32) {
        only_performance_monitor::<S>(index);
        // SAFETY: as in `load`.
        unsafe {
            core::arch::asm!("mcr p15, {opc1}, {value}, c{crn}, c{crm}, {opc2}",
                opc1 = const S::KEY.opc1, crn = const S::KEY.crn, crm = const S::KEY.crm,
                opc2 = const S::KEY.opc2, value = in(reg) value, options(nostack, preserves_flags));
        }
    }

    #[inline(always)]
    fn synchronize(&self) {
        crate::bus::barrier();
    }

    #[inline(always)]
    fn synchronize_after<S: RegisterSpec<Space = Cp15>>(&self) {
        if const { is_of_armv7(S::KEY) } {
            crate::bus::barrier_of_armv7();
        } else {
            crate::bus::barrier();
        }
    }
}

/// Refuses, when the program is compiled, whatever is not one performance monitor register.
#[cfg(target_arch = "arm")]
#[inline(always)]
fn only_performance_monitor<S: RegisterSpec<Space = Cp15>>(index: usize) {
    const { assert!(is_performance_monitor(S::KEY), "not a performance monitor register") }
    const { assert!(S::COUNT == 1, "a CP15 register is not an array") }
    debug_assert!(index == 0, "register index out of range");
}

/// Whether `operands` name a performance monitor register: c9, c12 to c14 (ARMv7 and Cortex-A8) or
/// c15, c12, opc2 0 to 3 (ARM11).
///
/// Other CP15 registers control the MMU and the caches: a write there could break memory safety,
/// so the bus does not reach them.
#[cfg_attr(not(any(target_arch = "arm", test)), allow(dead_code))]
const fn is_performance_monitor(operands: Operands) -> bool {
    matches!(
        operands,
        Operands { opc1: 0, crn: 9, crm: 12..=14, opc2: 0..=7 }
            | Operands { opc1: 0, crn: 15, crm: 12, opc2: 0..=3 }
    )
}

/// Whether a processor that has this performance monitor register is an ARMv7 at least. On ARM11
/// processors they have other operands.
#[cfg_attr(not(any(target_arch = "arm", test)), allow(dead_code))]
const fn is_of_armv7(operands: Operands) -> bool {
    is_performance_monitor(operands) && operands.crn == 9
}

#[cfg(not(target_arch = "arm"))]
impl crate::Bus for CoreCp15 {
    type Space = crate::Cp15;

    fn load<S: crate::RegisterSpec<Space = Self::Space>>(&self, _index: usize) -> u32 {
        match self.never {}
    }

    fn store<S: crate::RegisterSpec<Space = Self::Space>>(&self, _index: usize, _value: u32) {
        match self.never {}
    }

    fn synchronize(&self) {
        match self.never {}
    }
}

impl fmt::Debug for CoreCp15 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CoreCp15")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_performance_monitor_registers_are_reached() {
        let mut reached = 0;
        for opc1 in 0..=8 {
            for crn in 0..=16 {
                for crm in 0..=16 {
                    for opc2 in 0..=8 {
                        let operands = Operands { opc1, crn, crm, opc2 };
                        reached += usize::from(is_performance_monitor(operands));
                    }
                }
            }
        }
        assert_eq!(reached, 3 * 8 + 4);
        let translation_table = Operands { opc1: 0, crn: 2, crm: 0, opc2: 0 };
        assert!(!is_performance_monitor(translation_table));
    }

    #[test]
    fn an_armv7_is_known_by_its_registers() {
        let of_a_cortex_a8 = Operands { opc1: 0, crn: 9, crm: 12, opc2: 0 };
        let of_an_arm1176 = Operands { opc1: 0, crn: 15, crm: 12, opc2: 0 };
        // Cache operations, which ARM9 has too.
        let of_others = Operands { opc1: 0, crn: 9, crm: 0, opc2: 0 };
        let known = [of_a_cortex_a8, of_an_arm1176, of_others].map(is_of_armv7);
        assert_eq!(known, [true, false, false]);
    }

    #[cfg(not(target_arch = "arm"))]
    #[test]
    #[expect(unreachable_code, reason = "there is no such value on a host")]
    #[should_panic(expected = "32-bit Arm targets only")]
    fn a_host_has_no_cp15() {
        // SAFETY: panics.
        let _ = unsafe { CoreCp15::new() };
    }
}

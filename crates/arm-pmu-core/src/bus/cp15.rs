//! The bus to the CP15 registers of the current core.
#![allow(unsafe_code)]

use core::fmt;
use core::marker::PhantomData;

use super::bus::Bus;
#[cfg(any(target_arch = "arm", test))]
use super::space::Operands;
#[cfg(target_arch = "arm")]
use super::space::Word as _;
use super::space::{Cp15Space, RegisterSpec};

/// Sole owner of the CP15 performance monitor registers of one Arm core.
///
/// `S` is the space of the registers. The crate of each core has a type alias with the same name for its
/// space.
///
/// The type exists on every host, so that documentation, examples and editors see the same items
/// everywhere. Only code for a 32-bit Arm target can create a value.
///
/// The bus can be moved (an overflow handler needs the PMU in a mutex), but belongs to the core on
/// which it was created: see [`new`](Self::new).
pub struct Cp15<S> {
    not_sync: PhantomData<*mut u32>,
    space: PhantomData<fn() -> S>,
    /// Makes the type uninhabited on targets without CP15.
    #[cfg(not(target_arch = "arm"))]
    never: core::convert::Infallible,
}

// SAFETY: the registers hold no references. The caller of `new` promises to use the bus on one core
// only.
unsafe impl<S> Send for Cp15<S> {}

impl<S> Cp15<S> {
    /// Takes over the performance monitor registers of the current core.
    ///
    /// # Safety
    ///
    /// While the bus is in use:
    ///
    /// - it is used on this core only;
    /// - nothing else on the core accesses its performance monitor registers;
    /// - the core has the registers of `S` (an access to a register of `S` that is not a performance
    ///   monitor register does not compile);
    /// - this software is allowed to access the registers (privileged, or user access is enabled): otherwise an
    ///   access is an undefined instruction.
    #[cfg(target_arch = "arm")]
    #[inline(always)]
    #[must_use]
    pub const unsafe fn new() -> Self {
        Self { not_sync: PhantomData, space: PhantomData }
    }

    /// Panics: there is no CP15 on this target.
    ///
    /// # Safety
    ///
    /// On this target there is no condition, because the function always panics. On a 32-bit Arm target the caller
    /// promises that the core has the registers of `S` and allows the access, that nothing else accesses them while
    /// the bus is in use, and that the bus is used on the current core only.
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

impl<S> Cp15<S> {
    /// Reads the Main ID Register, which identifies the processor.
    ///
    /// Drivers compare the value with the processors that they support:
    /// [`ProbeErrorKind::Processor`](crate::driver::ProbeErrorKind::Processor). In User mode the read
    /// causes an Undefined Instruction exception.
    #[inline(always)]
    #[must_use]
    pub fn main_id(&self) -> u32 {
        #[cfg(target_arch = "arm")]
        {
            let value: u32;
            // SAFETY: reading an identification register has no other effect.
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
impl<S: Cp15Space> Bus for Cp15<S> {
    type Space = S;

    #[inline(always)]
    fn load<R: RegisterSpec<Space = S>>(&self, index: usize) -> R::Ux {
        only_performance_monitor::<R>(index);
        let value: u32;
        // SAFETY: the register is a performance monitor register. The caller of `new` guaranteed that the core
        // has the registers of `S` and allows the access. The asm is not `nomem`, because memory accesses of the
        // measured code must not move across this access.
        unsafe {
            core::arch::asm!("mrc p15, {opc1}, {value}, c{crn}, c{crm}, {opc2}",
                opc1 = const R::LOCATION.key().opc1, crn = const R::LOCATION.key().crn,
                crm = const R::LOCATION.key().crm, opc2 = const R::LOCATION.key().opc2,
                value = out(reg) value, options(nostack, preserves_flags));
        }
        R::Ux::truncate(value.into())
    }

    #[inline(always)]
    fn store<R: RegisterSpec<Space = S>>(&self, index: usize, value: R::Ux) {
        only_performance_monitor::<R>(index);
        let value: u64 = value.into();
        // SAFETY: as in `load`.
        unsafe {
            core::arch::asm!("mcr p15, {opc1}, {value}, c{crn}, c{crm}, {opc2}",
                opc1 = const R::LOCATION.key().opc1, crn = const R::LOCATION.key().crn,
                crm = const R::LOCATION.key().crm, opc2 = const R::LOCATION.key().opc2,
                value = in(reg) value as u32, options(nostack, preserves_flags));
        }
    }

    #[inline(always)]
    fn synchronize(&self) {
        super::bus::barrier();
    }

    #[inline(always)]
    fn synchronize_after<R: RegisterSpec<Space = S>>(&self) {
        if const { is_of_armv7(R::LOCATION.key()) } {
            super::bus::barrier_of_armv7();
        } else {
            super::bus::barrier();
        }
    }
}

/// Rejects all registers except performance monitor registers at compile time.
#[cfg(target_arch = "arm")]
#[inline(always)]
fn only_performance_monitor<R: RegisterSpec<Space: Cp15Space>>(index: usize) {
    const { assert!(R::LOCATION.key().is_performance_monitor(), "not a performance monitor register") }
    debug_assert!(index == 0, "register index out of range");
}

/// Returns whether only ARMv7 and later processors have this performance monitor register.
///
/// On ARM11 processors, the registers have other operands.
#[cfg(any(target_arch = "arm", test))]
const fn is_of_armv7(operands: Operands) -> bool {
    operands.is_performance_monitor() && operands.crn == 9
}

#[cfg(not(target_arch = "arm"))]
impl<S: Cp15Space> Bus for Cp15<S> {
    type Space = S;

    fn load<R: RegisterSpec<Space = S>>(&self, _index: usize) -> R::Ux {
        match self.never {}
    }

    fn store<R: RegisterSpec<Space = S>>(&self, _index: usize, _value: R::Ux) {
        match self.never {}
    }

    fn synchronize(&self) {
        match self.never {}
    }
}

impl<S> fmt::Debug for Cp15<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cp15")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armv7_registers_are_recognized() {
        let of_a_cortex_a8 = Operands { opc1: 0, crn: 9, crm: 12, opc2: 0 };
        let of_an_arm1176 = Operands { opc1: 0, crn: 15, crm: 12, opc2: 0 };
        // Operands of a cache operation that ARM9 also has.
        let of_others = Operands { opc1: 0, crn: 9, crm: 0, opc2: 0 };
        let known = [of_a_cortex_a8, of_an_arm1176, of_others].map(is_of_armv7);
        assert_eq!(known, [true, false, false]);
    }

    #[cfg(not(target_arch = "arm"))]
    #[test]
    #[expect(unreachable_code, reason = "a host has no `Cp15` value")]
    #[should_panic(expected = "32-bit Arm targets only")]
    fn a_host_has_no_cp15() {
        // SAFETY: the function panics and accesses nothing.
        let _ = unsafe { Cp15::<()>::new() };
    }
}

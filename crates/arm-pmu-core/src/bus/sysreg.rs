//! The bus to the AArch64 system registers of the current core.
#![allow(unsafe_code)]

use core::fmt;
use core::marker::PhantomData;

use super::bus::Bus;
use super::control::ControlRegister;
#[cfg(target_arch = "aarch64")]
use super::space::Word as _;
use super::space::{RegisterSpec, SysregSpace};

/// Sole owner of the performance monitor system registers of one AArch64 core.
///
/// `S` is the space of the registers. The crate of each core has a type alias with the same name for its
/// space.
///
/// The type exists on every host, so that documentation, examples and editors see the same items
/// everywhere. Only code for an AArch64 target can create a value.
///
/// The bus can be moved (an overflow handler needs the PMU in a mutex), but belongs to the core on
/// which it was created: see [`new`](Self::new).
pub struct Sysreg<S> {
    not_sync: PhantomData<*mut u64>,
    space: PhantomData<fn() -> S>,
    /// No value can be created on a target without these registers.
    #[cfg(not(target_arch = "aarch64"))]
    never: core::convert::Infallible,
}

// SAFETY: the registers hold no references. The caller of `new` promises to use the bus on one core
// only.
unsafe impl<S> Send for Sysreg<S> {}

impl<S> Sysreg<S> {
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
    /// - this software is allowed to access the registers (at EL1 or above, or with access enabled at EL0), and no
    ///   higher Exception level traps the accesses: otherwise an access causes an exception.
    #[cfg(target_arch = "aarch64")]
    #[inline(always)]
    #[must_use]
    pub const unsafe fn new() -> Self {
        Self { not_sync: PhantomData, space: PhantomData }
    }

    /// Panics: there are no AArch64 system registers on this target.
    ///
    /// # Safety
    ///
    /// On this target there is no condition, because the function always panics. On an AArch64 target the caller
    /// promises that the core has the registers of `S` and allows the access, that nothing else accesses them while
    /// the bus is in use, and that the bus is used on the current core only.
    ///
    /// # Panics
    ///
    /// Always.
    #[cfg(not(target_arch = "aarch64"))]
    #[must_use]
    pub const unsafe fn new() -> Self {
        panic!("system registers exist on AArch64 targets only; use a simulated device here")
    }
}

/// Reads a register outside the PMU by its name.
#[cfg(target_arch = "aarch64")]
macro_rules! mrs_by_name {
    ($name:literal) => {{
        let value: u64;
        // SAFETY: reading a register has no other effect.
        unsafe {
            core::arch::asm!(concat!("mrs {}, ", $name), out(reg) value,
                options(nomem, nostack, preserves_flags));
        }
        value
    }};
}

/// Defines a method that reads an identification register.
macro_rules! identification {
    ($(#[$doc:meta])* $method:ident -> $Value:ty, $name:literal) => {
        $(#[$doc])*
        #[inline(always)]
        #[must_use]
        pub fn $method(&self) -> $Value {
            #[cfg(target_arch = "aarch64")]
            {
                mrs_by_name!($name) as $Value
            }
            #[cfg(not(target_arch = "aarch64"))]
            match self.never {}
        }
    };
}

impl<S> Sysreg<S> {
    identification! {
        /// Reads MIDR_EL1, which identifies the processor. The upper half of MIDR_EL1 is reserved.
        ///
        /// Drivers compare the value with the processors that they support:
        /// [`ProbeErrorKind::Processor`](crate::driver::ProbeErrorKind::Processor). At EL0 the read
        /// causes an exception, unless a kernel emulates it as Linux does.
        main_id -> u32, "midr_el1"
    }

    identification! {
        /// Reads ID_AA64DFR0_EL1, whose bits 11 to 8 are the version of the PMU.
        ///
        /// At EL0 the read causes an exception, unless a kernel emulates it as Linux does.
        debug_features -> u64, "id_aa64dfr0_el1"
    }
}

/// Reads a register or an array element.
#[cfg(target_arch = "aarch64")]
macro_rules! mrs {
    ($R:ty, $element:expr) => {{
        let value: u64;
        // SAFETY: the register is a performance monitor register. The caller of `new` guaranteed that the core
        // has the registers of `S` and allows the access. The asm is not `nomem`, because memory accesses of the
        // measured code must not move across this access.
        unsafe {
            core::arch::asm!("mrs {value}, S{op0}_{op1}_C{crn}_C{crm}_{op2}",
                op0 = const <$R>::LOCATION.register($element).op0,
                op1 = const <$R>::LOCATION.register($element).op1,
                crn = const <$R>::LOCATION.register($element).crn,
                crm = const <$R>::LOCATION.register($element).crm,
                op2 = const <$R>::LOCATION.register($element).op2,
                value = out(reg) value, options(nostack, preserves_flags));
        }
        value
    }};
}

/// Writes a register or an array element.
#[cfg(target_arch = "aarch64")]
macro_rules! msr {
    ($R:ty, $element:expr, $value:expr) => {{
        let value: u64 = $value;
        // SAFETY: as in `mrs`.
        unsafe {
            core::arch::asm!("msr S{op0}_{op1}_C{crn}_C{crm}_{op2}, {value}",
                op0 = const <$R>::LOCATION.register($element).op0,
                op1 = const <$R>::LOCATION.register($element).op1,
                crn = const <$R>::LOCATION.register($element).crn,
                crm = const <$R>::LOCATION.register($element).crm,
                op2 = const <$R>::LOCATION.register($element).op2,
                value = in(reg) value, options(nostack, preserves_flags));
        }
    }};
}

/// Calls a macro with the element number, because the instruction encodes the register.
///
/// If the index is known at compile time, only one match arm and one instruction remain. Otherwise
/// there is a match arm for each element. Indices beyond the array select the last element.
#[cfg(target_arch = "aarch64")]
macro_rules! by_element {
    ($access:ident, $R:ty, $index:expr $(, $value:expr)?) => {
        if const { <$R>::LOCATION.count() == 1 } {
            $access!($R, 0 $(, $value)?)
        } else {
            by_element!(match $access, $R, $index $(, $value)?;
                0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29)
        }
    };
    (match $access:ident, $R:ty, $index:expr $(, $value:expr)?; $($number:literal)*) => {
        by_element!(arms $access, $R, $index, ($($value)?); $($number)*)
    };
    (arms $access:ident, $R:ty, $index:expr, (); $($number:literal)*) => {
        match $index {
            $($number if const { $number < <$R>::LOCATION.count() } => $access!($R, $number),)*
            _ => $access!($R, 30),
        }
    };
    (arms $access:ident, $R:ty, $index:expr, ($value:expr); $($number:literal)*) => {
        match $index {
            $($number if const { $number < <$R>::LOCATION.count() } => {
                $access!($R, $number, $value);
            })*
            _ => $access!($R, 30, $value),
        }
    };
}

#[cfg(target_arch = "aarch64")]
impl<S: SysregSpace> Bus for Sysreg<S> {
    type Space = S;

    #[inline(always)]
    fn load<R: RegisterSpec<Space = S>>(&self, index: usize) -> R::Ux {
        only_performance_monitors::<R>(index);
        R::Ux::truncate(by_element!(mrs, R, index))
    }

    #[inline(always)]
    fn store<R: RegisterSpec<Space = S>>(&self, index: usize, value: R::Ux) {
        only_performance_monitors::<R>(index);
        let value: u64 = value.into();
        by_element!(msr, R, index, value);
    }

    #[inline(always)]
    fn synchronize(&self) {
        super::bus::barrier();
    }

    /// Executes only an `isb`, which orders accesses to system registers. A `dsb` would order memory accesses, but a
    /// driver makes none between its register accesses.
    #[inline(always)]
    fn synchronize_after<R: RegisterSpec<Space = S>>(&self) {
        // SAFETY: the code is only a barrier. The asm is not `nomem`, because memory accesses of
        // the measured code must not move across this access.
        unsafe {
            core::arch::asm!("isb", options(nostack, preserves_flags));
        }
    }

    #[inline(always)]
    fn read_control(&self, register: ControlRegister) -> Option<u64> {
        Some(match register {
            ControlRegister::CurrentEl => mrs_by_name!("currentel"),
            ControlRegister::ProcessorFeatures => mrs_by_name!("id_aa64pfr0_el1"),
            ControlRegister::MdcrEl2 => mrs_by_name!("mdcr_el2"),
            ControlRegister::MdcrEl3 => mrs_by_name!("mdcr_el3"),
        })
    }
}

/// Rejects all registers except performance monitor registers at compile time.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn only_performance_monitors<R: RegisterSpec<Space: SysregSpace>>(index: usize) {
    const { assert!(R::LOCATION.are_performance_monitors(), "not a performance monitor register") }
    debug_assert!(index < R::LOCATION.count(), "register index out of range");
}

#[cfg(not(target_arch = "aarch64"))]
impl<S: SysregSpace> Bus for Sysreg<S> {
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

    fn read_control(&self, _register: ControlRegister) -> Option<u64> {
        match self.never {}
    }
}

impl<S> fmt::Debug for Sysreg<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sysreg")
    }
}

#[cfg(all(test, not(target_arch = "aarch64")))]
mod tests {
    use super::*;

    #[test]
    #[expect(unreachable_code, reason = "a host has no `Sysreg` value")]
    #[should_panic(expected = "AArch64 targets only")]
    fn a_host_has_no_system_registers() {
        // SAFETY: the function panics and accesses nothing.
        let _ = unsafe { Sysreg::<()>::new() };
    }
}

//! The processor mode in which the driver runs.

use core::fmt::Debug;

/// A processor mode: [`Privileged`] or [`User`]. This trait is sealed.
pub trait Mode: sealed::Mode + Copy + Debug + 'static {}

/// Any mode except User mode: software can access all registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Privileged {}

/// User mode: software can access the PMU only with permission.
///
/// Privileged software grants the permission, but never for the interrupt enables. User mode can
/// always read its permission in PMUSERENR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum User {}

impl Mode for Privileged {}
impl Mode for User {}

pub(crate) mod sealed {
    use arm_pmu_core::bus::Bus;
    use arm_pmu_core::diagnose::Found;
    use arm_pmu_core::driver::Clock;

    use crate::Finding;
    use crate::registers::{Registers, Space};

    /// Operations of the driver that depend on the processor mode.
    pub trait Mode {
        /// Enables the interrupts of `counters`, one bit each, and disables the other interrupts of `all`.
        fn set_interrupts<B: Bus<Space = Space>>(bus: &B, all: u32, counters: u32);

        /// Checks that this mode can access the PMU.
        ///
        /// If a kernel withdrew access from User mode, the diagnosis reports it instead of causing
        /// an Undefined Instruction exception.
        fn check_access<B: Bus<Space = Space>>(bus: &B) -> Result<(), Found<Finding>>;
    }

    impl Mode for super::Privileged {
        #[inline(always)]
        fn set_interrupts<B: Bus<Space = Space>>(bus: &B, all: u32, counters: u32) {
            let registers = Registers::shared(bus);
            registers.pmintenclr().write(|w| w.p().set(all).c().clear_bit_by_one());
            registers.pmintenset().write(|w| {
                let w = w.p().set(counters);
                if counters & Clock::BIT != 0 { w.c().set_bit() } else { w }
            });
        }

        fn check_access<B: Bus<Space = Space>>(_: &B) -> Result<(), Found<Finding>> {
            Ok(())
        }
    }

    impl Mode for super::User {
        #[inline(always)]
        fn set_interrupts<B: Bus<Space = Space>>(_: &B, _: u32, _: u32) {}

        fn check_access<B: Bus<Space = Space>>(bus: &B) -> Result<(), Found<Finding>> {
            let user = Registers::shared(bus).pmuserenr().read();
            if user.en().bit() {
                Ok(())
            } else {
                Err(Found::new(Finding::UserModeClosed, user.bits()))
            }
        }
    }
}

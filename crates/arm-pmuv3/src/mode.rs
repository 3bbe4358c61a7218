//! The Exception level at which the driver runs.

use core::fmt::Debug;

/// Level at which the software runs: [`Privileged`] or [`User`]. This trait is sealed.
pub trait Mode: sealed::Mode + Copy + Debug + 'static {}

/// EL1 or above: software can access all registers, unless a higher level traps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Privileged {}

/// EL0: software can access the PMU only with permission.
///
/// Software at EL1 or above grants the permission, but never for the interrupt enables. EL0 can always read
/// its permission in PMUSERENR_EL0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum User {}

impl Mode for Privileged {}
impl Mode for User {}

pub(crate) mod sealed {
    use arm_pmu_core::bus::Bus;
    use arm_pmu_core::diagnose::Found;
    use arm_pmu_core::driver::Clock;

    use crate::Cause;
    use crate::control::Control;
    use crate::registers::{Registers, Space};

    /// Operations of the driver that depend on the Exception level.
    pub trait Mode {
        /// Enables the interrupts of `counters`, one bit each, and disables the other interrupts of `all`.
        fn set_interrupts<B: Bus<Space = Space>>(bus: &B, all: u32, counters: u32);

        /// Checks that this mode can access the PMU.
        ///
        /// If a kernel withdrew access from EL0, the diagnosis reports it instead of causing a
        /// trap.
        fn check_access<B: Bus<Space = Space>>(bus: &B) -> Result<(), Found<Cause>>;

        /// Reads MDCR_EL2 and MDCR_EL3, if this mode can read them.
        fn control<B: Bus<Space = Space>>(bus: &B) -> Control;
    }

    impl Mode for super::Privileged {
        #[inline(always)]
        fn set_interrupts<B: Bus<Space = Space>>(bus: &B, all: u32, counters: u32) {
            let registers = Registers::shared(bus);
            registers.pmintenclr_el1().write(|w| w.p().set(all).c().clear_bit_by_one());
            registers.pmintenset_el1().write(|w| {
                let w = w.p().set(counters);
                if counters & Clock::BIT != 0 { w.c().set_bit() } else { w }
            });
        }

        fn check_access<B: Bus<Space = Space>>(_: &B) -> Result<(), Found<Cause>> {
            Ok(())
        }

        fn control<B: Bus<Space = Space>>(bus: &B) -> Control {
            Control::read(bus)
        }
    }

    impl Mode for super::User {
        #[inline(always)]
        fn set_interrupts<B: Bus<Space = Space>>(_: &B, _: u32, _: u32) {}

        fn check_access<B: Bus<Space = Space>>(bus: &B) -> Result<(), Found<Cause>> {
            let user = Registers::shared(bus).pmuserenr_el0().read();
            if user.en().bit() {
                Ok(())
            } else {
                Err(Found::new(Cause::UserModeClosed, user.bits() as u32))
            }
        }

        /// EL0 cannot even read CurrentEL.
        fn control<B: Bus<Space = Space>>(_: &B) -> Control {
            Control::default()
        }
    }
}

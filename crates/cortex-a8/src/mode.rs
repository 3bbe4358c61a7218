//! Which mode of the processor the driver runs in.

use core::fmt::Debug;

/// [`Privileged`] or [`User`]. Nobody else can implement this.
pub trait Mode: sealed::Mode + Copy + Debug + 'static {}

/// Any mode but User mode: all registers can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Privileged {}

/// User mode: never the interrupt enables, and the other registers only if privileged software opened
/// the PMU; whether it did can be read in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum User {}

impl Mode for Privileged {}
impl Mode for User {}

pub(crate) mod sealed {
    use arm_pmu_core::bus::Bus;
    use arm_pmu_core::driver::Clock;

    use crate::Space;
    use crate::registers::Registers;

    /// What the modes do differently.
    pub trait Mode {
        /// Lets overflows of these counters, one bit each, interrupt, and of no others.
        fn set_interrupts<B: Bus<Space = Space>>(bus: &B, counters: u32);
    }

    impl Mode for super::Privileged {
        #[inline(always)]
        fn set_interrupts<B: Bus<Space = Space>>(bus: &B, counters: u32) {
            let registers = Registers::shared(bus);
            registers.pmintenclr().write(|w| w.p().set(0xF).c().clear_bit_by_one());
            registers.pmintenset().write(|w| {
                let w = w.p().set(counters as u8);
                if counters & Clock::BIT != 0 { w.c().set_bit() } else { w }
            });
        }
    }

    impl Mode for super::User {
        #[inline(always)]
        fn set_interrupts<B: Bus<Space = Space>>(_: &B, _: u32) {}
    }
}

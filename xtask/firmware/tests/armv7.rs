//! Runs the image checks of ARMv7 cores on the simulated devices.
#![cfg(not(target_os = "none"))]

use ::cortex_a8::Space;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{Cp15Bus, Noise};
use firmware::Checks;
use firmware::armv7::{World, cortex_a7, cortex_a8, cortex_a9};

/// A simulated device, with the number of its event for instructions.
struct Simulation<'d, D>(&'d D, u16);

/// The checks of one product on its simulated device.
macro_rules! on_the_simulated_device {
    ($name:ident: $device:ident, $instruction:literal, $checks:path) => {
        impl<'d> World for Simulation<'d, arm_pmu_sim::$device> {
            type Bus = Cp15Bus<'d, Space>;

            fn main_id(&self) -> u32 {
                arm_pmu_sim::$device::MIDR
            }

            fn instruction(&self) -> u16 {
                self.1
            }

            fn bus(&self) -> Cp15Bus<'d, Space> {
                self.0.bus()
            }

            fn work(&self, instructions: u32) {
                self.0.signal_raw(self.1 as u8, instructions);
                self.0.clock(instructions.into());
            }

            fn in_user_mode<R>(&self, work: impl FnOnce(Cp15Bus<'d, Space>) -> R) -> R {
                work(self.0.user_bus())
            }

            fn access_in_user_mode<R>(
                &self,
                access: impl FnOnce(&mut Cp15Bus<'d, Space>) -> R,
            ) -> Option<R> {
                let mut bus = self.0.user_bus();
                let result = access(&mut bus);
                bus.synchronize();
                bus.error().is_none().then_some(result)
            }
        }

        #[test]
        fn $name() {
            for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1)] {
                for posted in [true, false] {
                    let device = arm_pmu_sim::$device::new();
                    device.set_posted_stores(posted);
                    device.power_up_with(noise);
                    let mut checks = Checks::new();
                    $checks(&Simulation(&device, $instruction), &mut checks);
                    assert_eq!(checks.end(), 0, "{noise:?}");
                }
            }
        }
    };
}

on_the_simulated_device!(cortex_a7_passes: CortexA7, 0x08, cortex_a7::all);
on_the_simulated_device!(cortex_a8_passes: CortexA8, 0x08, cortex_a8::all);
on_the_simulated_device!(cortex_a9_passes: CortexA9, 0x68, cortex_a9::all);

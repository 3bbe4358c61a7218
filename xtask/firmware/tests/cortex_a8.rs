//! The checks of the Cortex-A8 image, on the simulated device.
#![cfg(not(target_os = "none"))]

use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{CortexA8, Cp15Bus, Noise};
use cortex_a8::Space;
use firmware::Checks;
use firmware::cortex_a8::{World, all};

struct Simulation<'d>(&'d CortexA8);

impl<'d> World for Simulation<'d> {
    type Bus = Cp15Bus<'d, Space>;

    fn main_id(&self) -> u32 {
        CortexA8::MIDR
    }

    fn bus(&self) -> Cp15Bus<'d, Space> {
        self.0.bus()
    }

    fn work(&self, instructions: u32) {
        self.0.signal_raw(0x08, instructions);
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
fn the_simulated_device_passes_the_checks_of_the_image() {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1)] {
        for posted in [true, false] {
            let device = CortexA8::new();
            device.set_posted_stores(posted);
            device.power_up_with(noise);
            let mut checks = Checks::new();
            all(&Simulation(&device), &mut checks);
            assert_eq!(checks.end(), 0, "{noise:?}");
        }
    }
}

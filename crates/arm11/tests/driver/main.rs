//! The drivers on simulated ARM11 cores: identification, measurements, failures, and diagnosis.

mod counting;
mod diagnose;
mod identify;
mod interference;
mod interrupts;
mod overflow;
mod registers;

use arm_pmu_core::bus::Operands;
use arm_pmu_sim::{Arm11, Cp15Bus, FlagsClear, Noise};
use arm11::{Core, Counters, Divider, Event, Pmu, Space};

type CorePmu<'d, C> = Pmu<C, Cp15Bus<'d, Space>>;

const fn c15(opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 15, crm: 12, opc2 }
}

const CONTROL: Operands = c15(0);
const CYCLES: Operands = c15(1);
const COUNTS: [Operands; 2] = [c15(2), c15(3)];

/// Bits of the control register, by AN195 table 1.
const FLAGS: u32 = 0b111 << 8;
const D: u32 = 1 << 3;
const E: u32 = 1 << 0;

/// Two events that all cores have.
const BRANCH: u8 = 0x05;
const INSTRUCTION: u8 = 0x07;

const NOISES: [Noise; 5] =
    [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2), Noise::Seeded(3)];

/// All interpretations of the manual's rule for clearing a flag by writing 1.
const READINGS: [FlagsClear; 3] =
    [FlagsClear::IfEnabledThroughout, FlagsClear::IfEnabledBefore, FlagsClear::IfEnabledByWrite];

/// Returns the selection of this core's event with this number.
fn event<C: Core>(code: u8) -> C::Selection {
    C::Selection::from(C::Event::from_code(code.into()).unwrap())
}

fn counters(counters: [bool; 2], cycles: bool) -> Counters {
    Counters { counters, cycles }
}

/// Returns a driver that counts branches on counter 0, instructions on counter 1, and cycles.
fn pmu<C: Core>(device: &Arm11) -> CorePmu<'_, C> {
    let mut pmu = Pmu::new(device.bus());
    let [branches, instructions] = pmu.counters();
    branches.count(event::<C>(BRANCH));
    instructions.count(event::<C>(INSTRUCTION));
    pmu.cycle_counter().count(Divider::By1);
    pmu
}

/// Calls `test` with cores in several states, under each interpretation of their manuals. The
/// driver must not do anything that the manuals forbid.
fn on_every_device<C: Core>(core: fn() -> Arm11, test: impl Fn(&Arm11, CorePmu<'_, C>)) {
    for noise in NOISES {
        for reading in READINGS {
            for posted in [false, true] {
                let device = core();
                device.set_posted_stores(posted);
                device.set_flags_clear(reading);
                device.set_noise(noise);
                device.power_up_with(noise);
                test(&device, pmu(&device));
                assert_eq!(device.violations(), [], "{noise:?}, {reading:?}, {posted}");
            }
        }
    }
}

/// Runs a generic function on all cores.
macro_rules! on_every_core {
    ($test:ident) => {
        $crate::on_every_device(arm_pmu_sim::Arm11::arm1136, $test::<arm11::Arm1136>);
        $crate::on_every_device(arm_pmu_sim::Arm11::arm1156, $test::<arm11::Arm1156>);
        $crate::on_every_device(arm_pmu_sim::Arm11::arm1176, $test::<arm11::Arm1176>);
    };
}
use on_every_core;

/// Sets a counter so that it wraps at the next event.
fn fill(device: &Arm11, counter: Operands) {
    device.poke(counter, u32::MAX);
}

/// Checks that no interrupt is asserted and no flag is set.
#[track_caller]
fn assert_silent(device: &Arm11) {
    assert!(!device.interrupt() && !device.fast_interrupt());
    assert_eq!(device.peek(CONTROL) & FLAGS, 0);
}

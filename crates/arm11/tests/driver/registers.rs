//! Tests the words that the driver writes to registers, as the core's journal shows them. The words were assembled by
//! hand, from AN195 table 1.

use std::num::NonZeroU32;

use arm_pmu_core::bus::Operands;
use arm_pmu_core::measure::RunningMonitor as _;
use arm_pmu_sim::{Arm11, Cp15Access, Noise};
use arm11::{Arm1156Event, Divider, arm1156};

use super::{CONTROL, COUNTS, CYCLES, counters};

/// All writes.
fn stores(device: &Arm11) -> Vec<(Operands, u32)> {
    let store = |access| match access {
        Cp15Access::Store { operands, value } => Some((operands, value)),
        _ => None,
    };
    device.journal().into_iter().filter_map(store).collect()
}

/// Returns a core after a reset. Where a reset allows any value, the value is zero.
fn after_reset(device: Arm11) -> Arm11 {
    device.set_noise(Noise::Zeros);
    device.power_up();
    device
}

#[test]
fn a_start_programs_all_fields() {
    let device = after_reset(Arm11::arm1156());
    // A start must keep this bit, which exports events.
    device.poke(CONTROL, 1 << 11);
    let mut pmu = arm1156::Pmu::new(device.bus());
    let [masked, cycles] = pmu.counters();
    masked.count(Arm1156Event::FiqDisabledCycle);
    cycles.count_from(Arm1156Event::Cycle, 0x1234);
    pmu.cycle_counter().overflow_after(Divider::By64, NonZeroU32::new(2).unwrap());
    pmu.interrupts(counters([true, false], true));
    pmu.fast_interrupts(counters([false, true], true));
    let running = pmu.start();
    assert_eq!(
        stores(&device),
        [
            // Select idle events, divide by 64, clear all flags, reset all counters, enable; then disable.
            (CONTROL, 0x0202_0F0F),
            (CONTROL, 0x0202_0808),
            // Select events 0x13 and 0xFF, and set the bits FCC, FC1, X, ECC, EC0 and D; enable at
            // the end.
            (CONTROL, 0x613F_F858),
            (COUNTS[0], 0),
            (COUNTS[1], 0x1234),
            (CYCLES, 0xFFFF_FFFE),
            (CONTROL, 0x613F_F859),
        ]
    );
    assert_eq!([1, 2].map(|counter| running.divider(counter)), [1, 64]);
    let pmu = running.stop();
    assert_eq!(stores(&device).last(), Some(&(CONTROL, 0x613F_F858)));
    drop(pmu);
}

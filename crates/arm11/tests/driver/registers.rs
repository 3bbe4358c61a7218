//! Words written to registers, from the journal of the core. The words were assembled by hand, from AN195
//! table 1.

use std::num::NonZeroU32;

use arm_pmu_core::bus::Operands;
use arm_pmu_sim::{Arm11, Cp15Access, FlagsClear, Noise};
use arm11::{
    Arm1136, Arm1156, Arm1156Event, Arm1176, Arm1176Event, Core, Divider, Pmu, arm1156, arm1176,
};

use super::{CONTROL, COUNTS, CYCLES, READINGS, counters, event};

/// All writes.
fn stores(device: &Arm11) -> Vec<(Operands, u32)> {
    let store = |access| match access {
        Cp15Access::Store { operands, value } => Some((operands, value)),
        _ => None,
    };
    device.journal().into_iter().filter_map(store).collect()
}

/// Returns a core after a reset, with zeros where any value is allowed.
fn after_reset(device: Arm11) -> Arm11 {
    device.set_noise(Noise::Zeros);
    device.power_up();
    device
}

/// Event numbers 0x7 and 0x6 are written with the reset and the enable of the counters.
#[test]
fn one_write_resets_and_starts_all_counters() {
    fn test<C: Core>(device: Arm11) {
        let device = after_reset(device);
        let mut pmu = Pmu::<C, _>::new(device.bus());
        let [instructions, mispredicted] = pmu.counters();
        instructions.count(event::<C>(0x07));
        mispredicted.count(event::<C>(0x06));
        let running = pmu.start();
        assert_eq!(stores(&device).last(), Some(&(CONTROL, 0x0070_6007)));
        drop(running);
    }
    test::<Arm1136>(Arm11::arm1136());
    test::<Arm1156>(Arm11::arm1156());
    test::<Arm1176>(Arm11::arm1176());
}

/// Lists all accesses of a start, so that an additional or missing access is detected.
#[test]
fn start_writes_only_needed_registers() {
    let idle = |reading| match reading {
        // E was 0, so the first write may not have cleared the flags.
        FlagsClear::IfEnabledByWrite => vec![(CONTROL, 0x0202_0707), (CONTROL, 0x0202_0000)],
        _ => vec![(CONTROL, 0x0202_0707), (CONTROL, 0x0202_0707), (CONTROL, 0x0202_0000)],
    };
    for reading in READINGS {
        let device = after_reset(Arm11::arm1176());
        device.set_flags_clear(reading);
        device.poke(CONTROL, 0x100);
        let mut pmu = arm1176::Pmu::new(device.bus());
        let [first, second] = pmu.counters();
        first.count(Arm1176Event::InstructionExecuted);
        second.count(Arm1176Event::BranchMispredicted);
        let running = pmu.start();
        let mut expected = idle(reading);
        expected.extend([(CONTROL, 0x0070_6000), (CONTROL, 0x0070_6007)]);
        assert_eq!(stores(&device), expected, "{reading:?}");
        drop(running);
    }
}

#[test]
fn a_full_start() {
    let device = after_reset(Arm11::arm1156());
    // The driver does not change the export of events.
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
            // Idle, divided, all flags cleared and all counters reset, enabled; then disabled.
            (CONTROL, 0x0202_0F0F),
            (CONTROL, 0x0202_0808),
            // FCC and FC1, events 0x13 and 0xFF, X, ECC and EC0, D.
            (CONTROL, 0x613F_F858),
            (COUNTS[0], 0),
            (COUNTS[1], 0x1234),
            (CYCLES, 0xFFFF_FFFE),
            (CONTROL, 0x613F_F859),
        ]
    );
    let pmu = running.stop();
    assert_eq!(stores(&device).last(), Some(&(CONTROL, 0x613F_F858)));
    drop(pmu);
}

//! Counts that software makes, or spoils.

use crate::words::*;
use arm_pmu_sim::{Noise, Violation};

#[test]
fn software_increments_the_named_counters() {
    let device = running([0x00; 4]);
    let bus = device.bus();
    for counters in 0..16 {
        let before = counts(&device);
        write(&bus, PMSWINC, counters);
        let after = counts(&device);
        for counter in 0..4 {
            let added = counters >> counter & 1;
            assert_eq!(after[counter] - before[counter], added, "{counters:#x}");
        }
    }
    assert_eq!(bus.mrc(PMSWINC), 0);
    assert_eq!(device.violations(), []);
}

#[test]
fn software_increments_only_enabled_counters() {
    let device = running([0x00; 4]);
    let bus = device.bus();
    device.poke(PMCNTENSET, 0x5);
    write(&bus, PMSWINC, 0xF);
    assert_eq!(counts(&device), [1, 0, 1, 0]);
    device.poke(PMCR, RESET);
    write(&bus, PMSWINC, 0xF);
    assert_eq!(counts(&device), [1, 0, 1, 0]);
    device.poke(PMCR, RESET | E);
    device.set_niden(false);
    write(&bus, PMSWINC, 0xF);
    assert_eq!(counts(&device), [1, 0, 1, 0]);
    assert_eq!(device.violations(), []);
}

#[test]
fn software_can_overflow_a_counter() {
    let device = running([0x00; 4]);
    device.poke_counter(3, u32::MAX);
    write(&device.bus(), PMSWINC, 0x8);
    assert_eq!((counts(&device)[3], device.peek(PMOVSR)), (0, 0x8));
}

#[test]
fn other_counters_get_noise_from_software() {
    let device = running([0x00, EXCEPTION, 0x00, 0x11]);
    device.set_noise(Noise::Ones);
    write(&device.bus(), PMSWINC, 0xF);
    assert_eq!(counts(&device), [1, u32::MAX, 1, u32::MAX]);
    let of = |counter| Violation::NotForSoftware { counter };
    assert_eq!(device.violations(), [of(1), of(3)]);
    // Counters that are not incremented get no noise.
    write(&device.bus(), PMSWINC, 0x5);
    assert_eq!(counts(&device), [2, u32::MAX, 2, u32::MAX]);
    assert_eq!(device.violations().len(), 2);
}

#[test]
fn the_cycle_counter_is_not_written_while_enabled() {
    let device = running([EXCEPTION; 4]);
    let bus = device.bus();
    let violation = Violation::WrittenWhileEnabled { operands: PMCCNTR };
    for (noise, left) in [(Noise::Zeros, 0), (Noise::Ones, u32::MAX)] {
        device.clear_violations();
        device.set_noise(noise);
        write(&bus, PMCCNTR, 5);
        assert_eq!(device.peek(PMCCNTR), left);
        assert_eq!(device.violations(), [violation]);
    }
    device.clear_violations();
    for (enables, pmcr) in [(0xF, RESET | E), (EACH, RESET), (0, RESET)] {
        device.poke(PMCCNTR, 0);
        device.poke(PMCNTENSET, enables);
        device.poke(PMCR, pmcr);
        write(&bus, PMCCNTR, 5);
        assert_eq!(device.peek(PMCCNTR), 5, "it is not enabled");
    }
    assert_eq!(device.violations(), []);
}

#[test]
fn reserved_events_are_recorded() {
    let device = running([EXCEPTION; 4]);
    let bus = device.bus();
    device.poke(PMSELR, 2);
    for event in 0..=0xFF_u8 {
        device.clear_violations();
        write(&bus, PMXEVTYPER, event.into());
        let listed = matches!(event, 0x00..=0x12 | 0x40..=0x5A | 0x70..=0x72);
        let violation = Violation::ReservedEvent { counter: 2, event };
        let expected: &[Violation] = if listed { &[] } else { &[violation] };
        assert_eq!(device.violations(), expected);
        assert_eq!(device.peek_event(2), event);
    }
}

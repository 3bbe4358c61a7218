//! The cycle counter of a CCI-400.

use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::Security::NonSecure;
use arm_pmu_sim::{Cci400, Noise};

/// A device with a running cycle counter, with these bits of PMCR besides CEN.
fn running(pmcr: u32) -> Cci400 {
    let device = Cci400::new();
    device.poke(CYCLES_CONTROL, 1);
    device.poke(PMCR, CEN | pmcr);
    device
}

/// Returns the increment of the cycle counter over `cycles` cycles.
fn advance(device: &Cci400, cycles: u64) -> u32 {
    let before = device.peek(CYCLES);
    device.clock(cycles);
    device.peek(CYCLES).wrapping_sub(before)
}

#[test]
fn cycles_count_while_both_enables_are_on() {
    for (control, pmcr, expected) in [(1, CEN, 5), (1, 0, 0), (0, CEN, 0), (0, 0, 0)] {
        let device = running(0);
        device.poke(CYCLES_CONTROL, control);
        device.poke(PMCR, pmcr);
        assert_eq!(advance(&device, 5), expected);
    }
}

#[test]
fn event_and_cycle_counters_are_independent() {
    let device = running(0);
    run(&device.bus(), 0, 0xFF);
    run(&device.bus(), 1, ID);
    device.clock(5);
    device.signal_raw(SOURCE, CODE, NonSecure, 7);
    let counts = [count(0), count(1), CYCLES].map(|offset| device.peek(offset));
    assert_eq!(counts, [0, 7, 5], "0xFF is a number of software's own");
}

/// DDI 0470D table 3.8: NIDEN, DP, EX, whether event counters run, whether the cycle counter runs.
#[test]
fn niden_and_dp_gate_events_and_cycles() {
    for ex in [0, EX] {
        for (niden, dp, events, cycles) in [
            (true, 0, true, true),
            (true, DP, true, true),
            (false, 0, false, true),
            (false, DP, false, false),
        ] {
            let device = Cci400::new();
            device.set_niden(niden);
            let bus = device.bus();
            run(&bus, 0, ID);
            bus.write(CYCLES_CONTROL, 1);
            bus.write(PMCR, CEN | dp | ex);
            bus.synchronize();
            device.signal_raw(SOURCE, CODE, NonSecure, 1);
            device.clock(1);
            let counts = (bus.read(count(0)), bus.read(CYCLES));
            assert_eq!(counts, (u32::from(events), u32::from(cycles)), "{niden} {dp:#x} {ex:#x}");
        }
    }
}

#[test]
fn with_ccd_every_64th_cycle_counts() {
    let device = running(CCD);
    assert_eq!(advance(&device, 63), 0);
    assert_eq!(advance(&device, 1), 1);
    assert_eq!(advance(&device, 64 * 1000 + 32), 1000);
    assert_eq!(advance(&device, 31), 0, "a remainder is not forgotten");
    assert_eq!(advance(&device, 1), 1);
}

#[test]
fn the_divider_advances_only_with_its_counter() {
    let device = running(CCD);
    device.clock(60);
    device.poke(CYCLES_CONTROL, 0);
    device.clock(100);
    device.poke(CYCLES_CONTROL, 1);
    device.poke(PMCR, CEN);
    assert_eq!(advance(&device, 7), 7);
    device.poke(PMCR, CEN | CCD);
    assert_eq!(advance(&device, 3), 0);
    assert_eq!(advance(&device, 1), 1);
}

#[test]
fn a_reset_reaches_the_divider_or_not() {
    for (reaches, expected) in [(false, 1), (true, 0), (false, 1)] {
        let device = running(CCD);
        device.set_reset_reaches_divider(true);
        device.set_reset_reaches_divider(reaches);
        device.clock(63);
        let bus = device.bus();
        bus.write(PMCR, CEN | CCD | RST);
        bus.write(PMCR, CEN | CCD | CCR);
        bus.synchronize();
        assert_eq!(advance(&device, 1), expected);
    }
    let device = running(CCD);
    device.set_reset_reaches_divider(true);
    device.clock(63);
    let bus = device.bus();
    bus.write(PMCR, CEN | CCD | RST);
    bus.synchronize();
    assert_eq!(advance(&device, 1), 1, "RST is not for the cycle counter");
}

#[test]
fn the_divider_starts_anywhere_after_power_up_with_noise() {
    for (noise, first) in [(Noise::Zeros, 64), (Noise::Ones, 1)] {
        let device = Cci400::new();
        device.power_up_with(noise);
        let bus = device.bus();
        bus.write(CYCLES_CONTROL, 1);
        bus.write(PMCR, CEN | CCD | CCR);
        bus.synchronize();
        assert_eq!(advance(&device, first - 1), 0);
        assert_eq!(advance(&device, 1), 1);
        device.clock(63);
        device.power_up();
        device.poke(CYCLES_CONTROL, 1);
        device.poke(PMCR, CEN | CCD);
        assert_eq!(advance(&device, 63), 0, "else it starts at zero");
    }
}

#[test]
fn time_passes_with_accesses_or_not() {
    let device = running(0);
    let bus = device.bus();
    assert_eq!((bus.read(CYCLES), bus.read(CYCLES)), (0, 0), "not at first");
    device.set_cycles_per_access(10);
    assert_eq!((bus.read(CYCLES), bus.read(CYCLES)), (10, 20));
    bus.write(PMCR, 0);
    assert_eq!(bus.read(CYCLES), 30, "the access that stops the counter takes time too");
    device.set_cycles_per_access(0);
    bus.write(PMCR, CEN);
    let _ = bus.read(CYCLES);
    assert_eq!(bus.read(CYCLES), 30);
}

#[test]
fn a_wrap_sets_the_flag_of_the_cycle_counter() {
    let device = running(0);
    let bus = device.bus();
    assert_eq!(advance(&device, u64::from(u32::MAX)), u32::MAX);
    assert_eq!((bus.read(CYCLES_OVERFLOW), device.overflow_lines()), (0, 0));
    device.clock(1);
    assert_eq!((bus.read(CYCLES), bus.read(CYCLES_OVERFLOW)), (0, 1));
    assert_eq!(device.overflow_lines(), 0b1_0000);
    bus.write(PMCR, CEN | RST | CCR);
    bus.write(CYCLES_OVERFLOW, 0);
    assert_eq!(bus.read(CYCLES_OVERFLOW), 1);
    bus.write(CYCLES_OVERFLOW, 1);
    assert_eq!(bus.read(CYCLES_OVERFLOW), 0);
    assert_eq!(device.overflow_lines(), 0);

    device.clock(5 << 32 | 3);
    assert_eq!((bus.read(CYCLES), bus.read(CYCLES_OVERFLOW)), (3, 1), "more than once");
}

#[test]
fn a_divided_count_takes_64_times_as_long_to_wrap() {
    let device = running(CCD);
    device.clock((1 << 38) - 1);
    assert_eq!((device.peek(CYCLES), device.overflow_lines()), (u32::MAX, 0));
    device.clock(1);
    assert_eq!((device.peek(CYCLES), device.overflow_lines()), (0, 0b1_0000));
    device.clock(u64::MAX);
    assert_eq!(device.peek(CYCLES), u32::MAX, "no number of cycles is too many");
}

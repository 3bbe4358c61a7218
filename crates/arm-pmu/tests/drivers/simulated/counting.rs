//! Tests of counters, flags and resets, on the simulated device of each driver. The drivers' tests cover events and
//! wraps.

use std::num::NonZeroU32;

use arm_pmu::measure::{Monitor, Rearm as _, RunningMonitor as _, StartStop};
use arm_pmu_sim::Noise;

use crate::devices::{self, Device, on_every_driver};

/// A running driver of the device.
type Running<'d, D> = <<D as Device>::Pmu<'d> as StartStop>::Running;

/// Counts two events, and the cycles if the PMU has a cycle counter.
fn running<D: Device>(device: &D) -> Running<'_, D> {
    let mut pmu = device.pmu();
    let clock = <D::Pmu<'_> as Monitor>::CLOCK;
    let what: Vec<_> = D::selections()[..2].iter().copied().chain(clock).collect();
    pmu.assign(&what).unwrap();
    pmu.start()
}

/// Another owner stops all counters, without an access.
fn disabled_counters_stand_still<D: Device>() {
    let device = D::new();
    let _running = running(&device);
    device.signal(0, 5);
    device.clear_journal();
    device.other_owner_enables_all(false);
    let before = device.registers();
    device.signal(0, 7);
    device.cycles(9);
    assert_eq!(device.registers(), before);
    assert_eq!((device.journal(), device.complaints()), (vec![], vec![]));
}

/// The drivers do not notice a device that clears too many flags, because they clear all flags that they read.
fn clearing_a_flag_leaves_the_others<D: Device>() {
    let device = D::new();
    let mut running = running(&device);
    for nth in [0, 1] {
        device.signal(nth, u32::MAX);
        device.signal(nth, 1);
    }
    running.rearm(0, NonZeroU32::MAX);
    assert_eq!(running.take_overflows(), 0b10);
}

/// Bits of the control register: resets, and the divider by 64.
const RESETS: u64 = 0b110;
const BY_64: u64 = 1 << 3;

fn resets_zero_counters_and_leave_flags<D: Device>() {
    if ["dsu", "smmuv3_pmcg"].contains(&D::KIND) || D::SATURATES {
        return; // The device lacks these resets or flags.
    }
    let device = D::new();
    let _running = running(&device);
    for event in [0, 1] {
        device.signal(event, u32::MAX);
        device.signal(event, 8);
    }
    device.cycles(7);
    let counts = || device.registers().0.into_iter().filter(|(_, value)| *value == 7).count();
    let before = counts();
    let (bus, at) = (device.software(), device.control());
    // A reset bit that the test sets directly, without a bus, resets nothing.
    device.set(at, device.get(at) | RESETS);
    assert_eq!(counts(), before);
    // On an ARM11, writing back a set flag clears the flag.
    let flags = if D::KIND == "arm11" { 0x700 } else { 0 };
    bus.write(at, device.get(at) & !flags | RESETS);
    assert_eq!(counts(), before, "not in effect yet");
    bus.settle();
    assert_eq!(counts(), 0);
    assert!(device.is_flag_set());
}

on_every_driver! { $
    disabled_counters_stand_still
    clearing_a_flag_leaves_the_others
    resets_zero_counters_and_leave_flags
}

/// `reset` selects whether a reset of the cycle counter also resets the divider, if the device has this option.
fn divider<D: Device>(cycles: &str, reset: Option<fn(&D::Simulated, bool)>) {
    let device = D::new();
    device.set_unknown(Noise::Zeros);
    let mut pmu = device.pmu();
    pmu.assign(&[<D::Pmu<'_> as Monitor>::CLOCK.unwrap()]).unwrap();
    let _running = pmu.start();
    let (bus, at, cycles) = (device.software(), device.control(), device.named(cycles).unwrap());
    let divides = |divides| {
        // LC of PMUv3 would prevent the division, so it is cleared too.
        let others = device.get(at) & !(BY_64 | 1 << 6);
        device.set(at, if divides { others | BY_64 } else { others });
    };
    let after = |number| {
        device.cycles(number);
        device.get(cycles) as u32
    };
    divides(true);
    assert_eq!([after(63), after(1), after(64 * 10 + 32)], [0, 1, 11]);
    divides(false);
    assert_eq!(after(32), 43, "the divider stands still");
    divides(true);
    assert_eq!([after(31), after(1)], [43, 44], "the remainder is kept");
    for reaches in [false, true] {
        if let Some(reset) = reset {
            reset(device.simulated(), reaches);
        }
        device.cycles(63);
        bus.write(at, device.get(at) | 1 << 2);
        bus.settle();
        let expected = u32::from(reset.is_none() || !reaches);
        assert_eq!(after(1), expected, "{reaches}");
        device.cycles(if expected == 0 { 63 } else { 0 });
    }
    divides(false);
    let before = device.get(cycles) as u32;
    assert!(!device.is_flag_set());
    assert_eq!(after(5 << 32), before);
    assert!(device.is_flag_set(), "after several wraps");
}

#[test]
fn the_divider_counts_every_64th_cycle() {
    use arm_pmu_sim::{Arm11, Cci400, CortexA8};
    divider::<devices::arm11_arm1176::Simulated>("CCNT", Some(Arm11::set_reset_reaches_divider));
    divider::<devices::cci400_r1::Simulated>(
        "CYCLE_COUNT",
        Some(Cci400::set_reset_reaches_divider),
    );
    divider::<devices::cortex_a8::Simulated>("PMCCNTR", Some(CortexA8::set_reset_reaches_divider));
    divider::<devices::arm_pmuv3::Simulated>("PMCCNTR_EL0", None);
}

//! The counter selected by PMSELR, and its timing.

use arm_pmu_sim::StaleSelector;

use super::*;

/// Returns a device where counter 1 is selected; counts are 10 to 13, events are 0x40 to 0x43.
fn device() -> CortexA8 {
    let device = quiet();
    for counter in 0..4 {
        device.poke_counter(counter, 10 + counter as u32);
        device.poke_event(counter, 0x40 + counter as u8);
    }
    device.poke(PMSELR, 1);
    device
}

const EARLY_COUNT: Violation = Violation::SelectorNotSynchronized { operands: PMXEVCNTR };
const EARLY_EVENT: Violation = Violation::SelectorNotSynchronized { operands: PMXEVTYPER };

#[test]
fn without_synchronization_the_old_counter_is_reached() {
    let device = device();
    let bus = device.bus();
    bus.mcr(PMSELR, 2);
    assert_eq!(bus.mrc(PMSELR), 2, "itself it shows at once");
    assert_eq!((bus.mrc(PMXEVCNTR), bus.mrc(PMXEVTYPER)), (11, 0x41));
    bus.mcr(PMXEVCNTR, 99);
    bus.mcr(PMXEVTYPER, 0x50);
    assert_eq!(device.violations(), [EARLY_COUNT, EARLY_EVENT]);
    bus.synchronize();
    assert_eq!(counts(&device), [10, 99, 12, 13]);
    assert_eq!((device.peek_event(1), device.peek_event(2)), (0x50, 0x42));
    assert_eq!((bus.mrc(PMXEVCNTR), bus.mrc(PMXEVTYPER)), (12, 0x42));
    assert_eq!(device.violations().len(), 4);
}

#[test]
fn early_access_can_reach_the_new_counter() {
    let device = device();
    device.set_stale_selector(StaleSelector::New);
    let bus = device.bus();
    bus.mcr(PMSELR, 2);
    assert_eq!((bus.mrc(PMXEVCNTR), bus.mrc(PMXEVTYPER)), (12, 0x42));
    assert_eq!(device.violations(), [EARLY_COUNT, EARLY_EVENT], "it is wrong all the same");
}

#[test]
fn early_access_can_reach_any_counter() {
    let device = device();
    device.set_stale_selector(StaleSelector::Random);
    let bus = device.bus();
    bus.mcr(PMSELR, 2);
    let mut seen: Vec<u32> = (0..64).map(|_| bus.mrc(PMXEVCNTR)).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [10, 11, 12, 13]);
    bus.synchronize();
    assert!((0..64).all(|_| bus.mrc(PMXEVCNTR) == 12));
    for (noise, count) in [(Noise::Zeros, 10), (Noise::Ones, 13)] {
        device.set_noise(noise);
        bus.mcr(PMSELR, 2);
        assert_eq!(bus.mrc(PMXEVCNTR), count);
    }
}

#[test]
fn unposted_selector_stores_need_synchronization() {
    let device = device();
    device.set_posted_stores(false);
    let bus = device.bus();
    bus.mcr(PMSELR, 2);
    bus.mcr(PMXEVCNTR, 99);
    assert_eq!(counts(&device), [10, 99, 12, 13]);
    bus.synchronize();
    bus.mcr(PMXEVCNTR, 98);
    assert_eq!(counts(&device), [10, 99, 98, 13]);
}

#[test]
fn reselecting_the_same_counter_needs_synchronization() {
    let device = device();
    let bus = device.bus();
    bus.mcr(PMSELR, 1);
    assert_eq!(bus.mrc(PMXEVCNTR), 11);
    assert_eq!(device.violations(), [EARLY_COUNT]);
}

#[test]
fn other_registers_need_no_selector() {
    let device = device();
    let bus = device.bus();
    device.poke(PMCCNTR, 5);
    bus.mcr(PMSELR, 2);
    assert_eq!((bus.mrc(PMCCNTR), bus.mrc(PMCR)), (5, RESET));
    assert_eq!(device.violations(), []);
}

#[test]
fn selectors_above_3_select_no_counter() {
    let device = device();
    let bus = device.bus();
    for selector in 4..32_u8 {
        device.clear_violations();
        select(&bus, selector.into());
        let reserved = Violation::ReservedSelector { selector };
        assert_eq!(device.violations(), [reserved]);
        for (noise, read) in [(Noise::Zeros, 0), (Noise::Ones, u32::MAX)] {
            device.set_noise(noise);
            assert_eq!((bus.mrc(PMXEVCNTR), bus.mrc(PMXEVTYPER)), (read, read));
        }
        bus.mcr(PMXEVCNTR, 99);
        bus.mcr(PMXEVTYPER, 0x50);
        bus.synchronize();
        assert_eq!(device.violations(), [reserved; 7]);
        assert_eq!(counts(&device), [10, 11, 12, 13]);
        assert_eq!(device.peek_event(0), 0x40);
    }
}

#[test]
fn another_owner_moves_the_selector() {
    let device = device();
    let bus = device.bus();
    device.other_owner_moves_selector(3);
    assert_eq!((device.peek(PMSELR), bus.mrc(PMXEVCNTR)), (3, 13));
    // The accesses of the other owner are complete, and so are all earlier ones.
    bus.mcr(PMSELR, 2);
    let _ = bus.mrc(PMCR);
    device.other_owner_moves_selector(0);
    assert_eq!(bus.mrc(PMXEVCNTR), 10);
    assert_eq!(device.violations(), []);
}

#[test]
fn an_interrupt_moves_the_selector_between_two_accesses() {
    // The test selects counter 2, then writes and reads both its registers.
    for after in 0..6 {
        let device = device();
        let bus = device.bus();
        device.interrupt_moves_selector_after(after, 3);
        select(&bus, 2);
        bus.mcr(PMXEVTYPER, 0x50);
        bus.mcr(PMXEVCNTR, 99);
        let read = (bus.mrc(PMXEVTYPER), bus.mrc(PMXEVCNTR));
        // The interrupt precedes the access with number `after`.
        let reached = |access| if after == 0 || access < after { 2 } else { 3 };
        assert_eq!(device.peek_event(reached(1)), 0x50, "{after}");
        assert_eq!(device.peek_counter(reached(2)), 99, "{after}");
        let expected = (u32::from(device.peek_event(reached(3))), device.peek_counter(reached(4)));
        assert_eq!(read, expected, "{after}");
        assert_eq!(device.peek(PMSELR), reached(4) as u32);
        assert_eq!(device.violations(), []);
        assert_eq!(device.journal().len(), 6, "nobody saw it coming");
    }
}

#[test]
fn interrupts_follow_all_earlier_stores() {
    let device = device();
    let bus = device.bus();
    bus.mcr(PMSELR, 2);
    device.interrupt_moves_selector_after(0, 0);
    bus.mcr(PMXEVCNTR, 99);
    bus.synchronize();
    assert_eq!(counts(&device), [99, 11, 12, 13]);
    select(&bus, 2);
    assert_eq!(bus.mrc(PMXEVCNTR), 12);
}

#[test]
fn power_loss_leaves_the_selector_anywhere() {
    for (noise, selector) in [(Noise::Zeros, 0), (Noise::Ones, 31)] {
        let device = device();
        let bus = device.bus();
        bus.mcr(PMSELR, 1);
        let _ = bus.mrc(PMCR);
        device.set_noise(noise);
        device.power_up();
        assert_eq!(device.peek(PMSELR), selector);
        let _ = bus.mrc(PMXEVCNTR);
        let expected: &[Violation] =
            if selector == 0 { &[] } else { &[Violation::ReservedSelector { selector: 31 }] };
        assert_eq!(device.violations(), expected);
    }
}

#[test]
fn the_first_selector_write_is_stale_too() {
    let reset = CortexA8::new();
    let left = CortexA8::new();
    left.power_up_with(Noise::Ones);
    for device in [reset, left] {
        let selector = device.peek(PMSELR) as u8;
        assert!(selector > 3, "nothing that is there by chance");
        let bus = device.bus();
        bus.mcr(PMSELR, 0);
        let _ = bus.mrc(PMXEVCNTR);
        assert_eq!(device.violations(), [EARLY_COUNT, Violation::ReservedSelector { selector }]);
    }
    // An access before the first write needs no synchronization.
    let device = CortexA8::new();
    let _ = device.bus().mrc(PMXEVCNTR);
    assert_eq!(device.violations().len(), 1);
}

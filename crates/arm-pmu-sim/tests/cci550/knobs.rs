//! Fault knobs of a CCI-500 or CCI-550, each both ways.

use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::Security::{NonSecure, Secure};
use arm_pmu_sim::{Access, Noise, Response};

use crate::{Device, PART};

/// A device whose counter 0 counts the event of these tests.
fn running() -> Device {
    let device = Device::new();
    run(&device.bus(), 0, ID);
    device
}

/// Returns the increment of counter 0 after ten events.
fn ten(device: &Device) -> u32 {
    let before = device.peek(count(0));
    device.signal_raw(SOURCE, CODE, NonSecure, 10);
    device.peek(count(0)) - before
}

#[test]
fn niden_low_stops_events_but_not_accesses() {
    let device = running();
    assert_eq!(ten(&device), 10, "HIGH at first");
    device.set_niden(false);
    device.set_spniden(true);
    device.set_secure_debug(true);
    assert_eq!(ten(&device), 0);
    device.signal_raw(0xF, 0x9, Secure, 1);
    let bus = device.bus();
    bus.write(count(0), 77);
    assert_eq!(bus.read(count(0)), 77);
    device.set_niden(true);
    assert_eq!(ten(&device), 10);
}

#[test]
fn interfaces_can_be_missing() {
    let device = running();
    device.set_built(SOURCE, false);
    assert_eq!(ten(&device), 0);
    run(&device.bus(), 1, 0x2 << 5);
    device.signal_raw(0x2, 0, NonSecure, 5);
    assert_eq!(device.peek(count(1)), 5, "the others are there");
    device.set_built(SOURCE, true);
    assert_eq!(ten(&device), 10);
    device.set_built(0x7, true);
    run(&device.bus(), 0, 0x7 << 5);
    device.signal_raw(0x7, 0, NonSecure, 5);
    assert_eq!(device.peek(count(0)), 10, "the reserved source has no events to build");
}

#[test]
fn no_access_reads_zero_without_an_error() {
    let device = running();
    let bus = device.bus();
    device.set_response(Response::Zero);
    bus.write(PMCR, 0);
    assert_eq!(bus.read(PMCR), 0);
    assert_eq!(bus.read(0xFE0), 0);
    assert!(bus.error().is_none());
    device.set_response(Response::Registers);
    assert_eq!(bus.read(PMCR), 0x4000 | CEN, "the write was ignored");
    assert_eq!(bus.read(0xFE0), PART & 0xFF);
}

#[test]
fn a_bus_remembers_its_own_error() {
    let device = running();
    let (bus, untouched) = (device.bus(), device.bus());
    assert_eq!(bus.read(0xFE0), PART & 0xFF);
    assert!(bus.error().is_none());
    device.set_response(Response::Error);
    assert_eq!(bus.read(0xFE0), 0);
    assert!(bus.error().is_some());
    device.set_response(Response::Registers);
    bus.write(PMCR, 0);
    bus.synchronize();
    assert_eq!(bus.read(0xFE0), 0);
    assert!(bus.error().is_some());
    assert!(untouched.error().is_none());
    assert_eq!(untouched.read(PMCR), 0x4000 | CEN);
}

#[test]
fn a_posted_store_fails_when_it_arrives() {
    let device = Device::new();
    let bus = device.bus();
    device.set_response(Response::Error);
    bus.write(PMCR, CEN);
    assert!(bus.error().is_none());
    bus.synchronize();
    assert!(bus.error().is_some());
    device.set_posted_stores(false);
    let bus = device.bus();
    bus.write(PMCR, CEN);
    assert!(bus.error().is_some(), "at once");
}

#[test]
fn the_response_can_change_in_the_middle_of_a_procedure() {
    let device = Device::new();
    let bus = device.bus();
    device.respond_after(2, Response::Error);
    run(&bus, 0, ID);
    assert!(bus.error().is_some());
    let arrived = [select(0), control(0), PMCR].map(|offset| device.peek(offset));
    assert_eq!(arrived, [ID, 1, 0x4000], "the third store failed");
}

#[test]
fn stores_are_posted_or_not() {
    let device = Device::new();
    let bus = device.bus();
    bus.write(select(0), 1);
    assert_eq!(device.peek(select(0)), 0, "posted at first");
    device.set_posted_stores(false);
    assert_eq!(device.peek(select(0)), 1, "nothing waits any more");
    bus.write(select(0), 2);
    assert_eq!(device.peek(select(0)), 2);
    device.set_posted_stores(true);
    bus.write(select(0), 3);
    assert_eq!(device.peek(select(0)), 2);
    drop(bus);
    assert_eq!(device.peek(select(0)), 3, "what was issued arrives in the end");
}

#[test]
fn posted_stores_of_one_bus_do_not_wait_for_another() {
    let device = Device::new();
    let (first, second) = (device.bus(), device.non_secure_bus());
    first.write(select(0), 1);
    second.synchronize();
    assert_eq!(second.read(select(0)), 0);
    assert_eq!(first.read(select(0)), 1, "a load sees the stores before it");
    assert_eq!(second.read(select(0)), 1);
}

#[test]
fn poking_does_not_flush_and_has_no_side_effects() {
    let device = running();
    let bus = device.bus();
    device.poke(count(0), 5);
    bus.write(select(0), 1);
    device.poke(PMCR, RST);
    assert_eq!(device.peek(count(0)), 5, "no reset");
    assert_eq!(device.peek(PMCR), 0, "even read-only bits change");
    assert_eq!(device.peek(select(0)), ID);
    device.poke(count(1), 6);
    assert_eq!(bus.read(count(1)), 6, "though its clock does not run");
}

#[test]
fn power_loss_takes_everything_but_the_pins() {
    let device = running();
    let bus = device.bus();
    device.set_niden(false);
    assert_eq!(bus.read(select(0)), ID);
    bus.write(select(1), ID);
    device.power_up();
    bus.synchronize();
    assert_eq!((bus.read(select(0)), bus.read(select(1)), bus.read(PMCR)), (0, 0, 0x4000));
    run(&bus, 0, ID);
    assert_eq!(ten(&device), 0, "NIDEN is an input");
    device.set_niden(true);
    assert_eq!(ten(&device), 10);
}

/// PMCR and the counter blocks.
fn programmable(device: &Device) -> Vec<u32> {
    let blocks = (0..8).flat_map(|n| [select(n), count(n), control(n), overflow(n)]);
    std::iter::once(PMCR).chain(blocks).map(|offset| device.peek(offset)).collect()
}

#[test]
fn power_up_contents_are_known_or_noise() {
    let device = Device::new();
    let known = programmable(&device);
    let with = |noise| {
        device.power_up_with(noise);
        assert_eq!((device.peek(SECURE_ACCESS), device.peek(0xFE0)), (0, PART & 0xFF), "as ever");
        assert_eq!(device.peek(PMCR) & 0xF800, 0x4000, "not noise");
        programmable(&device)
    };
    assert_eq!(with(Noise::Zeros), known);
    let ones = with(Noise::Ones);
    assert_eq!(ones[0], 0x4011);
    for block in ones[1..].chunks(4) {
        assert_eq!(block, [0x1FF, u32::MAX, 1, 1]);
    }
    assert_eq!(device.overflow_lines(), 0xFF);
    let some = with(Noise::Seeded(1));
    assert_eq!(with(Noise::Seeded(1)), some, "the same seed, the same noise");
    assert_ne!(with(Noise::Seeded(2)), some);
    assert!(some != known && some != ones);
    device.power_up();
    assert_eq!(programmable(&device), known);
}

#[test]
fn it_can_be_another_product() {
    let device = Device::new();
    let bus = device.bus();
    device.set_part_number(0x5A6);
    device.set_number_of_counters(4);
    for _ in 0..2 {
        assert_eq!((bus.read(0xFE0), bus.read(0xFE4)), (0xA6, 0xB5));
        assert_eq!(bus.read(PMCR), 4 << 11);
        device.power_up();
    }
    run(&bus, 7, ID);
    device.set_number_of_counters(31);
    assert_eq!(bus.read(PMCR), 31 << 11 | CEN, "nothing else of PMCR changes");
    device.set_part_number(PART as u16);
    assert_eq!((bus.read(0xFE0), bus.read(0xFE4)), (PART & 0xFF, 0xB4));
}

#[test]
#[should_panic(expected = "part number 0x1000")]
fn part_numbers_have_twelve_bits() {
    Device::new().set_part_number(0x1000);
}

#[test]
#[should_panic(expected = "PMU_CNT_NUM 0x20")]
fn the_number_of_counters_has_five_bits() {
    Device::new().set_number_of_counters(0x20);
}

#[test]
#[should_panic(expected = "event source 0x10")]
fn there_is_no_seventeenth_interface() {
    Device::new().set_built(0x10, false);
}

#[test]
fn another_owner_interferes() {
    let device = running();
    let bus = device.bus();
    run(&bus, 1, ID);
    device.clear_journal();
    device.other_owner_disables(1);
    assert_eq!((device.peek(control(0)), device.peek(control(1))), (1, 0));
    device.other_owner_selects(0, 0x1FF);
    assert_eq!((device.peek(select(0)), device.peek(select(1))), (0x1FF, ID));
    device.other_owner_disables_all();
    assert_eq!(device.peek(PMCR), 0x4000);
    assert_eq!(device.journal(), [], "nobody saw it coming");

    let other = device.bus();
    other.write(PMCR, CEN);
    other.synchronize();
    assert_eq!(bus.read(PMCR), 0x4000 | CEN, "a second bus is another owner too");
}

#[test]
fn the_journal_is_in_the_order_of_issue() {
    let device = Device::new();
    let bus = device.bus();
    bus.write(PMCR, CEN);
    assert_eq!(device.journal(), [Access::Store { offset: PMCR, value: CEN }], "not arrived yet");
    let _ = bus.read(PMCR);
    bus.synchronize();
    bus.write(count(7), 9);
    device.poke(PMCR, 0);
    let _ = device.peek(PMCR);
    assert_eq!(
        device.journal(),
        [
            Access::Store { offset: 0x100, value: 1 },
            Access::Load { offset: 0x100, value: 0x4001 },
            Access::Synchronize,
            Access::Store { offset: 0x80004, value: 9 },
        ]
    );
    device.clear_journal();
    assert_eq!(device.journal(), []);
}

#[test]
fn a_stopped_clock_blocks_counts_and_writes() {
    let device = running();
    let bus = device.bus();
    for (stopped, counted) in [(true, 0), (false, 0x5F)] {
        device.set_clock_stopped(stopped);
        bus.write(count(0), 0x55);
        bus.synchronize();
        ten(&device);
        assert_eq!(device.peek(count(0)), counted);
    }
}

// Tests of the interrupt and its acknowledgement.

use std::num::NonZeroU32;

use super::product::NotAcknowledged;
use arm_pmu_core::bus::BusError;
use arm_pmu_sim::{Response, Strict};

use super::{Device, LOOKUP, MISS, evcntr, on_every_device, pmu, signal};

#[test]
fn only_chosen_counters_interrupt() {
    on_every_device(|device, mut pmu| {
        let [lookups, _, _, misses] = pmu.counters();
        lookups.overflow_after(LOOKUP, NonZeroU32::new(3).unwrap());
        misses.overflow_after(MISS, NonZeroU32::new(3).unwrap());
        pmu.interrupts([true, true, false, false]).unwrap();
        let before = device.interrupts();
        let mut running = pmu.start();
        assert_eq!(device.interrupts(), before, "starting raises none");
        signal(device, MISS, 3);
        assert_eq!(device.interrupts(), before, "that counter was not chosen");
        signal(device, LOOKUP, 3);
        assert_eq!(device.interrupts(), before + 1);
        assert_eq!(running.acknowledge(), [true, false, false, true]);
        let pmu = running.stop();
        assert_eq!(device.peek(0x02C40), 0b0001, "a counter that is not in use has none");
        drop(pmu);
    });
}

#[test]
fn no_counter_interrupts_by_default() {
    on_every_device(|device, mut pmu| {
        let [lookups, ..] = pmu.counters();
        lookups.overflow_after(LOOKUP, NonZeroU32::new(3).unwrap());
        let before = device.interrupts();
        let running = pmu.start();
        signal(device, LOOKUP, 3);
        drop(running);
        assert_eq!(device.interrupts(), before, "an earlier owner's enables are cleared");
    });
}

/// Firmware left counters running with enabled interrupts, one event before their overflow.
#[test]
fn counters_of_earlier_owner_do_not_interrupt() {
    let device = Strict::new(Device::tbu());
    let registers = [
        (0x02A00, 0x00FF_FFFF),
        (0x02400, 1 << 29 | u32::from(LOOKUP.code())),
        (evcntr(0), u32::MAX),
        (0x02C00, 0xF),
        (0x02C40, 0xF),
        (0x02E04, 1),
    ];
    for (offset, value) in registers {
        device.poke(offset, value);
    }
    let mut pmu = pmu(&device);
    let [lookups, ..] = pmu.counters();
    lookups.overflow_after(LOOKUP, NonZeroU32::new(3).unwrap());
    pmu.interrupts([true; 4]).unwrap();
    signal(&device, LOOKUP, 1);
    assert_eq!(device.interrupts(), 0, "nothing was started yet");
    let running = pmu.start();
    signal(&device, LOOKUP, 2);
    assert_eq!(device.interrupts(), 0);
    signal(&device, LOOKUP, 1);
    assert_eq!(device.interrupts(), 1);
    drop(running);
}

/// A new selection takes effect at the next start. A resumed run keeps its interrupt selection.
#[test]
fn resuming_keeps_the_interrupts_of_the_start() {
    on_every_device(|device, mut pmu| {
        let [lookups, _, _, misses] = pmu.counters();
        lookups.overflow_after(LOOKUP, NonZeroU32::new(3).unwrap());
        misses.overflow_after(MISS, NonZeroU32::new(3).unwrap());
        pmu.interrupts([true, false, false, false]).unwrap();
        let before = device.interrupts();
        let mut pmu = pmu.start().stop();
        pmu.interrupts([false, false, false, true]).unwrap();
        let running = pmu.resume();
        signal(device, MISS, 3);
        assert_eq!(device.interrupts(), before);
        signal(device, LOOKUP, 3);
        assert_eq!(device.interrupts(), before + 1);
        let running = running.stop().start();
        signal(device, LOOKUP, 3);
        assert_eq!(device.interrupts(), before + 1);
        signal(device, MISS, 3);
        assert_eq!(device.interrupts(), before + 2);
        drop(running);
    });
}

#[test]
fn interrupts_can_be_switched_off_again() {
    on_every_device(|device, mut pmu| {
        pmu.interrupts([true; 4]).unwrap();
        assert_eq!(device.peek(0x02E54), 1);
        pmu.interrupts([false; 4]).unwrap();
        assert_eq!(device.peek(0x02E54), 0);
    });
}

#[test]
fn the_wait_for_the_acknowledgement_is_bounded() {
    let device = Strict::new(Device::tbu());
    let mut pmu = pmu(&device);
    device.set_acknowledge_after(Some(900));
    assert_eq!(pmu.interrupts([true; 4]), Ok(()));
    device.set_acknowledge_after(None);
    assert_eq!(pmu.interrupts([false; 4]), Err(NotAcknowledged::Silent));
    assert_eq!(
        NotAcknowledged::Silent.to_string(),
        "IRQ_CTRLACK does not follow IRQ_CTRL: no clock, or no access"
    );
    device.set_response(Response::Error);
    let fault = NotAcknowledged::BusError(BusError::new());
    assert_eq!(pmu.interrupts([true; 4]), Err(fault));
    assert_eq!(fault.to_string(), BusError::new().to_string());
}

/// A change that was not acknowledged has no effect.
#[test]
fn without_acknowledgement_the_choice_is_as_before() {
    let device = Strict::new(Device::tbu());
    let mut pmu = pmu(&device);
    let [lookups, ..] = pmu.counters();
    lookups.count(LOOKUP);
    pmu.interrupts([true, false, false, false]).unwrap();
    device.set_acknowledge_after(None);
    assert!(pmu.interrupts([false; 4]).is_err());
    let pmu = pmu.start();
    assert_eq!(device.peek(0x02C40), 0b0001);
    drop(pmu);
}

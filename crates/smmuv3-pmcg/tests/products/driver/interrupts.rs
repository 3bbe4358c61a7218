//! Tests of the interrupt and its acknowledgement.

use std::num::NonZeroU32;

use super::product::NotAcknowledged;
use arm_pmu_core::bus::BusError;
use arm_pmu_sim::{Response, Strict};

use super::{Device, LOOKUP, evcntr, on_every_device, pmu, signal};

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
    assert_eq!(device.interrupts(), 0, "the PMU was not started yet");
    let running = pmu.start();
    signal(&device, LOOKUP, 2);
    assert_eq!(device.interrupts(), 0);
    signal(&device, LOOKUP, 1);
    assert_eq!(device.interrupts(), 1);
    drop(running);
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
fn unacknowledged_changes_have_no_effect() {
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

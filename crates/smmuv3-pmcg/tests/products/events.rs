//! Compares the events of the spec with the events of the simulated device, which were typed from the manual.

use super::{Device, product};
use arm_pmu_sim::Stream;
use product::{Event, TbuEvent, TcuEvent};

fn compare<E: Event>(device: &Device) {
    let (evtyper1, evcntr1) = (device.at(0, 0x404), device.at(1, 4));
    device.poke(device.at(0, 0xC00), 0b10);
    device.poke(device.at(0, 0xE04), 1);
    for event in (0..0x400).chain([0x1001, 0x8000, 0xFFFF]) {
        let listed = E::from_code(event);
        device.poke(evtyper1, event.into());
        for (observed, filtered, secure) in (0..8).map(|n| (n & 1 != 0, n & 2 != 0, n & 4 != 0)) {
            device.set_secure_observation(observed);
            // The filter passes either all streams, or only a stream that does not signal here.
            device.other_owner_filters(if filtered { 0x99 } else { u32::MAX });
            device.poke(device.at(0, 0x400), if filtered { 0 } else { 1 << 29 });
            device.poke(evcntr1, 0);
            let stream = if secure { Stream::secure(0x42) } else { Stream::non_secure(0x42) };
            device.signal_raw(event, stream, 1);
            let expected = match listed {
                None => false,
                Some(event) if event.secure_only() => observed,
                Some(event) if event.filterable() => !filtered && (!secure || observed),
                Some(_) => true,
            };
            let context = format!("{event:#x} {observed} {filtered} {secure}");
            assert_eq!(device.peek(evcntr1), u32::from(expected), "{context}");
        }
    }
    assert!(E::ALL.iter().all(|event| event.architectural() == (event.code() < 0x80)));
}

#[test]
fn only_listed_events_are_counted() {
    compare::<TcuEvent>(&Device::tcu());
    compare::<TbuEvent>(&Device::tbu());
}

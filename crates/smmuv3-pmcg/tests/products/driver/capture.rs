//! Tests of captures of all four counters at one instant.

use std::num::NonZeroU32;

use super::product::{Count, CountError, StreamFilter, TbuEvent};
use arm_pmu_sim::Strict;

use super::{Device, LOOKUP, MISS, evcntr, on_every_device, pmu, signal};

#[test]
fn a_capture_reads_running_counters() {
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        signal(device, LOOKUP, 5);
        signal(device, MISS, 2);
        let [lookups, unused, _, misses] = running.capture();
        assert_eq!((lookups.exact(), unused, misses.exact()), (Ok(5), Count::NOT_COUNTED, Ok(2)));
        signal(device, LOOKUP, 1);
        assert_eq!(running.captured(), [Some(5), None, None, Some(2)], "shadows hold still");
        assert_eq!(running.capture()[0].since(lookups).exact(), Ok(1));
        assert_eq!(running.stop().counts()[0].exact(), Ok(6));
    });
}

/// All counters count the clock, which runs while software reads. So the values are different if
/// software reads the counters one by one, but equal if the counters were captured.
#[test]
fn captured_counts_have_no_skew() {
    let device = Strict::new(Device::tbu());
    device.set_cycles_per_access(10);
    let mut pmu = pmu(&device);
    for counter in pmu.counters() {
        counter.count(TbuEvent::ClockCycle);
    }
    let mut running = pmu.start();
    device.clock(1_000);
    let read = running.counts();
    let read = read.map(|count| count.exact().unwrap());
    assert!(read.is_sorted_by(|a, b| a + 10 <= *b), "{read:?}");
    let captured = running.capture();
    assert!(captured.iter().all(|count| *count == captured[0]), "{captured:?}");
    assert!(captured[0].exact().unwrap() > 1_000);
}

/// Tries a wrap of the counters at every possible moment of a capture.
#[test]
fn a_wrap_during_a_capture_is_seen() {
    for left in 1..200 {
        let device = Strict::new(Device::tbu());
        let mut pmu = pmu(&device);
        for counter in pmu.counters() {
            counter.count(TbuEvent::ClockCycle);
        }
        let mut running = pmu.start();
        for counter in 0..4 {
            device.poke(evcntr(counter), 0_u32.wrapping_sub(left * 10 * (counter as u32 + 1)));
        }
        device.set_cycles_per_access(10);
        for count in running.capture() {
            let lower_bound = count.lower_bound();
            // The count is near 2^32, before or after the wrap, so the wrap is neither lost nor counted twice.
            assert!((0xF000_0000..0x1_1000_0000).contains(&lower_bound), "{left}: {count}");
            assert_eq!(count.overflowed(), lower_bound >= 1 << 32);
        }
    }
}

#[test]
fn snapshot_pin_captures_can_be_read() {
    on_every_device(|device, mut pmu| {
        let [_, from, ..] = pmu.counters();
        from.count_from(LOOKUP, 100);
        let running = pmu.start();
        signal(device, LOOKUP, 5);
        device.snapshot_pin();
        signal(device, LOOKUP, 5);
        assert_eq!(running.captured(), [Some(5), Some(105), None, Some(0)]);
        assert_eq!(running.counts()[1].exact(), Ok(10));
    });
}

#[test]
fn overflows_capture_nothing_by_default() {
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        let before = running.capture();
        device.poke(evcntr(3), u32::MAX);
        signal(device, LOOKUP, 3);
        signal(device, MISS, 1);
        assert_eq!(running.captured()[0], before[0].exact().ok(), "OVFCAP is noise after reset");
    });
}

#[test]
fn capture_of_a_disabled_pmu_is_disturbed() {
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        device.other_owner_disables_all();
        assert_eq!(running.capture()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(running.capture()[1], Count::NOT_COUNTED);
    });
}

/// The shadow registers hold the overflow's capture until the next capture. The setting stays on
/// across starts, until the caller switches it off.
#[test]
fn selected_overflows_capture_after_every_start() {
    on_every_device(|device, mut pmu| {
        let [lookups, ..] = pmu.counters();
        lookups.overflow_after(LOOKUP, NonZeroU32::new(10).unwrap());
        pmu.capture_on_overflow([true, false, false, false]);
        for misses in [3, 4] {
            let running = pmu.start();
            assert_eq!([0, 1, 2, 3].map(|n| device.peek(0x02400 + 4 * n) >> 31), [1, 0, 0, 0]);
            signal(device, MISS, misses);
            signal(device, LOOKUP, 12);
            signal(device, MISS, 9);
            assert_eq!(running.captured(), [Some(0), None, None, Some(misses)]);
            assert_eq!(running.counts()[3].exact(), Ok(misses + 9));
            pmu = running.stop();
            assert_eq!(pmu.interference(), None);
        }
        pmu.capture_on_overflow([false; 4]);
        let mut running = pmu.start();
        running.capture();
        signal(device, MISS, 5);
        signal(device, LOOKUP, 12);
        assert_eq!(running.captured()[3], Some(0), "an overflow no longer captures");
    });
}

/// Only the selected counter captures at its overflow. An overflow of counter 0 captures nothing, although the register
/// of counter 0 also contains the filter.
#[test]
fn overflows_of_other_counters_capture_nothing() {
    on_every_device(|device, mut pmu| {
        pmu.filter_streams(StreamFilter::exactly(0x42).unwrap());
        let [lookups, _, _, misses] = pmu.counters();
        lookups.overflow_after(LOOKUP, NonZeroU32::MIN);
        misses.overflow_after(MISS, NonZeroU32::new(2).unwrap());
        pmu.capture_on_overflow([false, false, false, true]);
        let mut running = pmu.start();
        running.capture();
        signal(device, LOOKUP, 6);
        assert_eq!(running.captured()[0], Some(u32::MAX), "the start value, captured earlier");
        signal(device, MISS, 2);
        assert_eq!(running.captured(), [Some(5), None, None, Some(0)]);
    });
}

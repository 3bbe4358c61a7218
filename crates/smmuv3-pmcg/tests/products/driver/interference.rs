//! Tests of interference by other software, and of devices that do not answer.

use super::product::{CountError, StreamFilter, TbuEvent, tbu};
use arm_pmu_core::measure::Interference;
use arm_pmu_sim::{Effect, Intercepted, Strict, ignoring_stores};

use super::{Device, LOOKUP, pmu, signal};

/// All counters share the filter, which does not apply to the cycles.
#[test]
fn changed_filter_disturbs_only_its_events() {
    let changes: [fn(&Device); 2] = [
        |device| device.other_owner_filters(0x42),
        |device| device.poke(0x02400, device.peek(0x02400) ^ 1 << 30),
    ];
    for change in changes {
        let device = Strict::new(Device::tbu());
        let mut pmu = pmu(&device);
        let [cycles, lookups, misses, _] = pmu.counters();
        cycles.count(TbuEvent::ClockCycle);
        lookups.count(LOOKUP);
        misses.count(TbuEvent::MainTlbMiss);
        let running = pmu.start();
        change(&device);
        device.other_owner_disables(3);
        device.clock(5);
        let pmu = running.stop();
        assert_eq!(pmu.interference(), Interference::new(0b0110, false));
        let counts = pmu.counts().map(|count| count.exact());
        assert_eq!(counts[..2], [Ok(5), Err(CountError::Disturbed)]);
    }
}

#[test]
fn ignored_writes_disturb_the_counters() {
    // Offsets of the registers that ignore writes, in page 0 and in page 1, and the counters that
    // are then disturbed.
    let cases: &[(&[usize], &[usize], u32)] = &[
        (&[], &[], 0),
        (&[], &[0x000], 0b0001),
        (&[], &[0x004], 0),
        (&[], &[0x00C], 0b1000),
        (&[0x400], &[], 0b0001),
        (&[0xC00], &[], 0b1001),
        (&[0xA00], &[], 0b1001),
        // A flag of an earlier overflow stays set.
        (&[], &[0xC80], 0b1001),
        // Several registers ignore writes at the same time.
        (&[0xA00], &[0x00C], 0b1001),
        (&[], &[0x00C, 0xC80], 0b1001),
    ];
    // The filter of an earlier owner, which selects a single stream, stays in effect.
    let device = Strict::new(Device::tbu());
    device.poke(0x02A00, 0x42);
    let page0 = ignoring_stores(device.page0(), [0xA00]);
    let mut pmu = tbu::Pmu::new(page0, device.page1());
    let [lookups, ..] = pmu.counters();
    lookups.count(LOOKUP);
    assert_eq!(pmu.start().stop().counts()[0].exact(), Err(CountError::Disturbed));
    let filter = StreamFilter::exactly(7).unwrap();
    for (deaf0, deaf1, lost) in cases {
        // Secure streams are not observed, so a Secure filter always disturbs both counters.
        for (filter, lost) in [(filter, *lost), (filter.secure(), 0b1001)] {
            let device = Strict::new(Device::tbu());
            device.power_up_with(arm_pmu_sim::Noise::Zeros);
            device.poke(0x12CC0, 0b1111);
            let page0 = ignoring_stores(device.page0(), deaf0);
            let page1 = ignoring_stores(device.page1(), deaf1);
            let mut pmu = tbu::Pmu::new(page0, page1);
            let [first, _, _, last] = pmu.counters();
            first.count_from(LOOKUP, 500);
            last.count(TbuEvent::MainTlbMiss);
            pmu.filter_streams(filter);
            let running = pmu.start();
            for (number, count) in running.counts().into_iter().enumerate() {
                let expected = lost >> number & 1 == 1;
                let found = count.exact() == Err(CountError::Disturbed);
                assert_eq!(found, expected, "{filter}, {deaf0:x?} {deaf1:x?}: counter {number}");
            }
            let found = running.stop().interference().map_or(0, |lost| lost.counters);
            assert_eq!(found, lost, "{filter}, {deaf0:x?} {deaf1:x?}");
        }
    }
}

/// Counters that continue to count after a stop have no valid counts.
#[test]
fn ignored_stop_is_disturbed() {
    let device = Strict::new(Device::tbu());
    device.poke(0x02E04, 1);
    let page0 = ignoring_stores(device.page0(), [0xE04]);
    let mut pmu = tbu::Pmu::new(page0, device.page1());
    let [lookups, _, cycles, _] = pmu.counters();
    lookups.count(LOOKUP);
    cycles.count(TbuEvent::ClockCycle);
    let lost = |pmu: &tbu::Pmu<_, _>| pmu.interference().map(|lost| (lost.counters, lost.disabled));
    let pmu = pmu.start().stop();
    assert_eq!(lost(&pmu), Some((0b0101, false)));
    let running = pmu.start();
    device.other_owner_disables(0);
    assert_eq!(lost(&running.stop()), Some((0b0101, false)), "off as well");
}

#[test]
fn a_truncated_event_number_is_disturbed() {
    let device = Strict::new(Device::tbu());
    device.set_event_bits(8);
    let mut pmu = pmu(&device);
    let [first, ..] = pmu.counters();
    first.count(tbu::Selection::raw(0x180).unwrap());
    let running = pmu.start();
    signal(&device, LOOKUP, 3);
    assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed), "from the start on");
    assert_eq!(running.stop().counts()[0].exact(), Err(CountError::Disturbed));
}

#[test]
fn wrong_second_bus_is_detected() {
    let device = Strict::new(Device::tbu());
    // On page 0, the offsets of counters and flags read as zero.
    let mut pmu = tbu::Pmu::new(device.page0(), Intercepted::new(device.page1(), |_| Effect::Skip));
    let [lookups, _, _, cycles] = pmu.counters();
    lookups.count(LOOKUP);
    cycles.count_from(TbuEvent::ClockCycle, 500);
    let mut running = pmu.start();
    signal(&device, LOOKUP, 3);
    let lost = [
        Err(CountError::Disturbed),
        Err(CountError::NotCounted),
        Err(CountError::NotCounted),
        Err(CountError::Disturbed),
    ];
    assert_eq!(running.counts().map(|count| count.exact()), lost);
    assert_eq!(running.capture().map(|count| count.exact()), lost);
    assert_eq!(running.stop().counts().map(|count| count.exact()), lost);
}

//! Filter of the streams whose events are counted.

use super::product::{CountError, StreamFilter, TbuEvent, TcuEvent, tbu, tcu};
use arm_pmu_sim::{Stream, Strict};

use super::{Device, LOOKUP, MISS, TbuPmu, on_every_device, pmu};

const EVTYPER0: usize = 0x02400;
const SMR0: usize = 0x02A00;

fn count(device: &Device, mut pmu: TbuPmu<'_>, filter: StreamFilter, streams: &[Stream]) -> u32 {
    pmu.filter_streams(filter);
    let running = pmu.start();
    for stream in streams {
        device.signal(LOOKUP, *stream, 1);
    }
    let pmu = running.stop();
    assert_eq!(pmu.interference(), None, "{filter}");
    pmu.counts()[0].exact().unwrap()
}

/// Without Secure observation, the hardware compares Non-secure StreamIDs instead of Secure ones.
#[test]
fn ineffective_secure_filter_is_disturbed() {
    let device = Strict::new(Device::tbu());
    let mut pmu = pmu(&device);
    assert_eq!(pmu.secure_observation(), Some(false));
    let [lookups, cycles, ..] = pmu.counters();
    lookups.count(LOOKUP);
    cycles.count(TbuEvent::ClockCycle);
    pmu.filter_streams(StreamFilter::exactly(0x42).unwrap().secure());
    let running = pmu.start();
    device.signal(LOOKUP, Stream::non_secure(0x42), 9);
    device.clock(5);
    let pmu = running.stop();
    let [lookups, cycles, ..] = pmu.counts();
    assert_eq!((lookups.exact(), lookups.wrapping_value()), (Err(CountError::Disturbed), 9));
    assert_eq!(cycles.exact(), Ok(5), "no filter applies to cycles");

    // Non-secure software cannot read SCR, so there is no error.
    let mut pmu = tbu::Pmu::new(device.non_secure_page0(), device.non_secure_page1());
    assert_eq!(pmu.secure_observation(), None);
    let [lookups, ..] = pmu.counters();
    lookups.count(LOOKUP);
    device.set_secure_observation(true);
    pmu.filter_streams(StreamFilter::exactly(0x42).unwrap().secure());
    let running = pmu.start();
    device.signal(LOOKUP, Stream::secure(0x42), 9);
    assert_eq!(running.stop().counts()[0].exact(), Ok(9));
}

/// Events that are not observed are not counted, and zero would look like a valid count.
#[test]
fn unobserved_secure_events_are_disturbed_if_scr_is_readable() {
    let device = Strict::new(Device::tbu());
    let full = |mut pmu: TbuPmu<'_>| {
        let [full, cycles, ..] = pmu.counters();
        full.count(TbuEvent::SlotsFull);
        cycles.count(TbuEvent::ClockCycle);
        let running = pmu.start();
        device.signal(TbuEvent::SlotsFull, Stream::secure(0x42), 9);
        let [now, cycles, ..] = running.counts().map(|count| count.exact());
        assert_eq!(cycles, Ok(0), "cycles need no Secure observation");
        assert_eq!(running.stop().counts()[0].exact(), now);
        now
    };
    assert_eq!(full(pmu(&device)), Err(CountError::Disturbed));
    // Non-secure software cannot read SCR, so there is no error.
    let not_secure = || tbu::Pmu::new(device.non_secure_page0(), device.non_secure_page1());
    assert_eq!(full(not_secure()), Ok(0));
    device.set_secure_observation(true);
    assert_eq!((full(pmu(&device)), full(not_secure())), (Ok(9), Ok(9)));
}

#[test]
fn secure_observation_disabled_during_a_run_is_detected() {
    let device = Strict::new(Device::tbu());
    for (what, filter, lost) in [
        (LOOKUP, StreamFilter::exactly(0x42).unwrap().secure(), 0b01),
        (TbuEvent::SlotsFull, StreamFilter::ALL, 0b01),
        (LOOKUP, StreamFilter::exactly(0x42).unwrap(), 0),
    ] {
        device.set_secure_observation(true);
        let mut pmu = pmu(&device);
        let [first, cycles, ..] = pmu.counters();
        first.count(what);
        cycles.count(TbuEvent::ClockCycle);
        pmu.filter_streams(filter);
        let running = pmu.start();
        device.set_secure_observation(false);
        // A Secure filter then compares Non-secure StreamIDs.
        device.signal(what, Stream::non_secure(0x42), 9);
        let pmu = running.stop();
        assert_eq!(pmu.interference().map_or(0, |lost| lost.counters), lost, "{what}, {filter}");
        device.set_secure_observation(true);
        let running = pmu.start();
        device.set_secure_observation(false);
        device.other_owner_disables(0);
        let lost = running.stop().interference().map(|lost| lost.counters);
        assert_eq!(lost, Some(0b01), "{what}, {filter}: the counter is disabled as well");
    }
}

#[test]
fn events_without_a_filter_are_counted_and_reported() {
    let device = Strict::new(Device::tbu());
    device.set_secure_observation(true);
    let mut pmu = pmu(&device);
    let [lookups, full, raw, _] = pmu.counters();
    lookups.count(LOOKUP);
    full.count(TbuEvent::SlotsFull);
    raw.count(tbu::Selection::raw(0x94).unwrap());
    assert_eq!(pmu.unfiltered(), [false; 4], "all streams are counted in any case");
    pmu.filter_streams(StreamFilter::exactly(0x42).unwrap());
    assert_eq!(pmu.unfiltered(), [false, true, false, false]);
    let running = pmu.start();
    for event in [LOOKUP, TbuEvent::SlotsFull] {
        device.signal(event, Stream::non_secure(7), 3);
    }
    let [lookups, full, ..] = running.stop().counts();
    assert_eq!((lookups.exact(), full.exact()), (Ok(0), Ok(3)));

    let device = Strict::new(Device::tcu());
    let mut pmu = tcu::Pmu::new(device.page0(), device.page1());
    let [cycles, _, walks, _] = pmu.counters();
    cycles.count(TcuEvent::ClockCycle);
    walks.count(TcuEvent::TranslationTableWalkAccess);
    pmu.filter_streams(StreamFilter::ALL_NON_SECURE);
    assert_eq!(pmu.unfiltered(), [true, false, false, false]);
}

/// The filter of all counters is in the event type register of counter 0. Programming a second
/// event, or another event on counter 0, must not remove the filter (Linux commit 4c1daba15c20).
#[test]
fn programming_any_counter_keeps_the_filter() {
    on_every_device(|device, mut pmu| {
        pmu.filter_streams(StreamFilter::span(0x40..0x44).unwrap());
        let pmu = pmu.start().stop();
        let registers = || (device.peek(EVTYPER0), device.peek(SMR0));
        assert_eq!(registers(), (1 << 29 | 0x80, 0x41));

        let mut pmu = pmu;
        let [_, second, ..] = pmu.counters();
        second.count(MISS);
        let mut pmu = pmu.start().stop();
        assert_eq!(registers(), (1 << 29 | 0x80, 0x41), "as they were");

        let [first, ..] = pmu.counters();
        first.count(TbuEvent::MicroTlbLookup);
        let mut pmu = pmu.start().stop();
        assert_eq!(registers(), (1 << 29 | 0x83, 0x41), "another event, the same filter");

        let [first, ..] = pmu.counters();
        first.off();
        let mut running = pmu.start();
        assert_eq!(registers().0 >> 29, 1, "even if counter 0 is unused");
        device.signal(MISS, Stream::non_secure(0x44), 9);
        device.signal(MISS, Stream::non_secure(0x43), 1);
        assert_eq!(running.capture()[1].exact(), Ok(1));

        let mut pmu = running.stop();
        pmu.registers().0.evtyper()[0].modify(|_, w| w.event().set(0x84));
        pmu.acknowledge_all();
        assert_eq!(registers(), (1 << 29 | 0x84, 0x41), "`modify` keeps the filter too");
    });
}

/// A PMU may compare fewer or more bits than a StreamID has. The value that selects all streams then differs, and a
/// filter for a StreamID with too many bits must not match another stream.
#[test]
fn any_stream_width_filters_exactly_or_fails() {
    let streams = [Stream::non_secure(0x42), Stream::non_secure(7), Stream::secure(0x42)];
    for bits in 8..=32 {
        let device = Strict::new(Device::tbu());
        device.set_secure_observation(true);
        device.set_stream_bits(bits);
        let run = |filter| {
            let mut pmu = pmu(&device);
            let [lookups, ..] = pmu.counters();
            lookups.count(LOOKUP);
            count(&device, pmu, filter, &streams)
        };
        assert_eq!(run(StreamFilter::ALL), 3, "{bits}");
        assert_eq!(run(StreamFilter::ALL_NON_SECURE), 2, "{bits}");
        assert_eq!(run(StreamFilter::ALL_SECURE), 1, "{bits}");
        assert_eq!(run(StreamFilter::exactly(0x42).unwrap()), 1, "{bits}");
        let mut pmu = pmu(&device);
        let [lookups, ..] = pmu.counters();
        lookups.count(LOOKUP);
        pmu.filter_streams(StreamFilter::exactly(0x80_0042).unwrap());
        let count = pmu.start().stop().counts()[0].exact();
        assert_eq!(count, if bits >= 24 { Ok(0) } else { Err(CountError::Disturbed) }, "{bits}");
    }
}

/// A span that starts at 0 and has more streams than the PMU can distinguish covers all streams of
/// its security state, but none of the other.
#[test]
fn a_too_wide_span_keeps_its_security_state() {
    let streams = [Stream::non_secure(0x42), Stream::non_secure(7), Stream::secure(0x42)];
    for bits in 7..=32 {
        for log2 in 7..=24 {
            let device = Strict::new(Device::tbu());
            device.set_secure_observation(true);
            device.set_stream_bits(bits);
            let filter = StreamFilter::span(0..1 << log2).unwrap();
            for (filter, expected) in [(filter, 2), (filter.secure(), 1)] {
                let mut pmu = pmu(&device);
                let [lookups, ..] = pmu.counters();
                lookups.count(LOOKUP);
                let counted = count(&device, pmu, filter, &streams);
                assert_eq!(counted, expected, "{filter}, {bits} bits");
            }
        }
    }
}

// Counting, reading, and starting again.

use std::num::NonZeroU32;

use super::product::{Bus, Count, CountError, TbuEvent, TcuEvent, measure, tbu, tcu};
use arm_pmu_core::measure::{CycleCounter, Rearm};
use arm_pmu_sim::{Access, Stream, Strict};

use super::{Device, LOOKUP, MISS, TbuPmu, evcntr, on_every_device, pmu, signal};

#[test]
fn events_between_start_and_stop_are_counted_and_no_others() {
    on_every_device(|device, pmu| {
        signal(device, LOOKUP, 100);
        let running = pmu.start();
        signal(device, LOOKUP, 7);
        signal(device, MISS, 28);
        signal(device, TbuEvent::MicroTlbMiss, 1);
        let pmu = running.stop();
        signal(device, LOOKUP, 100);
        let [lookups, unused, _, misses] = pmu.counts();
        assert_eq!((lookups.exact(), unused, misses.exact()), (Ok(7), Count::NOT_COUNTED, Ok(28)));
        assert_eq!(pmu.interference(), None);
    });
}

#[test]
fn start_counts_from_zero_and_resume_continues() {
    on_every_device(|device, pmu| {
        let running = pmu.resume();
        signal(device, LOOKUP, 5);
        let running = running.stop().resume();
        signal(device, LOOKUP, 6);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Ok(11));
        let running = pmu.start();
        signal(device, LOOKUP, 2);
        assert_eq!(running.stop().counts()[0].exact(), Ok(2));
    });
}

#[test]
fn a_running_pmu_can_be_read_without_stopping_it() {
    on_every_device(|device, pmu| {
        let running = pmu.start();
        signal(device, LOOKUP, 5);
        let before = running.counts()[0];
        signal(device, LOOKUP, 4);
        assert_eq!(running.counts()[0].since(before).exact(), Ok(4));
        assert_eq!(running.stop().counts()[0].exact(), Ok(9));
    });
}

#[test]
fn a_wrap_is_an_overflow_and_never_a_small_number() {
    on_every_device(|device, pmu| {
        let running = pmu.start();
        device.poke(evcntr(0), u32::MAX - 1);
        let before = running.counts()[0];
        signal(device, LOOKUP, 5);
        let after = running.counts()[0];
        assert_eq!(before.exact(), Ok(u32::MAX - 1));
        assert!(after.overflowed());
        assert_eq!(after.since(before).exact(), Ok(5));
        assert_eq!(running.counts()[3].exact(), Ok(0), "the other counter is none the worse");
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].lower_bound(), (1 << 32) + 3);
        assert_eq!(pmu.counts()[3].exact(), Ok(0), "the other counter is none the worse");
        let running = pmu.start();
        device.poke(evcntr(3), u32::MAX);
        signal(device, MISS, 5);
        let overflowed = [false, false, false, true];
        assert_eq!(running.counts().map(Count::overflowed), overflowed, "the last one too");
        assert_eq!(running.stop().counts().map(Count::overflowed), overflowed);
    });
}

#[test]
fn an_acknowledged_overflow_is_remembered_until_the_next_start() {
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        assert_eq!(device.peek(0x12CC0), 0, "start clears what an earlier owner left");
        assert_eq!(running.acknowledge(), [false; 4]);
        device.poke(evcntr(0), u32::MAX);
        signal(device, LOOKUP, 1);
        assert_eq!(running.acknowledge(), [true, false, false, false]);
        assert_eq!(device.peek(0x12CC0), 0);
        // One overflows while the other is acknowledged: neither is forgotten.
        device.poke(evcntr(3), u32::MAX);
        signal(device, MISS, 1);
        assert!(running.counts()[0].overflowed());
        let pmu = running.stop();
        assert_eq!(device.peek(0x12CC0), 0);
        let overflowed = |pmu: &TbuPmu<'_>| pmu.counts().map(Count::overflowed);
        assert_eq!(overflowed(&pmu), [true, false, false, true]);
        let pmu = pmu.resume().stop();
        assert_eq!(overflowed(&pmu), [true, false, false, true], "resuming does not forget");
        let pmu = pmu.start().stop();
        assert_eq!(overflowed(&pmu), [false; 4], "starting does");
    });
}

#[test]
fn a_flag_of_an_unused_counter_is_ignored() {
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        device.poke(0x12CC0, 0b0110);
        assert_eq!(running.acknowledge(), [false; 4]);
        assert_eq!(device.peek(0x12CC0), 0b0110);
        let mut pmu = running.stop();
        pmu.acknowledge_all();
        assert_eq!(device.peek(0x12CC0), 0);
    });
}

#[test]
fn counters_start_from_their_start_values() {
    on_every_device(|device, mut pmu| {
        let [lookups, budget, ..] = pmu.counters();
        lookups.count_from(LOOKUP, 1_000);
        budget.overflow_after(LOOKUP, NonZeroU32::new(10).unwrap());
        let mut running = pmu.start();
        signal(device, LOOKUP, 9);
        assert_eq!(running.acknowledge(), [false; 4]);
        assert_eq!(running.counts()[0].exact(), Ok(9), "the start value is not counted");
        signal(device, LOOKUP, 1);
        assert_eq!(running.acknowledge(), [false, true, false, false]);
        assert_eq!(running.stop().counts()[1].lower_bound(), 10);
    });
}

#[test]
fn every_counter_can_count_every_event_and_the_cycles() {
    let device = Strict::new(Device::tcu());
    device.set_secure_observation(true);
    for event in TcuEvent::ALL.iter().copied() {
        let mut pmu = tcu::Pmu::new(device.page0(), device.page1());
        for counter in pmu.counters() {
            counter.count(event);
        }
        let running = pmu.start();
        device.signal(event, Stream::non_secure(1), 3);
        assert_eq!(running.stop().counts().map(Count::exact), [Ok(3); 4], "{event}");
    }
    let mut pmu = tcu::Pmu::new(device.page0(), device.page1());
    let cycles = cycles_of(&pmu);
    let measured = measure(&mut pmu, [cycles], || device.clock(640)).unwrap();
    assert_eq!(measured.counts[0].exact(), Ok(640));
    device.set_clock_gated(true);
    let measured = measure(&mut pmu, [cycles], || device.clock(640)).unwrap();
    assert_eq!(measured.counts[0].exact(), Ok(0), "an idle unit has no clock");
}

fn cycles_of<M: CycleCounter>(_: &M) -> M::Selection {
    M::CYCLES
}

#[test]
fn unlisted_events_are_counted_by_number() {
    let device = Strict::new(Device::tbu());
    let mut pmu = pmu(&device);
    let [first, ..] = pmu.counters();
    first.count(tbu::Selection::raw(0x80).unwrap());
    let running = pmu.start();
    signal(&device, LOOKUP, 3);
    assert_eq!(running.stop().counts()[0].exact(), Ok(3));
}

#[test]
fn an_event_number_beyond_the_bits_of_the_hardware_is_disturbed() {
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
fn driver_shows_selections_and_returns_its_buses() {
    let device = Strict::new(Device::tbu());
    let mut pmu = pmu(&device);
    let [lookups, ..] = pmu.counters();
    lookups.count(LOOKUP);
    assert!(format!("{pmu:?}").contains("MAIN_TLB_LOOKUP"));
    let running = pmu.start();
    assert!(format!("{running:?}").contains("MAIN_TLB_LOOKUP"));
    let (page0, page1) = running.stop().release();
    page0.synchronize();
    page1.synchronize();
    assert_eq!(device.peek(0x02E04), 0, "it stays stopped");
}

#[test]
fn rearmed_counter_counts_from_its_new_value() {
    on_every_device(|device, pmu| {
        let ten = NonZeroU32::new(10).unwrap();
        let mut running = pmu.start();
        signal(device, LOOKUP, 5);
        signal(device, MISS, 5);
        let unused = device.peek(evcntr(1));
        running.rearm(1, ten);
        running.rearm(0, ten);
        assert_eq!(device.journal().last(), Some(&Access::Synchronize));
        assert_eq!((device.peek(evcntr(0)), device.peek(evcntr(1))), (u32::MAX - 9, unused));
        signal(device, LOOKUP, 9);
        assert_eq!(running.acknowledge(), [false; 4]);
        assert_eq!((running.counts()[0].exact(), running.counts()[3].exact()), (Ok(9), Ok(5)));
        signal(device, LOOKUP, 1);
        assert_eq!(running.acknowledge(), [true, false, false, false], "at the tenth");
    });
}

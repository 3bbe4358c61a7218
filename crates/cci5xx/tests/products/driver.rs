//! Measurements and failures.

use std::cell::Cell;
use std::num::NonZeroU32;

use arm_pmu::cci500::{CountError, MI0, MasterEvent, Pmu, SI3, Selection, SlaveEvent, Space};
use arm_pmu_core::measure::Rearm;
use arm_pmu_sim::Cci500 as Device;
use arm_pmu_sim::{
    Access, Attempt, Effect, Intercepted, MemoryBus, Noise, Security, Strict, ignoring_stores,
};

const READS: Selection = SI3.event(SlaveEvent::ReadRequestAny);
const BEATS: Selection = SI3.event(SlaveEvent::ReadDataBeat);

type DevicePmu<'d> = Pmu<MemoryBus<'d, Space>>;

fn signal(device: &Device, what: Selection, times: u32) {
    device.signal(what, Security::NonSecure, times);
}

fn select(counter: usize) -> usize {
    0x10000 * (counter + 1)
}

fn count(counter: usize) -> usize {
    select(counter) + 4
}

/// Calls `test` with devices in several states. Each driver counts reads on counter 0 and beats on
/// counter 5.
fn on_every_device(test: impl Fn(&Device, DevicePmu<'_>)) {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2), Noise::Seeded(3)] {
        for reset_reaches_gated in [false, true] {
            for posted in [false, true] {
                let device = Strict::new(Device::new());
                device.set_reset_reaches_gated(reset_reaches_gated);
                device.set_posted_stores(posted);
                device.power_up_with(noise);
                let mut pmu = Pmu::new(device.bus());
                let [reads, .., beats, _, _] = pmu.counters();
                reads.count(READS);
                beats.count(BEATS);
                test(&device, pmu);
            }
        }
    }
}

#[test]
fn all_counters_start_together_despite_traffic_during_setup() {
    // Before each access of a start, 3 events happen. Events that happen after CEN is set belong to
    // the measurement, even if the register was not read back yet.
    let after_the_start = 3;
    for from in [0, 500] {
        let device = Strict::new(Device::new());
        device.set_posted_stores(false);
        device.power_up_with(Noise::Ones);
        let busy = Cell::new(false);
        let mut pmu = Pmu::new(Intercepted::new(device.bus(), |_| {
            signal(&device, READS, if busy.get() { 3 } else { 0 });
            Effect::Proceed
        }));
        let [reads, silent, ..] = pmu.counters();
        reads.count_from(READS, from);
        silent.count_from(MI0.event(MasterEvent::ReadDataBeat), from);
        // When the second run starts, the counters already select the events.
        for _ in 0..2 {
            busy.set(true);
            let running = pmu.start();
            busy.set(false);
            signal(&device, READS, 10);
            let [reads, silent, ..] = running.counts();
            assert_eq!(reads.exact(), Ok(after_the_start + 10));
            assert_eq!(silent.exact(), Ok(0));
            pmu = running.stop();
        }
    }
}

/// Selections change only while nothing counts, even if an earlier owner left the device counting.
#[test]
fn no_selection_is_written_while_counters_are_enabled() {
    on_every_device(|device, pmu| {
        device.poke(0x100, device.peek(0x100) | 1);
        device.clear_journal();
        let _running = pmu.start();
        let mut enabled = true;
        for access in device.journal() {
            match access {
                Access::Store { offset: 0x100, value } => enabled = value & 1 == 1,
                Access::Store { offset, .. } => assert!(!enabled || offset % 0x10000 != 0),
                _ => {}
            }
        }
        assert!(enabled);
    });
}

#[test]
fn ignored_start_value_is_disturbed() {
    for (from, to, expected) in
        [(500, count(2), Err(CountError::Disturbed)), (500, count(1), Ok(0)), (0, count(2), Ok(0))]
    {
        let device = Strict::new(Device::new());
        let mut pmu = Pmu::new(ignoring_stores(device.bus(), [to]));
        let [_, _, reads, ..] = pmu.counters();
        reads.count_from(READS, from);
        let running = pmu.start();
        assert_eq!(running.counts()[2].exact(), expected);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[2].exact(), expected);
        let lost = pmu.interference().map_or(0, |lost| lost.counters);
        assert_eq!(lost, if expected.is_err() { 1 << 2 } else { 0 });
    }
}

#[test]
fn export_bit_is_unchanged() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    pmu.registers().pmcr().modify(|_, w| w.ex().set_bit());
    let [reads, ..] = pmu.counters();
    reads.count(READS);
    let running = pmu.start();
    assert_eq!(device.peek(0x100), 0x4011);
    let mut pmu = running.stop();
    assert!(pmu.registers().pmcr().read().ex().bit());
    assert_eq!(device.peek(0x100), 0x4010);
}

/// No manual states whether clearing a flag requires a clock or a disabled PMU.
#[test]
fn flags_are_cleared_by_any_rule() {
    for (while_counting, need_clock) in [(true, false), (false, false), (true, true)] {
        on_every_device(|device, pmu| {
            device.set_flags_clear_while_counting(while_counting);
            device.set_flags_need_clock(need_clock);
            for counter in 0..8 {
                device.poke(select(counter) + 0xC, 1);
            }
            let mut running = pmu.start();
            assert_eq!(device.overflow_lines() & 0b10_0001, 0, "start");
            device.poke(count(0), u32::MAX);
            signal(device, READS, 1);
            let taken = running.acknowledge();
            assert_eq!((taken[0], taken[5]), (true, false));
            assert_eq!(device.overflow_lines() & 0b10_0001, 0, "acknowledge");
            assert_eq!(device.peek(0x100) & 1, 1, "CEN");
            signal(device, READS, 1);
            let pmu = running.stop();
            // Counters that were stopped during the call may have missed events.
            let expected = if while_counting {
                (Err(CountError::Overflowed), Ok(0))
            } else {
                (Err(CountError::Disturbed), Err(CountError::Disturbed))
            };
            let [reads, .., beats, _, _] = pmu.counts();
            assert_eq!((reads.exact(), beats.exact()), expected);
            assert_eq!(pmu.start().stop().interference(), None);
        });
    }
}

#[test]
fn stuck_flag_is_no_overflow() {
    on_every_device(|device, pmu| {
        device.set_flags_clear_while_counting(false);
        device.set_flags_need_clock(true);
        device.poke(select(0) + 0xC, 1);
        device.poke(select(5) + 0xC, 0);
        let running = pmu.start();
        let [reads, .., beats, _, _] = running.counts();
        assert_eq!((reads.exact(), beats.exact()), (Err(CountError::Disturbed), Ok(0)));
        assert_eq!(running.stop().counts()[0].lower_bound(), 0);
    });
}

#[test]
fn a_start_does_not_need_the_reset() {
    let device = Strict::new(Device::new());
    device.power_up_with(Noise::Ones);
    let mut pmu = Pmu::new(Intercepted::new(device.bus(), |attempt| match attempt {
        Attempt::Store(0x100, value) => Effect::Replace(value & !2),
        _ => Effect::Proceed,
    }));
    let [reads, ..] = pmu.counters();
    reads.count(READS);
    let running = pmu.start();
    signal(&device, READS, 3);
    assert_eq!(running.stop().counts()[0].exact(), Ok(3));
}

#[test]
fn rearming_clears_flags_clearable_only_while_stopped() {
    on_every_device(|device, pmu| {
        device.set_flags_clear_while_counting(false);
        let mut running = pmu.start();
        device.poke(count(0), u32::MAX);
        signal(device, READS, 1);
        running.rearm(0, NonZeroU32::new(10).unwrap());
        assert_eq!(device.overflow_lines(), 0);
        signal(device, READS, 9);
        let [reads, .., beats, _, _] = running.counts();
        assert_eq!((reads.exact(), beats.exact()), (Ok(9), Err(CountError::Disturbed)));
    });
}

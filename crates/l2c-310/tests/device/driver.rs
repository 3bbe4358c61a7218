//! Tests the driver on a simulated L2C-310: measurements, full counters and failures.

use arm_pmu_core::measure::RunningMonitor;
use arm_pmu_sim::{Access, L2c310, MemoryBus, Noise};
use l2c_310::{CountError, L2c310Event, Monitor, Pmu, Space};

const READS: L2c310Event = L2c310Event::DataReadRequest;

type DevicePmu<'d> = Pmu<MemoryBus<'d, Space>>;

/// Calls `test` with several devices in different states, each with a driver that counts reads.
fn on_every_device(test: impl Fn(&L2c310, DevicePmu<'_>)) {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2)] {
        for (posted, beyond) in [(false, false), (true, false), (false, true), (true, true)] {
            let device = L2c310::new();
            device.set_posted_stores(posted);
            device.set_interrupt_beyond(beyond);
            device.power_up_with(noise);
            let mut pmu = Pmu::new(device.bus());
            let [reads, _] = pmu.counters();
            reads.count(READS);
            test(&device, pmu);
        }
    }
}

/// A full counter misses an unknown number of events, so its value is a lower bound, whether the PMU is stopped or
/// counting.
#[test]
fn a_full_counter_has_no_exact_count() {
    for (from, events, full) in [
        (0, u32::MAX - 1, false),
        (0, u32::MAX, true),
        (10, u32::MAX - 11, false),
        (10, u32::MAX - 10, true),
        (10, u32::MAX, true),
        (u32::MAX - 1, 0, false),
        (u32::MAX - 1, 1, true),
        (u32::MAX - 1, 2, true),
        (u32::MAX, 0, true),
        (u32::MAX, 9, true),
    ] {
        on_every_device(|device, mut pmu| {
            let [reads, _] = pmu.counters();
            reads.count_from(READS, from);
            let running = pmu.start();
            device.signal(READS, events);
            let expected = if full { Err(CountError::Saturated) } else { Ok(events) };
            let known = u64::from(if full { u32::MAX - from } else { events });
            let [count, _] = running.counts();
            assert_eq!((count.exact(), count.lower_bound()), (expected, known), "{from} {events}");
            let pmu = running.stop();
            let [count, _] = pmu.counts();
            assert_eq!((count.exact(), count.lower_bound()), (expected, known), "{from} {events}");
            assert_eq!(count.to_string().starts_with(">= "), full);
            assert_eq!(pmu.interference(), None);
        });
    }
}

/// Only other software can decrease a full counter.
#[test]
fn decreased_saturated_counter_is_disturbed() {
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        device.signal(READS, u32::MAX);
        assert_eq!(running.acknowledge(), [true, false]);
        device.poke(0x210, 7);
        assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(running.stop().counts()[0].exact(), Err(CountError::Disturbed));
    });
}

#[test]
fn overflow_interrupts_leave_error_flags() {
    on_every_device(|device, mut pmu| {
        device.poke(0x21C, 0x1FE);
        pmu.registers().reg2_int_mask().write(|w| w.ecntr().set_bit());
        for interrupts in [false, true] {
            pmu.interrupt([interrupts, !interrupts]);
            let mut running = pmu.start();
            assert_eq!(device.peek(0x21C), 0x1FE);
            device.signal(READS, u32::MAX);
            device.signal(READS, 1);
            assert_eq!(device.peek(0x21C) & 1, u32::from(interrupts));
            assert_eq!(device.interrupt(), interrupts);
            assert_eq!(running.acknowledge(), [true, false]);
            assert!(!device.interrupt());
            assert_eq!((device.peek(0x21C), device.peek(0x214)), (0x1FE, 1));
            device.signal(READS, 1);
            assert_eq!(device.interrupt(), interrupts);
            pmu = running.stop();
            assert!(!device.interrupt(), "a stop clears it");
            assert_eq!(pmu.interference(), None);
        }
    });
}

#[test]
fn reads_are_within_the_stated_skew() {
    fn skew<R: RunningMonitor>(_: &R) -> usize {
        R::SKEW.unwrap() as usize
    }

    let device = L2c310::new();
    let mut pmu = Pmu::new(device.bus());
    pmu.assign(&[READS.into(); 2]).unwrap();
    let running = pmu.start();
    device.clear_journal();
    let _ = running.counts();
    let journal = device.journal();
    let is_value = |access: &Access| matches!(access, Access::Load { offset: 0x20C | 0x210, .. });
    let [first, last] = [journal.iter().position(is_value), journal.iter().rposition(is_value)];
    assert_eq!(last.unwrap() - first.unwrap(), skew(&running));
}

//! The driver on a simulated SKELETON IP: measurements and failures.

use std::num::NonZeroU32;

use arm_pmu_sim::{MemoryBus, Noise, SkeletonIp};
use arm_pmu_core::bus::BusError;
use arm_pmu_core::measure::{Interference, Rearm};
use skeleton_ip::{CountError, Pmu, SkeletonIpEvent, Space};

const READS: SkeletonIpEvent = SkeletonIpEvent::ReadRequest;

type DevicePmu<'d> = Pmu<MemoryBus<'d, Space>>;

/// Calls `test` with devices in several states, each with a driver that counts reads.
fn on_every_device(test: impl Fn(&SkeletonIp, DevicePmu<'_>)) {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2)] {
        for posted in [false, true] {
            let device = SkeletonIp::new();
            device.set_posted_stores(posted);
            device.power_up_with(noise);
            let mut pmu = Pmu::new(device.bus());
            let [reads, _] = pmu.counters();
            reads.count(READS);
            test(&device, pmu);
        }
    }
}

#[test]
fn only_events_between_start_and_stop_count() {
    on_every_device(|device, pmu| {
        device.signal(READS, 100);
        let running = pmu.start();
        device.signal(READS, 5);
        device.signal(SkeletonIpEvent::ReadStall, 7);
        assert_eq!(running.counts()[0].exact(), Ok(5));
        device.signal(READS, 1);
        let pmu = running.stop();
        device.signal(READS, 100);
        assert_eq!(pmu.counts()[0].exact(), Ok(6));
        let running = pmu.resume();
        device.signal(READS, 1);
        assert_eq!(running.stop().counts()[0].exact(), Ok(7));
    });
}

#[test]
fn a_wrap_is_reported_as_overflow() {
    on_every_device(|device, mut pmu| {
        let [reads, _] = pmu.counters();
        reads.count_from(READS, u32::MAX);
        let mut running = pmu.start();
        device.signal(READS, 3);
        assert_eq!(running.counts()[0].exact(), Err(CountError::Overflowed));
        assert_eq!(running.acknowledge(), [true, false]);
        assert_eq!(running.acknowledge(), [false, false]);
        assert_eq!(running.stop().counts()[0].lower_bound(), 3);
    });
}

#[test]
fn a_budget_is_rearmed_while_counting() {
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        for used in [9, 10, 12] {
            running.rearm(0, NonZeroU32::new(10).unwrap());
            running.rearm(1, NonZeroU32::MIN); // not in use
            device.signal(READS, used);
            assert_eq!(running.counts()[0].lower_bound(), used.into());
            assert_eq!(running.acknowledge(), [used >= 10, false]);
        }
        assert_eq!(running.stop().counts()[0].lower_bound(), 12);
    });
}

#[test]
fn interference_is_detected() {
    on_every_device(|device, pmu| {
        let running = pmu.start();
        device.poke(0x1000, 0x02);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(pmu.interference(), Interference::new(0b1, false));
        let running = pmu.start();
        device.poke(0x000, 0);
        assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(running.stop().interference(), Interference::new(0, true));
    });
}

#[test]
fn a_bus_that_fails_gives_no_number() {
    let device = SkeletonIp::new();
    for accesses in 0..60 {
        device.power_up();
        device.set_response(arm_pmu_sim::Response::Registers);
        let mut pmu = Pmu::new(device.bus());
        let [reads, _] = pmu.counters();
        reads.count(READS);
        device.respond_after(accesses, arm_pmu_sim::Response::Error);
        let running = pmu.start();
        device.signal(READS, 5);
        let pmu = running.stop();
        let count = pmu.counts()[0];
        let failed = skeleton_ip::Bus::error(&pmu.release()) == Some(BusError::new());
        assert!(failed || count.exact() == Ok(5), "{accesses}: {count}");
        assert!(!failed || count.exact() == Err(CountError::BusError), "{accesses}: {count}");
    }
}

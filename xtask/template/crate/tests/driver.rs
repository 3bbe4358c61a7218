//! The driver on a simulated SKELETON IP: what is measured, and what goes wrong.

use arm_pmu_sim::{MemoryBus, Noise, SkeletonIp};
use skeleton_ip::{Fault, Inexact, Lost, Plan, Pmu, SkeletonIpEvent, measure};

const READS: SkeletonIpEvent = SkeletonIpEvent::ReadRequest;

type DevicePmu<'d> = Pmu<MemoryBus<'d, { SkeletonIp::LENGTH }>>;

/// A device in each state that a driver has to cope with, its driver counting reads.
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
fn events_between_start_and_stop_are_counted_and_no_others() {
    on_every_device(|device, pmu| {
        device.signal(0x00, 100);
        let running = pmu.start();
        device.signal(0x00, 5);
        device.signal(0x01, 7);
        assert_eq!(running.counts()[0].exact(), Ok(5));
        device.signal(0x00, 1);
        let pmu = running.stop();
        device.signal(0x00, 100);
        assert_eq!(pmu.counts()[0].exact(), Ok(6));
        let running = pmu.resume();
        device.signal(0x00, 1);
        assert_eq!(running.stop().counts()[0].exact(), Ok(7));
    });
}

#[test]
fn a_wrap_is_an_overflow_and_never_a_small_number() {
    on_every_device(|device, mut pmu| {
        let [reads, _] = pmu.counters();
        reads.count_from(READS, u32::MAX);
        let mut running = pmu.start();
        device.signal(0x00, 3);
        assert_eq!(running.counts()[0].exact(), Err(Inexact::Overflowed));
        assert_eq!(running.acknowledge(), [true, false]);
        assert_eq!(running.acknowledge(), [false, false]);
        assert_eq!(running.stop().counts()[0].at_least(), 3);
    });
}

#[test]
fn somebody_who_interferes_is_found_out() {
    on_every_device(|device, pmu| {
        let running = pmu.start();
        device.poke(0x1000, 0x02);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Err(Inexact::Lost));
        assert_eq!(pmu.lost(), Lost::new(0b1, false));
        let running = pmu.start();
        device.poke(0x000, 0);
        assert_eq!(running.counts()[0].exact(), Err(Inexact::Lost));
        assert_eq!(running.stop().lost(), Lost::new(0, true));
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
        device.signal(0x00, 5);
        let pmu = running.stop();
        let count = pmu.counts()[0];
        let failed = skeleton_ip::Bus::fault(&pmu.release()) == Some(Fault::new());
        assert!(failed || count.exact() == Ok(5), "{accesses}: {count}");
        assert!(!failed || count.exact() == Err(Inexact::Fault), "{accesses}: {count}");
    }
}

#[test]
fn it_is_one_of_the_unified_api() {
    let device = SkeletonIp::new();
    let mut pmu = Pmu::new(device.bus());
    let work = || device.signal(0x02, 9);
    let measured = measure(&mut pmu, [SkeletonIpEvent::ReadDataBeat], work).unwrap();
    assert_eq!(measured.counts[0].exact(), Ok(9));
}

#[test]
fn more_events_than_counters_are_counted_in_passes_and_in_turn() {
    let device = SkeletonIp::new();
    let mut pmu = Pmu::new(device.bus());
    let work = || (0..3).for_each(|event| device.signal(event, 100 + u32::from(event)));
    let plan = Plan::<_, 3>::of([READS, SkeletonIpEvent::ReadStall, SkeletonIpEvent::ReadDataBeat]);
    let passes = plan.run(&mut pmu, work).unwrap();
    let amounts: Vec<_> = passes.pairs().map(|(_, amount)| amount.exact().unwrap()).collect();
    assert_eq!((passes.number(), amounts), (2, vec![100, 101, 102]));

    let mut rotation = plan.fit(&mut pmu).unwrap().rotate(pmu, 0);
    work();
    rotation.rotate(10);
    work();
    let (_, rotated) = rotation.stop(20);
    let amounts: Vec<_> = rotated.pairs().map(|(_, amount)| amount.estimate().unwrap()).collect();
    assert_eq!(amounts, [200, 202, 204], "each was counted for half of the time");
}

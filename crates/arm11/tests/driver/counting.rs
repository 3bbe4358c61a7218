//! Counting, reading, and starting again.

use arm_pmu_sim::Arm11;
use arm11::{Arm1176, Core, Divider, Pmu, arm1176};

use super::{BRANCH, CorePmu, EVERY_CYCLE, event, on_every_core, pmu};

#[test]
fn event_counters_can_count_every_cycle() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        let [cycles, _] = pmu.counters();
        cycles.count(event::<C>(EVERY_CYCLE));
        pmu.cycle_counter().count(Divider::By64);
        let running = pmu.start();
        device.clock(6_400);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Ok(6_400), "the divider belongs to the cycle counter");
        assert!((99..=101).contains(&pmu.cycles().exact().unwrap()));
    }
    on_every_core!(test);
}

/// Only the events of the first three cycles are missing.
#[test]
fn counting_starts_three_cycles_late() {
    fn test<C: Core>(device: &Arm11, pmu: CorePmu<'_, C>) {
        device.set_start_delay(3);
        let running = pmu.start();
        device.signal_raw(BRANCH, 1);
        device.clock(3);
        device.signal_raw(BRANCH, 1);
        device.clock(100);
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(1), Ok(100)));
        assert_eq!(pmu.interference(), None);
    }
    on_every_core!(test);
}

#[test]
fn debug_state_stops_counting_without_loss() {
    fn test<C: Core>(device: &Arm11, pmu: CorePmu<'_, C>) {
        let running = pmu.start();
        device.signal_raw(BRANCH, 2);
        device.set_debug_state(true);
        device.signal_raw(BRANCH, 1_000);
        device.clock(1_000);
        assert_eq!(running.counts()[0].exact(), Ok(2), "registers can be read");
        device.set_debug_state(false);
        device.signal_raw(BRANCH, 3);
        device.clock(30);
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(5), Ok(30)));
        assert_eq!(pmu.interference(), None);
    }
    on_every_core!(test);
}

/// Both worlds share one copy of the registers, so Secure software also takes cycles.
#[test]
fn events_of_the_secure_state_need_permission() {
    for (observed, stops_cycles, branches, cycles) in
        [(false, false, 1, 30), (false, true, 1, 10), (true, false, 3, 30), (true, true, 3, 30)]
    {
        let device = Arm11::arm1176();
        device.set_secure_observed(observed);
        device.set_secure_stops_cycles(stops_cycles);
        let running = pmu::<Arm1176>(&device).start();
        device.signal_raw(BRANCH, 1);
        device.clock(10);
        device.set_secure(true);
        device.signal_raw(BRANCH, 2);
        device.clock(20);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Ok(branches));
        assert_eq!(pmu.cycles().exact(), Ok(cycles));
    }
}

#[test]
fn unlisted_events_are_counted_by_number() {
    let device = Arm11::arm1176();
    let mut pmu = Pmu::<Arm1176, _>::new(device.bus());
    let [first, second] = pmu.counters();
    first.count(arm1176::Selection::raw(BRANCH.into()).unwrap());
    second.count(arm1176::Selection::raw(0x30).unwrap());
    let running = pmu.start();
    device.signal_raw(BRANCH, 3);
    let pmu = running.stop();
    assert_eq!(pmu.counts()[0].exact(), Ok(3));
    let reserved = |violation: &_| {
        matches!(violation, arm_pmu_sim::Violation::ReservedEvent { counter: 1, event: 0x30 })
    };
    assert!(device.violations().iter().all(reserved), "what was asked for, and no more");
    assert!(!device.violations().is_empty());
}

//! Counting, reading, and starting again.

use arm_pmu_sim::Arm11;
use arm11::{Arm1136, Arm1156, Arm1176, Bus, Core, Count, Divider, Event, Pmu, arm1176};

use super::{
    BRANCH, CONTROL, COUNTS, CYCLES, CorePmu, EVERY_CYCLE, INSTRUCTION, NOISES, event,
    on_every_core, pmu,
};

#[test]
fn only_events_and_cycles_of_the_run_count() {
    fn test<C: Core>(device: &Arm11, pmu: CorePmu<'_, C>) {
        device.signal_raw(BRANCH, 100);
        device.clock(1_000);
        let running = pmu.start();
        device.signal_raw(BRANCH, 7);
        device.signal_raw(INSTRUCTION, 28);
        device.signal_raw(0x00, 1);
        device.clock(640);
        let pmu = running.stop();
        device.signal_raw(BRANCH, 100);
        device.clock(1_000);
        assert_eq!(pmu.counts().map(Count::exact), [Ok(7), Ok(28)]);
        assert_eq!(pmu.cycles().exact(), Ok(640));
        assert_eq!(pmu.interference(), None);
        assert_eq!(device.peek(COUNTS[0]), 7, "it stays stopped");
    }
    on_every_core!(test);
}

#[test]
fn counters_without_a_selection_are_not_counted() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        assert_eq!((pmu.counts(), pmu.cycles()), ([Count::NOT_COUNTED; 2], Count::NOT_COUNTED));
        let [branches, _] = pmu.counters();
        branches.off();
        pmu.cycle_counter().off();
        let running = pmu.start();
        device.signal_raw(INSTRUCTION, 3);
        device.clock(50);
        assert_eq!(running.counts().map(Count::exact), [Count::NOT_COUNTED.exact(), Ok(3)]);
        assert_eq!(running.cycles(), Count::NOT_COUNTED);
        let pmu = running.stop();
        assert_eq!(pmu.counts(), [Count::NOT_COUNTED, Count::new(3)]);
        assert_eq!((pmu.cycles(), pmu.interference()), (Count::NOT_COUNTED, None));
        assert_eq!(device.peek(COUNTS[0]), 0, "and quiet");
        assert_eq!(device.peek(CONTROL) >> 20 & 0xFF, 0x20);
    }
    on_every_core!(test);
}

#[test]
fn start_counts_from_zero_and_resume_continues() {
    fn test<C: Core>(device: &Arm11, pmu: CorePmu<'_, C>) {
        let running = pmu.resume();
        device.signal_raw(BRANCH, 5);
        device.clock(50);
        let pmu = running.stop();
        device.signal_raw(BRANCH, 1_000);
        let running = pmu.resume();
        device.signal_raw(BRANCH, 6);
        device.clock(60);
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(11), Ok(110)));
        let running = pmu.start();
        device.signal_raw(BRANCH, 2);
        device.clock(20);
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(2), Ok(20)));
    }
    on_every_core!(test);
}

#[test]
fn a_running_pmu_can_be_read_without_stopping_it() {
    fn test<C: Core>(device: &Arm11, pmu: CorePmu<'_, C>) {
        let running = pmu.start();
        device.signal_raw(BRANCH, 5);
        device.signal_raw(INSTRUCTION, 50);
        device.clock(500);
        let ([branches, instructions], cycles) = (running.counts(), running.cycles());
        assert_eq!(
            (branches.exact(), instructions.exact(), cycles.exact()),
            (Ok(5), Ok(50), Ok(500))
        );
        device.signal_raw(BRANCH, 4);
        device.signal_raw(INSTRUCTION, 40);
        device.clock(400);
        assert_eq!(running.counts()[0].since(branches).exact(), Ok(4));
        assert_eq!(running.counts()[1].since(instructions).exact(), Ok(40));
        assert_eq!(running.cycles().since(cycles).exact(), Ok(400));
        let pmu = running.stop();
        assert_eq!(pmu.counts().map(Count::exact), [Ok(9), Ok(90)]);
        assert_eq!(pmu.cycles().exact(), Ok(900));
    }
    on_every_core!(test);
}

#[test]
fn both_counters_can_count_every_event_of_their_core() {
    fn test<C: Core>(device: &Arm11) {
        for event in C::Event::ALL.iter().copied() {
            let mut pmu: CorePmu<'_, C> = Pmu::new(device.bus());
            for counter in pmu.counters() {
                counter.count(C::Selection::from(event));
            }
            let running = pmu.start();
            device.signal_raw(event.code() as u8, 3);
            assert_eq!(running.stop().counts().map(Count::exact), [Ok(3); 2], "{event}");
        }
        assert_eq!(device.violations(), []);
    }
    test::<Arm1136>(&Arm11::arm1136());
    test::<Arm1156>(&Arm11::arm1156());
    test::<Arm1176>(&Arm11::arm1176());
}

#[test]
fn every_cycle_is_an_event_beside_the_cycle_counter() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        let [cycles, _] = pmu.counters();
        cycles.count(event::<C>(EVERY_CYCLE));
        pmu.cycle_counter().count(Divider::By64);
        let running = pmu.start();
        device.clock(6_400);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Ok(6_400), "the divider is that of the cycle counter");
        assert!((99..=101).contains(&pmu.cycles().exact().unwrap()));
    }
    on_every_core!(test);
}

/// Where the divider starts is not known, whether or not a reset reaches it: off by one at most.
#[test]
fn the_divider_counts_every_64th_cycle() {
    for noise in NOISES {
        for reaches in [false, true] {
            let device = Arm11::arm1176();
            device.set_reset_reaches_divider(reaches);
            device.power_up_with(noise);
            let mut pmu = pmu::<Arm1176>(&device);
            pmu.cycle_counter().count(Divider::By64);
            let running = pmu.start();
            device.clock(6_400 + 63);
            let before = running.cycles();
            device.clock(6_400);
            assert_eq!(running.cycles().since(before).exact(), Ok(100));
            let mut pmu = running.stop();
            let counted = pmu.cycles().exact().unwrap();
            assert!((200..=201).contains(&counted), "{counted}");
            pmu.cycle_counter().count(Divider::By1);
            let running = pmu.start();
            device.clock(6_400);
            assert_eq!(running.stop().cycles().exact(), Ok(6_400));
        }
    }
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

/// One copy of the registers serves both worlds, so that Secure software uses up the cycles.
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

#[test]
fn driver_shows_selections_and_returns_its_bus() {
    fn test<C: Core>(device: &Arm11, pmu: CorePmu<'_, C>) {
        assert!(format!("{pmu:?}").contains("BRANCH_EXECUTED"));
        let running = pmu.start();
        assert!(format!("{running:?}").contains("BRANCH_EXECUTED"));
        device.signal_raw(BRANCH, 3);
        let bus = running.stop().release();
        bus.synchronize();
        device.signal_raw(BRANCH, 3);
        device.clock(3);
        assert_eq!((device.peek(COUNTS[0]), device.peek(CYCLES)), (3, 0), "it stays stopped");
    }
    on_every_core!(test);
}

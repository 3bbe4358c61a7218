//! Counting, reading, and starting again.

use arm_pmu_sim::Arm11;
use arm11::{Arm1176, Core};

use super::{BRANCH, CorePmu, on_every_core, pmu};

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

/// Both security states share one copy of the registers, so the counters can count Secure software.
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

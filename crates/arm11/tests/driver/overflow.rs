//! Tests that no overflow flag is lost, although flags can be cleared only while E is 1.

use arm_pmu_sim::Arm11;
use arm11::{Core, CountError, Counters, Pmu};

use super::{
    BRANCH, CONTROL, COUNTS, CYCLES, CorePmu, E, FLAGS, INSTRUCTION, assert_silent, counters, fill,
    on_every_core,
};

/// A flag can be cleared only if E is 1, so `stop` has to enable the counters again. `stop`
/// restores the counts, and a resume continues from them.
#[test]
fn stop_acknowledges_and_keeps_counts() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        pmu.interrupts(Counters::ALL);
        let running = pmu.start();
        device.poke(COUNTS[0], u32::MAX - 1);
        device.signal_raw(BRANCH, 5);
        device.signal_raw(INSTRUCTION, 70);
        // The cycle counter is about to wrap, but must not wrap during the acknowledgement.
        fill(device, CYCLES);
        assert!(device.interrupt());
        let pmu = running.stop();
        assert_silent(device);
        assert_eq!(device.peek(CONTROL) & E, 0);
        let held = [COUNTS[0], COUNTS[1], CYCLES].map(|counter| device.peek(counter));
        assert_eq!(held, [3, 70, u32::MAX]);
        assert_eq!(pmu.counts()[0].lower_bound(), (1 << 32) + 3);
        assert_eq!((pmu.counts()[1].exact(), pmu.cycles().exact()), (Ok(70), Ok(u32::MAX)));
        let running = pmu.resume();
        assert_silent(device);
        device.signal_raw(BRANCH, 5);
        device.signal_raw(INSTRUCTION, 1);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].lower_bound(), (1 << 32) + 8);
        assert_eq!((pmu.counts()[1].exact(), pmu.cycles().exact()), (Ok(71), Ok(u32::MAX)));
        assert_eq!(pmu.interference(), None);
        // The stop does not change the interrupt enables.
        let running = pmu.resume();
        device.clock(1);
        assert!(device.interrupt());
        assert!(running.stop().cycles().overflowed());
        assert_silent(device);
    }
    on_every_core!(test);
}

/// If other software disabled the counters, a simple write does not clear a flag. A handler that
/// left the interrupt asserted would be called forever.
#[test]
fn disabled_counters_can_be_acknowledged() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        pmu.interrupts(Counters::ALL);
        let mut running = pmu.start();
        fill(device, COUNTS[0]);
        device.signal_raw(BRANCH, 1);
        device.other_owner_disables_all();
        assert!(device.interrupt());
        assert_eq!(running.acknowledge(), counters([true, false], false));
        assert_silent(device);
        assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
        let pmu = running.stop();
        assert!(
            pmu.interference().is_some_and(|lost| lost.disabled),
            "the interference is reported"
        );
        assert_eq!(pmu.counts()[1].exact(), Err(CountError::Disturbed));
    }
    on_every_core!(test);
}

/// An acknowledgement before the first start does not change the counts.
#[test]
fn acknowledging_before_the_first_start_leaves_the_counts() {
    let device = Arm11::arm1136();
    device.poke(CONTROL, 0x20 << 20 | 0x20 << 12 | FLAGS);
    for (counter, value) in [(COUNTS[0], 5), (COUNTS[1], 6), (CYCLES, u32::MAX)] {
        device.poke(counter, value);
    }
    let mut pmu: Pmu<arm11::Arm1136, _> = Pmu::new(device.bus());
    pmu.acknowledge_all();
    assert_silent(&device);
    let held = [COUNTS[0], COUNTS[1], CYCLES].map(|counter| device.peek(counter));
    assert_eq!(held, [5, 6, u32::MAX]);
}

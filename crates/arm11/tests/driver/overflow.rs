//! Flags: set at any moment, cleared only while the counters are enabled, and never lost.

use arm_pmu_sim::Arm11;
use arm11::{Core, Count, CountError, Counters, Divider, Pmu};

use super::{
    BRANCH, CONTROL, COUNTS, CYCLES, CorePmu, D, E, EVERY_CYCLE, FLAGS, INSTRUCTION, assert_silent,
    counters, event, fill, on_every_core,
};

/// A flag can be cleared only if E is 1, so `stop` has to enable the counters again. `stop`
/// restores the counts, and a resume continues from them.
#[test]
fn stop_acknowledges_and_counts_survive_it() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        pmu.interrupts(Counters::ALL);
        let running = pmu.start();
        device.poke(COUNTS[0], u32::MAX - 1);
        device.signal_raw(BRANCH, 5);
        device.signal_raw(INSTRUCTION, 70);
        // These counters are about to wrap, but must not wrap during the acknowledgement.
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
        // Interrupt enables are unchanged by the stop.
        let running = pmu.resume();
        device.clock(1);
        assert!(device.interrupt());
        assert!(running.stop().cycles().overflowed());
        assert_silent(device);
    }
    on_every_core!(test);
}

/// The divider setting is unchanged after `stop` had to acknowledge.
#[test]
fn the_divider_survives_the_acknowledgement() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        pmu.cycle_counter().count(Divider::By64);
        let running = pmu.start();
        fill(device, COUNTS[0]);
        device.signal_raw(BRANCH, 1);
        let pmu = running.stop();
        assert_ne!(device.peek(CONTROL) & D, 0);
        let running = pmu.resume();
        device.clock(640);
        let pmu = running.stop();
        assert!((9..=11).contains(&pmu.cycles().exact().unwrap()));
        assert_eq!(pmu.interference(), None);
    }
    on_every_core!(test);
}

#[test]
fn a_flag_of_an_unused_counter_is_ignored() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        let [_, instructions] = pmu.counters();
        instructions.off();
        pmu.cycle_counter().off();
        pmu.interrupts(Counters::ALL);
        let mut running = pmu.start();
        fill(device, CYCLES);
        device.clock(1);
        fill(device, COUNTS[1]);
        device.etmextout([true, false], 1);
        assert_eq!(device.peek(CONTROL) & FLAGS, 0b110 << 8);
        assert!(!device.interrupt());
        assert_eq!(running.acknowledge(), Counters::NONE);
        let pmu = running.stop();
        assert_silent(device);
        assert_eq!(pmu.counts()[0].exact(), Ok(0));
    }
    on_every_core!(test);
}

/// The flags of an earlier owner, with E 0 or 1, are cleared and remain clear.
#[test]
fn a_stopped_pmu_clears_stale_flags() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        device.poke(CONTROL, device.peek(CONTROL) | FLAGS | 0x70);
        for counter in [COUNTS[0], COUNTS[1], CYCLES] {
            fill(device, counter);
        }
        assert!(device.interrupt());
        pmu.acknowledge_all();
        assert_silent(device);
        device.clock(10);
        device.etmextout([true; 2], 10);
        assert_silent(device);
        let running = pmu.start();
        device.signal_raw(BRANCH, 2);
        let mut pmu = running.stop();
        device.poke(CONTROL, device.peek(CONTROL) | FLAGS);
        pmu.acknowledge_all();
        assert_silent(device);
        let running = pmu.resume();
        device.signal_raw(BRANCH, 3);
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.interference()), (Ok(5), None));
    }
    on_every_core!(test);
}

/// Makes time pass with each access, so that the counters wrap after this many accesses.
fn wrap_after(device: &Arm11, accesses: u32) {
    device.set_cycles_per_access(1);
    device.poke(COUNTS[0], accesses.wrapping_neg());
    device.poke(CYCLES, accesses.wrapping_neg());
}

/// Makes a driver count every cycle on counter 0, instructions on counter 1, and cycles.
fn cycles_twice<C: Core>(pmu: &mut CorePmu<'_, C>) {
    let [cycles, _] = pmu.counters();
    cycles.count(event::<C>(EVERY_CYCLE));
}

/// Checks that a count is well below the wrap or beyond it, but never small or wrapped twice.
#[track_caller]
fn assert_sane(count: Count) {
    let lower_bound = count.lower_bound();
    assert!((0xF000_0000..0x1_1000_0000).contains(&lower_bound), "{count}");
    assert_eq!(count.overflowed(), lower_bound >= 1 << 32, "{count}");
}

#[test]
fn wrap_during_a_stop_is_detected() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        cycles_twice(&mut pmu);
        pmu.interrupts(Counters::ALL);
        for accesses in 1..24 {
            let running = pmu.start();
            wrap_after(device, accesses);
            pmu = running.stop();
            device.set_cycles_per_access(0);
            assert_silent(device);
            let counts = [pmu.counts()[0], pmu.cycles()];
            for count in counts {
                assert_sane(count);
            }
            // The counters hold the values that the driver reports, so counting can continue.
            let held = [COUNTS[0], CYCLES].map(|counter| device.peek(counter));
            assert_eq!(held, counts.map(Count::wrapping_value));
        }
    }
    on_every_core!(test);
}

/// A counter of an earlier owner wraps at each moment of a start. The new counts do not include the
/// wrap.
#[test]
fn wrap_during_a_start_is_not_counted() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        cycles_twice(&mut pmu);
        pmu.interrupts(Counters::ALL);
        for accesses in 1..24 {
            device.poke(CONTROL, 0xFF << 20 | 0x20 << 12 | 0x70 | E);
            wrap_after(device, accesses);
            let running = pmu.start();
            device.set_cycles_per_access(0);
            assert_silent(device);
            pmu = running.stop();
            assert!(pmu.counts()[0].exact().unwrap() < 24);
            assert!(pmu.cycles().exact().unwrap() < 24);
        }
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
        assert!(pmu.interference().is_some_and(|lost| lost.disabled), "and it is reported");
        assert_eq!(pmu.counts()[1].exact(), Err(CountError::Disturbed));
    }
    on_every_core!(test);
}

/// A driver that was never started does not change the counts either.
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

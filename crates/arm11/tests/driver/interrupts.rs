//! Both interrupt lines.

use arm_pmu_sim::Arm11;
use arm11::{Arm1156, Counters};

use super::{
    BRANCH, CONTROL, COUNTS, CYCLES, CorePmu, INSTRUCTION, assert_silent, counters, fill,
    on_every_device,
};

/// Returns all eight sets of counters.
fn sets() -> impl Iterator<Item = Counters> {
    (0..8).map(|bits| counters([bits & 1 != 0, bits & 2 != 0], bits & 4 != 0))
}

/// Encodes a set of counters as in a field of the control register: from bit 0 on, counter 0,
/// counter 1, cycle counter.
fn field(set: Counters) -> u32 {
    set.bits() | u32::from(set.cycles) << 2
}

#[test]
fn each_arm1156_counter_has_fast_interrupt() {
    fn test(device: &Arm11, mut pmu: CorePmu<'_, Arm1156>) {
        for fast in sets() {
            for slow in sets() {
                pmu.interrupts(slow);
                pmu.fast_interrupts(fast);
                let running = pmu.start();
                assert_silent(device);
                let control = device.peek(CONTROL);
                assert_eq!((control >> 28, control >> 4 & 0b111), (field(fast), field(slow)));
                pmu = running.stop();
            }
        }
        let (slow, fast) = (counters([true, false], false), counters([false, true], true));
        pmu.interrupts(slow);
        pmu.fast_interrupts(fast);
        let mut running = pmu.start();
        for (counter, lines) in
            [(COUNTS[0], [true, false]), (COUNTS[1], [false, true]), (CYCLES, [false, true])]
        {
            fill(device, counter);
            device.signal_raw(if counter == COUNTS[0] { BRANCH } else { INSTRUCTION }, 1);
            device.clock(1);
            assert_eq!([device.interrupt(), device.fast_interrupt()], lines);
            running.acknowledge();
        }
    }
    on_every_device(Arm11::arm1156, test);
}

#[test]
fn stop_silences_both_interrupts_of_a_counter() {
    fn test(device: &Arm11, mut pmu: CorePmu<'_, Arm1156>) {
        pmu.interrupts(Counters::ALL);
        pmu.fast_interrupts(Counters::ALL);
        let running = pmu.start();
        fill(device, COUNTS[1]);
        device.signal_raw(INSTRUCTION, 4);
        assert!(device.interrupt() && device.fast_interrupt());
        let pmu = running.stop();
        assert_silent(device);
        let running = pmu.resume();
        assert_silent(device);
        fill(device, COUNTS[0]);
        device.signal_raw(BRANCH, 1);
        assert!(device.interrupt() && device.fast_interrupt(), "both interrupts stay enabled");
        let pmu = running.stop();
        assert_silent(device);
        assert_eq!(pmu.counts()[1].lower_bound(), (1 << 32) + 3);
    }
    on_every_device(Arm11::arm1156, test);
}

#[test]
fn unused_counters_raise_no_fast_interrupts() {
    fn test(device: &Arm11, mut pmu: CorePmu<'_, Arm1156>) {
        let [_, instructions] = pmu.counters();
        instructions.off();
        pmu.cycle_counter().off();
        pmu.fast_interrupts(Counters::ALL);
        let running = pmu.start();
        assert_eq!(device.peek(CONTROL) >> 28, 0b001);
        drop(running);
    }
    on_every_device(Arm11::arm1156, test);
}

//! Counters that do not start from zero. P resets both event counters, C the cycle counter.

use std::num::NonZeroU32;

use arm_pmu_sim::{Arm11, Cp15Access};
use arm11::{Core, Count, Counters, Divider};

use super::{
    BRANCH, CONTROL, COUNTS, CYCLES, CorePmu, INSTRUCTION, assert_silent, counters, event,
    on_every_core,
};

/// C and P in the write that started the counters.
fn resets(device: &Arm11) -> (bool, bool) {
    let last = device.journal().into_iter().rev().find_map(|access| match access {
        Cp15Access::Store { operands: CONTROL, value } => Some(value),
        _ => None,
    });
    let last = last.unwrap();
    (last >> 2 & 1 == 1, last >> 1 & 1 == 1)
}

#[test]
fn start_values_are_independent() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        for from in 0..8_u32 {
            let starts = [0, 1, 2].map(|counter| (from >> counter & 1) * 1_000);
            let [branches, instructions] = pmu.counters();
            branches.count_from(event::<C>(BRANCH), starts[0]);
            instructions.count_from(event::<C>(INSTRUCTION), starts[1]);
            pmu.cycle_counter().count_from(Divider::By1, starts[2]);
            device.clear_journal();
            let running = pmu.start();
            assert_eq!(resets(device), (starts[2] == 0, starts[0] == 0 && starts[1] == 0));
            let held = [COUNTS[0], COUNTS[1], CYCLES].map(|counter| device.peek(counter));
            assert_eq!(held, starts);
            device.signal_raw(BRANCH, 4);
            device.signal_raw(INSTRUCTION, 5);
            device.clock(6);
            let read = (running.counts().map(Count::exact), running.cycles().exact());
            assert_eq!(read, ([Ok(4), Ok(5)], Ok(6)), "the start value is not counted");
            pmu = running.stop();
            assert_eq!((pmu.counts().map(Count::exact), pmu.cycles().exact()), read);
            assert_eq!(pmu.interference(), None);
        }
    }
    on_every_core!(test);
}

#[test]
fn a_budget_overflows_with_its_last_event() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        let ten = NonZeroU32::new(10).unwrap();
        let [budget, instructions] = pmu.counters();
        budget.overflow_after(event::<C>(BRANCH), ten);
        instructions.count(event::<C>(INSTRUCTION));
        pmu.cycle_counter().overflow_after(Divider::By1, ten);
        pmu.interrupts(Counters::ALL);
        let mut running = pmu.start();
        assert_silent(device);
        device.signal_raw(BRANCH, 9);
        device.signal_raw(INSTRUCTION, 9);
        device.clock(9);
        assert_eq!(running.acknowledge(), Counters::NONE);
        assert_eq!(running.counts().map(Count::exact), [Ok(9); 2]);
        device.signal_raw(BRANCH, 1);
        assert!(device.interrupt());
        assert_eq!(running.acknowledge(), counters([true, false], false));
        assert!(!device.interrupt());
        device.clock(3);
        assert_eq!(running.acknowledge(), counters([false; 2], true));
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].lower_bound(), 10);
        assert_eq!(pmu.counts()[1].exact(), Ok(9));
        assert_eq!(pmu.cycles().lower_bound(), 12);
        // The next start is one from the same budget.
        let mut running = pmu.start();
        device.signal_raw(BRANCH, 9);
        assert_eq!(running.acknowledge(), Counters::NONE);
        device.signal_raw(BRANCH, 1);
        assert_eq!(running.acknowledge(), counters([true, false], false));
        drop(running);
    }
    on_every_core!(test);
}

/// The narrowest budget: the counter wraps with the first event, and not before.
#[test]
fn a_budget_of_one_event() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        let [one, other] = pmu.counters();
        one.overflow_after(event::<C>(BRANCH), NonZeroU32::MIN);
        other.overflow_after(event::<C>(INSTRUCTION), NonZeroU32::MIN);
        pmu.cycle_counter().overflow_after(Divider::By1, NonZeroU32::MIN);
        let running = pmu.start();
        assert_silent(device);
        assert_eq!(running.counts().map(Count::exact), [Ok(0); 2]);
        device.signal_raw(BRANCH, 1);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].lower_bound(), 1);
        assert_eq!((pmu.counts()[1].exact(), pmu.cycles().exact()), (Ok(0), Ok(0)));
        assert_silent(device);
    }
    on_every_core!(test);
}

//! Counters that do not start from zero. P resets both event counters, C the cycle counter.

use arm_pmu_sim::{Arm11, Cp15Access};
use arm11::{Core, Count, Divider};

use super::{BRANCH, CONTROL, COUNTS, CYCLES, CorePmu, INSTRUCTION, event, on_every_core};

/// Returns C and P of the write that started the counters.
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

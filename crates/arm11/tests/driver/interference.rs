//! Tests of interference by other software, and of devices that do not answer.

use arm_pmu_core::bus::Operands;
use arm_pmu_core::measure::Interference;
use arm_pmu_sim::{Arm11, ignoring_stores};
use arm11::{Arm1136, Bus, Core, Count, CountError, Divider, Monitor, Pmu};

use super::{BRANCH, CONTROL, COUNTS, CYCLES, CorePmu, D, INSTRUCTION, event, on_every_core};

const CYCLE_COUNTER: u32 = 1 << Interference::CYCLE_COUNTER;

/// Returns one bit for each disturbed counter, and whether the PMU was off.
fn interference(lost: Option<Interference>) -> (u32, bool) {
    lost.map_or((0, false), |lost| (lost.counters, lost.disabled))
}

#[test]
fn unused_counters_are_not_disturbed() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        let [_, instructions] = pmu.counters();
        instructions.off();
        pmu.cycle_counter().off();
        let running = pmu.start();
        device.other_owner_selects(1, BRANCH);
        device.poke(CONTROL, device.peek(CONTROL) ^ D);
        device.signal_raw(BRANCH, 3);
        let pmu = running.stop();
        assert_eq!((pmu.interference(), pmu.counts()[0].exact()), (None, Ok(3)));
    }
    on_every_core!(test);
}

/// A counter can be below its start value only after an overflow, which sets the flag of the counter.
#[test]
fn a_count_below_its_start_is_disturbed() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        let [branches, _] = pmu.counters();
        branches.count_from(event::<C>(BRANCH), 1_000);
        let running = pmu.start();
        device.poke(COUNTS[0], 999);
        assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(running.stop().counts().map(Count::exact), [Err(CountError::Disturbed), Ok(0)]);
    }
    on_every_core!(test);
}

#[test]
fn ignored_writes_disturb_the_counters() {
    // Each row has the register that ignores writes, the start values, and the counters that are
    // then disturbed.
    for (to, from, cycles_from, expected) in [
        // The control register keeps its old value, so the counters stay disabled, with the old
        // events.
        (CONTROL, 0, 0, (0b11, true)),
        (COUNTS[0], 500, 0, (0b01, false)),
        (COUNTS[0], 0, 500, (0, false)),
        (COUNTS[1], 0, 500, (0, false)),
        (COUNTS[1], 500, 500, (0b10, false)),
        (CYCLES, 0, 500, (CYCLE_COUNTER, false)),
        (CYCLES, 500, 0, (0, false)),
        (CYCLES, 500, 500, (CYCLE_COUNTER, false)),
    ] {
        let device = Arm11::arm1136();
        let mut pmu = Pmu::<Arm1136, _>::new(ignoring_stores(device.bus(), [to]));
        let [branches, instructions] = pmu.counters();
        branches.count_from(event::<Arm1136>(BRANCH), from);
        instructions.count_from(event::<Arm1136>(INSTRUCTION), from);
        pmu.cycle_counter().count_from(Divider::By1, cycles_from);
        let pmu = pmu.start().stop();
        let found = interference(pmu.interference());
        assert_eq!(found, expected, "{to:?}, {from}, {cycles_from}");
        let [branches, instructions] = pmu.counts().map(|count| count.exact().is_ok());
        assert_eq!(branches, found.0 & 1 == 0 && !found.1);
        assert_eq!(instructions, found.0 >> 1 & 1 == 0 && !found.1);
        assert_eq!(pmu.cycles().exact().is_ok(), found.0 >> 31 == 0 && !found.1);
    }
}

/// A register opens the PMU of an ARM1176 to User mode. Only bit 0 of this register changes, and User mode cannot
/// access the register.
#[test]
fn a_kernel_opens_and_closes_user_access() {
    const ACCESS_VALIDATION: Operands = Operands { opc1: 0, crn: 15, crm: 9, opc2: 0 };
    let device = Arm11::arm1176();
    let mut kernel = arm11::arm1176::Pmu::new(device.bus());
    let mut user = arm11::arm1176::Pmu::new(device.user_bus());
    for open in [true, false, true] {
        kernel.user_access(open);
        assert_eq!(kernel.registers().access_validation().read().v().bit(), open);
        assert_eq!(device.peek(ACCESS_VALIDATION), u32::from(open));
        let mut program = arm11::arm1176::Pmu::new(device.user_bus());
        program.cycle_counter().count(Divider::By1);
        let running = program.start();
        device.clock(10);
        let cycles = running.stop().cycles().exact();
        assert_eq!(cycles, if open { Ok(10) } else { Err(CountError::BusError) });
    }
    user.user_access(false);
    assert_eq!(device.peek(ACCESS_VALIDATION), 1, "User mode cannot change it");
    assert!(user.release().error().is_some());
    assert_eq!(device.violations(), []);
}

#[test]
fn user_mode_accesses_all_work_or_fail() {
    fn test<C: Core>(device: &Arm11, pmu: CorePmu<'_, C>) {
        for open in [false, true] {
            device.set_user_access(open);
            let mut user = Pmu::<C, _>::new(device.user_bus());
            let [branches, _] = user.counters();
            branches.count(event::<C>(BRANCH));
            let running = user.start();
            device.signal_raw(BRANCH, 3);
            let expected = if open { Ok(3) } else { Err(CountError::BusError) };
            assert_eq!(running.counts()[0].exact(), expected);
            let mut user = running.stop();
            assert_eq!(user.counts()[0].exact(), expected);
            assert_eq!(user.assign(&[]).is_ok(), open);
        }
        drop(pmu);
    }
    on_every_core!(test);
}

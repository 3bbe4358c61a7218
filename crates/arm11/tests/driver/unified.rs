//! The traits that all drivers implement: `Monitor`, `CycleCounter`, and `measure`.

use arm_pmu_core::bus::BusError;
use arm_pmu_core::measure::CycleCounter;
use arm_pmu_sim::Arm11;
use arm11::{
    Arm1136, Arm1136Event, Arm1156, Arm1156Event, Arm1176, Arm1176Event, AssignError, Core, Count,
    CountError, EventOrCycles, Monitor, Pmu, arm1176, measure,
};

use super::{BRANCH, CorePmu, INSTRUCTION, event, on_every_core};

/// Selection of one counter of a monitor.
fn select<C: Core>(code: u8) -> EventOrCycles<C::Selection> {
    EventOrCycles::Event(event::<C>(code))
}

#[test]
fn events_and_cycles_are_measured_in_one_call() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        assert_eq!(<CorePmu<'_, C> as Monitor>::COUNTERS, 3);
        let cycles = <CorePmu<'_, C> as CycleCounter>::CYCLES;
        let measured =
            measure(&mut pmu, [select::<C>(BRANCH), cycles, select::<C>(INSTRUCTION)], || {
                device.signal_raw(BRANCH, 3);
                device.signal_raw(INSTRUCTION, 30);
                device.clock(300);
                "done"
            });
        let measured = measured.unwrap();
        assert_eq!(measured.output, "done");
        assert_eq!(measured.counts.map(Count::exact), [Ok(3), Ok(300), Ok(30)]);
        let text = measured.to_string();
        let last: Vec<_> = text.lines().map(|line| line.split_whitespace().last()).collect();
        assert_eq!(
            last,
            [Some("BRANCH_EXECUTED"), Some("cycles"), Some("INSTRUCTION_EXECUTED")],
            "{text}"
        );
    }
    on_every_core!(test);
}

/// An event alone is enough, without a word about how monitors name it.
#[test]
fn events_are_measured_by_their_own_names() {
    let device = Arm11::arm1136();
    let mut pmu = arm11::arm1136::Pmu::new(device.bus());
    let events = [Arm1136Event::BranchExecuted, Arm1136Event::InstructionExecuted];
    let measured = measure(&mut pmu, events, || device.signal_raw(BRANCH, 3)).unwrap();
    assert_eq!(measured.counts.map(Count::exact), [Ok(3), Ok(0)]);
    let device = Arm11::arm1156();
    let mut pmu = arm11::arm1156::Pmu::new(device.bus());
    let measured =
        measure(&mut pmu, [Arm1156Event::FiqDisabledCycle], || device.signal_raw(0x13, 3));
    assert_eq!(measured.unwrap().counts[0].exact(), Ok(3));
    let device = Arm11::arm1176();
    let mut pmu = arm1176::Pmu::new(device.bus());
    let what = [arm1176::Pmu::<arm11::Cp15>::CYCLES, Arm1176Event::BranchExecuted.into()];
    let measured = measure(&mut pmu, what, || device.clock(5)).unwrap();
    assert_eq!(measured.counts.map(Count::exact), [Ok(5), Ok(0)]);
}

#[test]
fn too_many_selections_change_nothing() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        pmu.assign(&[EventOrCycles::Cycles, select::<C>(BRANCH)]).unwrap();
        let event = select::<C>(INSTRUCTION);
        let refused = pmu.assign(&[event; 3]);
        assert_eq!(refused, Err(AssignError::TooMany { asked: 3, counters: 2 }));
        let refused = pmu.assign(&[EventOrCycles::Cycles, event, EventOrCycles::Cycles]);
        assert_eq!(refused, Err(AssignError::CyclesTwice));
        let ran = std::cell::Cell::new(false);
        assert!(measure(&mut pmu, [event; 3], || ran.set(true)).is_err());
        assert!(!ran.get(), "then the work is not done");
        pmu.run(|| {
            device.signal_raw(BRANCH, 2);
            device.clock(20);
        });
        let counts = [0, 1, 2].map(|nth| pmu.count(nth));
        assert_eq!(counts, [Count::new(20), Count::new(2), Count::NOT_COUNTED]);
    }
    on_every_core!(test);
}

/// The first measurement reports the fault; the next one is refused.
#[test]
fn a_measurement_without_access_is_none() {
    fn test<C: Core>(device: &Arm11) {
        let mut pmu = Pmu::<C, _>::new(device.user_bus());
        let what = [select::<C>(BRANCH), EventOrCycles::Cycles];
        let measured = measure(&mut pmu, what, || device.signal_raw(BRANCH, 3)).unwrap();
        assert_eq!(measured.counts.map(Count::exact), [Err(CountError::BusError); 2]);
        let refused = measure(&mut pmu, what, || ());
        assert_eq!(refused.err(), Some(AssignError::BusError(BusError::new())));
    }
    test::<Arm1136>(&Arm11::arm1136());
    test::<Arm1156>(&Arm11::arm1156());
    test::<Arm1176>(&Arm11::arm1176());
}

#[test]
fn overflows_and_interference_reach_a_measurement() {
    fn test<C: Core>(device: &Arm11, mut pmu: CorePmu<'_, C>) {
        let what = [select::<C>(BRANCH), select::<C>(INSTRUCTION), EventOrCycles::Cycles];
        let measured = measure(&mut pmu, what, || {
            device.signal_raw(BRANCH, u32::MAX);
            device.signal_raw(BRANCH, 1);
            device.other_owner_selects(1, 0x00);
            device.clock(9);
        });
        let counts = measured.unwrap().counts.map(Count::exact);
        assert_eq!(counts, [Err(CountError::Overflowed), Err(CountError::Disturbed), Ok(9)]);
    }
    on_every_core!(test);
}

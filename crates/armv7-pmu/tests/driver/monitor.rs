// The driver behind the traits that all drivers implement.

const CYCLES: EventOrCycles<Selection> = <DevicePmu<'static> as CycleCounter>::CYCLES;

fn event(event: Selection) -> EventOrCycles<Selection> {
    EventOrCycles::Event(event)
}

#[test]
fn cycles_can_stand_anywhere_in_the_list() {
    on_every_device(|device| {
        let mut pmu = Pmu::new(device.bus());
        // `assign` counts every cycle, with any earlier divider.
        pmu.cycle_counter().count_from(Divider::By64, 5);
        let (a, b) = (event(INSTRUCTIONS), event(MISSES));
        for what in [[CYCLES, a, b], [a, CYCLES, b], [a, b, CYCLES]] {
            let measured = measure(&mut pmu, what, || {
                signal(device, INSTRUCTIONS, 5);
                signal(device, MISSES, 6);
                device.clock(70);
                "done"
            });
            let measured = measured.unwrap();
            assert_eq!((measured.output, measured.selections), ("done", what));
            let expected = what.map(|selection| match selection {
                EventOrCycles::Cycles => Count::new(70),
                selection if selection == a => Count::new(5),
                EventOrCycles::Event(_) => Count::new(6),
            });
            assert_eq!(measured.counts, expected);
        }
    });
}

#[test]
fn events_alone_leave_the_cycle_counter_off() {
    on_every_device(|device| {
        let mut pmu = Pmu::new(device.bus());
        let what = [MISSES];
        let measured = measure(&mut pmu, what, || {
            assert_eq!(device.peek(PMCNTENSET), 0b0001);
            signal(device, MISSES, 3);
        });
        let measured = measured.unwrap();
        assert_eq!(measured.counts, [Count::new(3)]);
        assert_eq!(measured.to_string(), format!("            3  {MISSES}"));
        assert_eq!(device.peek(PMCR) & 1, 0);
    });
}

#[test]
fn an_assignment_of_too_many_selections_changes_nothing() {
    on_every_device(|device| {
        let mut pmu = Pmu::new(device.bus());
        assert_eq!(<DevicePmu<'_> as Monitor>::COUNTERS, COUNTERS + 1);
        let (a, b) = (event(INSTRUCTIONS), event(MISSES));
        let all = from_fn::<_, { COUNTERS + 1 }, _>(|nth| match nth {
            COUNTERS => CYCLES,
            _ => [a, b][nth % 2],
        });
        assert_eq!(pmu.assign(&all), Ok(()), "as many as there are");
        pmu.run(|| signal(device, MISSES, 6));
        for (nth, selection) in all.into_iter().enumerate() {
            assert_eq!(pmu.count(nth), Count::new(if selection == b { 6 } else { 0 }));
        }
        assert_eq!(pmu.count(COUNTERS + 1), Count::NOT_COUNTED);
        let refused = pmu.assign(&[b; COUNTERS + 1]);
        let counters = COUNTERS;
        assert_eq!(refused, Err(AssignError::TooMany { asked: COUNTERS + 1, counters }));
        assert_eq!(pmu.assign(&[CYCLES, a, CYCLES]), Err(AssignError::CyclesTwice));
        pmu.run(|| signal(device, MISSES, 2));
        assert_eq!(pmu.count(1).exact(), Ok(2), "nothing has changed");
    });
}

#[test]
fn panicking_work_leaves_the_pmu_stopped() {
    on_every_device(|device| {
        let mut pmu = Pmu::new(device.bus());
        pmu.assign(&[event(INSTRUCTIONS), CYCLES]).unwrap();
        let panic = catch_unwind(AssertUnwindSafe(|| {
            pmu.run(|| {
                signal(device, INSTRUCTIONS, 5);
                device.clock(50);
                std::panic::resume_unwind(Box::new(()));
            });
        }));
        assert!(panic.is_err());
        assert_eq!(device.peek(PMCR) & 1, 0);
        signal(device, INSTRUCTIONS, 100);
        device.clock(100);
        assert_eq!([0, 1].map(|nth| pmu.count(nth).exact()), [Ok(5), Ok(50)]);
        let measured = measure(&mut pmu, [event(INSTRUCTIONS)], || signal(device, INSTRUCTIONS, 1));
        assert_eq!(measured.unwrap().counts, [Count::new(1)]);
    });
}

/// Written for any PMU with a cycle counter.
fn cycles_per<M: CycleCounter>(pmu: &mut M, what: M::Selection, work: impl FnOnce()) -> [Count; 2] {
    measure(pmu, [M::CYCLES, what], work).unwrap().counts
}

#[test]
fn generic_code_can_count_cycles() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    let counts = cycles_per(&mut pmu, event(INSTRUCTIONS), || {
        signal(&device, INSTRUCTIONS, 4);
        device.clock(8);
    });
    assert_eq!(counts, [8, 4].map(Count::new));
}

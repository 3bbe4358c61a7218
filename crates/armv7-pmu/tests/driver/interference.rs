// Interference by other software, and devices that do not answer.

const CYCLES: u32 = 1 << Interference::CYCLE_COUNTER;

#[test]
fn counts_of_counters_changed_by_other_software_are_disturbed() {
    /// The interference, the counters that it changes, and whether it disables the PMU.
    type Change = (fn(&Device), u32, bool);
    let changes: [Change; 11] = [
        (|device| device.other_owner_disables(0), 0b0001, false),
        (|device| device.other_owner_disables(1), 0, false),
        (|device| device.other_owner_disables_cycles(), CYCLES, false),
        (|device| device.other_owner_selects(3, 0x43), 0b1000, false),
        (|device| device.other_owner_selects(2, 0x44), 0, false),
        (|device| device.other_owner_disables_all(), 0, true),
        (|device| device.poke(PMCR, device.peek(PMCR) ^ 1 << 3), CYCLES, false),
        (|device| device.poke(PMCR, device.peek(PMCR) ^ 1 << 5), CYCLES, false),
        (|device| device.poke(PMCR, device.peek(PMCR) ^ (1 << 3 | 1 << 5)), CYCLES, false),
        // The driver selects before it reads.
        (|device| device.other_owner_moves_selector(2), 0, false),
        (|device| device.power_up(), 0, true),
    ];
    for (change, counters, disabled) in changes {
        on_every_pmu(|device, pmu| {
            let running = pmu.start();
            signal(device, INSTRUCTIONS, 5);
            change(device);
            let pmu = running.stop();
            let lost = pmu.interference().map_or((0, false), |lost| (lost.counters, lost.disabled));
            if disabled {
                // Further errors after a power loss depend on the noise.
                assert_eq!(lost.1, disabled);
            } else {
                assert_eq!(lost, (counters, disabled));
            }
            let expected = |of: u32, count| {
                if counters & of != 0 || disabled { Err(CountError::Disturbed) } else { Ok(count) }
            };
            let check = |pmu: &DevicePmu<'_>| {
                let [instructions, _, _, misses, ..] = pmu.counts();
                assert_eq!(instructions.exact(), expected(1 << 0, 5));
                assert_eq!(misses.exact(), expected(1 << 3, 0));
                assert_eq!(pmu.cycles().exact(), expected(CYCLES, 0));
            };
            check(&pmu);
            // A disturbed count stays disturbed until the next start.
            let pmu = pmu.resume().stop();
            check(&pmu);
            let running = pmu.start();
            signal(device, INSTRUCTIONS, 2);
            let pmu = running.stop();
            assert_eq!((pmu.interference(), pmu.counts()[0].exact()), (None, Ok(2)));
        });
    }
}

#[test]
fn disabled_pmu_is_not_read_as_idle() {
    on_every_pmu(|device, pmu| {
        let running = pmu.start();
        signal(device, INSTRUCTIONS, 7);
        device.other_owner_disables_all();
        assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(running.cycles().exact(), Err(CountError::Disturbed));
        assert_eq!(running.counts()[1], Count::NOT_COUNTED, "not in use");
    });
}

/// Between the moment that it is switched on and the measured code.
#[test]
fn pmu_disabled_only_at_the_beginning_is_detected() {
    fn begin<B: Bus<Space = Space>>(bus: B, resumes: bool) -> Running<B> {
        let mut pmu = Pmu::new(bus);
        pmu.cycle_counter().count(Divider::By1);
        let running = pmu.start();
        if resumes { running.stop().resume() } else { running }
    }
    for resumes in [false, true] {
        let device = Device::new();
        // The last access of the start, or of a later call.
        let last = {
            let _running = begin(device.bus(), resumes);
            accesses(&device) - 1
        };
        device.set_posted_stores(false);
        let bus = disturbed(device.bus(), [last; 2], || device.other_owner_disables_all());
        let running = begin(bus, resumes);
        assert_eq!(device.peek(PMCR) & 1, 0);
        device.clock(50);
        device.poke(PMCR, device.peek(PMCR) | 1);
        let pmu = running.stop();
        assert!(pmu.interference().is_some_and(|lost| lost.disabled));
        assert_eq!(pmu.cycles().exact(), Err(CountError::Disturbed));
    }
}

#[test]
fn decreased_counter_is_lost() {
    on_every_pmu(|device, mut pmu| {
        let [instructions, ..] = pmu.counters();
        instructions.count_from(INSTRUCTIONS, 1_000);
        let running = pmu.start();
        device.poke_counter(0, 999);
        assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(running.stop().counts()[0].exact(), Err(CountError::Disturbed));
    });
}

#[test]
fn counters_whose_registers_ignore_writes_are_disturbed() {
    // Register that ignores writes, disturbed counters, and whether they are off.
    for (to, counters, disabled) in [
        (PMCR, CYCLES, true),
        (PMCNTENSET, CYCLES | 0b1001, false),
        (PMCCNTR, CYCLES, false),
        // With a filter, the cycle counter has this register too.
        (PMXEVTYPER, 0b1001 | if HAS_FILTER { CYCLES } else { 0 }, false),
        (PMXEVCNTR, 0b1000, false),
        (c9(14, 1), 0, false),
    ] {
        let device = Device::new();
        device.power_up_with(Noise::Zeros);
        let mut pmu = Pmu::new(ignoring_stores(device.bus(), [to]));
        let [first, _, _, last, ..] = pmu.counters();
        first.count(INSTRUCTIONS);
        last.count_from(MISSES, 500);
        pmu.cycle_counter().count_from(Divider::By64, 600);
        let running = pmu.start();
        let lost = |number: u32| disabled || counters >> number & 1 == 1;
        let read = running.counts();
        let pmu = running.stop();
        let found = pmu.interference().map_or((0, false), |lost| (lost.counters, lost.disabled));
        assert_eq!(found, (counters, disabled), "{to:?}");
        for (number, index) in [(0, 0), (3, 3)] {
            assert_eq!(pmu.counts()[index].exact().is_err(), lost(number), "{to:?} {number}");
        }
        assert_eq!(pmu.cycles().exact().is_err(), lost(31), "{to:?}");
        if to == PMXEVTYPER || to == PMXEVCNTR || disabled {
            assert_eq!(
                read[3].exact(),
                Err(CountError::Disturbed),
                "already known while it runs: {to:?}"
            );
        }
    }
}

/// One whole measurement: start, two readings, stop, resume, stop.
fn measure_all<B: Bus<Space = Space>, M: product::Mode>(
    device: &Device,
    mut pmu: Pmu<B, M>,
    mut check: impl FnMut([Count; COUNTERS], Count, u32, bool),
) -> Pmu<B, M> {
    let [a, b, c, .., d] = pmu.counters();
    a.count(INSTRUCTIONS);
    b.count_from(MISSES, 1_000);
    c.count(SOFTWARE);
    d.count_from(INSTRUCTIONS, 77);
    pmu.cycle_counter().count(Divider::By1);
    let mut running = pmu.start();
    let happen = || {
        signal(device, INSTRUCTIONS, 5);
        signal(device, MISSES, 3);
        device.clock(50);
    };
    happen();
    running.increment();
    check(running.counts(), running.cycles(), 1, false);
    running.acknowledge();
    let pmu = running.stop();
    check(pmu.counts(), pmu.cycles(), 1, true);
    let mut running = pmu.resume();
    happen();
    running.increment();
    check(running.counts(), running.cycles(), 2, false);
    let pmu = running.stop();
    check(pmu.counts(), pmu.cycles(), 2, true);
    pmu
}

/// Counts after this number of rounds.
fn expected(rounds: u32) -> ([Count; COUNTERS], Count) {
    let mut counts = [Count::NOT_COUNTED; COUNTERS];
    for (counter, count) in [(0, 5), (1, 3), (2, 1), (COUNTERS - 1, 5)] {
        counts[counter] = Count::new(count * rounds);
    }
    (counts, Count::new(50 * rounds))
}

/// At each access in turn the bus begins to fail: every number is right, or there is none.
fn with_a_fault_at_every_access<M: product::Mode>(
    pmu: impl for<'d> Fn(&'d Device) -> Pmu<Cp15Bus<'d, Space>, M>,
) {
    let device = Device::new();
    device.set_user_access(true);
    measure_all(&device, pmu(&device), |counts, cycles, rounds, _| {
        assert_eq!((counts, cycles), expected(rounds));
    });
    let all = accesses(&device);
    assert!(all > 60, "{all}");
    for nth in 0..=all {
        for posted in [false, true] {
            let device = Device::new();
            device.set_user_access(true);
            device.set_posted_stores(posted);
            let pmu = pmu(&device);
            let before = accesses(&device);
            device.respond_after(nth.saturating_sub(before), Response::Error);
            let mut failed = false;
            let mut pmu = measure_all(&device, pmu, |counts, cycles, rounds, stopped| {
                let (right, right_cycles) = expected(rounds);
                let right = right.into_iter().chain([right_cycles]);
                let used = counts.into_iter().chain([cycles]).zip(right);
                let used = used.filter(|(_, right)| *right != Count::NOT_COUNTED);
                let fault = Err(CountError::BusError);
                for (count, right) in used.clone() {
                    assert!(count == right || count.exact() == fault, "{nth}: {count}");
                    assert!(!failed || count.exact() == fault, "{nth}: a fault is for good");
                }
                let faults = used.filter(|(count, _)| count.exact() == fault).count();
                assert!(!stopped || faults == 0 || faults == 5, "{nth}: {counts:?}");
                failed = faults > 0;
            });
            assert_eq!(failed, nth < all, "{nth} of {all}");
            if failed {
                let refused = pmu.assign(&[product::EventOrCycles::Event(INSTRUCTIONS)]);
                assert_eq!(refused, Err(AssignError::BusError(BusError::new())));
            }
            assert_eq!(device.violations(), []);
        }
    }
}

#[test]
fn bus_fault_at_any_access_gives_no_number() {
    with_a_fault_at_every_access(|device| Pmu::new(device.bus()));
}

#[test]
fn lost_permission_at_any_access_gives_no_number() {
    with_a_fault_at_every_access(|device| UserPmu::open(device.user_bus()).unwrap());
}

#[test]
fn a_device_without_access_gives_no_number() {
    on_every_pmu(|device, pmu| {
        device.set_response(Response::Zero);
        let running = pmu.start();
        assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(running.cycles().exact(), Err(CountError::Disturbed));
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(pmu.cycles().exact(), Err(CountError::Disturbed));
        assert!(pmu.interference().is_some_and(|lost| lost.disabled));
    });
}

#[test]
fn rearming_a_disabled_counter_is_lost() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    let [counter, beside, ..] = pmu.counters();
    counter.count(MISSES);
    beside.count(ACCESSES);
    pmu.cycle_counter().count(Divider::By1);
    let mut running = pmu.start();
    device.other_owner_disables(0);
    device.other_owner_disables_cycles();
    let budget = NonZeroU32::new(10).expect("not 0");
    running.rearm(0, budget);
    running.rearm(1, budget);
    running.rearm(COUNTERS, budget);
    let pmu = running.stop();
    let [counter, beside, ..] = pmu.counts();
    assert_eq!((counter.exact(), beside.exact()), (Err(CountError::Disturbed), Ok(0)));
    assert_eq!(pmu.cycles().exact(), Err(CountError::Disturbed));
}

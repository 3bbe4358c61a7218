// Tests of interference by other software, and of devices that do not answer.

const CYCLES: u32 = 1 << Interference::CYCLE_COUNTER;

#[test]
fn externally_changed_counters_are_disturbed() {
    /// A change by other software, the counters that it affects, and whether it disables the PMU.
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
        // The driver sets the selector before it reads.
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

/// The PMU is disabled between its enable and the measured code.
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
        // Number of the last access of the start, or of a later call.
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
fn ignored_writes_disturb_the_counters() {
    // Register that ignores writes, the disturbed counters, and whether they are off.
    for (to, counters, disabled) in [
        (PMCR, CYCLES, true),
        (PMCNTENSET, CYCLES | 0b1001, false),
        (PMCCNTR, CYCLES, false),
        // With a filter, PMXEVTYPER also belongs to the cycle counter.
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

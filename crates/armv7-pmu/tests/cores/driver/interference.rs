//! Tests of interference by other software, and of devices that do not answer.

use super::*;

const CYCLES: u32 = 1 << Interference::CYCLE_COUNTER;

#[test]
fn ignored_writes_disturb_the_counters() {
    // Each row has the register that ignores writes, the counters that this disturbs, and whether
    // these counters are off.
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
                "reported before the stop: {to:?}"
            );
        }
    }
}

#[test]
fn an_uncleared_flag_disturbs_a_new_budget() {
    let device = Device::new();
    device.power_up_with(Noise::Zeros);
    let mut pmu = Pmu::new(ignoring_stores(device.bus(), [PMOVSR]));
    let [first, ..] = pmu.counters();
    first.count(INSTRUCTIONS);
    pmu.cycle_counter().count(Divider::By1);
    let mut running = pmu.start();
    device.poke(PMOVSR, CYCLES | 1);
    running.rearm(0, NonZeroU32::MAX);
    running.rearm(COUNTERS, NonZeroU32::MAX);
    let counts = [running.counts()[0], running.cycles()];
    assert_eq!(counts.map(Count::exact), [Err(CountError::Disturbed); 2]);
}

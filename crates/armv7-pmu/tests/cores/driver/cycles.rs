//! Tests the divider of the cycle counter, and its dependence on non-invasive debug.

use super::*;

#[test]
fn a_new_divider_takes_effect_at_the_next_start() {
    on_every_pmu(|device, pmu| {
        let mut pmu = pmu.start().stop();
        pmu.cycle_counter().count(Divider::By64);
        let running = pmu.resume();
        device.clock(640);
        let pmu = running.stop();
        assert_eq!((pmu.interference(), pmu.cycles().exact()), (None, Ok(640)));
        let running = pmu.start();
        device.clock(640);
        assert_eq!([0, COUNTERS].map(|counter| running.divider(counter)), [1, 64]);
        let pmu = running.stop();
        assert_eq!((pmu.interference(), pmu.cycles().exact()), (None, Ok(10)));
    });
}

#[test]
fn disabled_cycle_counter_is_ignored() {
    on_every_pmu(|device, mut pmu| {
        pmu.cycle_counter().off();
        let before = device.peek(PMCCNTR);
        let mut running = pmu.start();
        device.clock(50);
        device.poke(PMOVSR, 1 << 31);
        assert_eq!((running.cycles(), device.peek(PMCCNTR)), (Count::NOT_COUNTED, before));
        assert!(!running.acknowledge().cycles, "the flag of an unused counter is ignored");
        device.other_owner_disables_cycles();
        device.poke(PMCR, device.peek(PMCR) ^ 1 << 3);
        let pmu = running.stop();
        assert_eq!(
            (pmu.interference(), pmu.cycles()),
            (None, Count::NOT_COUNTED),
            "changing the divider is not interference either"
        );
    });
}

/// While non-invasive debug is not permitted, event counters stop, and the cycle counter stops only
/// if DP is set.
#[test]
fn events_stop_without_non_invasive_debug() {
    on_every_pmu(|device, pmu| {
        fn run<'d>(device: &Device, pmu: DevicePmu<'d>) -> ([Result<u32, ()>; 2], DevicePmu<'d>) {
            let running = pmu.start();
            signal(device, INSTRUCTIONS, 5);
            device.clock(50);
            let pmu = running.stop();
            assert_eq!(pmu.interference(), None);
            ([pmu.counts()[0], pmu.cycles()].map(|count| count.exact().map_err(drop)), pmu)
        }
        device.set_niden(false);
        let (counts, mut pmu) = run(device, pmu);
        assert_eq!(counts, [Ok(0), Ok(50)]);
        pmu.cycles_need_debug(true);
        let (counts, mut pmu) = run(device, pmu);
        assert_eq!(counts, [Ok(0), Ok(0)]);
        // Other settings of the cycle counter do not change this setting.
        pmu.assign(&[INSTRUCTIONS.into()]).unwrap();
        pmu.cycle_counter().count(Divider::By1);
        let (counts, mut pmu) = run(device, pmu);
        assert_eq!(counts, [Ok(0), Ok(0)]);
        pmu.assign(&[INSTRUCTIONS.into(), EventOrCycles::Cycles]).unwrap();
        let (counts, pmu) = run(device, pmu);
        assert_eq!(counts, [Ok(0), Ok(0)]);
        device.set_niden(true);
        let (counts, mut pmu) = run(device, pmu);
        assert_eq!(counts, [Ok(5), Ok(50)]);
        // A new setting takes effect at the next start.
        device.set_niden(false);
        pmu.cycles_need_debug(false);
        let running = pmu.resume();
        device.clock(50);
        let pmu = running.stop();
        assert_eq!((pmu.interference(), pmu.cycles().exact()), (None, Ok(50)), "none were added");
    });
}

#[test]
fn the_cycle_counter_interrupts_if_chosen() {
    on_every_pmu(|device, mut pmu| {
        pmu.cycle_counter().overflow_after(Divider::By1, NonZeroU32::new(3).unwrap());
        let chosen = Counters { cycles: true, ..Counters::NONE };
        pmu.interrupts(chosen);
        let mut running = pmu.start();
        device.clock(2);
        assert!(!device.interrupt());
        device.clock(1);
        assert!(device.interrupt());
        assert_eq!(running.acknowledge(), chosen);
        assert!(!device.interrupt());
    });
}

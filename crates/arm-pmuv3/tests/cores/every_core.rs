//! Tests the generic PMUv3 driver on cores with various counters, events and versions.

use std::num::NonZeroU32;

use crate::{PMCCFILTR, PMCR, el0};
use arm_pmu_core::bus::SystemRegister;
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{Interference, Rearm as _, Totals, measure};
use arm_pmu_sim::{ArmPmuv3, CortexA53, Noise, SysregBus, ignoring_stores};
use arm_pmuv3::{
    CommonEvent, CommonEvents, CountError, Counters, Filter, Pmu, Selection, Space, Threshold,
    ThresholdError, Thresholds, UserPmu,
};

const PMCNTENSET: SystemRegister = el0(9, 12, 1);
const PMOVSCLR: SystemRegister = el0(9, 12, 3);
const PMINTENSET: SystemRegister = SystemRegister { op0: 3, op1: 0, crn: 9, crm: 14, op2: 1 };

/// ID_AA64DFR0_EL1 of a Cortex-A53 with another PMU version.
const fn features(version: u64) -> u64 {
    0x1030_5006 | version << 8
}

#[test]
fn every_version_of_pmuv3_is_accepted() {
    let device = ArmPmuv3::new();
    for version in 0..=15_u8 {
        let features = features(version.into());
        let refused = Pmu::probe(device.bus(), features).map(drop).map_err(|error| error.kind());
        let expected = match version {
            0 | 15 => Err(ProbeErrorKind::PmuVersion { found: version }),
            _ => Ok(()),
        };
        assert_eq!(refused, expected);
        assert_eq!(arm_pmuv3::version(features), version);
        assert_eq!(arm_pmuv3::is_pmuv3(features), expected.is_ok());
        // Other fields of ID_AA64DFR0_EL1 do not matter.
        assert_eq!(arm_pmuv3::is_pmuv3(!0xF00 | features), expected.is_ok());
    }
}

#[test]
fn a_refused_core_is_not_accessed() {
    let device = ArmPmuv3::new();
    let error = Pmu::probe(device.bus::<Space>(), features(0)).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "the core has no PMU for this software");
    assert_eq!(device.journal(), []);
    let error = Pmu::probe(error.into_bus(), features(15)).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "the PMU of the core is not PMUv3: its version reads 15");
}

/// Tests every number of counters in the core with every number of counters in the driver.
#[test]
fn a_core_with_too_few_counters_is_refused() {
    fn refused<const N: usize>() {
        let device = ArmPmuv3::new();
        device.set_user_access(true);
        for found in 0..=31 {
            device.set_number_of_counters(found);
            let expected = ProbeErrorKind::Counters { found, expected: N as u8 };
            let expected = if usize::from(found) < N { Err(expected) } else { Ok(()) };
            let features = ArmPmuv3::ID_AA64DFR0;
            let probed = Pmu::probe_counters::<N>(device.bus(), features);
            assert_eq!(probed.map(drop).map_err(|error| error.kind()), expected);
            let opened = UserPmu::open_counters::<N>(device.user_bus());
            assert_eq!(opened.map(drop).map_err(|error| error.kind()), expected);
        }
        assert_eq!(device.violations(), []);
    }
    refused::<2>();
    refused::<4>();
    refused::<6>();
    refused::<31>();
}

/// Runs a driver with `N` counters on cores with at least `N` counters and random register
/// contents.
fn on_every_core<const N: usize>(
    test: impl Fn(&ArmPmuv3, Pmu<SysregBus<'_, Space>, arm_pmuv3::Privileged, N>),
) {
    for there in [2, 4, 6, 8, 20, 31].into_iter().filter(|there| *there >= N) {
        for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2)] {
            let device = ArmPmuv3::new();
            device.set_number_of_counters(there as u8);
            device.power_up_with(noise);
            let pmu = Pmu::probe_counters::<N>(device.bus(), ArmPmuv3::ID_AA64DFR0);
            test(&device, pmu.map_err(|error| error.kind()).unwrap());
            assert_eq!(device.violations(), [], "{N} of {there}");
        }
    }
}

/// Each counter counts its own event only, and interrupts once for each budget: first one counter after another, then
/// all counters together.
fn each_counts<const N: usize>() {
    on_every_core::<N>(|device, mut pmu| {
        let all = Counters { counters: [true; N], cycles: false };
        let is_event = |event: &&CommonEvent| ![0x00, 0x11, 0x1E].contains(&event.code());
        let events: Vec<_> = CommonEvent::ALL.iter().filter(is_event).take(N).enumerate().collect();
        for (counter, (n, event)) in pmu.counters().into_iter().zip(&events) {
            counter.count_from(**event, u32::MAX - *n as u32);
        }
        pmu.cycle_counter().count();
        pmu.interrupts(all);
        let mut running = pmu.start();
        for (n, event) in &events {
            device.signal(**event, *n as u32);
        }
        device.clock(1_000);
        assert!(!device.interrupt());
        for (n, count) in running.counts().iter().enumerate() {
            assert_eq!(count.exact(), Ok(n as u32), "{n} of {N}");
        }
        let snapshot = running.snapshot();
        assert_eq!(snapshot.pairs().count(), N + 1);
        assert_eq!(snapshot.count(EventOrCycles::Cycles).exact(), Ok(1_000));
        for (n, event) in &events {
            device.signal(**event, 1);
            assert!(device.interrupt());
            device.poke(PMCR, device.peek(PMCR) & !1);
            assert!(!device.interrupt(), "the interrupt needs PMCR_EL0.E");
            device.poke(PMCR, device.peek(PMCR) | 1);
            let acknowledged = running.acknowledge();
            assert!(acknowledged.counters[*n] && !device.interrupt());
            running.rearm(*n, 1_000.try_into().unwrap());
        }
        for (n, event) in &events {
            device.signal(**event, 1_000 + *n as u32);
        }
        assert_eq!(running.acknowledge(), all);
        let pmu = running.stop();
        for (n, count) in pmu.counts().iter().enumerate() {
            assert_eq!((count.overflowed(), count.lower_bound()), (true, 1_000 + n as u64));
        }
        assert_eq!((pmu.cycles().exact(), pmu.interference()), (Ok(1_000), None));
    });
}

#[test]
fn each_counter_counts_its_own_event_and_interrupts() {
    each_counts::<2>();
    each_counts::<3>();
    each_counts::<4>();
    each_counts::<6>();
    each_counts::<7>();
    each_counts::<20>();
    each_counts::<31>();
}

/// Counter enables and interrupt enables are unknown after a reset.
#[test]
fn unused_counters_neither_count_nor_interrupt() {
    on_every_core::<4>(|device, mut pmu| {
        let there = device.peek(PMCR) >> 11 & 0x1F;
        for counter in 0..there as usize {
            device.poke_counter(counter, u32::MAX);
            device.other_owner_selects(counter, CommonEvent::L1dCache.code());
        }
        let all = 1 << 31 | ((1 << there) - 1);
        for register in [PMCNTENSET, PMINTENSET, PMOVSCLR] {
            device.poke(register, all);
        }
        pmu.cycle_counter().count();
        let running = pmu.start();
        assert!(!device.interrupt());
        device.signal(CommonEvent::L1dCache, 7);
        assert!(!device.interrupt());
        assert_eq!(device.peek(PMCNTENSET), 1 << 31);
        assert_eq!(device.peek(PMOVSCLR), 0);
        // Other software enables them meanwhile.
        device.poke(PMCNTENSET, all);
        let mut pmu = running.stop();
        assert_eq!(pmu.interference(), None);
        device.poke(PMOVSCLR, all);
        pmu.acknowledge_all();
        assert_eq!(device.peek(PMOVSCLR), 0);
    });
}

/// A hypervisor removes any number of counters while the driver counts, and restores them later.
fn counters_are_taken_away<const N: usize>() {
    let numbers = [0, 1, 3, 4, 30, 31];
    for (there, left) in numbers.into_iter().flat_map(|there| numbers.map(|left| (there, left))) {
        let device = ArmPmuv3::new();
        device.set_noise(Noise::Ones);
        device.set_number_of_counters(there);
        let mut pmu = Pmu::with_counters::<N>(device.bus());
        for counter in pmu.counters() {
            counter.count(CommonEvent::L1dCache);
        }
        pmu.cycle_counter().count();
        let mut running = pmu.start();
        device.signal(CommonEvent::L1dCache, 5);
        device.clock(9);
        device.set_number_of_counters(left);
        let is_there = |counter: usize| counter < usize::from(there.min(left));
        let check = |counts: [Count; N]| {
            for (counter, count) in counts.into_iter().enumerate() {
                let expected = if is_there(counter) { Ok(5) } else { Err(CountError::Disturbed) };
                assert_eq!(count.exact(), expected, "{counter} of {there}, then {left}");
            }
        };
        check(running.counts());
        assert_eq!(running.cycles().exact(), Ok(9));
        assert!(running.acknowledge().is_empty());
        if !is_there(N - 1) {
            running.rearm(N - 1, NonZeroU32::MAX); // The rearm accesses no removed counter.
        }
        // `acknowledge` found that the counters were removed, so they may have missed events.
        device.set_number_of_counters(31);
        check(running.counts());
        let pmu = running.stop();
        check(pmu.counts());
        let lost = (0..N).filter(|counter| !is_there(*counter)).fold(0, |set, n| set | 1 << n);
        assert_eq!(pmu.interference(), Interference::new(lost, false));
        assert_eq!((pmu.cycles().exact(), device.violations()), (Ok(9), vec![]));
    }
}

#[test]
fn counters_removed_during_a_run_are_disturbed() {
    counters_are_taken_away::<2>();
    counters_are_taken_away::<4>();
    counters_are_taken_away::<31>();
}

/// A diagnosis turns unused counters off, and restores their state afterwards.
#[test]
fn diagnosis_restores_unused_counters() {
    let device = ArmPmuv3::new();
    device.set_number_of_counters(8);
    device.power_up_with(Noise::Zeros);
    for counter in 0..8 {
        device.other_owner_filters(counter, 1 << 27 | 0x08);
        device.poke_counter(counter, u32::MAX);
    }
    device.poke(PMCNTENSET, 0xF0);
    device.poke(PMCR, device.peek(PMCR) | 1 << 6 | 1);
    let mut pmu = Pmu::new(device.bus());
    let diagnosis = pmu.diagnose_processor(ArmPmuv3::ID_AA64DFR0, None, || {
        device.signal(CommonEvent::InstRetired, 50);
        device.clock(100);
    });
    assert!(diagnosis.found_nothing(), "{diagnosis}");
    assert_eq!((device.peek(PMCNTENSET), device.peek(PMOVSCLR)), (0xF0, 0));
    assert_eq!(device.peek_counter(7), u32::MAX);
    assert_eq!(device.violations(), []);
}

/// The set of common events equals PMCEID0_EL0 and PMCEID1_EL0 of the simulated device.
#[test]
fn common_events_come_from_pmceid() {
    let device = ArmPmuv3::new();
    for pmceid in [[0, 0], [0x67FF_BFFF, 0], [0x7FFF_FFFF, 0x01F0_AE7F], [1 << 37, 1 << 63]] {
        device.set_common_events(pmceid);
        let pmu = Pmu::new(device.bus());
        let events = pmu.common_events();
        assert_eq!(events, CommonEvents::from_registers(pmceid[0], pmceid[1]));
        for code in 0..=u16::MAX {
            let told = match code {
                0..0x40 => Some(pmceid[usize::from(code >> 5)] >> (code & 0x1F) & 1 == 1),
                0x4000..0x4040 => {
                    let bit = 32 + (code & 0x1F);
                    Some(pmceid[usize::from(code >> 5 & 1)] >> bit & 1 == 1)
                }
                _ => None,
            };
            assert_eq!(pmu.has_event(Selection::raw(code).unwrap()), told, "{code:#x}");
            if let Some(event) = CommonEvent::from_code(code) {
                assert_eq!(Some(events.has(event)), told);
            }
        }
        let listed: Vec<_> = events.into_iter().collect();
        assert_eq!(listed.len(), events.len());
        assert!(listed.iter().all(|event| events.has(*event)));
    }
    assert_eq!(device.violations(), []);
}

#[test]
fn core_specific_events_count_by_code() {
    let device = ArmPmuv3::new();
    let mut pmu = Pmu::new(device.bus());
    let own = Selection::raw(ArmPmuv3::OWN_EVENT).unwrap();
    let extended = Selection::raw(0x4005).unwrap();
    let measured = measure(&mut pmu, [own, extended], || {
        device.signal_raw(own.code(), 9);
        device.signal_raw(extended.code(), 3);
    });
    let measured = measured.unwrap();
    assert_eq!(measured.counts.map(|count| count.exact()), [Ok(9), Ok(3)]);
}

/// The event field has ten bits in PMUv3; higher bits read as zero.
#[test]
fn event_code_wider_than_register_is_disturbed() {
    let device = CortexA53::new();
    let mut pmu = Pmu::probe(device.bus(), features(1)).unwrap();
    let [first, second, ..] = pmu.counters();
    first.count(Selection::raw(0x4005).unwrap());
    second.count(CommonEvent::L1dCache);
    let running = pmu.start();
    device.signal_raw(0x04, 5);
    device.signal_raw(0x05, 5);
    let [first, second, ..] = running.stop().counts();
    assert_eq!(first.exact(), Err(CountError::Disturbed));
    assert_eq!(second.exact(), Ok(5));
}

const LP: u64 = 1 << 7;
const FZO: u64 = 1 << 9;
const REFILL: CommonEvent = CommonEvent::L1dCacheRefill;

/// Returns a driver that counts refills and cycles. The driver expects PMUVer `told`, and the core has PMUVer `version`.
fn counting(device: &ArmPmuv3, version: u8, told: u8) -> Pmu<SysregBus<'_, Space>> {
    device.set_version(version);
    device.power_up_with(Noise::Ones);
    let pmu = Pmu::probe(device.bus(), features(told.into()));
    let mut pmu = pmu.map_err(|error| error.kind()).unwrap();
    let [first, ..] = pmu.counters();
    first.count(REFILL);
    pmu.cycle_counter().count();
    pmu
}

/// Signals 2^34 + 7 refills, and as many cycles.
fn happen(device: &ArmPmuv3) -> u64 {
    for times in [1 << 31; 8].into_iter().chain([7]) {
        device.signal(REFILL, times);
        device.clock(times.into());
    }
    (1 << 34) + 7
}

#[test]
fn counts_past_2_to_the_32nd_are_exact_since_pmuv3p5() {
    for version in 4..=7 {
        let device = ArmPmuv3::new();
        let running = counting(&device, version, version).start();
        let events = happen(&device) - (1 << 33);
        let read = running.counts()[0];
        let pmu = running.stop();
        for count in [read, pmu.counts()[0]] {
            assert!(count.overflowed());
            assert_eq!(count.exact(), Err(CountError::Overflowed));
            match version {
                4 | 5 => assert_eq!(count.lower_bound(), (1 << 32) + 7),
                _ => assert_eq!(count.exact_u64(), Ok(events + (1 << 33))),
            }
        }
        assert_eq!(pmu.cycles().exact_u64(), Ok(events + (1 << 33)), "64 bits on every core");
        assert_eq!((device.violations(), pmu.interference()), (vec![], None));
    }
}

/// The first wrap after a start or a new budget sets the flag and the interrupt; the count stays exact.
#[test]
fn a_long_counter_interrupts_once_for_each_budget() {
    let device = ArmPmuv3::new();
    let mut pmu = counting(&device, 6, 6);
    let [first, ..] = pmu.counters();
    first.count_from(REFILL, u32::MAX - 9);
    pmu.interrupts(Counters { counters: [true, false, false, false], cycles: false });
    let mut running = pmu.start();
    device.signal(REFILL, 12);
    assert!(device.interrupt());
    assert_eq!(running.counts()[0].exact(), Ok(12));
    assert!(running.acknowledge().counters[0] && !device.interrupt());
    let events = 12 + happen(&device);
    assert!(!device.interrupt());
    assert_eq!(running.counts()[0].exact_u64(), Ok(events));
    running.rearm(0, 99.try_into().unwrap());
    device.signal(REFILL, 100);
    assert!(device.interrupt());
    assert_eq!(running.stop().counts()[0].exact(), Ok(100));
    assert_eq!(device.violations(), []);
}

#[test]
fn a_flag_that_contradicts_the_wraps_is_an_error() {
    let disturbed = Err(CountError::Disturbed);
    for (wraps, flag) in [(false, true), (true, false)] {
        let device = ArmPmuv3::new();
        let running = counting(&device, 6, 6).start();
        if wraps {
            happen(&device);
        }
        device.poke(PMOVSCLR, device.peek(PMOVSCLR) & !1 | u64::from(flag));
        assert_eq!(running.counts()[0].exact_u64(), disturbed);
        assert_eq!(running.stop().counts()[0].exact_u64(), disturbed);
    }
    // Other software changes LP or FZO, so the counters may have overflowed at 2^32 or frozen.
    for (bit, value) in [(LP, 0), (FZO, FZO)] {
        let device = ArmPmuv3::new();
        let running = counting(&device, 7, 7).start();
        device.poke(PMCR, device.peek(PMCR) & !bit | value);
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact_u64(), pmu.cycles().exact()), (disturbed, Ok(0)));
    }
}

/// A hypervisor can limit the counters of a core to 32 bits. If the driver was given an older PMU version, it uses only
/// bits 31:0 of the counters.
#[test]
fn counters_of_32_bits_are_found_at_the_start() {
    for (version, told) in [(6, 4), (4, 6)] {
        let device = ArmPmuv3::new();
        let pmu = counting(&device, version, told);
        let running = pmu.start();
        device.signal(REFILL, 9);
        assert_eq!(running.counts()[0], Count::new(9));
        happen(&device);
        let pmu = running.stop();
        let count = pmu.counts()[0];
        assert_eq!((count.lower_bound(), pmu.interference()), ((1 << 32) + 16, None));
        assert_eq!(count.exact_u64(), Err(CountError::Overflowed));
    }
}

#[test]
fn totals_of_long_counters_need_no_update() {
    let device = ArmPmuv3::new();
    let mut running = counting(&device, 6, 6).start();
    let mut totals = Totals::<1>::of(&mut running);
    for times in 1..4 {
        let events = happen(&device);
        totals.update(&mut running);
        assert_eq!(totals.get(0), Ok(times * events));
    }
}

/// PMMIR_EL1 is not accessed where it does not exist.
#[test]
fn slots_are_read_since_pmuv3p4() {
    const PMMIR: SystemRegister = SystemRegister { op0: 3, op1: 0, crn: 9, crm: 14, op2: 6 };
    for version in 4..=7 {
        let device = ArmPmuv3::new();
        let pmu = counting(&device, version, version);
        device.clear_journal();
        assert_eq!(pmu.slots(), None, "SLOTS is 0");
        assert_eq!(device.journal().len(), usize::from(version >= 5));
        if version >= 5 {
            device.poke(PMMIR, 5);
            assert_eq!(pmu.slots().map(u8::from), Some(5));
        }
    }
}

/// Each condition counts the right cycles or events, even if another counter counts the same event without a condition.
#[test]
fn thresholds_count_cycles_or_their_events() {
    let cycles: [u32; 6] = [0, 1, 3, 4, 3, 9];
    for limit in 1..=15 {
        let device = ArmPmuv3::new();
        device.set_version(7);
        device.power_up_with(Noise::Ones);
        device.set_threshold_width(4);
        let mut pmu =
            Pmu::probe_counters::<9>(device.bus(), features(8)).map_err(|e| e.kind()).unwrap();
        let thresholds = pmu.thresholds().unwrap();
        let sums = [
            thresholds.other_than(limit),
            thresholds.exactly(limit),
            thresholds.at_least(limit),
            thresholds.less_than(limit),
        ];
        let sums = sums.map(Result::unwrap);
        let counting = sums.map(Threshold::count_cycles);
        let conditions = sums.into_iter().chain(counting).map(Some).chain([None]);
        for (counter, condition) in pmu.counters().into_iter().zip(conditions) {
            counter.count(condition.map_or(REFILL.into(), |condition| REFILL.when(condition)));
        }
        let running = pmu.start();
        for events in cycles {
            match events {
                0 => device.clock(1),
                _ => device.signal(REFILL, events),
            }
        }
        let limit = u32::from(limit);
        let meets: [fn(u32, u32) -> bool; 4] =
            [|v, th| v != th, |v, th| v == th, |v, th| v >= th, |v, th| v < th];
        let all =
            |meets: fn(u32, u32) -> bool| cycles.into_iter().filter(move |v| meets(*v, limit));
        let expected: Vec<_> = meets
            .iter()
            .map(|meets| all(*meets).sum())
            .chain(meets.iter().map(|meets| all(*meets).count() as u32))
            .chain([cycles.iter().sum()])
            .collect();
        let counts = running.stop().counts().map(|count| count.exact().unwrap());
        assert_eq!(counts.as_slice(), expected, "{limit}");
        assert_eq!(device.violations(), []);
    }
}

#[test]
fn absent_and_too_large_thresholds_are_refused_before_a_write() {
    for (version, width) in [(4, 0), (5, 0), (6, 0), (7, 0), (7, 1), (7, 8), (7, 12)] {
        let device = ArmPmuv3::new();
        let pmu = counting(&device, version, version);
        if version >= 5 {
            device.set_threshold_width(width);
        }
        device.clear_journal();
        let thresholds = pmu.thresholds();
        assert_eq!(thresholds.is_err(), width == 0, "{version} {width}");
        let Ok(thresholds) = thresholds else {
            assert_eq!(thresholds, Err(ThresholdError::Absent));
            continue;
        };
        let largest = (1 << width) - 1;
        assert_eq!(thresholds.largest(), largest);
        assert!(thresholds.at_least(largest).is_ok() && thresholds.exactly(1).is_ok());
        let events = largest + 1;
        let too_large = Err(ThresholdError::TooLarge { events, largest });
        assert_eq!(
            (thresholds.less_than(events), thresholds.exactly(0)),
            (too_large, Err(ThresholdError::Zero))
        );
        assert_eq!(device.journal().len(), 1, "PMMIR_EL1 is read");
    }
}

/// Without EL2 and EL3, as in a virtual machine, their filter bits read as zero. Other bits still show interference.
#[test]
fn filters_count_where_levels_are_missing() {
    let all = [Filter::EL0, Filter::EL1, Filter::EL0.and(Filter::EL1), Filter::ALL];
    for (el2, el3) in [(false, false), (false, true), (true, false), (true, true)] {
        for filter in all {
            let device = ArmPmuv3::new();
            device.set_higher_levels(el2, el3);
            let mut pmu = Pmu::with_counters::<4>(device.bus());
            pmu.count_in(filter);
            pmu.cycle_counter().count();
            let [first, second, ..] = pmu.counters();
            first.count(CommonEvent::InstRetired);
            second.count(CommonEvent::MemAccess);
            let running = pmu.start();
            device.signal(CommonEvent::InstRetired, 3);
            let mut pmu = running.stop();
            let counted = if filter.has(Filter::EL1) { 3 } else { 0 };
            let case = format!("{el2} {el3} {filter:?}");
            assert_eq!(pmu.interference(), None, "{case}");
            assert_eq!(
                (pmu.counts()[0].exact(), pmu.cycles().exact().is_ok()),
                (Ok(counted), true),
                "{case}"
            );
            let diagnosis = pmu.diagnose_processor(ArmPmuv3::ID_AA64DFR0, None, || {
                device.signal(CommonEvent::InstRetired, 50);
                device.clock(100);
            });
            assert!(diagnosis.found_nothing(), "{case}: {diagnosis}");
            let running = pmu.start();
            device.other_owner_filters(1, 0b11 << 30 | 0x13);
            assert_eq!(running.stop().interference(), Interference::new(0b10, false), "{case}");
        }
    }
}

/// Every core has bits P and U, so a change of P or U does not indicate a missing level.
#[test]
fn a_lost_filter_disturbs_each_count() {
    let device = ArmPmuv3::new();
    device.other_owner_filters_cycles(0b11 << 30);
    let mut pmu = Pmu::with_counters::<4>(ignoring_stores(device.bus(), [PMCCFILTR]));
    pmu.cycle_counter().count();
    let [first, ..] = pmu.counters();
    first.count(CommonEvent::InstRetired);
    let pmu = pmu.start().stop();
    assert_eq!(pmu.interference(), Interference::new(1 | 1 << Interference::CYCLE_COUNTER, false));
}

/// A parsed threshold can be too wide for the core, and other software can change the condition.
#[test]
fn conditions_beyond_the_register_are_disturbed() {
    let device = ArmPmuv3::new();
    device.set_version(7);
    device.set_threshold_width(3);
    let mut pmu = Pmu::with_counters::<4>(device.bus());
    for (counter, text) in
        pmu.counters().into_iter().zip(["L1D_CACHE>=7", "L1D_CACHE>=8:cycles", "raw:0x0004<5"])
    {
        counter.count(text.parse::<Selection>().unwrap());
    }
    let running = pmu.start();
    device.signal(CommonEvent::L1dCache, 7);
    let third = SystemRegister { op0: 3, op1: 3, crn: 14, crm: 12, op2: 2 };
    device.poke(third, device.peek(third) ^ 1 << 61);
    let pmu = running.stop();
    let [first, second, third, _] = pmu.counts();
    let disturbed = Err(CountError::Disturbed);
    assert_eq!((first.exact(), second.exact(), third.exact()), (Ok(7), disturbed, disturbed));
    assert_eq!(pmu.interference(), Interference::new(0b110, false));
}

#[test]
fn conditions_are_part_of_the_text() {
    let thresholds = Thresholds::of_width(12).unwrap();
    let event = CommonEvent::StallSlot;
    for (condition, text) in [
        (thresholds.other_than(1), "STALL_SLOT!=1"),
        (thresholds.exactly(2), "STALL_SLOT==2"),
        (thresholds.at_least(4095), "STALL_SLOT>=4095"),
        (thresholds.less_than(3).map(Threshold::count_cycles), "STALL_SLOT<3:cycles"),
    ] {
        let selection = event.when(condition.unwrap());
        assert_eq!(selection.to_string(), text);
        assert_eq!(text.parse(), Ok(selection));
        assert_eq!((selection.listed(), selection.threshold()), (Some(event), condition.ok()));
        assert_ne!(selection, event.into());
    }
    for text in [
        "STALL_SLOT>=0",
        "STALL_SLOT>=4096",
        "STALL_SLOT>3",
        "STALL_SLOT>=",
        "STALL_SLOT:cycles",
        ">=3",
    ] {
        assert!(text.parse::<Selection>().is_err(), "{text}");
    }
}

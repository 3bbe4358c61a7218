use core::num::NonZeroU32;

use std::cell::Cell;

use arm_pmu_core::bus::{Bus as _, SystemRegister, UserMode};
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_core::measure::{Interference, Intervals, Rearm as _, RunningMonitor as _, Totals};
use arm_pmu_sim::{
    AnySystemRegister, Attempt, Effect, Intercepted, Noise, SysregBus, SysregViolation,
};
use product::{CountError, Diagnose as _, Filter, Finding, Pmu, Space, UserPmu, registers};

const INSTRUCTIONS: ProductEvent = ProductEvent::InstRetired;

const fn el0(crn: u8, crm: u8, op2: u8) -> SystemRegister {
    SystemRegister { op0: 3, op1: 3, crn, crm, op2 }
}

const PMCR: SystemRegister = el0(9, 12, 0);
/// PMCR_EL0.LP.
const LP: u64 = 1 << 7;
const PMCCNTR: SystemRegister = el0(9, 13, 0);
const PMOVSSET: SystemRegister = el0(9, 14, 3);

fn nonzero(value: u32) -> NonZeroU32 {
    NonZeroU32::new(value).unwrap()
}

/// Counts instructions on the first and the last counter, and cycles.
fn counting(device: &Device) -> Pmu<SysregBus<'_, Space>> {
    let mut pmu = Pmu::new(device.bus());
    let [first, .., last] = pmu.counters();
    first.count(INSTRUCTIONS);
    last.count(INSTRUCTIONS);
    pmu.cycle_counter().count();
    pmu
}

#[test]
fn probe_requires_the_core_and_its_counters() {
    let device = Device::new();
    let kind = |identity| Pmu::probe(device.bus(), identity).map(drop).map_err(|e| e.kind());
    assert_eq!(kind(IDENTITY), Ok(()));
    assert_eq!(kind(OTHER), Err(REFUSED));
    let found = COUNTERS as u8 - 1;
    device.set_number_of_counters(found);
    let expected = COUNTERS as u8;
    assert_eq!(kind(IDENTITY), Err(ProbeErrorKind::Counters { found, expected }));
    assert_eq!(device.violations(), []);
}

/// Counts are exact for any register contents of an earlier owner, with and without delayed stores.
#[test]
fn counts_are_exact_from_any_register_state() {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(7)] {
        for posted in [false, true] {
            let device = Device::new();
            device.power_up_with(noise);
            device.set_posted_stores(posted);
            let running = counting(&device).start();
            device.signal(INSTRUCTIONS, 70);
            device.clock(1_000);
            let [first, .., last] = running.counts().map(|count| count.exact());
            assert_eq!((first, last, running.cycles().exact()), (Ok(70), Ok(70), Ok(1_000)));
            device.signal(INSTRUCTIONS, 7);
            let pmu = running.stop();
            let [first, second, .., last] = pmu.counts().map(|count| count.exact());
            assert_eq!((first, last), (Ok(77), Ok(77)), "{noise:?}");
            assert_eq!(second, Err(CountError::NotCounted));
            assert_eq!((pmu.cycles().exact(), pmu.interference()), (Ok(1_000), None));
            assert_eq!(device.violations(), []);
        }
    }
}

/// If a hypervisor leaves fewer counters, the driver uses only these and never accesses the removed
/// ones.
#[test]
fn counters_of_a_hypervisor_are_not_accessed() {
    for there in 0..COUNTERS {
        let device = Device::new();
        device.power_up_with(Noise::Ones);
        device.set_number_of_counters(there as u8);
        let mut pmu = Pmu::new(device.bus());
        for counter in pmu.counters() {
            counter.count(INSTRUCTIONS);
        }
        pmu.cycle_counter().count();
        let mut running = pmu.start();
        device.signal(INSTRUCTIONS, 5);
        device.clock(9);
        let _ = running.counts();
        let _ = running.acknowledge();
        running.rearm(COUNTERS - 1, nonzero(5));
        let mut pmu = running.stop();
        for (counter, count) in pmu.counts().into_iter().enumerate() {
            let expected = if counter < there { Ok(5) } else { Err(CountError::Disturbed) };
            assert_eq!(count.exact(), expected, "{counter} of {there}");
        }
        assert_eq!(pmu.cycles().exact(), Ok(9));
        pmu.acknowledge_all();
        assert_eq!(device.violations(), [], "{there}");
    }
}

/// PMCR_EL0.N changes between start and stop, as during a migration.
#[test]
fn counter_removed_during_a_run_is_disturbed() {
    let device = Device::new();
    let running = counting(&device).start();
    device.signal(INSTRUCTIONS, 5);
    device.set_number_of_counters(COUNTERS as u8 - 1);
    let pmu = running.stop();
    let [first, .., last] = pmu.counts().map(|count| count.exact());
    assert_eq!((first, last), (Ok(5), Err(CountError::Disturbed)));
    assert_eq!(pmu.interference().map(|lost| lost.counters), Some(1 << (COUNTERS - 1)));
    // The enable of the removed counter stayed set, because nothing wrote it.
    assert_eq!(device.violations(), []);
    device.set_number_of_counters(COUNTERS as u8);
    let pmu = pmu.start().stop();
    assert_eq!(pmu.interference(), None, "N is read at each start");
}

/// Number of the last counter, which is also the number of counters without it.
const LAST: usize = COUNTERS - 1;

const MDCR_EL2: SystemRegister = SystemRegister { op0: 3, op1: 4, crn: 1, crm: 1, op2: 1 };

/// Ways to change PMCR_EL0.N: migration to another core, or MDCR_EL2.HPMN with HPME 0.
const WAYS: [fn(&Device, usize); 2] = [
    |device, counters| device.set_number_of_counters(counters as u8),
    |device, counters| {
        let hpme_and_hpmn = 0x9F;
        device.poke(MDCR_EL2, device.peek(MDCR_EL2) & !hpme_and_hpmn | counters as u64);
    },
];

const NOISES: [Noise; 3] = [Noise::Zeros, Noise::Ones, Noise::Seeded(5)];

/// Starts a run with five instructions and nine cycles, then removes the last counter.
fn with_last_counter_taken(
    test: impl Fn(&Device, product::Running<SysregBus<'_, Space>>, fn(&Device, usize)),
) {
    for leave in WAYS {
        for noise in NOISES {
            let device = Device::new();
            device.set_noise(noise);
            let running = counting(&device).start();
            device.signal(INSTRUCTIONS, 5);
            device.clock(9);
            leave(&device, LAST);
            test(&device, running, leave);
            assert_eq!(device.violations(), [], "{noise:?}");
        }
    }
}

/// The first counter and the cycle counter are exact; only the last counter is disturbed.
#[track_caller]
fn only_the_last_is_lost(pmu: &Pmu<impl arm_pmu_core::bus::Bus<Space = Space>>, instructions: u32) {
    let [first, .., last] = pmu.counts().map(|count| count.exact());
    assert_eq!((first, last), (Ok(instructions), Err(CountError::Disturbed)));
    assert_eq!(pmu.cycles().exact(), Ok(9));
    assert_eq!(pmu.interference(), Interference::new(1 << LAST, false));
}

#[test]
fn removed_counter_reads_as_disturbed() {
    with_last_counter_taken(|device, mut running, leave| {
        let [first, second, .., last] = running.counts().map(|count| count.exact());
        assert_eq!((first, last), (Ok(5), Err(CountError::Disturbed)));
        assert_eq!(second, Err(CountError::NotCounted));
        assert_eq!(running.cycles().exact(), Ok(9));
        let mut all = [Count::NOT_COUNTED; COUNTERS + 1];
        running.read_at_once(&mut all);
        let [first, .., last, cycles] = all.map(|count| count.exact());
        assert_eq!((first, last, cycles), (Ok(5), Err(CountError::Disturbed), Ok(9)));
        let snapshot: Vec<_> = running.snapshot().pairs().map(|(_, count)| count.exact()).collect();
        assert_eq!(snapshot, [Ok(5), Err(CountError::Disturbed), Ok(9)]);
        // A read changes no state: after all counters are restored, the counts are exact again.
        leave(device, COUNTERS);
        let [first, .., last] = running.counts().map(|count| count.exact());
        assert_eq!((first, last), (Ok(5), Ok(5)));
        leave(device, LAST);
        device.signal(INSTRUCTIONS, 2);
        only_the_last_is_lost(&running.stop(), 7);
    });
}

#[test]
fn totals_and_intervals_of_removed_counters_are_disturbed() {
    with_last_counter_taken(|device, mut running, leave| {
        leave(device, COUNTERS);
        let mut totals = Totals::<{ COUNTERS + 1 }>::of(&mut running);
        let mut intervals = Intervals::<_, 3>::of(&mut running, 0);
        leave(device, LAST);
        device.signal(INSTRUCTIONS, 6);
        totals.update(&mut running);
        assert_eq!(totals.get(0), Ok(11));
        assert_eq!(totals.get(LAST), Err(CountError::Disturbed));
        assert_eq!(totals.get(COUNTERS), Ok(9));
        let interval = intervals.next(&mut running, 1).amounts.map(|amount| amount.exact());
        assert_eq!(interval, [Ok(6), Err(CountError::Disturbed), Ok(0)]);
        // The updates detected the loss and recorded it, so restoring the counter does not hide it.
        leave(device, COUNTERS);
        totals.update(&mut running);
        assert_eq!(totals.get(LAST), Err(CountError::Disturbed));
        only_the_last_is_lost(&running.stop(), 11);
    });
}

#[test]
fn removed_counters_keep_their_overflow_flag() {
    with_last_counter_taken(|device, mut running, leave| {
        device.poke(PMOVSSET, 1 | 1 << LAST);
        let up = running.acknowledge();
        assert_eq!((up.bits(), up.cycles), (1, false));
        assert_eq!(device.peek(PMOVSSET), 1 << LAST);
        leave(device, COUNTERS);
        let [first, .., last] = running.counts().map(|count| count.exact());
        // A counter of 64 bits shows that it did not wrap.
        let is_long = device.peek(PMCR) & LP != 0;
        let of_first = if is_long { CountError::Disturbed } else { CountError::Overflowed };
        let errors = (Err(of_first), Err(CountError::Disturbed));
        assert_eq!((first, last), errors, "it may have missed events");
        let pmu = running.stop();
        assert_eq!(pmu.cycles().exact(), Ok(9));
        assert_eq!(pmu.interference(), Interference::new(1 << LAST, false));
    });
}

#[test]
fn removed_counter_is_not_rearmed() {
    with_last_counter_taken(|device, mut running, leave| {
        let of_last = device.peek_counter(LAST);
        running.rearm(LAST, nonzero(5));
        running.rearm(0, nonzero(10));
        assert_eq!(device.peek_counter(LAST), of_last);
        device.signal(INSTRUCTIONS, 3);
        assert_eq!(running.counts()[0].exact(), Ok(3));
        leave(device, COUNTERS);
        only_the_last_is_lost(&running.stop(), 3);
    });
}

/// Each call that may write counters also detects the removal of other counters.
#[test]
fn rearming_finds_other_removed_counters() {
    with_last_counter_taken(|device, mut running, leave| {
        running.rearm(0, nonzero(10));
        leave(device, COUNTERS);
        device.signal(INSTRUCTIONS, 4);
        only_the_last_is_lost(&running.stop(), 4);
    });
}

#[test]
fn removed_counter_gets_no_software_increment() {
    for leave in WAYS {
        let device = Device::new();
        device.set_posted_stores(false);
        let mut pmu = Pmu::new(device.bus());
        let [first, second, .., last] = pmu.counters();
        first.count(ProductEvent::SwIncr);
        second.count(INSTRUCTIONS);
        last.count(ProductEvent::SwIncr);
        let mut running = pmu.start();
        running.increment();
        leave(&device, LAST);
        running.increment();
        running.increment();
        assert_eq!(device.peek_counter(LAST), 1);
        leave(&device, COUNTERS);
        running.increment();
        let pmu = running.stop();
        let [first, second, .., last] = pmu.counts().map(|count| count.exact());
        assert_eq!((first, second, last), (Ok(4), Ok(0), Err(CountError::Disturbed)));
        assert_eq!(pmu.interference(), Interference::new(1 << LAST, false));
        assert_eq!(device.violations(), []);
    }
}

/// A counter removed during a start may lack its event, start value or enable.
#[test]
fn counter_removed_during_start_is_disturbed() {
    let taken_before = |taken: usize, leave: fn(&Device, usize)| {
        let device = Device::new();
        device.set_number_of_counters(COUNTERS as u8);
        let accesses = Cell::new(0);
        let bus = Intercepted::new(device.bus(), |_| {
            if accesses.get() == taken {
                leave(&device, LAST);
            }
            accesses.set(accesses.get() + 1);
            Effect::Proceed
        });
        let mut pmu = Pmu::new(bus);
        let [first, .., last] = pmu.counters();
        first.count(INSTRUCTIONS);
        last.count(INSTRUCTIONS);
        let running = pmu.start();
        let was_taken = accesses.replace(usize::MAX / 2) > taken;
        leave(&device, COUNTERS);
        device.signal(INSTRUCTIONS, 5);
        let expected = (Ok(5), if was_taken { Err(CountError::Disturbed) } else { Ok(5) });
        let [first, .., last] = running.counts().map(|count| count.exact());
        assert_eq!((first, last), expected, "{taken}");
        let pmu = running.stop();
        let [first, .., last] = pmu.counts().map(|count| count.exact());
        assert_eq!((first, last), expected, "{taken}");
        let lost = if was_taken { 1 << LAST } else { 0 };
        assert_eq!(pmu.interference(), Interference::new(lost, false), "{taken}");
        was_taken
    };
    for leave in WAYS {
        let accesses = (0..).take_while(|taken| taken_before(*taken, leave)).count();
        assert!(accesses > 10, "{accesses}");
    }
}

/// A counter that was missing only at the first or only at the last access may lack the new value.
#[test]
fn counter_removed_during_rearm_is_disturbed() {
    for (leave, is_first) in WAYS.into_iter().flat_map(|leave| [(leave, true), (leave, false)]) {
        let device = Device::new();
        device.set_posted_stores(false);
        // Number of accesses since the call began; `None` outside the call.
        let accesses = Cell::new(None);
        let bus = Intercepted::new(device.bus(), |attempt| {
            if let Some(nth) = accesses.get() {
                let is_last = nth > 0 && attempt == Attempt::Load(PMCR);
                let is_away = if is_first { nth == 0 } else { is_last };
                leave(&device, if is_away { LAST } else { COUNTERS });
            }
            accesses.set(accesses.get().map(|nth| nth + 1));
            Effect::Proceed
        });
        let mut pmu = Pmu::new(bus);
        let [first, .., last] = pmu.counters();
        first.count(INSTRUCTIONS);
        last.count(INSTRUCTIONS);
        let mut running = pmu.start();
        device.signal(INSTRUCTIONS, 5);
        accesses.set(Some(0));
        running.rearm(LAST, NonZeroU32::MAX);
        accesses.set(None);
        leave(&device, COUNTERS);
        let [first, .., last] = running.counts().map(|count| count.exact());
        assert_eq!((first, last), (Ok(5), Err(CountError::Disturbed)));
        assert_eq!(device.violations(), []);
    }
}

#[test]
fn disabled_pmu_gives_no_number() {
    let device = Device::new();
    let mut running = counting(&device).start();
    device.signal(INSTRUCTIONS, 5);
    device.clock(9);
    let enabled = device.peek(PMCR);
    device.other_owner_disables_all();
    let is_disturbed = |count: Count| count.exact() == Err(CountError::Disturbed);
    let [first, .., last] = running.counts();
    assert!(is_disturbed(first) && is_disturbed(last) && is_disturbed(running.cycles()));
    assert!(running.snapshot().pairs().all(|(_, count)| is_disturbed(count)));
    assert_eq!(running.snapshot().pairs().count(), 3);
    device.poke(PMCR, enabled);
    assert_eq!(running.counts()[0].exact(), Ok(5));
    // `acknowledge` records the interference that it found.
    device.other_owner_disables_all();
    assert!(running.acknowledge().is_empty());
    device.poke(PMCR, enabled);
    assert!(is_disturbed(running.counts()[0]) && is_disturbed(running.cycles()));
    assert_eq!(running.stop().interference(), Interference::new(0, true));
}

/// Names of the driver calls that the tests interrupt.
const CALLS: [&str; 8] =
    ["start", "counts", "cycles", "snapshot", "acknowledge", "rearm", "rearm last", "stop"];

/// The test removes the last counter before each access of each call.
///
/// A counter can disappear between the read of PMCR_EL0.N and the next access; no order of accesses
/// avoids that. The driver then discards the value, and accesses no missing register afterwards.
#[test]
fn counter_removed_during_a_call_gives_no_number() {
    for (call, leave) in CALLS.into_iter().flat_map(|call| WAYS.map(|leave| (call, leave))) {
        // Repeats until `nth` is beyond the last access of the call.
        let accesses = (0..).take_while(|nth| take_away_during(call, *nth, leave)).count();
        assert!(accesses > 0, "{call}");
    }
}

/// Removes the last counter before access `nth` of a driver call, or at its end. Returns whether access `nth`
/// exists.
fn take_away_during(call: &str, nth: usize, leave: fn(&Device, usize)) -> bool {
    const READ: [Result<u32, CountError>; 2] = [Ok(5), Err(CountError::Disturbed)];
    let device = Device::new();
    device.set_number_of_counters(COUNTERS as u8);
    let left = Cell::new(None::<usize>);
    let bus = Intercepted::new(device.bus(), |_| {
        if left.get() == Some(0) {
            leave(&device, LAST);
        }
        left.set(left.get().and_then(|left| left.checked_sub(1)));
        Effect::Proceed
    });
    let was_taken = Cell::new(false);
    let before = |now: &str| left.set((now == call).then_some(nth));
    let after = |now: &str| {
        if now == call {
            was_taken.set(left.take().is_none());
            leave(&device, LAST);
        }
    };
    let is_gone = |now: &str| now == call && was_taken.get();
    let mut pmu = Pmu::new(bus);
    let [first, .., last] = pmu.counters();
    first.count(INSTRUCTIONS);
    last.count(INSTRUCTIONS);
    pmu.cycle_counter().count();
    before("start");
    let mut running = pmu.start();
    after("start");
    device.signal(INSTRUCTIONS, 5);
    device.clock(9);
    before("counts");
    let [first, .., last] = running.counts().map(|count| count.exact());
    after("counts");
    assert!(!is_gone("counts") || [first, last] == READ, "{nth}: {first:?}, {last:?}");
    before("cycles");
    assert_eq!(running.cycles().exact(), Ok(9), "{call} {nth}");
    after("cycles");
    before("snapshot");
    let snapshot: Vec<_> = running.snapshot().pairs().map(|(_, count)| count.exact()).collect();
    after("snapshot");
    assert!(!is_gone("snapshot") || snapshot[..2] == READ, "{nth}: {snapshot:?}");
    assert_eq!(snapshot[2], Ok(9), "{call} {nth}");
    before("acknowledge");
    assert!(running.acknowledge().is_empty(), "{call} {nth}");
    after("acknowledge");
    let mut instructions = 5;
    for (now, counter, expected) in [("rearm", 0, 7), ("rearm last", LAST, 12)] {
        if call == now {
            before(now);
            running.rearm(counter, nonzero(100));
            after(now);
            device.signal(INSTRUCTIONS, 7);
            instructions = expected;
        }
    }
    let is_of_last = |violation: &SysregViolation| match violation {
        SysregViolation::CounterOfOthers { register } => {
            [8, 12].map(|crm| el0(14, crm, 0).plus(LAST)).contains(register)
        }
        _ => false,
    };
    if call == "stop" {
        before("stop");
        let pmu = running.stop();
        after("stop");
        let [first, .., last] = pmu.counts().map(|count| count.exact());
        assert_eq!((first, pmu.cycles().exact()), (Ok(5), Ok(9)), "{nth}");
        assert!(READ.contains(&last), "{nth}: {last:?}");
        let lost = if last.is_ok() { 0 } else { 1 << LAST };
        assert_eq!(pmu.interference(), Interference::new(lost, false), "{nth}");
        assert!(device.violations().iter().all(is_of_last), "{nth}");
        return was_taken.get();
    }
    assert!(device.violations().iter().all(is_of_last), "{call} {nth}");
    // The counter stays removed, so no later access may reach its registers.
    device.clear_violations();
    let [first, .., last] = running.counts().map(|count| count.exact());
    assert_eq!((first, last), (Ok(instructions), READ[1]), "{call} {nth}");
    let pmu = running.stop();
    assert_eq!(device.violations(), [], "{call} {nth}");
    only_the_last_is_lost(&pmu, instructions);
    was_taken.get()
}

/// Other software may clear LC while the PMU is stopped.
#[test]
fn a_resume_sets_lc() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    pmu.cycle_counter().count_from(u32::MAX - 9);
    pmu.cycles_need_debug(true);
    let running = pmu.start();
    device.clock(9);
    let pmu = running.stop();
    let (x, dp, lc) = (1 << 4, 1 << 5, 1 << 6);
    device.poke(PMCR, device.peek(PMCR) & !lc | x);
    let mut running = pmu.resume();
    assert_eq!(device.peek(PMCR) & 0xFF & !LP, x | dp | lc | 1);
    device.clock(1);
    assert!(running.acknowledge().cycles);
    device.clock(1 << 32);
    assert!(running.acknowledge().cycles, "the second wrap");
    let pmu = running.stop();
    assert_eq!(pmu.cycles().exact(), Err(CountError::Overflowed));
    assert_eq!((pmu.interference(), device.violations()), (None, vec![]));
}

/// PMCCNTR_EL0 has 64 bits; the lower half has the budget.
#[test]
fn cycles_wrap_at_2_to_the_32nd_each_time() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    pmu.cycle_counter().count_from(u32::MAX - 9);
    let mut running = pmu.start();
    assert_eq!(device.peek(PMCCNTR), u64::MAX - 9);
    device.clock(9);
    assert!(running.acknowledge().is_empty());
    for wrap in 0..3 {
        device.clock(1);
        assert!(running.acknowledge().cycles, "{wrap}");
        assert!(running.acknowledge().is_empty(), "{wrap}");
        device.clock(u64::from(u32::MAX));
        assert!(running.acknowledge().is_empty(), "{wrap}");
    }
    let pmu = running.stop();
    assert_eq!(pmu.cycles().exact_u64(), Ok(9 + (3 << 32)));
    assert_eq!(pmu.interference(), None);
}

#[test]
fn a_reading_after_a_wrap_is_no_exact_count() {
    let device = Device::new();
    let running = counting(&device).start();
    device.clock(5);
    assert_eq!(running.cycles().exact(), Ok(5));
    for _ in 0..2 {
        device.clock(1 << 32);
        device.signal_raw(INSTRUCTIONS.code(), u32::MAX);
        device.signal(INSTRUCTIONS, 1);
        assert_eq!(running.cycles().exact(), Err(CountError::Overflowed));
        assert_eq!(running.cycles().wrapping_value(), 5);
        assert_eq!(running.counts()[0].exact(), Err(CountError::Overflowed));
    }
}

#[test]
fn the_cycle_interrupt_follows_each_budget() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    pmu.cycle_counter().overflow_after(nonzero(10));
    pmu.interrupts(product::Counters { cycles: true, ..product::Counters::NONE });
    let mut running = pmu.start();
    for _ in 0..3 {
        device.clock(9);
        assert!(!device.interrupt());
        device.clock(1);
        assert!(device.interrupt());
        assert!(running.acknowledge().cycles);
        running.rearm(COUNTERS, nonzero(10));
        assert!(!device.interrupt());
    }
}

/// An overflow flag without a wrap, or a wrap without a flag, shows that other software wrote the
/// cycle counter.
#[test]
fn cycles_written_by_another_owner_are_disturbed() {
    let device = Device::new();
    let other = device.bus::<AnySystemRegister>();
    let running = counting(&device).start();
    device.clock(5);
    other.msr(PMCCNTR, 7);
    other.synchronize();
    let pmu = running.stop();
    assert_eq!(pmu.cycles().exact(), Err(CountError::Disturbed));
    assert_eq!(pmu.counts()[0].exact(), Ok(0));
    let running = pmu.start();
    other.msr(PMOVSSET, 1 << 31);
    other.synchronize();
    let pmu = running.stop();
    assert_eq!(pmu.cycles().exact(), Err(CountError::Disturbed));
}

#[test]
fn the_control_register_has_lc_and_nothing_reserved() {
    let device = Device::new();
    let running = counting(&device).start();
    // The bit X, which exports events, keeps its earlier value. Long counters have LP.
    let others = 0x6F;
    assert_eq!(device.peek(PMCR) & others, 0x41, "LC and E");
    let mut pmu = running.stop();
    assert_eq!(device.peek(PMCR) & others, 0x40);
    pmu.cycles_need_debug(true);
    drop(pmu.start());
    assert_eq!(device.peek(PMCR) & others, 0x61, "and DP");
}

#[test]
fn software_increments_count_where_they_are_selected() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, second, ..] = pmu.counters();
    first.count(ProductEvent::SwIncr);
    second.count(INSTRUCTIONS);
    let mut running = pmu.start();
    for _ in 0..3 {
        running.increment();
    }
    let pmu = running.stop();
    assert_eq!(
        pmu.counts()[..2].iter().map(|count| count.exact()).collect::<Vec<_>>(),
        [Ok(3), Ok(0)]
    );
    assert_eq!(device.violations(), []);
}

/// Each common event is compared with the registers PMCEID0_EL0 and PMCEID1_EL0 of the device.
#[test]
fn common_events_come_from_pmceid() {
    let device = Device::new();
    let pmu = Pmu::new(device.bus());
    let told = device.peek(el0(9, 12, 6)) & 0xFFFF_FFFF | device.peek(el0(9, 12, 7)) << 32;
    for code in 0..=0x3FF_u16 {
        let event = product::Selection::raw(code).expect("a number of ten bits");
        let expected = (code < 0x40).then(|| told >> code & 1 == 1);
        assert_eq!(pmu.has_event(event), expected, "{code:#x}");
    }
    assert_eq!(pmu.has_event(INSTRUCTIONS), Some(true));
}

#[test]
fn el0_counts_with_permission_and_without_interrupts() {
    let device = Device::new();
    device.set_user_access(false);
    let refused = UserPmu::open(device.user_bus()).map(drop).map_err(|refused| refused.kind());
    assert_eq!(refused, Err(ProbeErrorKind::UserModeClosed));
    Pmu::new(device.bus()).user_access(true);
    let mut pmu = UserPmu::open(device.user_bus()).expect("it is open");
    let [.., last] = pmu.counters();
    last.count(INSTRUCTIONS);
    pmu.cycle_counter().count();
    let running = pmu.start();
    device.signal(INSTRUCTIONS, 5);
    device.clock(50);
    let mut pmu = running.stop();
    let [.., last] = pmu.counts();
    assert_eq!((last.exact(), pmu.cycles().exact()), (Ok(5), Ok(50)));
    assert!(pmu.registers().pmuserenr_el0().en().bit());
    device.set_user_access(false);
    let diagnosis = pmu.diagnose_with(None, || ());
    assert!(diagnosis.has(Finding::UserModeClosed), "{diagnosis}");
    assert_eq!(device.violations(), []);
}

/// Compares the table of EL0 accesses with the simulated device.
#[test]
fn el0_has_the_access_of_the_table() {
    for open in [false, true] {
        for row in registers::ACCESS {
            for write in [false, true] {
                let device = Device::new();
                device.set_user_access(open);
                let bus = device.user_bus::<AnySystemRegister>();
                if write {
                    bus.msr(row.operands, 0);
                } else {
                    let _ = bus.mrs(row.operands);
                }
                let permitted = row.user.permits(open, write);
                assert_eq!(bus.error().is_none(), permitted, "{} {open} {write}", row.name);
            }
        }
    }
    assert!(registers::ACCESS.iter().any(|row| row.user == UserMode::Never));
    let device = Device::new();
    assert_eq!(registers::Registers::new(&mut device.bus()).pmevcntr_el0().len(), DESCRIBED);
}

/// Work of a diagnosis: instructions and cycles.
fn work(device: &Device) {
    device.signal(INSTRUCTIONS, 50);
    device.clock(100);
}

/// The driver's filter does not affect the counts of the diagnosis.
#[test]
fn a_diagnosis_counts_at_all_levels() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    pmu.count_in(Filter::EL0);
    let diagnosis = pmu.diagnose_with(None, || work(&device));
    assert!(diagnosis.found_nothing(), "{diagnosis}");
}

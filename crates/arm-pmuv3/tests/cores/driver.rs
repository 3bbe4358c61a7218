//! Tests the driver on a simulated device of the enclosing module.

use std::cell::Cell;
use std::num::NonZeroU32;

use super::{COUNTERS, DESCRIBED, Device, IDENTITY, OTHERS, ProductEvent, REFUSED, product};
use crate::{MDCR_EL2, PMCR, el0};
use arm_pmu_core::bus::{Bus as _, SystemRegister, UserMode};
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_core::measure::{Interference, Rearm as _};
use arm_pmu_sim::{AnySystemRegister, Attempt, Effect, Intercepted, Noise, SysregBus};
use product::{CountError, Diagnose as _, Finding, Pmu, Space, UserPmu, registers};

const INSTRUCTIONS: ProductEvent = ProductEvent::InstRetired;

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
    assert_eq!(kind(OTHERS[0]), Err(REFUSED));
    let found = COUNTERS as u8 - 1;
    device.set_number_of_counters(found);
    let expected = COUNTERS as u8;
    assert_eq!(kind(IDENTITY), Err(ProbeErrorKind::Counters { found, expected }));
    assert_eq!(device.violations(), []);
}

/// Number of the last counter, which is also the number of counters before it.
const LAST: usize = COUNTERS - 1;

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

#[test]
fn removed_counters_keep_their_overflow_flag() {
    with_last_counter_taken(|device, mut running, leave| {
        device.poke(PMOVSSET, 1 | 1 << LAST);
        let up = running.acknowledge();
        assert_eq!((up.bits(), up.cycles), (1, false));
        assert_eq!(device.peek(PMOVSSET), 1 << LAST);
        leave(device, COUNTERS);
        let [first, .., last] = running.counts().map(|count| count.exact());
        // If the counters have 64 bits, the value of the first one shows that it did not wrap, so
        // its error is not an overflow.
        let is_long = device.peek(PMCR) & LP != 0;
        let of_first = if is_long { CountError::Disturbed } else { CountError::Overflowed };
        let errors = (Err(of_first), Err(CountError::Disturbed));
        assert_eq!((first, last), errors, "the counter may have missed events");
        let pmu = running.stop();
        assert_eq!(pmu.cycles().exact(), Ok(9));
        assert_eq!(pmu.interference(), Interference::new(1 << LAST, false));
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

/// If a hypervisor has removed a counter at the first or the last access of the call, the counter
/// may not have the new value.
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

/// Other software clears LC or E while the PMU counts.
#[test]
fn changed_control_disturbs_the_cycles() {
    for bit in [1 << 6, 1] {
        let device = Device::new();
        let mut pmu = Pmu::new(device.bus());
        pmu.cycle_counter().count();
        let running = pmu.start();
        device.poke(PMCR, device.peek(PMCR) & !bit);
        let read = running.cycles().exact();
        assert_eq!(read, if bit == 1 { Err(CountError::Disturbed) } else { Ok(0) });
        assert_eq!(running.stop().cycles().exact(), Err(CountError::Disturbed));
    }
}

/// PMCCNTR_EL0 has 64 bits, but a budget of cycles uses only the lower 32 bits.
#[test]
fn cycles_wrap_at_2_to_the_32nd_each_time() {
    let device = Device::new();
    // The cycle counter wraps after the driver has read the flags.
    let wraps = Cell::new(false);
    let mut pmu = Pmu::new(Intercepted::new(device.bus(), |attempt| {
        if attempt == Attempt::Load(PMCCNTR) && wraps.take() {
            device.clock(1);
        }
        Effect::Proceed
    }));
    pmu.cycle_counter().count_from(u32::MAX - 9);
    let mut running = pmu.start();
    assert_eq!(device.peek(PMCCNTR), u64::MAX - 9);
    device.clock(9);
    assert!(running.acknowledge().is_empty());
    for wrap in 0..3 {
        wraps.set(true);
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
fn el0_accesses_match_the_table() {
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

//! Tests access rights, and the differences between products of the DynamIQ Shared Unit. The tests that all PMUs share
//! cover the rest.

use std::num::NonZeroU32;

use arm_pmu_core::bus::SystemRegister;
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_core::measure::Rearm as _;
use arm_pmu_sim::{Dsu, ExceptionLevel, Response, SysregViolation};
use dsu::{Count, CountError, Counters, Diagnose as _, DsuEvent, Finding, Pmu};

const fn register(crm: u8, op2: u8) -> SystemRegister {
    SystemRegister { op0: 3, op1: 0, crn: 15, crm, op2 }
}

const PMCR: SystemRegister = register(5, 0);

fn counts_of(device: &Dsu, times: &[u32]) -> [Count; 2] {
    let mut pmu = Pmu::new(device.bus());
    let [accesses, cycles, ..] = pmu.counters();
    accesses.count_from(DsuEvent::L3dCache, 5);
    cycles.count(DsuEvent::CpuCycles);
    pmu.cycle_counter().count();
    let running = pmu.start();
    for &times in times {
        device.signal(DsuEvent::L3dCache, times);
    }
    device.clock(77);
    let running_count = running.counts()[0];
    let pmu = running.stop();
    assert_eq!(pmu.counts()[0], running_count);
    assert_eq!(pmu.counts()[1].exact(), Ok(77));
    assert_eq!(device.violations(), []);
    [pmu.counts()[0], pmu.cycles()]
}

#[test]
fn only_64_bits_count_beyond_32() {
    let times = [u32::MAX, u32::MAX, 10];
    let sum = 2 * u64::from(u32::MAX) + 10;
    for device in [Dsu::new(), Dsu::dsu120()] {
        let [count, _] = counts_of(&device, &times);
        assert_eq!((count.exact_u64(), count.overflowed()), (Ok(sum), true));
    }
    let [count, _] = counts_of(&Dsu::first(), &times);
    assert_eq!((count.exact(), count.wrapping_value()), (Err(CountError::Overflowed), sum as u32));
    let [count, _] = counts_of(&Dsu::first(), &[900]);
    assert_eq!(count.exact(), Ok(900));
}

#[test]
fn missing_cycle_counter_gives_an_error() {
    for device in [Dsu::new(), Dsu::first()] {
        assert_eq!(counts_of(&device, &[])[1].exact(), Ok(77));
    }
    assert_eq!(counts_of(&Dsu::dsu120(), &[])[1].exact(), Err(CountError::Disturbed));
}

#[test]
fn both_ceid_registers_report_l3_events() {
    for device in [Dsu::new(), Dsu::first(), Dsu::dsu120()] {
        let pmu = Pmu::new(device.bus());
        for event in DsuEvent::ALL {
            let is_common = event.code() < 0x40;
            let exists = event.code() != 0x1E;
            assert_eq!(pmu.has_event(*event), is_common.then_some(exists), "{event}");
        }
    }
}

#[test]
fn reads_never_trap_but_the_first_write_does() {
    let levels = [
        (ExceptionLevel::NonSecureEl1, [(true, true)].as_slice()),
        (ExceptionLevel::El2, &[(true, true), (false, true)]),
        (ExceptionLevel::El3, &[(true, true), (false, true), (true, false), (false, false)]),
    ];
    for (level, open) in levels {
        for (el2, el3) in [(false, false), (false, true), (true, false), (true, true)] {
            let device = Dsu::new();
            device.set_level(level);
            device.set_clusterpmuen(el2, el3);
            let is_open = open.contains(&(el2, el3));
            let mut pmu = Pmu::probe(device.bus()).expect("a look");
            assert_eq!(pmu.has_event(DsuEvent::L3dCache), Some(true));
            let findings = pmu.diagnose_with(None, || device.clock(1));
            assert_eq!(findings.has(Finding::AccessTrapped), !is_open, "{level:?} {el2} {el3}");
        }
    }
}

#[test]
fn el0_can_read_no_register() {
    let device = Dsu::new();
    let refused = Pmu::probe(device.user_bus()).expect_err("a trap");
    assert!(matches!(refused.kind(), ProbeErrorKind::BusError(_)));
}

#[test]
fn other_numbers_of_counters_are_refused() {
    let device = Dsu::new();
    for counters in 0..0x20 {
        device.poke(PMCR, counters << 11);
        let refused = Pmu::probe(device.bus()).err().map(|refused| refused.kind());
        let found = counters as u8;
        let expected = (found != 6).then_some(ProbeErrorKind::Counters { found, expected: 6 });
        assert_eq!(refused, expected);
        let findings = Pmu::new(device.bus()).diagnose_with(None, || device.clock(1));
        assert_eq!(findings.has(Finding::Counters), found != 6);
    }
    device.set_response(Response::Zero);
    let refused = Pmu::probe(device.bus()).expect_err("no counters").kind();
    assert_eq!(refused, ProbeErrorKind::Counters { found: 0, expected: 6 });
}

/// Other software sets FZO, so that an overflow stops the event counters.
#[test]
fn fzo_disturbs_the_event_counters() {
    let device = Dsu::new();
    let mut pmu = Pmu::new(device.bus());
    let [accesses, ..] = pmu.counters();
    accesses.count(DsuEvent::L3dCache);
    pmu.cycle_counter().count();
    let running = pmu.start();
    device.poke(PMCR, device.peek(PMCR) | 1 << 9);
    let pmu = running.stop();
    let counts = [pmu.counts()[0], pmu.cycles()].map(|count| count.exact());
    assert_eq!(counts, [Err(CountError::Disturbed), Ok(0)]);
}

#[test]
fn secure_traffic_needs_el3() {
    let device = Dsu::new();
    let mut pmu = Pmu::new(device.bus());
    for (counts, expected) in [(false, 3), (true, 10)] {
        pmu.registers().clusterpmmdcr_el3().modify(|_, w| w.spme().bit(counts));
        let [events, ..] = pmu.counters();
        events.count(DsuEvent::BusAccess);
        let running = pmu.start();
        device.signal(DsuEvent::BusAccess, 3);
        device.signal_secure(DsuEvent::BusAccess, 7);
        pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Ok(expected));
    }
    device.set_level(ExceptionLevel::El2);
    device.set_clusterpmuen(true, true);
    let _ = pmu.registers().clusterpmmdcr_el3().read();
    assert!(dsu::Bus::error(&pmu.release()).is_some());
}

#[test]
fn budget_interrupts_at_every_width() {
    let budget = NonZeroU32::new(10).unwrap();
    for device in [Dsu::new(), Dsu::first(), Dsu::dsu120()] {
        let mut pmu = Pmu::new(device.bus());
        let [first, ..] = pmu.counters();
        first.overflow_after(DsuEvent::BusAccess, budget);
        pmu.interrupts(Counters::from_word(1));
        let mut running = pmu.start();
        for _ in 0..2 {
            device.signal(DsuEvent::BusAccess, 9);
            assert!(!device.interrupt());
            device.signal(DsuEvent::BusAccess, 1);
            assert!(device.interrupt());
            assert_eq!(running.acknowledge(), Counters::from_word(1));
            assert!(!device.interrupt());
            running.rearm(0, budget);
        }
        assert_eq!(running.stop().counts()[0].exact(), Ok(0));
        assert_eq!(device.violations(), []);
    }
}

#[test]
fn access_before_the_barrier_is_a_violation() {
    let device = Dsu::new();
    let bus = device.bus::<arm_pmu_sim::AnySystemRegister>();
    bus.msr(register(5, 5), 0);
    dsu::Bus::synchronize(&bus);
    bus.msr(register(5, 5), 1);
    bus.msr(register(6, 1), 0x19);
    assert_eq!((bus.mrs(register(6, 1)), device.peek_event(0)), (0x19, 0x19));
    let violation = SysregViolation::SelectorNotSynchronized { register: register(6, 1) };
    assert_eq!(device.violations(), [violation; 2]);
}

//! Diagnosis: each state of the cache controller gives its finding and no other.

use arm_pmu_sim::{L2c310, Noise, Response, ignoring_stores};
use l2c_310::{Diagnose, Finding, L2c310Event, Pmu, Selection, Space};

const READS: L2c310Event = L2c310Event::DataReadRequest;
const WRITES: L2c310Event = L2c310Event::DataWriteRequest;

fn findings(device: &L2c310, expected: Option<Selection>, work: impl FnMut()) -> Vec<Finding> {
    let diagnosis = Pmu::new(device.bus()).diagnose_with(expected, work);
    assert!(device.violations().is_empty());
    diagnosis.findings().map(|found| found.finding).collect()
}

#[test]
fn counting_device_has_no_finding() {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(3)] {
        let device = L2c310::new();
        device.power_up_with(noise);
        let work = || {
            device.signal(READS, 3);
            device.signal(WRITES, 1);
        };
        assert_eq!(findings(&device, None, work), []);
        assert_eq!(findings(&device, Some(WRITES.into()), work), []);
        assert_eq!(findings(&device, Some(READS.into()), work), []);
    }
}

#[test]
fn each_state_has_its_finding() {
    let device = L2c310::new();
    let silence = || ();
    assert_eq!(findings(&device, None, silence), [Finding::NothingCounted]);
    let reads = || device.signal(READS, 3);
    let expected = Some(WRITES.into());
    assert_eq!(findings(&device, expected, reads), [Finding::ExpectedEventNotCounted]);
    device.set_spniden(false);
    let secure = || device.signal_secure(READS, 3);
    assert_eq!(findings(&device, None, secure), [Finding::NothingCounted]);
    device.set_spniden(true);
    assert_eq!(findings(&device, None, secure), []);
    let takes_it_off = || device.poke(0x208, 0);
    assert_eq!(findings(&device, None, takes_it_off), [Finding::EnableLost]);
    let disables = || device.poke(0x200, 0);
    assert_eq!(findings(&device, None, disables), [Finding::EnableLost]);
    device.poke(0x000, 0x4100_0080);
    assert_eq!(findings(&device, None, reads), [Finding::AnotherProduct]);
    for (response, finding) in [
        (Response::Zero, Finding::ReadsAsZero),
        (Response::Ones, Finding::ReadsAsOnes),
        (Response::Error, Finding::BusError),
    ] {
        device.set_response(response);
        assert_eq!(findings(&device, None, silence), [finding]);
    }
}

#[test]
fn interference_with_the_run_before_is_a_finding() {
    let device = L2c310::new();
    let mut pmu = Pmu::new(device.bus());
    let [reads, _] = pmu.counters();
    reads.count(READS);
    let running = pmu.start();
    device.poke(0x208, 0);
    let mut pmu = running.stop();
    let work = || device.signal(READS, 1);
    let diagnosis = pmu.diagnose_with(None, work);
    let found = diagnosis.findings().next().map(|found| (found.finding, found.value));
    assert_eq!(found, Some((Finding::Interference, 1)));
    let mut pmu = pmu.start().stop();
    assert!(pmu.diagnose_with(None, work).found_nothing());
}

#[test]
fn ignored_writes_are_found() {
    let device = L2c310::new();
    let bus = ignoring_stores(device.bus::<Space>(), [0x210]);
    let diagnosis = Pmu::new(bus).diagnose_with(None, || ());
    assert!(diagnosis.has(Finding::WritesIgnored), "{diagnosis}");
}

#[test]
fn diagnosis_restores_registers() {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2)] {
        let device = L2c310::new();
        device.power_up_with(noise);
        let registers = [0x200, 0x204, 0x208, 0x20C, 0x210, 0x214, 0x21C];
        let held = || registers.map(|offset| device.peek(offset));
        let before = held();
        let found = findings(&device, Some(WRITES.into()), || device.signal(READS, 9));
        assert_eq!(found, [Finding::ExpectedEventNotCounted]);
        assert_eq!(held(), before);
    }
}

//! Diagnosis tests: each state of the cache controller leads to exactly one finding.

use arm_pmu_sim::L2c310;
use l2c_310::{Diagnose, Finding, L2c310Event, Pmu, Selection};

const READS: L2c310Event = L2c310Event::DataReadRequest;

fn findings(device: &L2c310, expected: Option<Selection>, work: impl FnMut()) -> Vec<Finding> {
    let diagnosis = Pmu::new(device.bus()).diagnose_with(expected, work);
    assert!(device.violations().is_empty());
    diagnosis.findings().map(|found| found.finding).collect()
}

#[test]
fn each_state_has_its_finding() {
    let device = L2c310::new();
    let reads = || device.signal(READS, 3);
    device.set_spniden(false);
    let secure = || device.signal_secure(READS, 3);
    assert_eq!(findings(&device, None, secure), [Finding::NothingCounted]);
    device.set_spniden(true);
    assert_eq!(findings(&device, None, secure), []);
    let takes_it_off = || device.poke(0x208, 0);
    assert_eq!(findings(&device, None, takes_it_off), [Finding::EnableLost]);
    device.poke(0x000, 0x4100_0080);
    assert_eq!(findings(&device, None, reads), [Finding::AnotherProduct]);
}

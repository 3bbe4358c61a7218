//! By DDI 0470I: codes of Tables 2.2 and 2.3.

use arm_pmu::cci400::metrics::*;
use arm_pmu::cci400::{M1, Pmu, S0, S3};
use arm_pmu::measure::measure;
use arm_pmu_sim::Cci400;

use crate::support::{are_all, gives_the_reason};
use device::{check, counted, happen};

mod device {
    use arm_pmu::cci400 as ip;
    const REVISION: u8 = 6;
    include!("device.rs");
}

#[test]
fn all() {
    let held = vec![
        // Shareable reads 0x03, and shareable reads with a snoop hit, 0x0A.
        check(&SnoopHitRate(S3), 3, &[(0x03, 20), (0x0A, 15)], None, "75.00 %  (15 / 20)"),
        check(&ReadRequestsPerCycle(S0), 0, &[(0x00, 250)], Some(2_000), "0.125  (250 / 2000)"),
        check(&ReadDataStallShare(S0), 0, &[(0x0B, 30)], Some(600), "5.00 %  (30 / 600)"),
        check(&ReadTrackerStallShare(S3), 3, &[(0x09, 60)], Some(600), "10.00 %  (60 / 600)"),
        check(&ReadIdHazardStallShare(S3), 3, &[(0x14, 3)], Some(600), "0.50 %  (3 / 600)"),
        check(&WriteTrackerStallShare(S3), 3, &[(0x13, 150)], Some(600), "25.00 %  (150 / 600)"),
        check(&MasterReadIdHazardStallShare(M1), 6, &[(0x02, 1)], Some(8), "12.50 %  (1 / 8)"),
        check(&MasterWriteTrackerStallShare(M1), 6, &[(0x06, 1)], Some(3), "33.33 %  (1 / 3)"),
    ];
    are_all(held, METRICS);
}

#[test]
fn bytes_are_not_counted() {
    gives_the_reason(ReadDataBytes, "READ_REQUEST_ANY counts requests");
    gives_the_reason(WriteDataBytes, "counts requests");
    assert_eq!(NOT_COMPUTABLE.len(), 2);
}

/// Two metrics from one measurement.
#[test]
fn metrics_share_a_measurement() {
    let device = Cci400::new();
    let mut pmu = Pmu::new(device.bus());
    let [hits, reads] = SnoopHitRate(S3).events();
    let [stalls, cycles] = ReadDataStallShare(S3).events();
    let m = measure(&mut pmu, [cycles, hits, stalls, reads], || {
        happen(&device, &counted(3, &[(0x03, 8), (0x0A, 2), (0x0B, 10)], Some(100)));
    });
    let m = m.expect("three events and the cycles");
    assert_eq!(m.metric(&SnoopHitRate(S3)).to_string(), "25.00 %  (2 / 8)");
    assert_eq!(m.metric(&ReadDataStallShare(S3)).to_string(), "10.00 %  (10 / 100)");
    // No events of another interface were counted.
    let other = m.metric(&SnoopHitRate(S0));
    assert_eq!(other.to_string(), "unknown: input 1 was not counted");
}

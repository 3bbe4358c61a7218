//! Tests of a CCI-400's metrics. Bits 7 to 5 of an event id are the source: 3 is S3, 6 is M1.

use arm_pmu::measure::measure;

use super::support::{CYCLES, check};
use crate::devices::{self, Device as _};

/// Source of the event codes: DDI 0470I, Tables 2.2 and 2.3.
#[test]
fn metrics_of_r1_match_the_manual() {
    use arm_pmu::cci400::r1::metrics::*;
    use arm_pmu::cci400::r1::{M1, S0, S3};
    check! {
        devices::cci400_r1::Simulated, unavailable: [
            ReadDataBytes => "READ_REQUEST_ANY counts requests",
            WriteDataBytes => "counts requests",
        ];
        // Events: shareable reads 0x03, and shareable reads with a snoop hit 0x0A.
        SnoopHitRate(S3) => 0x63: 20, 0x6A: 15 => "75.00 %  (15 / 20)";
        ReadRequestsPerCycle(S0) => 0x00: 250, CYCLES: 2_000 => "0.125  (250 / 2000)";
        ReadDataStallShare(S0) => 0x0B: 30, CYCLES: 600 => "5.00 %  (30 / 600)";
        ReadTrackerStallShare(S3) => 0x69: 60, CYCLES: 600 => "10.00 %  (60 / 600)";
        ReadIdHazardStallShare(S3) => 0x74: 3, CYCLES: 600 => "0.50 %  (3 / 600)";
        WriteTrackerStallShare(S3) => 0x73: 150, CYCLES: 600 => "25.00 %  (150 / 600)";
        MasterReadIdHazardStallShare(M1) => 0xC2: 1, CYCLES: 8 => "12.50 %  (1 / 8)";
        MasterWriteTrackerStallShare(M1) => 0xC6: 1, CYCLES: 3 => "33.33 %  (1 / 3)";
    }
}

/// Source of the event codes: DDI 0470D, Table 2.2.
#[test]
fn metrics_of_r0_match_the_manual() {
    use arm_pmu::cci400::r0::metrics::*;
    use arm_pmu::cci400::r0::{M1, S0, S3};
    check! {
        devices::cci400_r0::Simulated, unavailable: [
            ReadDataBytes => "READ_REQUEST_ANY counts requests",
            WriteDataBytes => "counts requests",
        ];
        // Events: shareable reads 0x03, and shareable reads with a snoop hit 0x0A.
        SnoopHitRate(S3) => 0x63: 40, 0x6A: 10 => "25.00 %  (10 / 40)";
        ReadRequestsPerCycle(S0) => 0x00: 500, CYCLES: 2_000 => "0.250  (500 / 2000)";
        ReadDataStallShare(S0) => 0x0B: 60, CYCLES: 600 => "10.00 %  (60 / 600)";
        ReadTrackerStallShare(S3) => 0x69: 6, CYCLES: 600 => "1.00 %  (6 / 600)";
        WriteTrackerStallShare(S3) => 0x73: 300, CYCLES: 600 => "50.00 %  (300 / 600)";
        // Codes of master interfaces follow the codes of slave interfaces.
        MasterReadIdHazardStallShare(M1) => 0xD6: 1, CYCLES: 4 => "25.00 %  (1 / 4)";
        MasterReadAddressHazardStallShare(M1) => 0xD5: 1, CYCLES: 8 => "12.50 %  (1 / 8)";
        MasterReadTrackerStallShare(M1) => 0xD7: 2, CYCLES: 3 => "66.67 %  (2 / 3)";
        MasterWriteTrackerStallShare(M1) => 0xDA: 3, CYCLES: 4 => "75.00 %  (3 / 4)";
    }
}

/// One measurement gives the counts of two metrics.
#[test]
fn metrics_share_a_measurement() {
    use arm_pmu::cci400::S3;
    use arm_pmu::cci400::metrics::*;
    type Device = devices::cci400_r1::Simulated;
    let device = Device::new();
    let [hits, reads] = SnoopHitRate(S3).events();
    let [stalls, cycles] = ReadDataStallShare(S3).events();
    let m = measure(&mut device.pmu(), [cycles, hits, stalls, reads], || {
        for (id, times) in [(0x63, 8), (0x6A, 2), (0x6B, 10)] {
            device.happens(Device::event(id), times);
        }
        device.cycles(100);
    });
    let m = m.expect("three events and the cycles");
    assert_eq!(m.metric(&SnoopHitRate(S3)).to_string(), "25.00 %  (2 / 8)");
    assert_eq!(m.metric(&ReadDataStallShare(S3)).to_string(), "10.00 %  (10 / 100)");
    // The measurement has no events of interface S0.
    let other = m.metric(&SnoopHitRate(arm_pmu::cci400::S0));
    assert_eq!(other.to_string(), "unknown: input 1 was not counted");
}

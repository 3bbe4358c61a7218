//! By the page of DDI 0470D: codes of its Table 2.2.

use arm_pmu::cci400::r0::metrics::*;
use arm_pmu::cci400::r0::{M1, S0, S3};

use crate::support::{are_all, gives_the_reason};
use device::check;

mod device {
    use arm_pmu::cci400::r0 as ip;
    const REVISION: u8 = 4;
    include!("device.rs");
}

#[test]
fn all() {
    let held = vec![
        // Shareable reads 0x03, and shareable reads with a snoop hit, 0x0A.
        check(&SnoopHitRate(S3), 3, &[(0x03, 40), (0x0A, 10)], None, "25.00 %  (10 / 40)"),
        check(&ReadRequestsPerCycle(S0), 0, &[(0x00, 500)], Some(2_000), "0.250  (500 / 2000)"),
        check(&ReadDataStallShare(S0), 0, &[(0x0B, 60)], Some(600), "10.00 %  (60 / 600)"),
        check(&ReadTrackerStallShare(S3), 3, &[(0x09, 6)], Some(600), "1.00 %  (6 / 600)"),
        check(&WriteTrackerStallShare(S3), 3, &[(0x13, 300)], Some(600), "50.00 %  (300 / 600)"),
        // A master interface goes on with the codes where a slave interface ends.
        check(&MasterReadIdHazardStallShare(M1), 6, &[(0x16, 1)], Some(4), "25.00 %  (1 / 4)"),
        check(&MasterReadAddressHazardStallShare(M1), 6, &[(0x15, 1)], Some(8), "12.50 %  (1 / 8)"),
        check(&MasterReadTrackerStallShare(M1), 6, &[(0x17, 2)], Some(3), "66.67 %  (2 / 3)"),
        check(&MasterWriteTrackerStallShare(M1), 6, &[(0x1A, 3)], Some(4), "75.00 %  (3 / 4)"),
    ];
    are_all(held, METRICS);
}

#[test]
fn bytes_are_not_counted() {
    gives_the_reason(ReadDataBytes, "READ_REQUEST_ANY counts requests");
    gives_the_reason(WriteDataBytes, "counts requests");
    assert_eq!(NOT_COMPUTABLE.len(), 2);
}

//! By the manual and Arm's machine-readable events: their codes.

use arm_pmu::cortex_a55 as ip;
use arm_pmu_sim::CortexA55 as Device;
use ip::metrics::*;

use crate::support::{are_all, gives_the_reason};

include!("../core.rs");

#[test]
fn all() {
    let cycles = Some(1_000);
    let held = vec![
        check(&InstructionsPerCycle, &[(0x08, 1_375)], cycles, "1.375  (1375 / 1000)"),
        check(&L1InstructionCacheMissRatio, &[(0x14, 800), (0x01, 8)], None, "1.00 %  (8 / 800)"),
        check(&L1DataCacheMissRatio, &[(0x04, 400), (0x03, 30)], None, "7.50 %  (30 / 400)"),
        check(&L1DataCacheReadMissRatio, &[(0x40, 400), (0x42, 20)], None, "5.00 %  (20 / 400)"),
        check(&L1DataCacheWriteMissRatio, &[(0x41, 200), (0x43, 3)], None, "1.50 %  (3 / 200)"),
        check(&L2CacheMissRatio, &[(0x16, 38), (0x17, 19)], None, "50.00 %  (19 / 38)"),
        check(&L3CacheMissRatio, &[(0x2B, 40), (0x2A, 10)], None, "25.00 %  (10 / 40)"),
        check(&LastLevelReadMissRatio, &[(0x36, 50), (0x37, 4)], None, "8.00 %  (4 / 50)"),
        check(&L2TlbMissRatio, &[(0x2F, 200), (0x2D, 1)], None, "0.50 %  (1 / 200)"),
        check(&BranchMispredictionRatio, &[(0x21, 200), (0x22, 9)], None, "4.50 %  (9 / 200)"),
        check(&FrontEndStallShare, &[(0x23, 125)], cycles, "12.50 %  (125 / 1000)"),
        check(&BackEndStallShare, &[(0x24, 250)], cycles, "25.00 %  (250 / 1000)"),
        check(&BusWriteShare, &[(0x60, 6), (0x61, 2)], None, "25.00 %  (2 / 8)"),
    ];
    are_all(held, METRICS);
}

#[test]
fn unavailable_metrics_give_the_reason() {
    gives_the_reason(BusBytes, "how many bytes");
    assert_eq!(NOT_COMPUTABLE.len(), 1);
}

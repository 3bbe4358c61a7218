//! By DDI 0344: codes of Table 3.97.

use arm_pmu::cortex_a8 as ip;
use arm_pmu_sim::CortexA8 as Device;
use ip::metrics::*;

use crate::support::{are_all, gives_the_reason};

include!("../core.rs");

#[test]
fn all() {
    let cycles = Some(1_000);
    let held = vec![
        check(&InstructionsPerCycle, &[(0x08, 1_375)], cycles, "1.375  (1375 / 1000)"),
        // Accesses 0x50 and refills 0x01; 0x04 and 0x03; 0x43 and 0x44.
        check(&L1InstructionCacheMissRatio, &[(0x50, 800), (0x01, 8)], None, "1.00 %  (8 / 800)"),
        check(&L1DataCacheMissRatio, &[(0x04, 400), (0x03, 30)], None, "7.50 %  (30 / 400)"),
        check(&L2CacheMissRatio, &[(0x43, 38), (0x44, 19)], None, "50.00 %  (19 / 38)"),
        check(&BranchMispredictionRatio, &[(0x12, 200), (0x10, 9)], None, "4.50 %  (9 / 200)"),
        check(&FrontEndIdleShare, &[(0x56, 410)], cycles, "41.00 %  (410 / 1000)"),
        check(&NeonMrcStallShare, &[(0x58, 20)], cycles, "2.00 %  (20 / 1000)"),
        check(&NeonQueueStallShare, &[(0x59, 5)], cycles, "0.50 %  (5 / 1000)"),
        check(&NeonAndIntegerBusyShare, &[(0x5A, 600)], cycles, "60.00 %  (600 / 1000)"),
        check(&NeonL1DataCacheHitRatio, &[(0x4D, 50), (0x4C, 45)], None, "90.00 %  (45 / 50)"),
        check(&NeonL2CacheHitRatio, &[(0x4E, 5), (0x4F, 4)], None, "80.00 %  (4 / 5)"),
    ];
    are_all(held, METRICS);
}

#[test]
fn bytes_are_not_known() {
    gives_the_reason(AxiBytes, "whether one is a beat");
    assert_eq!(NOT_COMPUTABLE.len(), 1);
}

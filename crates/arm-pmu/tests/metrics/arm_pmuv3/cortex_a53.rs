//! By the manual and Arm's machine-readable events: their codes.

use arm_pmu::cortex_a53 as ip;
use arm_pmu_sim::CortexA53 as Device;
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
        check(&L2CacheMissRatio, &[(0x16, 38), (0x17, 19)], None, "50.00 %  (19 / 38)"),
        check(&BranchMispredictionRatio, &[(0x12, 200), (0x10, 9)], None, "4.50 %  (9 / 200)"),
        check(
            &ConditionalBranchMispredictionRatio,
            &[(0xC9, 160), (0xCC, 4)],
            None,
            "2.50 %  (4 / 160)",
        ),
        check(&LoadMissStallShare, &[(0xE7, 125)], cycles, "12.50 %  (125 / 1000)"),
        check(
            &EmptyQueueShare,
            &[(0xE0, 40), (0xE1, 30), (0xE2, 20), (0xE3, 10)],
            cycles,
            "10.00 %  (100 / 1000)",
        ),
        check(&BusWriteShare, &[(0x60, 6), (0x61, 2)], None, "25.00 %  (2 / 8)"),
    ];
    are_all(held, METRICS);
}

#[test]
fn unavailable_metrics_give_the_reason() {
    gives_the_reason(StoreBufferStallShare, "cycles or stores");
    gives_the_reason(BusBytes, "how many bytes");
    assert_eq!(NOT_COMPUTABLE.len(), 2);
}

//! By DDI 0388: codes of Tables 11-5 and 11-6.

use arm_pmu::cortex_a9 as ip;
use arm_pmu_sim::CortexA9 as Device;
use ip::metrics::*;

use crate::support::{are_all, gives_the_reason};

include!("../core.rs");

#[test]
fn all() {
    let cycles = Some(1_000);
    let held = vec![
        check(&InstructionsPerCycle, &[(0x68, 1_375)], cycles, "1.375  (1375 / 1000)"),
        check(&L1DataCacheMissRatio, &[(0x04, 400), (0x03, 30)], None, "7.50 %  (30 / 400)"),
        check(&BranchMispredictionRatio, &[(0x12, 200), (0x10, 9)], None, "4.50 %  (9 / 200)"),
        check(&FrontEndStallShare, &[(0x60, 410)], cycles, "41.00 %  (410 / 1000)"),
        check(&NoDispatchShare, &[(0x66, 20)], cycles, "2.00 %  (20 / 1000)"),
        check(&DataCacheStallShare, &[(0x61, 5)], cycles, "0.50 %  (5 / 1000)"),
        check(&MainTlbStallShare, &[(0x62, 600)], cycles, "60.00 %  (600 / 1000)"),
        check(&CoherentHitRatio, &[(0x51, 15), (0x50, 5)], None, "75.00 %  (15 / 20)"),
        check(&ExclusiveFailureRatio, &[(0x64, 1), (0x63, 3)], None, "25.00 %  (1 / 4)"),
    ];
    are_all(held, METRICS);
}

#[test]
fn access_ratios_are_unavailable_with_reason() {
    gives_the_reason(L1InstructionCacheMissRatio, "no event counts accesses");
    gives_the_reason(L2CacheMissRatio, "not part of the core");
    assert_eq!(NOT_COMPUTABLE.len(), 2);
}

//! By Arm's machine-readable events: codes of the common events.

use arm_pmu::arm_pmuv3 as ip;
use arm_pmu_sim::ArmPmuv3 as Device;
use ip::CommonEvents;
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
        check(&L3CacheMissRatio, &[(0x2B, 40), (0x2A, 10)], None, "25.00 %  (10 / 40)"),
        check(&LastLevelReadMissRatio, &[(0x36, 50), (0x37, 4)], None, "8.00 %  (4 / 50)"),
        check(&L1InstructionTlbMissRatio, &[(0x26, 500), (0x02, 1)], None, "0.20 %  (1 / 500)"),
        check(&L1DataTlbMissRatio, &[(0x25, 400), (0x05, 6)], None, "1.50 %  (6 / 400)"),
        check(&L2TlbMissRatio, &[(0x2F, 200), (0x2D, 1)], None, "0.50 %  (1 / 200)"),
        check(&BranchMispredictionRatio, &[(0x12, 200), (0x10, 9)], None, "4.50 %  (9 / 200)"),
        check(
            &RetiredBranchMispredictionRatio,
            &[(0x21, 160), (0x22, 4)],
            None,
            "2.50 %  (4 / 160)",
        ),
        check(&FrontEndStallShare, &[(0x23, 125)], cycles, "12.50 %  (125 / 1000)"),
        check(&BackEndStallShare, &[(0x24, 250)], cycles, "25.00 %  (250 / 1000)"),
    ];
    are_all(held, METRICS);
}

#[test]
fn unavailable_metrics_give_the_reason() {
    gives_the_reason(BusBytes, "depends on the core");
    assert_eq!(NOT_COMPUTABLE.len(), 1);
}

/// Availability depends on each event of a metric, but not on the cycles.
#[test]
fn a_core_has_a_metric_if_it_has_all_its_events() {
    let without = |code: u32| {
        let all = !(1_u64 << code);
        CommonEvents::from_registers(all & 0xFFFF_FFFF, all >> 32)
    };
    assert!(without(0x00).has_events_of(&L2CacheMissRatio));
    for code in [0x16, 0x17] {
        assert!(!without(code).has_events_of(&L2CacheMissRatio), "{code:#x}");
    }
    for code in [0x36, 0x37] {
        assert!(!without(code).has_events_of(&LastLevelReadMissRatio), "{code:#x}");
    }
    // 0x11 counts cycles too, but the metric uses the cycle counter.
    assert!(without(0x11).has_events_of(&InstructionsPerCycle));
    assert!(!without(0x08).has_events_of(&InstructionsPerCycle));
}

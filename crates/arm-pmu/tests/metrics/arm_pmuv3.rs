//! Cores with PMUv3.

use crate::devices;
use crate::support::{CYCLES, check};

/// By Arm's machine-readable events: codes of the common events.
#[test]
fn every_core() {
    use arm_pmu::arm_pmuv3::metrics::*;
    check::<devices::arm_pmuv3::Simulated>(
        &[
            (&InstructionsPerCycle, &[(0x08, 1_375), (CYCLES, 1_000)], "1.375  (1375 / 1000)"),
            (&L1InstructionCacheMissRatio, &[(0x14, 800), (0x01, 8)], "1.00 %  (8 / 800)"),
            (&L1DataCacheMissRatio, &[(0x04, 400), (0x03, 30)], "7.50 %  (30 / 400)"),
            (&L2CacheMissRatio, &[(0x16, 38), (0x17, 19)], "50.00 %  (19 / 38)"),
            (&L3CacheMissRatio, &[(0x2B, 40), (0x2A, 10)], "25.00 %  (10 / 40)"),
            (&LastLevelReadMissRatio, &[(0x36, 50), (0x37, 4)], "8.00 %  (4 / 50)"),
            (&L1InstructionTlbMissRatio, &[(0x26, 500), (0x02, 1)], "0.20 %  (1 / 500)"),
            (&L1DataTlbMissRatio, &[(0x25, 400), (0x05, 6)], "1.50 %  (6 / 400)"),
            (&L2TlbMissRatio, &[(0x2F, 200), (0x2D, 1)], "0.50 %  (1 / 200)"),
            (&BranchMispredictionRatio, &[(0x12, 200), (0x10, 9)], "4.50 %  (9 / 200)"),
            (&RetiredBranchMispredictionRatio, &[(0x21, 160), (0x22, 4)], "2.50 %  (4 / 160)"),
            (&FrontEndStallShare, &[(0x23, 125), (CYCLES, 1_000)], "12.50 %  (125 / 1000)"),
            (&BackEndStallShare, &[(0x24, 250), (CYCLES, 1_000)], "25.00 %  (250 / 1000)"),
        ],
        METRICS,
        &[(&BusBytes, "depends on the core")],
        NOT_COMPUTABLE,
    );
}

/// By the manual and Arm's machine-readable events: their codes.
#[test]
fn cortex_a53() {
    use arm_pmu::cortex_a53::metrics::*;
    check::<devices::cortex_a53::Simulated>(
        &[
            (&InstructionsPerCycle, &[(0x08, 1_375), (CYCLES, 1_000)], "1.375  (1375 / 1000)"),
            (&L1InstructionCacheMissRatio, &[(0x14, 800), (0x01, 8)], "1.00 %  (8 / 800)"),
            (&L1DataCacheMissRatio, &[(0x04, 400), (0x03, 30)], "7.50 %  (30 / 400)"),
            (&L2CacheMissRatio, &[(0x16, 38), (0x17, 19)], "50.00 %  (19 / 38)"),
            (&BranchMispredictionRatio, &[(0x12, 200), (0x10, 9)], "4.50 %  (9 / 200)"),
            (&ConditionalBranchMispredictionRatio, &[(0xC9, 160), (0xCC, 4)], "2.50 %  (4 / 160)"),
            (&LoadMissStallShare, &[(0xE7, 125), (CYCLES, 1_000)], "12.50 %  (125 / 1000)"),
            (
                &EmptyQueueShare,
                &[(0xE0, 40), (0xE1, 30), (0xE2, 20), (0xE3, 10), (CYCLES, 1_000)],
                "10.00 %  (100 / 1000)",
            ),
            (&BusWriteShare, &[(0x60, 6), (0x61, 2)], "25.00 %  (2 / 8)"),
        ],
        METRICS,
        &[(&StoreBufferStallShare, "cycles or stores"), (&BusBytes, "how many bytes")],
        NOT_COMPUTABLE,
    );
}

/// By the manual and Arm's machine-readable events: their codes.
#[test]
fn cortex_a55() {
    use arm_pmu::cortex_a55::metrics::*;
    check::<devices::cortex_a55::Simulated>(
        &[
            (&InstructionsPerCycle, &[(0x08, 1_375), (CYCLES, 1_000)], "1.375  (1375 / 1000)"),
            (&L1InstructionCacheMissRatio, &[(0x14, 800), (0x01, 8)], "1.00 %  (8 / 800)"),
            (&L1DataCacheMissRatio, &[(0x04, 400), (0x03, 30)], "7.50 %  (30 / 400)"),
            (&L1DataCacheReadMissRatio, &[(0x40, 400), (0x42, 20)], "5.00 %  (20 / 400)"),
            (&L1DataCacheWriteMissRatio, &[(0x41, 200), (0x43, 3)], "1.50 %  (3 / 200)"),
            (&L2CacheMissRatio, &[(0x16, 38), (0x17, 19)], "50.00 %  (19 / 38)"),
            (&L3CacheMissRatio, &[(0x2B, 40), (0x2A, 10)], "25.00 %  (10 / 40)"),
            (&LastLevelReadMissRatio, &[(0x36, 50), (0x37, 4)], "8.00 %  (4 / 50)"),
            (&L2TlbMissRatio, &[(0x2F, 200), (0x2D, 1)], "0.50 %  (1 / 200)"),
            (&BranchMispredictionRatio, &[(0x21, 200), (0x22, 9)], "4.50 %  (9 / 200)"),
            (&FrontEndStallShare, &[(0x23, 125), (CYCLES, 1_000)], "12.50 %  (125 / 1000)"),
            (&BackEndStallShare, &[(0x24, 250), (CYCLES, 1_000)], "25.00 %  (250 / 1000)"),
            (&BusWriteShare, &[(0x60, 6), (0x61, 2)], "25.00 %  (2 / 8)"),
        ],
        METRICS,
        &[(&BusBytes, "how many bytes")],
        NOT_COMPUTABLE,
    );
}

/// By the manual and Arm's machine-readable events: their codes.
#[test]
fn cortex_a72() {
    use arm_pmu::cortex_a72::metrics::*;
    check::<devices::cortex_a72::Simulated>(
        &[
            (&InstructionsPerCycle, &[(0x08, 1_375), (CYCLES, 1_000)], "1.375  (1375 / 1000)"),
            (&L1InstructionCacheMissRatio, &[(0x14, 800), (0x01, 8)], "1.00 %  (8 / 800)"),
            (&L1DataCacheMissRatio, &[(0x04, 400), (0x03, 30)], "7.50 %  (30 / 400)"),
            (&L2CacheMissRatio, &[(0x16, 38), (0x17, 19)], "50.00 %  (19 / 38)"),
            (&BranchMispredictionRatio, &[(0x12, 200), (0x10, 9)], "4.50 %  (9 / 200)"),
            (&L1DataCacheReadMissRatio, &[(0x40, 400), (0x42, 20)], "5.00 %  (20 / 400)"),
            (&L1DataCacheWriteMissRatio, &[(0x41, 200), (0x43, 3)], "1.50 %  (3 / 200)"),
            (&ExclusiveStoreFailureRatio, &[(0x6D, 9), (0x6E, 1)], "10.00 %  (1 / 10)"),
            (&BusWriteShare, &[(0x60, 6), (0x61, 2)], "25.00 %  (2 / 8)"),
        ],
        METRICS,
        &[(&BusBytes, "how many bytes")],
        NOT_COMPUTABLE,
    );
}

/// Availability depends on each event of a metric, but not on the cycles.
#[test]
fn cores_with_all_events_have_the_metric() {
    use arm_pmu::arm_pmuv3::CommonEvents;
    use arm_pmu::arm_pmuv3::metrics::*;
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

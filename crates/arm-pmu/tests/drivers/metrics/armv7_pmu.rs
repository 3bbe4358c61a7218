//! Tests of metrics of cores with an ARMv7 PMU.

use super::support::{CYCLES, check};
use crate::devices;

/// Source of the event codes: Arm's machine-readable events.
#[test]
fn metrics_of_a_cortex_a7_match_the_events() {
    use arm_pmu::cortex_a7::metrics::*;
    check! {
        devices::cortex_a7::Simulated, unavailable: [
            StoreBufferStallShare => "cycles or stores",
            BusBytes => "how many bytes",
        ];
        InstructionsPerCycle => 0x08: 1_375, CYCLES: 1_000 => "1.375  (1375 / 1000)";
        L1InstructionCacheMissRatio => 0x14: 800, 0x01: 8 => "1.00 %  (8 / 800)";
        L1DataCacheMissRatio => 0x04: 400, 0x03: 30 => "7.50 %  (30 / 400)";
        L2CacheMissRatio => 0x16: 38, 0x17: 19 => "50.00 %  (19 / 38)";
        BranchMispredictionRatio => 0x12: 200, 0x10: 9 => "4.50 %  (9 / 200)";
        PrefetchDropRatio => 0xC2: 15, 0xC3: 5 => "25.00 %  (5 / 20)";
        BusWriteShare => 0x60: 6, 0x61: 2 => "25.00 %  (2 / 8)";
    }
}

/// Source of the event codes: DDI 0344, Table 3.97.
#[test]
fn metrics_of_a_cortex_a8_match_the_manual() {
    use arm_pmu::cortex_a8::metrics::*;
    check! {
        devices::cortex_a8::Simulated, unavailable: [AxiBytes => "whether a packet is one beat"];
        InstructionsPerCycle => 0x08: 1_375, CYCLES: 1_000 => "1.375  (1375 / 1000)";
        // Event codes of accesses and refills: 0x50 and 0x01, 0x04 and 0x03, 0x43 and 0x44.
        L1InstructionCacheMissRatio => 0x50: 800, 0x01: 8 => "1.00 %  (8 / 800)";
        L1DataCacheMissRatio => 0x04: 400, 0x03: 30 => "7.50 %  (30 / 400)";
        L2CacheMissRatio => 0x43: 38, 0x44: 19 => "50.00 %  (19 / 38)";
        BranchMispredictionRatio => 0x12: 200, 0x10: 9 => "4.50 %  (9 / 200)";
        FrontEndIdleShare => 0x56: 410, CYCLES: 1_000 => "41.00 %  (410 / 1000)";
        NeonMrcStallShare => 0x58: 20, CYCLES: 1_000 => "2.00 %  (20 / 1000)";
        NeonQueueStallShare => 0x59: 5, CYCLES: 1_000 => "0.50 %  (5 / 1000)";
        NeonAndIntegerBusyShare => 0x5A: 600, CYCLES: 1_000 => "60.00 %  (600 / 1000)";
        NeonL1DataCacheHitRatio => 0x4D: 50, 0x4C: 45 => "90.00 %  (45 / 50)";
        NeonL2CacheHitRatio => 0x4E: 5, 0x4F: 4 => "80.00 %  (4 / 5)";
    }
}

/// Source of the event codes: DDI 0388, Tables 11-5 and 11-6.
#[test]
fn metrics_of_a_cortex_a9_match_the_manual() {
    use arm_pmu::cortex_a9::metrics::*;
    check! {
        devices::cortex_a9::Simulated, unavailable: [
            L1InstructionCacheMissRatio => "no event counts accesses",
            L2CacheMissRatio => "not part of the core",
        ];
        InstructionsPerCycle => 0x68: 1_375, CYCLES: 1_000 => "1.375  (1375 / 1000)";
        L1DataCacheMissRatio => 0x04: 400, 0x03: 30 => "7.50 %  (30 / 400)";
        BranchMispredictionRatio => 0x12: 200, 0x10: 9 => "4.50 %  (9 / 200)";
        FrontEndStallShare => 0x60: 410, CYCLES: 1_000 => "41.00 %  (410 / 1000)";
        NoDispatchShare => 0x66: 20, CYCLES: 1_000 => "2.00 %  (20 / 1000)";
        DataCacheStallShare => 0x61: 5, CYCLES: 1_000 => "0.50 %  (5 / 1000)";
        MainTlbStallShare => 0x62: 600, CYCLES: 1_000 => "60.00 %  (600 / 1000)";
        CoherentHitRatio => 0x51: 15, 0x50: 5 => "75.00 %  (15 / 20)";
        ExclusiveFailureRatio => 0x64: 1, 0x63: 3 => "25.00 %  (1 / 4)";
    }
}

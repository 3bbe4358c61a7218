//! Tests of metrics that are common to all cores with PMUv3. `arm-pmu-tables/tests/tables/metrics.rs` tests the values
//! of each core's metrics.

use super::support::{CYCLES, check};
use crate::devices;

/// The common event codes are from Arm's machine-readable events.
#[test]
fn metrics_of_every_core_match_the_events() {
    use arm_pmu::arm_pmuv3::metrics::*;
    check! {
        devices::arm_pmuv3::Simulated, unavailable: [BusBytes => "depends on the core"];
        InstructionsPerCycle => 0x08: 1_375, CYCLES: 1_000 => "1.375  (1375 / 1000)";
        L1InstructionCacheMissRatio => 0x14: 800, 0x01: 8 => "1.00 %  (8 / 800)";
        L1DataCacheMissRatio => 0x04: 400, 0x03: 30 => "7.50 %  (30 / 400)";
        L2CacheMissRatio => 0x16: 38, 0x17: 19 => "50.00 %  (19 / 38)";
        L3CacheMissRatio => 0x2B: 40, 0x2A: 10 => "25.00 %  (10 / 40)";
        LastLevelReadMissRatio => 0x36: 50, 0x37: 4 => "8.00 %  (4 / 50)";
        L1InstructionTlbMissRatio => 0x26: 500, 0x02: 1 => "0.20 %  (1 / 500)";
        L1DataTlbMissRatio => 0x25: 400, 0x05: 6 => "1.50 %  (6 / 400)";
        L2TlbMissRatio => 0x2F: 200, 0x2D: 1 => "0.50 %  (1 / 200)";
        BranchMispredictionRatio => 0x12: 200, 0x10: 9 => "4.50 %  (9 / 200)";
        RetiredBranchMispredictionRatio => 0x21: 160, 0x22: 4 => "2.50 %  (4 / 160)";
        FrontEndStallShare => 0x23: 125, CYCLES: 1_000 => "12.50 %  (125 / 1000)";
        BackEndStallShare => 0x24: 250, CYCLES: 1_000 => "25.00 %  (250 / 1000)";
        SpeculativeInstructionsPerCycle => 0x1B: 1_500, CYCLES: 1_000 => "1.500  (1500 / 1000)";
        RetiredOperationRatio => 0x3A: 900, 0x3B: 1_000 => "90.00 %  (900 / 1000)";
        WastedOperationRatio => 0x3A: 900, 0x3B: 1_000 => "10.00 %  (100 / 1000)";
        Retiring { slots: 5 } =>
            CYCLES: 1_000, 0x3F: 3_000, 0x3A: 900, 0x3B: 1_000 => "36.00 %  (1800000 / 5000000)";
        BadSpeculation { slots: 5 } =>
            CYCLES: 1_000, 0x3F: 3_000, 0x3B: 1_000, 0x3A: 900 => "4.00 %  (200000 / 5000000)";
        FrontendBound { slots: 5 } => 0x3E: 1_000, CYCLES: 1_000 => "20.00 %  (1000 / 5000)";
        BackendBound { slots: 5 } => 0x3D: 2_000, CYCLES: 1_000 => "40.00 %  (2000 / 5000)";
        L1InstructionCacheMpki => 0x01: 8, 0x08: 1_000 => "8.000 per 1000  (8 / 1000)";
        L1DataCacheMpki => 0x03: 30, 0x08: 1_000 => "30.000 per 1000  (30 / 1000)";
        L2CacheMpki => 0x17: 19, 0x08: 2_000 => "9.500 per 1000  (19 / 2000)";
        L3CacheMpki => 0x2A: 10, 0x08: 2_000 => "5.000 per 1000  (10 / 2000)";
        LastLevelReadHitRatio => 0x36: 50, 0x37: 4 => "92.00 %  (46 / 50)";
        LastLevelReadMpki => 0x37: 4, 0x08: 2_000 => "2.000 per 1000  (4 / 2000)";
        L1InstructionTlbMpki => 0x02: 1, 0x08: 2_000 => "0.500 per 1000  (1 / 2000)";
        L1DataTlbMpki => 0x05: 6, 0x08: 2_000 => "3.000 per 1000  (6 / 2000)";
        L2TlbMpki => 0x2D: 1, 0x08: 4_000 => "0.250 per 1000  (1 / 4000)";
        InstructionWalkRatio => 0x35: 1, 0x26: 500 => "0.20 %  (1 / 500)";
        InstructionWalkMpki => 0x35: 1, 0x08: 2_000 => "0.500 per 1000  (1 / 2000)";
        DataWalkRatio => 0x34: 2, 0x25: 400 => "0.50 %  (2 / 400)";
        DataWalkMpki => 0x34: 2, 0x08: 2_000 => "1.000 per 1000  (2 / 2000)";
        BranchMpki => 0x22: 4, 0x08: 2_000 => "2.000 per 1000  (4 / 2000)";
        RetiredImmediateBranchRatio => 0x0D: 120, 0x21: 160 => "75.00 %  (120 / 160)";
        RetiredReturnRatio => 0x0E: 8, 0x21: 160 => "5.00 %  (8 / 160)";
        BranchPki => 0x21: 160, 0x08: 2_000 => "80.000 per 1000  (160 / 2000)";
    }
}

/// A metric is available if all its events are available; cycles are always available.
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
    // Event 0x11 also counts cycles, but the metric uses the cycle counter.
    assert!(without(0x11).has_events_of(&InstructionsPerCycle));
    assert!(!without(0x08).has_events_of(&InstructionsPerCycle));
}

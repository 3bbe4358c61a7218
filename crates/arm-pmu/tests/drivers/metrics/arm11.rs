//! Tests of metrics from AN195: event codes of Table 2, formulas of sections 5, 7 and 8.

use arm_pmu::arm11::arm1176;
use arm_pmu::count::Amount;
use arm_pmu::metric::Metric;

use super::support::{CYCLES, check};
use crate::devices;

/// Checks the metrics that all ARM11 cores have, and the metrics that only this core has.
macro_rules! core {
    ($test:ident, $core:ident, $device:ident, [$($own:tt)*]) => {
#[test]
fn $test() {
    use arm_pmu::arm11::$core::metrics::*;
    check! {
        devices::$device::Simulated, unavailable: [
            InstructionCacheHitRatio => "nothing counts accesses",
            TotalStallShare => "counts in each of them",
        ];
        // Value: 1 - 30 / 200.
        BranchPredictionRatio => 0x5: 200, 0x6: 30 => "85.00 %  (170 / 200)";
        BranchMispredictionRatio => 0x6: 30, 0x5: 200 => "15.00 %  (30 / 200)";
        DataCacheMissRatio => 0xB: 7, 0x9: 400 => "1.75 %  (7 / 400)";
        NonCacheableDataAccesses => 0x9: 400, 0xA: 523 => "123";
        InstructionCacheMissesPerInstruction => 0x0: 12, 0x7: 1000 => "0.012  (12 / 1000)";
        InstructionsPerCycle => 0x7: 750, CYCLES: 1000 => "0.750  (750 / 1000)";
        InstructionStallShare => 0x1: 250, CYCLES: 1000 => "25.00 %  (250 / 1000)";
        DataStallShare => 0x2: 125, CYCLES: 1000 => "12.50 %  (125 / 1000)";
        LoadStoreStallShare => 0x11: 333, CYCLES: 1000 => "33.30 %  (333 / 1000)";
        $($own)*
    }
}
    };
}

core!(of_an_arm1136, arm1136, arm11_arm1136, []);
core!(
    of_an_arm1156,
    arm1156,
    arm11_arm1156,
    [
        // Events: addresses popped off the return stack, and mispredicted addresses.
        ReturnStackMispredictionRatio => 0x36: 80, 0x37: 4 => "5.00 %  (4 / 80)";
    ]
);
core!(
    of_an_arm1176,
    arm1176,
    arm11_arm1176,
    [
        // Events: predicted returns, and mispredicted returns.
        ReturnMispredictionRatio => 0x25: 64, 0x26: 16 => "25.00 %  (16 / 64)";
    ]
);

#[test]
fn a_ratio_above_one_is_not_hidden() {
    // Only counts from different runs can give this result: in one run, event 0xA includes event 0x9.
    let amounts = [400, 402].map(Amount::new);
    let value = Metric::compute(&arm1176::metrics::NonCacheableDataAccesses, &amounts);
    assert_eq!(value.to_string(), "-2");
}

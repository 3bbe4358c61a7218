//! Tests of an L2C-310's metrics. Sources of the event codes: gator and Linux.

use super::support::check;
use crate::devices;

#[test]
fn metrics_match_gator_and_linux() {
    use arm_pmu::l2c_310::metrics::*;
    check! {
        devices::l2c_310::Simulated, unavailable: [
            HitRatio => "more than two counters",
            Bytes => "how many bytes",
        ];
        DataReadHitRatio => 0x3: 400, 0x2: 370 => "92.50 %  (370 / 400)";
        DataWriteHitRatio => 0x5: 200, 0x4: 9 => "4.50 %  (9 / 200)";
        InstructionReadHitRatio => 0x8: 800, 0x7: 8 => "1.00 %  (8 / 800)";
        PrefetchHintHitRatio => 0xF: 38, 0xB: 19 => "50.00 %  (19 / 38)";
        SpeculativeReadConfirmationRatio => 0xD: 20, 0xE: 5 => "25.00 %  (5 / 20)";
    }
}

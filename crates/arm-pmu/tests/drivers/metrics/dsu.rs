//! Tests of the metrics of a DynamIQ Shared Unit. Source of the event codes: the manual of the DSU-120AE.

use super::support::check;
use crate::devices;

#[test]
fn metrics_match_the_event_list() {
    use arm_pmu::dsu::metrics::*;
    check! {
        devices::dsu::Simulated;
        L3CacheMissRatio => 0x2A: 70, 0x2B: 200 => "35.00 %  (70 / 200)";
        L3ReadHitRate => 0xA0: 160, 0xA2: 40 => "75.00 %  (120 / 160)";
        L3ReadMissRatio => 0xA2: 40, 0xA0: 160 => "25.00 %  (40 / 160)";
        L3WriteBackShare => 0x2C: 7, 0x2A: 70 => "10.00 %  (7 / 70)";
        BusUse => 0x19: 300, 0x1D: 200 => "1.500  (300 / 200)";
        BusBytes { beat_bytes: 32 } => 0x19: 1_000 => "32000 bytes";
        BusReadBytes { beat_bytes: 16 } => 0x60: 600 => "9600 bytes";
        BusWriteBytes { beat_bytes: 16 } => 0x61: 400 => "6400 bytes";
    }
}

//! Tests of SMMU metrics. Sources of the event ids: MMU-600, 100310, Tables 2-5 to 2-8; MMU-700, 101542, Tables 2-6 to
//! 2-9.

use super::support::check;
use crate::devices;

/// Metrics of a TCU, with its event for misses of the configuration cache.
macro_rules! tcu {
    ($product:ident, $tcu:ident, $configuration_miss:literal) => {
        #[test]
        fn $tcu() {
            use arm_pmu::$product::tcu::metrics::*;
            check! {
                devices::$tcu::Simulated;
                // Of 3,000 requests, 60 caused a walk; the walks made 150 accesses.
                WalksPerRequest => 0x1: 3_000, 0x2: 60 => "0.020  (60 / 3000)";
                WalkAccessesPerRequest => 0x1: 3_000, 0x4: 150 => "0.050  (150 / 3000)";
                ConfigurationCacheMissRatio =>
                    0x92: 400, $configuration_miss: 3 => "0.75 %  (3 / 400)";
                ConfigurationAccessesPerRequest => 0x1: 200, 0x5: 25 => "0.125  (25 / 200)";
                SpeculationShare => 0x1: 200, 0xA0: 30 => "15.00 %  (30 / 200)";
                // From 0x80, even ids count lookups, and odd ids misses.
                Stage1Level0WalkCacheMissRatio => 0x80: 100, 0x81: 1 => "1.00 %  (1 / 100)";
                Stage1Level1WalkCacheMissRatio => 0x82: 100, 0x83: 2 => "2.00 %  (2 / 100)";
                Stage1Level2WalkCacheMissRatio => 0x84: 100, 0x85: 3 => "3.00 %  (3 / 100)";
                Stage1Level3WalkCacheMissRatio => 0x86: 100, 0x87: 4 => "4.00 %  (4 / 100)";
                Stage2Level0WalkCacheMissRatio => 0x88: 100, 0x89: 5 => "5.00 %  (5 / 100)";
                Stage2Level1WalkCacheMissRatio => 0x8A: 100, 0x8B: 6 => "6.00 %  (6 / 100)";
                Stage2Level2WalkCacheMissRatio => 0x8C: 100, 0x8D: 7 => "7.00 %  (7 / 100)";
                Stage2Level3WalkCacheMissRatio => 0x8E: 100, 0x8F: 8 => "8.00 %  (8 / 100)";
            }
        }
    };
}

tcu!(mmu600, mmu600_tcu, 0x03);
tcu!(mmu700, mmu700_tcu, 0x94);

#[test]
fn metrics_of_an_mmu600_tbu_match_the_manual() {
    use arm_pmu::mmu600::tbu::metrics::*;
    check! {
        devices::mmu600_tbu::Simulated, unavailable: [
            TranslatedBytes => "nothing counts their sizes",
        ];
        MainTlbMissRatio => 0x80: 200, 0x81: 70 => "35.00 %  (70 / 200)";
        MicroTlbMissRatio => 0x83: 1_000, 0x84: 200 => "20.00 %  (200 / 1000)";
        // Of 80 requests, 72 were not speculative: 1 - 72 / 80.
        SpeculationShare => 0x88: 80, 0x02: 72 => "10.00 %  (8 / 80)";
    }
}

#[test]
fn metrics_of_an_mmu700_tbu_match_the_manual() {
    use arm_pmu::mmu700::tbu::metrics::*;
    check! {
        devices::mmu700_tbu::Simulated, unavailable: [
            TranslatedBytes => "nothing counts their sizes",
            SpeculationShare => "0x88",
        ];
        MainTlbMissRatio => 0x80: 200, 0x81: 70 => "35.00 %  (70 / 200)";
        MicroTlbMissRatio => 0x83: 1_000, 0x84: 200 => "20.00 %  (200 / 1000)";
    }
}

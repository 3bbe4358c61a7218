//! Tests of metrics from 100282_0100_00_en, 2.4.4: codes of Tables 2-3 to 2-5, and the example of the snoop hit rate. A
//! CCI-500 is assumed to have the same events. Bits 8 to 5 of an event id are the source.

use super::support::check;
use crate::devices;

macro_rules! product {
    ($device:ident) => {
        #[test]
        fn $device() {
            use arm_pmu::$device::metrics::*;
            use arm_pmu::$device::{MI2, SI2, SI3};
            check! {
                devices::$device::Simulated, unavailable: [
                    StallShareOfAllCycles => "no cycle counter",
                ];
                // In the example of the manual, counters 0 and 1 count reads of the ACE master, and counter 2 their
                // snoop hits.
                SnoopHitRate(SI3) => 0x063: 8, 0x064: 12, 0x069: 15 => "75.00 %  (15 / 20)";
                // Counter 3 counts reads of the ACE-Lite master, and counter 4 their snoop hits.
                SnoopHitRateAceLite(SI2) => 0x043: 40, 0x049: 10 => "25.00 %  (10 / 40)";
                // Cycles with ARVALID HIGH: 30 with ARREADY HIGH, 10 with ARREADY LOW. The other channels are
                // similar.
                ReadRequestStallShareOfPending(SI3) => 0x060: 30, 0x077: 10 => "25.00 %  (10 / 40)";
                ReadDataStallShareOfPending(SI3) => 0x068: 95, 0x078: 5 => "5.00 %  (5 / 100)";
                WriteRequestStallShareOfPending(SI3) => 0x06A: 2, 0x079: 1 => "33.33 %  (1 / 3)";
                WriteDataStallShareOfPending(SI3) => 0x072: 7, 0x07A: 1 => "12.50 %  (1 / 8)";
                SnoopRequestStallShareOfPending(SI3) => 0x073: 1, 0x07C: 3 => "75.00 %  (3 / 4)";
                // The count is 1,000 beats of 128 bits.
                ReadDataBytes { source: SI3, beat_bytes: 16 } => 0x068: 1_000 => "16000 bytes";
                WriteDataBytes { source: SI2, beat_bytes: 8 } => 0x052: 25 => "200 bytes";
                MasterReadDataBytes { source: MI2, beat_bytes: 16 } => 0x140: 3 => "48 bytes";
                MasterWriteDataBytes { source: MI2, beat_bytes: 16 } => 0x141: 2 => "32 bytes";
                MasterReadDataStallShareOfPending(MI2) => 0x140: 9, 0x143: 1 => "10.00 %  (1 / 10)";
                MasterWriteDataStallShareOfPending(MI2) => 0x141: 1, 0x145: 1 => "50.00 %  (1 / 2)";
                // Accesses: 100 + 200 + 300 + 400. Misses: 1 + 2 + 3 + 4.
                SnoopFilterMissRatio =>
                    0x1E0: 100, 0x1E1: 200, 0x1E2: 300, 0x1E3: 400, 0x1E4: 1, 0x1E5: 2, 0x1E6: 3, 0x1E7: 4 =>
                    "1.00 %  (10 / 1000)";
                SnoopFilterMissRatioBank0Or1 => 0x1E0: 50, 0x1E4: 1 => "2.00 %  (1 / 50)";
                SnoopFilterMissRatioBank2Or3 => 0x1E1: 50, 0x1E5: 2 => "4.00 %  (2 / 50)";
                SnoopFilterMissRatioBank4Or5 => 0x1E2: 50, 0x1E6: 3 => "6.00 %  (3 / 50)";
                SnoopFilterMissRatioBank6Or7 => 0x1E3: 50, 0x1E7: 4 => "8.00 %  (4 / 50)";
                // With one layer, a transfer has 16 bytes; with two layers, between 16 and 32 bytes.
                SnoopDataBytes { transfer_bytes: 16 } => 0x1EC: 100 => "1600 bytes";
                SnoopDataBytes { transfer_bytes: 32 } => 0x1EC: 100 => "3200 bytes";
            }
        }
    };
}

product!(cci500);
product!(cci550);

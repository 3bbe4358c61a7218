// By 100282_0100_00_en, 2.4.4: codes of Tables 2-3 to 2-5, and the example of the snoop hit rate. Included
// once for each IP that has these events; `ip` and `Device` are its crate and its simulated device.

use arm_pmu_sim::Security;

use self::ip::metrics::*;
use self::ip::{MI2, Pmu, SI2, SI3, Selection};
use crate::support::{Figure, are_all, gives_the_reason, hold, on};

/// Position of the source in an event id.
const SI2_ID: u16 = 0x2;
const SI3_ID: u16 = 0x3;
const MI2_ID: u16 = 0xA;
const GLOBAL: u16 = 0xF;

fn check(
    metric: &dyn Figure<Selection>,
    source: u16,
    events: &[(u16, u64)],
    expected: &str,
) -> &'static str {
    let event = |code| Selection::from_id(source << 5 | code).expect("a listed event");
    let counted: Vec<_> = events.iter().map(|(code, n)| (event(*code), *n)).collect();
    hold(metric, &counted, expected, |events, counted| {
        let device = Device::new();
        let happen = || {
            for (what, n) in counted {
                device.signal(*what, Security::NonSecure, *n as u32);
            }
        };
        on(&mut Pmu::new(device.bus()), events, happen)
    })
}

#[test]
fn all() {
    let mut held = vec![
        // The example of the manual: counters 0 and 1 have the reads of the ACE master, counter 2 its hits.
        check(
            &SnoopHitRate(SI3),
            SI3_ID,
            &[(0x03, 8), (0x04, 12), (0x09, 15)],
            "75.00 %  (15 / 20)",
        ),
        // Counter 3 has the reads of the ACE-Lite master, counter 4 its hits.
        check(&SnoopHitRateAceLite(SI2), SI2_ID, &[(0x03, 40), (0x09, 10)], "25.00 %  (10 / 40)"),
        // Cycles with ARVALID HIGH: 30 with ARREADY HIGH, 10 with ARREADY LOW; and so on.
        check(&ReadRequestStallShareOfPending(SI3), SI3_ID, &[(0x00, 30), (0x17, 10)], "25.00 %  (10 / 40)"),
        check(&ReadDataStallShareOfPending(SI3), SI3_ID, &[(0x08, 95), (0x18, 5)], "5.00 %  (5 / 100)"),
        check(&WriteRequestStallShareOfPending(SI3), SI3_ID, &[(0x0A, 2), (0x19, 1)], "33.33 %  (1 / 3)"),
        check(&WriteDataStallShareOfPending(SI3), SI3_ID, &[(0x12, 7), (0x1A, 1)], "12.50 %  (1 / 8)"),
        check(&SnoopRequestStallShareOfPending(SI3), SI3_ID, &[(0x13, 1), (0x1C, 3)], "75.00 %  (3 / 4)"),
        // 1,000 beats of 128 bits.
        check(
            &ReadDataBytes { source: SI3, beat_bytes: 16 },
            SI3_ID,
            &[(0x08, 1_000)],
            "16000 bytes",
        ),
        check(&WriteDataBytes { source: SI2, beat_bytes: 8 }, SI2_ID, &[(0x12, 25)], "200 bytes"),
        check(
            &MasterReadDataBytes { source: MI2, beat_bytes: 16 },
            MI2_ID,
            &[(0x00, 3)],
            "48 bytes",
        ),
        check(
            &MasterWriteDataBytes { source: MI2, beat_bytes: 16 },
            MI2_ID,
            &[(0x01, 2)],
            "32 bytes",
        ),
        check(&MasterReadDataStallShareOfPending(MI2), MI2_ID, &[(0x00, 9), (0x03, 1)], "10.00 %  (1 / 10)"),
        check(&MasterWriteDataStallShareOfPending(MI2), MI2_ID, &[(0x01, 1), (0x05, 1)], "50.00 %  (1 / 2)"),
        // Accesses 100 + 200 + 300 + 400, misses 1 + 2 + 3 + 4.
        check(
            &SnoopFilterMissRatio,
            GLOBAL,
            &[
                (0x00, 100),
                (0x01, 200),
                (0x02, 300),
                (0x03, 400),
                (0x04, 1),
                (0x05, 2),
                (0x06, 3),
                (0x07, 4),
            ],
            "1.00 %  (10 / 1000)",
        ),
        check(&SnoopFilterMissRatioBank0Or1, GLOBAL, &[(0x00, 50), (0x04, 1)], "2.00 %  (1 / 50)"),
        check(&SnoopFilterMissRatioBank2Or3, GLOBAL, &[(0x01, 50), (0x05, 2)], "4.00 %  (2 / 50)"),
        check(&SnoopFilterMissRatioBank4Or5, GLOBAL, &[(0x02, 50), (0x06, 3)], "6.00 %  (3 / 50)"),
        check(&SnoopFilterMissRatioBank6Or7, GLOBAL, &[(0x03, 50), (0x07, 4)], "8.00 %  (4 / 50)"),
    ];
    // One layer: 16 bytes a transfer. Two layers: between 16 and 32.
    let bytes = |transfer_bytes| SnoopDataBytes { transfer_bytes };
    held.push(check(&bytes(16), GLOBAL, &[(0x0C, 100)], "1600 bytes"));
    check(&bytes(32), GLOBAL, &[(0x0C, 100)], "3200 bytes");
    are_all(held, METRICS);
}

#[test]
fn there_are_no_cycles() {
    gives_the_reason(StallShareOfAllCycles, "no cycle counter");
    assert_eq!(NOT_COMPUTABLE.len(), 1);
}

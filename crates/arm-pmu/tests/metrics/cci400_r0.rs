//! By the page of DDI 0470D: codes of its Table 2.2.

use arm_pmu::cci400::r0::metrics::*;
use arm_pmu::cci400::r0::{M1, Pmu, S0, S3, Selection};
use arm_pmu::{EventOrCycles, Metric};
use arm_pmu_sim::{Cci400, Security};

use crate::support::{are_all, gives_the_reason, hold, on};

/// `code` happens at `source` so often, in so many cycles, or beside so many of another code.
fn check<M: Metric<Selection = EventOrCycles<Selection>>>(
    metric: M,
    source: u16,
    events: &[(u16, u64)],
    cycles: Option<u64>,
    expected: &str,
) -> &'static str {
    let id = |code: u16| Selection::from_id(source << 5 | code).expect("a listed event");
    let all = events.iter().map(|(code, times)| (EventOrCycles::Event(id(*code)), *times));
    let all: Vec<_> = all.chain(cycles.map(|times| (EventOrCycles::Cycles, times))).collect();
    hold(metric, &all, expected, |what, _| {
        let device = Cci400::new();
        device.set_revision(4);
        on(&mut Pmu::new(device.bus()), what, || {
            for (code, times) in events {
                device.signal(source as u8, *code as u8, Security::NonSecure, *times as u32);
            }
            device.clock(cycles.unwrap_or(1));
        })
    })
}

#[test]
fn all() {
    let held = vec![
        // Shareable reads 0x03, and those that a snoop served, 0x0A.
        check(SnoopHitRate(S3), 3, &[(0x03, 40), (0x0A, 10)], None, "25.00 %  (10 / 40)"),
        check(ReadRequestsPerCycle(S0), 0, &[(0x00, 500)], Some(2_000), "0.250  (500 / 2000)"),
        check(ReadDataStallShare(S0), 0, &[(0x0B, 60)], Some(600), "10.00 %  (60 / 600)"),
        check(ReadTrackerStallShare(S3), 3, &[(0x09, 6)], Some(600), "1.00 %  (6 / 600)"),
        check(WriteTrackerStallShare(S3), 3, &[(0x13, 300)], Some(600), "50.00 %  (300 / 600)"),
        // A master interface goes on with the codes where a slave interface ends.
        check(MasterReadHazardStallShare(M1), 6, &[(0x16, 1)], Some(4), "25.00 %  (1 / 4)"),
        check(MasterReadAddressHazardStallShare(M1), 6, &[(0x15, 1)], Some(8), "12.50 %  (1 / 8)"),
        check(MasterReadTrackerStallShare(M1), 6, &[(0x17, 2)], Some(3), "66.67 %  (2 / 3)"),
        check(MasterWriteTrackerStallShare(M1), 6, &[(0x1A, 3)], Some(4), "75.00 %  (3 / 4)"),
    ];
    are_all(held, METRICS);
}

#[test]
fn bytes_are_not_counted() {
    gives_the_reason(ReadDataBytes, "Events count requests");
    gives_the_reason(WriteDataBytes, "Events count requests");
    assert_eq!(NOT_COMPUTABLE.len(), 2);
}

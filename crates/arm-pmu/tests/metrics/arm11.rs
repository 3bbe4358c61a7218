//! By AN195: event codes of its Table 2, formulas of its sections 5, 7 and 8.

use arm_pmu::arm11::{arm1136, arm1156, arm1176};
use arm_pmu::count::Amount;
use arm_pmu::event::EventOrCycles;
use arm_pmu::metric::Metric;
use arm_pmu_sim::Arm11;

use crate::support::{Figure, are_all, gives_the_reason, hold, on};

/// An event by its code, or the cycles, and how often.
fn counted<S: TryFrom<u16, Error: std::fmt::Debug>>(
    events: &[(u16, u64)],
    cycles: Option<u64>,
) -> Vec<(EventOrCycles<S>, u64)> {
    let event = |code| EventOrCycles::Event(S::try_from(code).expect("an event of the core"));
    let events = events.iter().map(|(code, n)| (event(*code), *n));
    events.chain(cycles.map(|n| (EventOrCycles::Cycles, n))).collect()
}

fn happen<S: Copy + Into<u16>>(core: &Arm11, counted: &[(EventOrCycles<S>, u64)]) {
    for (what, times) in counted {
        match what {
            EventOrCycles::Event(event) => core.signal_raw((*event).into() as u8, *times as u32),
            EventOrCycles::Cycles => core.clock(*times),
        }
    }
}

/// A function that holds a metric of one core, on a simulated one.
macro_rules! on_core {
    ($check:ident, $core:ident, $device:expr) => {
        fn $check(
            metric: &dyn Figure<EventOrCycles<$core::Selection>>,
            events: &[(u16, u64)],
            cycles: Option<u64>,
            expected: &str,
        ) -> &'static str {
            hold(metric, &counted(events, cycles), expected, |events, counted| {
                let core = $device;
                let mut pmu = $core::Pmu::new(core.bus());
                on(&mut pmu, events, || happen(&core, counted))
            })
        }
    };
}

on_core!(on_1136, arm1136, Arm11::arm1136());
on_core!(on_1156, arm1156, Arm11::arm1156());
on_core!(on_1176, arm1176, Arm11::arm1176());

/// The metrics that all cores have, of one core.
macro_rules! common {
    ($metrics:path, $check:ident) => {{
        use $metrics::*;
        vec![
            // 1 - 30 / 200.
            $check(&BranchPredictionRatio, &[(0x5, 200), (0x6, 30)], None, "85.00 %  (170 / 200)"),
            $check(
                &BranchMispredictionRatio,
                &[(0x6, 30), (0x5, 200)],
                None,
                "15.00 %  (30 / 200)",
            ),
            $check(&DataCacheMissRatio, &[(0xB, 7), (0x9, 400)], None, "1.75 %  (7 / 400)"),
            $check(&NonCacheableDataAccesses, &[(0x9, 400), (0xA, 523)], None, "123"),
            $check(
                &InstructionCacheMissesPerInstruction,
                &[(0x0, 12), (0x7, 1000)],
                None,
                "0.012  (12 / 1000)",
            ),
            $check(&InstructionsPerCycle, &[(0x7, 750)], Some(1000), "0.750  (750 / 1000)"),
            $check(&InstructionStallShare, &[(0x1, 250)], Some(1000), "25.00 %  (250 / 1000)"),
            $check(&DataStallShare, &[(0x2, 125)], Some(1000), "12.50 %  (125 / 1000)"),
            $check(&LoadStoreStallShare, &[(0x11, 333)], Some(1000), "33.30 %  (333 / 1000)"),
        ]
    }};
}

#[test]
fn of_an_arm1136() {
    are_all(common!(arm1136::metrics, on_1136), arm1136::metrics::METRICS);
}

#[test]
fn of_an_arm1156() {
    let mut all = common!(arm1156::metrics, on_1156);
    // Addresses popped off the return stack, and mispredicted ones.
    let returns = arm1156::metrics::ReturnStackMispredictionRatio;
    all.push(on_1156(&returns, &[(0x36, 80), (0x37, 4)], None, "5.00 %  (4 / 80)"));
    are_all(all, arm1156::metrics::METRICS);
}

#[test]
fn of_an_arm1176() {
    let mut all = common!(arm1176::metrics, on_1176);
    // Predicted returns, and mispredicted ones.
    let returns = arm1176::metrics::ReturnMispredictionRatio;
    all.push(on_1176(&returns, &[(0x25, 64), (0x26, 16)], None, "25.00 %  (16 / 64)"));
    are_all(all, arm1176::metrics::METRICS);
}

#[test]
fn more_cacheable_accesses_than_accesses_are_not_hidden() {
    // Possible only with counts of different runs: 0xA includes 0x9.
    let amounts = [400, 402].map(Amount::new);
    let value = Metric::compute(&arm1176::metrics::NonCacheableDataAccesses, &amounts);
    assert_eq!(value.to_string(), "-2");
}

/// Limits from section 8 (instruction cache) and sections 4 and 6 (stalls).
#[test]
fn unavailable_metrics_give_the_reason() {
    gives_the_reason(arm1136::metrics::InstructionCacheHitRatio, "nothing counts accesses");
    gives_the_reason(arm1156::metrics::InstructionCacheHitRatio, "nothing counts accesses");
    gives_the_reason(arm1176::metrics::TotalStallShare, "counts in each of them");
    let names: Vec<_> = arm1176::metrics::NOT_COMPUTABLE.iter().map(|none| none.name).collect();
    assert_eq!(names, ["INSTRUCTION_CACHE_HIT_RATIO", "TOTAL_STALL_SHARE"]);
}

//! Programs that once gave wrong numbers, for each access of a call. The tests `order` and `sequences` of `arm-pmu`
//! run other programs on every driver: registers that turn silent during a call, totals after overflows, changed
//! selections.

use arm_pmu_fuzz::program::{CYCLES, Classes, Item, MOST_COUNTERS, OTHER_EVENT, Op, Program, Step};
use arm_pmu_fuzz::subjects::{self, Driver};

use Item::{Answers, Cycles, Event, IgnoresStores, LosesPower, Ones, Zeros};
use Op::*;

/// Returns whether this traffic is possible on the device.
fn can_happen(driver: &Driver, item: Item) -> bool {
    match item {
        Item::Disable(_) => driver.shape.single_enables,
        Item::Leave(_) => driver.shape.hypervisor,
        Item::MoveSelector(_) => driver.shape.selector,
        _ => true,
    }
}

/// Runs the steps if their traffic is possible on the device.
fn passes_on(driver: &Driver, steps: Vec<Step>) {
    let mut traffic = steps.iter().flat_map(|step| &step.traffic);
    if !traffic.all(|traffic| can_happen(driver, traffic.item)) {
        return;
    }
    let program = Program { seed: 0, steps };
    let result = (driver.run)(&program, Classes::ALL);
    assert!(result.is_ok(), "{}: {result:?} in {program}", driver.name);
}

/// Runs the steps on each driver that can execute them, because some cannot select cycles.
fn passes(steps: Vec<Step>) {
    let names_cycles = format!("{steps:?}").contains("Cycles");
    for driver in subjects::of_each_kind().filter(|driver| driver.shape.clock || !names_cycles) {
        passes_on(driver, steps.clone());
    }
}

const ONE: Item = Event { event: 0, times: 1 };
const MOST: Item = Event { event: 0, times: u32::MAX };

fn count(counter: u8, event: u8, from: u32) -> Step {
    Count { counter, event, from }.quiet()
}

/// A flag that is set between acknowledge and rearm is not an overflow of the new budget.
#[test]
fn a_new_budget_begins_without_an_overflow() {
    for at in 0..12 {
        // A flag before the new budget.
        passes(vec![
            count(0, 0, u32::MAX - 1),
            Start.at(u16::MAX, ONE),
            Acknowledge.at(u16::MAX, ONE),
            Rearm { counter: 0, events: 10 }.at(at, ONE),
            Counts.quiet(),
            Stop.quiet(),
        ]);
    }
}

/// A second owner writes before each access of each call, and its own event happens.
#[test]
fn a_second_owner_causes_no_wrong_number() {
    let own = Event { event: OTHER_EVENT, times: 2 };
    let calls = [Start, Counts, Acknowledge, Rearm { counter: 0, events: 10 }, Stop];
    for driver in subjects::of_each_kind() {
        for item in [Item::DisableAll, Item::Select(0), Item::Select(1), Item::Disable(0)] {
            for (at, call) in (0..60).flat_map(|at| calls.iter().map(move |call| (at, call))) {
                let steps = [Start, Acknowledge, Counts, Stop, CountNth].into_iter().map(|op| {
                    let rearm = matches!(call, Rearm { .. }) && op == Acknowledge;
                    let is_call = rearm || op == *call;
                    let step = if rearm { call.clone().quiet() } else { op.clone().quiet() };
                    let step = if is_call { step.at(at, item).at(at, own) } else { step };
                    // Counter 0 overflows after the start, so that there is something to acknowledge.
                    if op == Start { step.at(u16::MAX, ONE) } else { step }
                });
                let set = [count(0, 0, u32::MAX), count(1, 1, 0)];
                passes_on(driver, set.into_iter().chain(steps).collect());
            }
        }
    }
}

/// A hypervisor removes counters before each access of each call, and restores them later.
#[test]
fn a_counter_lost_to_a_hypervisor_is_never_wrong() {
    let calls = [Start, Counts, Acknowledge, Rearm { counter: 1, events: u32::MAX }, Stop];
    let both = [Event { event: 0, times: 5 }, Event { event: 1, times: 7 }];
    let cases =
        subjects::of_each_kind().flat_map(|driver| calls.iter().map(move |call| (driver, call)));
    for ((driver, call), at) in cases.flat_map(|case| (0..60).map(move |at| (case, at))) {
        for (left, then) in [(0, driver.shape.counters), (1, driver.shape.counters), (1, 0)] {
            let ops = [Start, Totals, Counts, Acknowledge, call.clone(), Counts, UpdateTotals];
            let steps = ops.into_iter().chain([Snapshot, Stop, CountNth]).enumerate();
            let steps = steps.map(|(nth, op)| {
                let is_call = op == *call;
                let step = op.quiet();
                let step = if is_call { step.at(at, Item::Leave(left)) } else { step };
                let step = both.iter().fold(step, |step, item| step.at(u16::MAX, *item));
                if nth == 5 { step.at(u16::MAX, Item::Leave(then)) } else { step }
            });
            let set = [count(0, 0, 0), count(1, 1, u32::MAX - 20)];
            passes_on(driver, set.into_iter().chain(steps).collect());
        }
    }
}

/// If interference keeps the start from clearing an earlier owner's flag, the started counters have not overflowed.
#[test]
fn a_flag_of_an_earlier_owner_is_no_overflow() {
    for at in 0..40 {
        // A start while a second owner disables the counters.
        passes(vec![
            count(0, 0, u32::MAX),
            Start.quiet(),
            Drop.at(0, ONE).at(1, Item::DisableAll),
            Measure(vec![1], vec![]).at(at, Item::DisableAll),
        ]);
    }
}

/// Sets two counters and the cycle counter, runs, diagnoses with this step, and resumes the run.
fn resumed_after(diagnosis: Step) -> Vec<Step> {
    let three = Event { event: 0, times: 3 };
    vec![
        count(0, 0, 7),
        count(1, 1, 0),
        CountCycles { by_64: false, from: 0 }.quiet(),
        Start.at(u16::MAX, three).at(u16::MAX, Cycles(5)),
        Stop.quiet(),
        diagnosis,
        CountNth.quiet(),
        Resume.at(u16::MAX, ONE),
        Counts.quiet(),
        Stop.quiet(),
        CountNth.quiet(),
    ]
}

/// All counters wrap during the trials of the diagnosis. No count of the last run overflows.
#[test]
fn the_work_of_a_diagnosis_overflows_no_count() {
    let events = (0..OTHER_EVENT).map(|event| Event { event, times: 1 << 31 });
    let work: Vec<_> = events.chain([Cycles(1 << 31)]).flat_map(|item| [item; 2]).collect();
    for driver in subjects::of_each_kind() {
        passes_on(driver, resumed_after(DiagnoseWith(work.clone()).quiet()));
    }
}

/// Another owner changes a counter, or the registers do not answer, from each access of a diagnosis to its end.
#[test]
fn a_disturbed_diagnosis_gives_no_wrong_number_afterwards() {
    let own = Event { event: OTHER_EVENT, times: 1_000 };
    let work = || DiagnoseWith(vec![ONE, Cycles(9)]);
    for driver in subjects::of_each_kind() {
        let others = [Item::DisableAll, Item::Select(0), Item::Disable(0)];
        for item in [Item::Zeros, Ones, Item::Fails].into_iter().chain(others) {
            for at in 0..300 {
                let step = work().at(at, item).at(at, own).at(u16::MAX, Answers);
                passes_on(driver, resumed_after(step));
            }
        }
    }
}

/// The interval has no lower bound if a full, saturating counter cannot be read at its end.
#[test]
fn silent_registers_give_no_lower_bound() {
    for item in [Item::Zeros, Ones] {
        for at in 0..12 {
            // A full counter.
            passes(vec![
                count(0, 0, (1 << 31) - 1),
                Start.at(u16::MAX, Event { event: 0, times: 1 << 31 }),
                Intervals.at(at, item),
                NextInterval.quiet(),
                NextInterval.quiet(),
            ]);
        }
    }
}

/// Overflows with a flag that another call took, or that was set during a reading.
#[test]
fn totals_cannot_prove_a_missing_flag() {
    // A flag taken by other totals.
    passes(vec![
        count(0, 0, u32::MAX),
        Start.quiet(),
        Intervals.quiet(),
        Totals.at(0, ONE),
        NextInterval.at(u16::MAX, MOST),
        NextInterval.quiet(),
    ]);
}

/// On an ARM11, a stop that acknowledges lets the counters run briefly, and the divider with them.
#[test]
fn the_divider_loses_its_phase_at_a_stop() {
    for at in 0..30 {
        // A divided count after a resume.
        passes(vec![
            count(0, 0, u32::MAX),
            CountCycles { by_64: true, from: 0 }.quiet(),
            Start.at(u16::MAX, Cycles(u32::MAX)),
            Stop.at(0, ONE).at(at, Cycles(1)),
            Resume.at(u16::MAX, Cycles(1)),
            Stop.quiet(),
        ]);
    }
}

/// A handler moves the selector before each access of each call: also between the write of the selector and the read
/// of the counter, and between a write and its read-back.
#[test]
fn a_moved_selector_gives_no_wrong_number() {
    let cases = (0..60).flat_map(|at| [0, 1].map(|selector| (at, Item::MoveSelector(selector))));
    for (at, moved) in cases {
        passes(vec![
            Assign(vec![0, 1, CYCLES]).quiet(),
            Start.at(at, moved).at(u16::MAX, ONE),
            Counts.quiet(),
            Stop.quiet(),
        ]);
        passes(vec![
            count(0, 0, 0),
            count(1, 1, 0),
            Start.at(u16::MAX, Event { event: 0, times: 3 }),
            Counts.at(at, moved),
            ReadAtOnce.at(at, moved),
            Stop.at(at, moved),
        ]);
    }
}

/// Returns the selections of two counters and, if there is a cycle counter, of cycles.
fn selections(driver: &Driver) -> Op {
    Assign(if driver.shape.cycle_counter { vec![0, 1, CYCLES] } else { vec![0, 1] })
}

/// Stores have no effect from each access of a start or of a new budget to the end of the call.
#[test]
fn ignored_stores_give_no_wrong_number() {
    let last = MOST_COUNTERS as u8;
    let budgets = [(0, 2), (0, (1 << 31) + 1), (0, u32::MAX), (last, 2), (last, u32::MAX)];
    for (driver, at) in
        subjects::of_each_kind().flat_map(|driver| (0..60).map(move |at| (driver, at)))
    {
        let happens = |step: Step| {
            step.at(u16::MAX, ONE)
                .at(u16::MAX, Event { event: 1, times: 3 })
                .at(u16::MAX, Cycles(4))
        };
        let rearms = budgets
            .map(|(counter, events)| happens(Rearm { counter, events }.at(at, IgnoresStores)));
        let start = happens(Start.at(at, IgnoresStores));
        let check = |steps: &[Step]| {
            let readings = [Counts.quiet(), Totals.quiet(), Stop.quiet()];
            passes_on(driver, [steps, &readings].concat());
        };
        let selections = selections(driver).quiet();
        check(&[selections.clone(), start.clone()]);
        for rearm in rearms {
            check(&[selections.clone(), happens(Start.quiet()), rearm]);
        }
        // Starts of cores with an ARMv7 PMU or PMUv3 do not check that an earlier owner's PMU is disabled.
        if !(driver.shape.selector || driver.shape.hypervisor) {
            let counted = Event { event: 1, times: 1 };
            let earlier = [Assign(vec![1]).quiet(), Start.at(u16::MAX, counted), Drop.quiet()];
            check(&[&earlier[..], &[Assign(vec![1]).quiet(), start.clone()]].concat());
            check(&[&earlier[..], &[selections, start]].concat());
        }
    }
}

/// Registers read as zeros or ones before each access of each call from a stop to a resume, and answer again after the
/// call.
#[test]
fn an_unanswered_call_gives_no_wrong_number() {
    let calls = [Stop, AcknowledgeAll, Resume];
    let cases = [Zeros, Ones].into_iter().flat_map(|item| (0..60).map(move |at| (item, at)));
    for (driver, (item, at)) in
        subjects::of_each_kind().flat_map(|driver| cases.clone().map(move |case| (driver, case)))
    {
        for call in &calls {
            let silent = |op: Op| match op == *call {
                true => op.at(at, item).at(u16::MAX, Answers),
                false => op.quiet(),
            };
            // Counter 1 overflows, so that the stop clears a flag.
            let start = Start.at(u16::MAX, Event { event: 0, times: 5 }).at(u16::MAX, Cycles(6));
            passes_on(
                driver,
                vec![
                    selections(driver).quiet(),
                    count(1, 1, u32::MAX),
                    start.at(u16::MAX, Event { event: 1, times: 2 }),
                    silent(Stop),
                    silent(AcknowledgeAll),
                    silent(Resume).at(u16::MAX, ONE).at(u16::MAX, Cycles(1)),
                    Counts.quiet(),
                    Stop.quiet(),
                ],
            );
        }
    }
}

/// A second owner selects another event, or disables the counter or the PMU, and the registers turn to zeros or ones
/// before each access of the stop or of an acknowledgement.
#[test]
fn a_silent_call_hides_no_second_owner() {
    for (item, at) in [Zeros, Ones].into_iter().flat_map(|item| (0..60).map(move |at| (item, at))) {
        for owner in [Item::Select(0), Item::Disable(0)] {
            // A silent stop.
            passes(vec![
                Assign(vec![CYCLES, 0]).quiet(),
                Start.at(u16::MAX, owner).at(u16::MAX, Cycles(3)).at(u16::MAX, ONE),
                Stop.at(at, item).at(u16::MAX, Answers),
                CountNth.quiet(),
            ]);
        }
        // A silent acknowledgement.
        passes(vec![
            count(0, 0, u32::MAX),
            CountCycles { by_64: false, from: 0 }.quiet(),
            Start.at(u16::MAX, ONE).at(u16::MAX, Item::DisableAll).at(u16::MAX, Cycles(3)),
            Acknowledge.at(at, item).at(u16::MAX, Answers),
            Stop.quiet(),
        ]);
    }
}

/// A loss of power between a stop and a resume is detected, even on an ARM11, where only the idle counters show it.
#[test]
fn power_loss_before_resume_gives_no_wrong_number() {
    for driver in subjects::of_each_kind() {
        let cycles = if driver.shape.clock { CYCLES } else { 0 };
        for what in [vec![0, 1], vec![cycles]] {
            for between in [Idle, AcknowledgeAll] {
                passes_on(
                    driver,
                    vec![
                        Assign(what.clone()).quiet(),
                        Run(vec![ONE, Cycles(2)]).at(u16::MAX, LosesPower),
                        between.quiet(),
                        Resume.at(u16::MAX, ONE).at(u16::MAX, Cycles(1)),
                        Counts.quiet(),
                        Stop.quiet(),
                    ],
                );
            }
        }
    }
}

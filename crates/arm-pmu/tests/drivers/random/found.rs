//! Runs programs that once gave wrong numbers. Interference precedes each access of a call. `driver.rs` and
//! `sequences.rs` run further programs on every driver.

use super::Driver;
use super::program::{Op, Step};
use crate::traffic::{CYCLES, Item, MOST_COUNTERS, OTHER_EVENT};

use Item::{
    Answers, Disable, DisableAll, Event, Fails, IgnoresStores, Leave, LosesPower, MoveSelector,
    Ones, Select, Zeros,
};
use Op::*;

/// Returns whether this traffic is possible on the device.
const fn can_happen(driver: &Driver, item: Item) -> bool {
    match item {
        Disable(_) => driver.kind.1.single_enables,
        Leave(_) => driver.kind.1.hypervisor,
        MoveSelector(_) => driver.kind.1.selector,
        _ => true,
    }
}

/// For each item and each of the first `accesses` accesses, runs a program in which the item happens just before that
/// access. The program runs on each kind of driver that permits the item.
fn passes(items: &[Item], accesses: u16, steps: impl Fn(&Driver, Item, u16) -> Vec<Step>) {
    let mut kinds = Vec::new();
    for driver in super::drivers() {
        if kinds.contains(&driver.kind) {
            continue;
        }
        kinds.push(driver.kind);
        for item in items.iter().filter(|item| can_happen(&driver, **item)) {
            for at in 0..accesses {
                let program = steps(&driver, *item, at);
                let result = (driver.run)(&program);
                assert!(result.is_ok(), "{}: {result:?} in {program:#?}", driver.name);
            }
        }
    }
}

/// Position after the last access of a call.
const END: u16 = u16::MAX;

const ONE: Item = Event { event: 0, times: 1 };
const THREE: Item = Event { event: 1, times: 3 };

const fn cycles(times: u32) -> Item {
    Event { event: CYCLES, times }
}

const fn count(counter: u8, event: u8, from: u32) -> Step {
    Set { counter, what: Some((event, from)) }.quiet()
}

const fn count_cycles() -> Step {
    count(MOST_COUNTERS as u8, CYCLES, 0)
}

/// Selects two events and, if there is a cycle counter, cycles.
fn select_all(driver: &Driver) -> Step {
    Assign(if driver.kind.1.cycle_counter { vec![0, 1, CYCLES] } else { vec![0, 1] }).quiet()
}

/// Returns steps that make these calls without traffic, but `change` adds traffic to the call
/// `one`.
fn calls<const N: usize>(ops: [Op; N], one: &Op, change: impl Fn(Step) -> Step) -> [Step; N] {
    ops.map(|op| if op == *one { change(op.quiet()) } else { op.quiet() })
}

/// A flag that is set between acknowledge and rearm is not an overflow of the new budget.
#[test]
fn a_new_budget_begins_without_an_overflow() {
    // After u32::MAX events a counter has wrapped, whatever start value the driver uses.
    passes(&[ONE, Event { event: 0, times: u32::MAX }], 20, |_, item, at| {
        vec![
            count(0, 0, u32::MAX - 1),
            Start.at(END, ONE),
            Acknowledge.at(END, ONE),
            Rearm { counter: 0, events: 10 }.at(at, item),
            Read.quiet(),
            Stop.quiet(),
        ]
    });
}

/// A second owner writes before each access of each call, and then its own event and another event happen.
#[test]
fn a_second_owner_causes_no_wrong_number() {
    let rearm = Rearm { counter: 0, events: 10 };
    let own = Event { event: OTHER_EVENT, times: 2 };
    for call in [Start, Read, Acknowledge, rearm.clone(), Stop] {
        passes(&[DisableAll, Select(0), Select(1), Disable(0)], 60, |_, item, at| {
            let second = if call == rearm { rearm.clone() } else { Acknowledge };
            let ops = [Start, second, Read, Stop, CountNth];
            let mut steps = calls(ops, &call, |step| step.at(at, item).at(at, own).at(at, THREE));
            // Counter 0 overflows after the start, so that there is something to acknowledge.
            steps[0] = steps[0].clone().at(END, ONE);
            [&[count(0, 0, u32::MAX), count(1, 1, 0)][..], &steps].concat()
        });
    }
}

/// A hypervisor removes counters before each access of each call, and restores them later.
#[test]
fn a_counter_lost_to_a_hypervisor_is_never_wrong() {
    let rearm = Rearm { counter: 1, events: u32::MAX };
    for (call, restores) in [Start, Read, Acknowledge, rearm, Stop]
        .iter()
        .flat_map(|call| [(call, true), (call, false)])
    {
        passes(&[Leave(0), Leave(1)], 60, |driver, item, at| {
            let ops = [Start, Totals, Read, Acknowledge, call.clone(), Read, Totals];
            let steps = calls(ops, call, |step| step.at(at, item)).into_iter();
            let steps = steps.chain([Stop.quiet(), CountNth.quiet()]).enumerate();
            let steps = steps.map(|(nth, step)| {
                let step = step
                    .at(END, Event { event: 0, times: 5 })
                    .at(END, Event { event: 1, times: 7 });
                let then = if restores { driver.kind.1.counters } else { 0 };
                if nth == 5 { step.at(END, Leave(then)) } else { step }
            });
            [count(0, 0, 0), count(1, 1, u32::MAX - 20)].into_iter().chain(steps).collect()
        });
    }
}

/// A counter that returns just after the start may lack its event, its start value or its enable.
#[test]
fn a_counter_lost_during_a_start_is_never_wrong() {
    passes(&[Leave(0), Leave(1)], 60, |driver, item, at| {
        let start = Start.at(at, item).at(END, Leave(driver.kind.1.counters));
        let start = start.at(END, ONE).at(END, THREE);
        vec![count(0, 0, 0), count(1, 1, 7), start, Read.quiet(), Stop.quiet()]
    });
}

/// Another owner's access can prevent a start from clearing an old overflow flag. Such a flag does not mean that the
/// started counters have overflowed.
#[test]
fn a_flag_of_an_earlier_owner_is_no_overflow() {
    passes(&[DisableAll], 40, |_, item, at| {
        vec![
            count(0, 0, u32::MAX),
            Start.quiet(),
            Replace.at(0, ONE).at(1, DisableAll),
            Assign(vec![1]).quiet(),
            Run(vec![]).at(at, item),
        ]
    });
}

/// Programs two event counters and the cycle counter, starts and stops them, runs this diagnosis,
/// and then resumes counting.
fn resumed_after(diagnosis: Step) -> Vec<Step> {
    vec![
        count(0, 0, 7),
        count(1, 1, 0),
        count_cycles(),
        Start.at(END, Event { event: 0, times: 3 }).at(END, cycles(5)),
        Stop.quiet(),
        diagnosis,
        CountNth.quiet(),
        Resume.at(END, ONE),
        Read.quiet(),
        Stop.quiet(),
        CountNth.quiet(),
    ]
}

/// All counters wrap during the trials of the diagnosis. No count of the last run overflows.
#[test]
fn the_work_of_a_diagnosis_overflows_no_count() {
    let events = (0..OTHER_EVENT).map(|event| Event { event, times: 1 << 31 });
    let work: Vec<_> = events.chain([cycles(1 << 31)]).flat_map(|item| [item; 2]).collect();
    passes(&[ONE], 1, |_, _, _| resumed_after(Diagnose(work.clone()).quiet()));
}

/// For each access of a diagnosis: from that access to the end of the diagnosis, another owner changes a counter, or
/// the registers do not answer.
#[test]
fn a_disturbed_diagnosis_gives_no_wrong_number_afterwards() {
    let own = Event { event: OTHER_EVENT, times: 1_000 };
    passes(&[Zeros, Ones, Fails, DisableAll, Select(0), Disable(0)], 300, |_, item, at| {
        let work = Diagnose(vec![ONE, cycles(9)]);
        resumed_after(work.at(at, item).at(at, own).at(END, Answers))
    });
}

/// In each call, a handler moves the selector before one of the accesses, which may be between the write of the
/// selector and the read of the counter, or between a write and its read-back.
#[test]
fn a_moved_selector_gives_no_wrong_number() {
    let selectors = [MoveSelector(0), MoveSelector(1)];
    passes(&selectors, 60, |driver, item, at| {
        let start = Start.at(at, item).at(END, ONE);
        vec![select_all(driver), start, Read.quiet(), Stop.quiet()]
    });
    passes(&selectors, 60, |_, item, at| {
        let start = Start.at(END, Event { event: 0, times: 3 });
        let calls = [Read, ReadAtOnce, Stop].map(|op| op.at(at, item));
        [&[count(0, 0, 0), count(1, 1, 0), start][..], &calls].concat()
    });
    // A counter that keeps its old value, which is above the new one, seems to have counted.
    passes(&selectors, 60, |_, item, at| {
        let start = Start.at(END, Event { event: 0, times: 3 });
        let rearm = Rearm { counter: 0, events: 1_000 }.at(at, item).at(END, ONE).at(END, THREE);
        let set = [count(0, 0, u32::MAX - 200), count(1, 1, 0)];
        [&set[..], &[start, rearm, Read.quiet(), Stop.quiet()]].concat()
    });
}

/// Makes calls that start counters or set a new budget. From one access to the end of the call,
/// stores have no effect; each access of the call is tried.
#[test]
fn ignored_stores_give_no_wrong_number() {
    let happens = |step: Step| step.at(END, ONE).at(END, THREE).at(END, cycles(4));
    let readings = [Read.quiet(), Totals.quiet(), Stop.quiet()];
    passes(&[IgnoresStores], 60, |driver, item, at| {
        [&[select_all(driver), happens(Start.at(at, item))], &readings[..]].concat()
    });
    let last = MOST_COUNTERS as u8;
    for (counter, events) in
        [(0, 2), (0, (1 << 31) + 1), (0, u32::MAX), (1, u32::MAX), (last, 2), (last, u32::MAX)]
    {
        passes(&[IgnoresStores], 60, |driver, item, at| {
            let rearm = happens(Rearm { counter, events }.at(at, item));
            [&[select_all(driver), happens(Start.quiet()), rearm], &readings[..]].concat()
        });
    }
    passes(&[IgnoresStores], 60, |driver, item, at| {
        // On cores with an ARMv7 PMU or PMUv3, a start does not check that the PMU of an earlier owner is disabled.
        if driver.kind.1.selector || driver.kind.1.hypervisor {
            return Vec::new();
        }
        let one = || Assign(vec![1]).quiet();
        let earlier = [one(), Start.at(END, Event { event: 1, times: 1 }), Replace.quiet()];
        [&earlier[..], &[one(), happens(Start.at(at, item))], &readings[..]].concat()
    });
}

/// The device falls silent before each access of each call: registers read as zeros or ones, or accesses fail. The
/// device answers again after the call, or never again.
#[test]
fn a_silent_device_gives_no_wrong_number() {
    let rearm = || Rearm { counter: 0, events: u32::MAX };
    for (call, answers) in
        [Start, Read, ReadAtOnce, Acknowledge, rearm(), Stop, AcknowledgeAll, Resume]
            .iter()
            .flat_map(|call| [(call, true), (call, false)])
    {
        passes(&[Zeros, Ones, Fails], 60, |driver, item, at| {
            let second = if *call == rearm() { rearm() } else { Acknowledge };
            let ops = [Start, Read, ReadAtOnce, second, Read, Stop, AcknowledgeAll, Resume];
            let steps = calls(ops, call, |step| {
                let step = step.at(at, item);
                if answers { step.at(END, Answers) } else { step }
            });
            // Counter 1 overflows, so that flags are cleared.
            let steps = steps.map(|step| match step.op {
                Start => {
                    step.at(END, Event { event: 0, times: 5 }).at(END, THREE).at(END, cycles(7))
                }
                Rearm { .. } | Resume => step.at(END, ONE).at(END, cycles(1)),
                _ => step,
            });
            let set = [select_all(driver), count(1, 1, u32::MAX)];
            [&set[..], &steps, &[Read.quiet(), Stop.quiet(), CountNth.quiet()]].concat()
        });
    }
}

/// A second owner selects another event, or disables the counter or the PMU. In addition, the registers turn to zeros
/// or ones during a stop or an acknowledgement: before its first access, before its second access, and so on.
#[test]
fn a_silent_call_hides_no_second_owner() {
    for owner in [Select(0), Disable(0)] {
        passes(&[Zeros, Ones], 60, |driver, item, at| {
            if !can_happen(driver, owner) {
                return Vec::new();
            }
            vec![
                Assign(vec![CYCLES, 0]).quiet(),
                Start.at(END, owner).at(END, cycles(3)).at(END, ONE),
                Stop.at(at, item).at(END, Answers),
                CountNth.quiet(),
            ]
        });
    }
    passes(&[Zeros, Ones], 60, |_, item, at| {
        vec![
            count(0, 0, u32::MAX),
            count_cycles(),
            Start.at(END, ONE).at(END, DisableAll).at(END, cycles(3)),
            Acknowledge.at(at, item).at(END, Answers),
            Stop.quiet(),
        ]
    });
}

/// A loss of power between a stop and a resume is detected. On an ARM11, only the idle counters show the loss.
#[test]
fn power_loss_before_resume_gives_no_wrong_number() {
    for (selected, between) in
        [vec![0, 1], vec![CYCLES]].iter().flat_map(|list| [(list, Idle), (list, AcknowledgeAll)])
    {
        passes(&[LosesPower], 1, |_, item, _| {
            vec![
                Assign(selected.clone()).quiet(),
                Run(vec![ONE, cycles(2)]).at(END, item),
                between.clone().quiet(),
                Resume.at(END, ONE).at(END, cycles(1)),
                Read.quiet(),
                Stop.quiet(),
            ]
        });
    }
}

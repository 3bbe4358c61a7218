//! The smallest program that still shows a failure.

use crate::drivers::Driver;
use crate::oracle::{Failure, Kind};
use crate::program::{Classes, Item, Op, Program};

/// Most programs to try.
const MOST_TRIES: usize = 20_000;

/// Removes steps and traffic, then makes numbers smaller, as long as the same kind of failure stays.
#[must_use]
pub fn shrink(
    driver: &Driver,
    classes: Classes,
    program: &Program,
    failure: &Failure,
) -> (Program, Failure) {
    let mut best = (program.clone(), failure.clone());
    let mut tries = 0;
    loop {
        let before = best.0.clone();
        for candidate in [remove_steps, remove_traffic, smaller_ops, smaller_traffic] {
            candidate(&before, &mut |smaller| {
                tries += 1;
                if tries > MOST_TRIES {
                    return false;
                }
                let failed = fails(driver, classes, smaller, failure.kind);
                match failed {
                    Some(failure) => {
                        best = (smaller.clone(), failure);
                        true
                    }
                    None => false,
                }
            });
            if best.0 != before {
                break;
            }
        }
        if best.0 == before || tries > MOST_TRIES {
            return best;
        }
    }
}

fn fails(driver: &Driver, classes: Classes, program: &Program, kind: Kind) -> Option<Failure> {
    (driver.run)(program, classes).err().filter(|failure| failure.kind == kind)
}

/// Calls `try_it` with smaller programs until it accepts one.
type Candidates = fn(&Program, &mut dyn FnMut(&Program) -> bool);
const _: [Candidates; 4] = [remove_steps, remove_traffic, smaller_ops, smaller_traffic];

fn remove_steps(program: &Program, try_it: &mut dyn FnMut(&Program) -> bool) {
    for length in [4, 2, 1] {
        for first in 0..program.steps.len() {
            let mut smaller = program.clone();
            let last = (first + length).min(smaller.steps.len());
            smaller.steps.drain(first..last);
            if try_it(&smaller) {
                return;
            }
        }
    }
    for nth in 0..program.steps.len() {
        // The traffic of a step may matter without its call.
        if program.steps[nth].op != Op::Idle && !program.steps[nth].traffic.is_empty() {
            let mut smaller = program.clone();
            smaller.steps[nth].op = Op::Idle;
            if try_it(&smaller) {
                return;
            }
        }
    }
}

fn remove_traffic(program: &Program, try_it: &mut dyn FnMut(&Program) -> bool) {
    for (nth, step) in program.steps.iter().enumerate() {
        for item in 0..step.traffic.len() {
            let mut smaller = program.clone();
            smaller.steps[nth].traffic.remove(item);
            if try_it(&smaller) {
                return;
            }
        }
    }
}

fn smaller_traffic(program: &Program, try_it: &mut dyn FnMut(&Program) -> bool) {
    for (nth, step) in program.steps.iter().enumerate() {
        for (number, traffic) in step.traffic.iter().enumerate() {
            for item in smaller_item(traffic.item) {
                let mut smaller = program.clone();
                smaller.steps[nth].traffic[number].item = item;
                if try_it(&smaller) {
                    return;
                }
            }
            // Traffic before the call can also be after the previous call.
            let ats = smaller_numbers(traffic.at.into());
            for at in ats.into_iter().filter(|at| *at < 200) {
                let mut smaller = program.clone();
                smaller.steps[nth].traffic[number].at = at as u16;
                smaller.steps[nth].traffic.sort_by_key(|traffic| traffic.at);
                if smaller != *program && try_it(&smaller) {
                    return;
                }
            }
        }
    }
}

fn smaller_ops(program: &Program, try_it: &mut dyn FnMut(&Program) -> bool) {
    for (nth, step) in program.steps.iter().enumerate() {
        for op in smaller_op(&step.op) {
            let mut smaller = program.clone();
            smaller.steps[nth].op = op;
            if try_it(&smaller) {
                return;
            }
        }
    }
}

fn smaller_op(op: &Op) -> Vec<Op> {
    let lists = |list: &[u8]| -> Vec<Vec<u8>> {
        let removed = (0..list.len()).map(|nth| {
            let mut list = list.to_vec();
            list.remove(nth);
            list
        });
        removed.chain(list.iter().map(|kind| vec![*kind])).filter(|other| other != list).collect()
    };
    let works = |work: &[Item]| -> Vec<Vec<Item>> {
        let mut all = Vec::new();
        for nth in 0..work.len() {
            let mut fewer = work.to_vec();
            fewer.remove(nth);
            all.push(fewer);
            for item in smaller_item(work[nth]) {
                let mut smaller = work.to_vec();
                smaller[nth] = item;
                all.push(smaller);
            }
        }
        all
    };
    let plans = |plan: &crate::program::PlanOf| {
        let mut all = Vec::new();
        for nth in 0..plan.groups.len() {
            let mut fewer = plan.clone();
            fewer.groups.remove(nth);
            all.push(fewer);
            for group in lists(&plan.groups[nth]) {
                let mut fewer = plan.clone();
                fewer.groups[nth] = group;
                all.push(fewer);
            }
        }
        all
    };
    match op {
        Op::Count { counter, event, from } => {
            let froms = smaller_numbers(*from).into_iter();
            let counters = smaller_numbers((*counter).into()).into_iter();
            let events = smaller_numbers((*event).into()).into_iter();
            froms
                .map(|from| Op::Count { counter: *counter, event: *event, from })
                .chain(counters.map(|counter| Op::Count {
                    counter: counter as u8,
                    event: *event,
                    from: *from,
                }))
                .chain(events.map(|event| Op::Count {
                    counter: *counter,
                    event: event as u8,
                    from: *from,
                }))
                .collect()
        }
        Op::CountCycles { by_64, from } => {
            let froms = smaller_numbers(*from).into_iter();
            let mut all: Vec<Op> =
                froms.map(|from| Op::CountCycles { by_64: *by_64, from }).collect();
            if *by_64 {
                all.push(Op::CountCycles { by_64: false, from: *from });
            }
            all
        }
        Op::Rearm { counter, events } => smaller_numbers(*events)
            .into_iter()
            .filter(|events| *events > 0)
            .map(|events| Op::Rearm { counter: *counter, events })
            .collect(),
        Op::Assign(list) => lists(list).into_iter().map(Op::Assign).collect(),
        Op::Calibrate(list) => lists(list).into_iter().map(Op::Calibrate).collect(),
        Op::Run(work) => works(work).into_iter().map(Op::Run).collect(),
        Op::DiagnoseWith(work) => works(work).into_iter().map(Op::DiagnoseWith).collect(),
        Op::Wait(ticks) => smaller_numbers(*ticks).into_iter().map(Op::Wait).collect(),
        Op::Measure(list, work) => lists(list)
            .into_iter()
            .map(|list| Op::Measure(list, work.clone()))
            .chain(works(work).into_iter().map(|work| Op::Measure(list.clone(), work)))
            .collect(),
        Op::Passes(plan, work) => plans(plan)
            .into_iter()
            .map(|plan| Op::Passes(plan, work.clone()))
            .chain(works(work).into_iter().map(|work| Op::Passes(plan.clone(), work)))
            .collect(),
        Op::LongPasses(plan, work) => plans(plan)
            .into_iter()
            .map(|plan| Op::LongPasses(plan, work.clone()))
            .chain(works(work).into_iter().map(|work| Op::LongPasses(plan.clone(), work)))
            .collect(),
        Op::Fit(plan) => plans(plan).into_iter().map(Op::Fit).collect(),
        Op::Rotate(plan) => plans(plan).into_iter().map(Op::Rotate).collect(),
        _ => Vec::new(),
    }
}

fn smaller_item(item: Item) -> Vec<Item> {
    match item {
        Item::Event { event, times } => smaller_numbers(times)
            .into_iter()
            .map(|times| Item::Event { event, times })
            .chain(
                smaller_numbers(event.into())
                    .into_iter()
                    .map(|event| Item::Event { event: event as u8, times }),
            )
            .collect(),
        Item::Cycles(cycles) => smaller_numbers(cycles).into_iter().map(Item::Cycles).collect(),
        _ => Vec::new(),
    }
}

/// Simpler numbers: smaller ones, and those near 2^32 that are nearer.
fn smaller_numbers(number: u32) -> Vec<u32> {
    let mut all = vec![0, 1, 1 << 31, u32::MAX, number / 2, number.saturating_sub(1)];
    if number > 1 << 31 {
        // From below, 2^32 - 1 is the simplest.
        all.retain(|other| *other < number || *other == u32::MAX);
    } else {
        all.retain(|other| *other < number);
    }
    if number == u32::MAX {
        all = vec![0, 1, 1 << 31];
    }
    all.dedup();
    all.retain(|other| *other != number);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_get_simpler_and_that_ends() {
        for start in [0, 1, 7, 1 << 31, (1 << 31) + 5, u32::MAX - 3, u32::MAX] {
            let mut number = start;
            for _ in 0..200 {
                let Some(next) = smaller_numbers(number).last().copied() else { break };
                number = next;
            }
            assert!(smaller_numbers(start).iter().all(|other| *other != start));
        }
        assert_eq!(smaller_numbers(0), []);
    }
}

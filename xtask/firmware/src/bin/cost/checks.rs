//! Compares the driver with the hand-written code.

use firmware::Checks;

use crate::bound::{BOUNDS, Bound};
use crate::product::{EVENTS, EventOrCycles, Selection};
use crate::{by_hand, clock, driver};

/// Prints a line for each number of counters and each operation, and compares it with its bound.
pub fn all(checks: &mut Checks) {
    checks.equal("the clock counts 1000 instructions", clock::thousand(), 1000);
    checks
        .note(format_args!("instructions, compared with assembly that gives the same guarantees"));
    let codes = EVENTS.map(|event| u32::from(event.code()));
    let mut ratios = [(u32::MAX, 0); BOUNDS.len()];
    for counters in 1..=EVENTS.len() {
        let (events, codes) = (&EVENTS[..counters], &codes[..counters]);
        let run = driver::run(events);
        let (by_value, exact) = driver::start_stop(events);
        let (read, read_exact) = driver::read(events);
        let (moved, moved_exact) = driver::moved(events);
        let (hand, exact_by_hand) = by_hand::start_read_stop(codes);
        let (acknowledge, is_first) = driver::acknowledge(events);
        let (hand_acknowledge, is_first_by_hand) = by_hand::acknowledge(codes);
        let title = plural(counters);
        checks.check(
            format_args!("{title}: all counts are exact"),
            exact && read_exact && moved_exact && exact_by_hand,
        );
        checks.check(
            format_args!("{title}: both acknowledge the first counter"),
            is_first && is_first_by_hand,
        );
        let ([first, again], [hand_first, hand_again]) =
            (measure(counters), by_hand::measure(codes));
        let (switch, switch_exact) = switch(counters);
        let mut others = EVENTS.map(|event| u32::from(event.code()));
        others.rotate_left(1);
        let (hand_switch, switch_exact_by_hand) = by_hand::switch(codes, &others[..counters]);
        checks.check(
            format_args!("{title}: all totals of tasks are exact"),
            switch_exact && switch_exact_by_hand,
        );
        let rows = [
            (run[0], hand[0]),
            (read, hand[1]),
            (acknowledge, hand_acknowledge),
            (run[1], hand[2]),
            (by_value[0] + by_value[1], hand[0] + hand[2]),
            (moved[0] + moved[1], hand[0] + hand[2]),
            (first, hand_first),
            (again, hand_again),
            (switch[0], hand_switch[0]),
            (switch[1], hand_switch[1]),
        ];
        for ((Bound { name, percent, .. }, (ours, hand)), ratio) in
            BOUNDS.iter().zip(rows).zip(&mut ratios)
        {
            let rounded = (ours * 100 + hand / 2) / hand;
            *ratio = (ratio.0.min(rounded), ratio.1.max(rounded));
            checks.check(
                format_args!("{title}, {name}: {ours}, by hand {hand}, {rounded} %"),
                ours * 100 <= hand * percent,
            );
        }
    }
    let [added, thousand] = driver::calibrated();
    checks.note(format_args!("a measurement adds {added} to a count of instructions"));
    // The compiler generates the code around each work separately, with a few instructions more or fewer.
    let near = thousand.exact().is_ok_and(|count| (996..=1004).contains(&count));
    checks.check(format_args!("of 1000 instructions, {thousand} are left without it"), near);
    for (Bound { name, percent, reason }, (lowest, highest)) in BOUNDS.iter().zip(ratios) {
        checks.note(format_args!(
            "{name}: {lowest} to {highest} % of assembly, at most {percent} %: {reason}"
        ));
    }
}

fn plural(counters: usize) -> &'static str {
    ["1 counter", "2 counters", "3 counters", "4 counters", "5 counters", "6 counters"]
        [counters - 1]
}

fn measure(counters: usize) -> [u32; 2] {
    match counters {
        1 => driver::measure(first_and_cycles::<2>(0)),
        2 => driver::measure(first_and_cycles::<3>(0)),
        3 => driver::measure(first_and_cycles::<4>(0)),
        4 => driver::measure(first_and_cycles::<5>(0)),
        5 => driver::measure(first_and_cycles::<{ at_most(6) }>(0)),
        _ => driver::measure(first_and_cycles::<{ at_most(7) }>(0)),
    }
}

fn switch(counters: usize) -> ([u32; 2], bool) {
    match counters {
        1 => driver::switch(first_and_cycles::<2>(0), first_and_cycles::<2>(1)),
        2 => driver::switch(first_and_cycles::<3>(0), first_and_cycles::<3>(1)),
        3 => driver::switch(first_and_cycles::<4>(0), first_and_cycles::<4>(1)),
        4 => driver::switch(first_and_cycles::<5>(0), first_and_cycles::<5>(1)),
        5 => driver::switch(
            first_and_cycles::<{ at_most(6) }>(0),
            first_and_cycles::<{ at_most(6) }>(1),
        ),
        _ => driver::switch(
            first_and_cycles::<{ at_most(7) }>(0),
            first_and_cycles::<{ at_most(7) }>(1),
        ),
    }
}

/// Limits the number of selections, because more selections than counters do not compile.
const fn at_most(selections: usize) -> usize {
    if selections > EVENTS.len() { EVENTS.len() + 1 } else { selections }
}

/// Returns the events from this one on, then the first events, and at the end the cycles.
fn first_and_cycles<const N: usize>(first: usize) -> [EventOrCycles<Selection>; N] {
    core::array::from_fn(|nth| match EVENTS.get((first + nth) % EVENTS.len()) {
        Some(&event) if nth < N - 1 => EventOrCycles::Event(Selection::event(event)),
        _ => EventOrCycles::Cycles,
    })
}

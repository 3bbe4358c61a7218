//! Compares the driver with the hand-written code.

use firmware::Checks;

use crate::bound::{BOUNDS, Bound};
use crate::product::{EVENTS, EventOrCycles, Selection};
use crate::{by_hand, clock, driver};

/// Lowest and highest percentage of each operation, over the numbers of counters.
type Ratios = [(u32, u32); BOUNDS.len()];

/// Prints a line for each number of counters and each operation, and compares it with its bound.
pub fn all(checks: &mut Checks) {
    checks.equal("the clock counts 1000 instructions", clock::thousand(), 1000);
    checks
        .note(format_args!("instructions, compared with assembly that gives the same guarantees"));
    let mut ratios = [(u32::MAX, 0); BOUNDS.len()];
    with::<1, 2>(checks, &mut ratios);
    with::<2, 3>(checks, &mut ratios);
    with::<3, 4>(checks, &mut ratios);
    with::<4, 5>(checks, &mut ratios);
    // More selections than a Cortex-A8 has counters do not compile.
    #[cfg(target_arch = "aarch64")]
    with::<5, 6>(checks, &mut ratios);
    #[cfg(target_arch = "aarch64")]
    with::<6, 7>(checks, &mut ratios);
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

/// Compares each operation on `N` event counters and, as one more selection, cycles.
fn with<const N: usize, const ALL: usize>(checks: &mut Checks, ratios: &mut Ratios) {
    let all = EVENTS.map(|event| u32::from(event.code()));
    let mut others = all;
    others.rotate_left(1);
    let (events, codes) = (&EVENTS[..N], &all[..N]);
    let run = driver::run(events);
    let (by_value, exact) = driver::start_stop(events);
    let (read, read_exact) = driver::read(events);
    let (moved, moved_exact) = driver::moved(events);
    let (hand, exact_by_hand) = by_hand::start_read_stop(codes);
    let (acknowledge, is_first) = driver::acknowledge(events);
    let (hand_acknowledge, is_first_by_hand) = by_hand::acknowledge(codes);
    let [first, again] = driver::measure(first_and_cycles::<ALL>(0));
    let [hand_first, hand_again] = by_hand::measure(codes);
    let (switch, switch_exact) =
        driver::switch(first_and_cycles::<ALL>(0), first_and_cycles::<ALL>(1));
    let (hand_switch, switch_exact_by_hand) = by_hand::switch(codes, &others[..N]);
    let s = if N == 1 { "" } else { "s" };
    for (what, is_right) in [
        ("all counts are exact", exact && read_exact && moved_exact && exact_by_hand),
        ("both acknowledge the first counter", is_first && is_first_by_hand),
        ("all totals of tasks are exact", switch_exact && switch_exact_by_hand),
    ] {
        checks.check(format_args!("{N} counter{s}: {what}"), is_right);
    }
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
    for ((Bound { name, percent, .. }, (ours, hand)), ratio) in BOUNDS.iter().zip(rows).zip(ratios)
    {
        let rounded = (ours * 100 + hand / 2) / hand;
        *ratio = (ratio.0.min(rounded), ratio.1.max(rounded));
        checks.check(
            format_args!("{N} counter{s}, {name}: {ours}, by hand {hand}, {rounded} %"),
            ours * 100 <= hand * percent,
        );
    }
}

/// Returns the events from this one on, then the first events, and at the end the cycles.
fn first_and_cycles<const N: usize>(first: usize) -> [EventOrCycles<Selection>; N] {
    core::array::from_fn(|nth| match EVENTS.get((first + nth) % EVENTS.len()) {
        Some(&event) if nth < N - 1 => EventOrCycles::Event(Selection::event(event)),
        _ => EventOrCycles::Cycles,
    })
}

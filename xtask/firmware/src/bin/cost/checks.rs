//! Compares the driver with the hand-written code.

use firmware::Checks;

use crate::bound::{BOUNDS, Bound};
use crate::product::{EVENTS, EventOrCycles, Selection};
use crate::{by_hand, clock, driver};

/// Instructions of two measurements and of two switches, and whether all totals are exact.
type Sized = ([u32; 2], ([u32; 2], bool));

/// Measures `N` selections: events, and the cycles. The compiler knows `N`.
fn sized<const N: usize>() -> Sized {
    let switch = driver::switch(first_and_cycles::<N>(0), first_and_cycles::<N>(1));
    (driver::measure(first_and_cycles::<N>(0)), switch)
}

/// The function `sized` for one event, for two events, and so on.
const SIZED: [fn() -> Sized; EVENTS.len()] = [
    sized::<2>,
    sized::<3>,
    sized::<4>,
    sized::<5>,
    #[cfg(target_arch = "aarch64")]
    sized::<6>,
    #[cfg(target_arch = "aarch64")]
    sized::<7>,
];

/// Prints a line for each number of counters and each operation, and compares it with its bound.
pub fn all(checks: &mut Checks) {
    checks.equal("the clock counts 1000 instructions", clock::thousand(), 1000);
    checks
        .note(format_args!("instructions, compared with assembly that gives the same guarantees"));
    let mut ratios = [(u32::MAX, 0); BOUNDS.len()];
    for (counters, sized) in (1..).zip(SIZED) {
        let events = &EVENTS[..counters];
        let mut codes = EVENTS.map(|event| u32::from(event.code()));
        let run = driver::run(events);
        let (by_value, exact) = driver::start_stop(events);
        let (read, read_exact) = driver::read(events);
        let (moved, moved_exact) = driver::moved(events);
        let (hand, exact_by_hand) = by_hand::start_read_stop(&codes[..counters]);
        let (acknowledge, is_first) = driver::acknowledge(events);
        let (hand_acknowledge, is_first_by_hand) = by_hand::acknowledge(&codes[..counters]);
        let ([first, again], (switch, switch_exact)) = sized();
        let [hand_first, hand_again] = by_hand::measure(&codes[..counters]);
        let same = codes;
        codes.rotate_left(1);
        let (hand_switch, switch_exact_by_hand) =
            by_hand::switch(&same[..counters], &codes[..counters]);
        for (what, is_right) in [
            ("all counts are exact", exact && read_exact && moved_exact && exact_by_hand),
            (
                "the driver and the assembly acknowledge the first counter",
                is_first && is_first_by_hand,
            ),
            ("all totals of tasks are exact", switch_exact && switch_exact_by_hand),
        ] {
            checks.check(format_args!("counters {counters}, {what}"), is_right);
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
        for ((Bound { name, percent, .. }, (ours, hand)), ratio) in
            BOUNDS.iter().zip(rows).zip(&mut ratios)
        {
            let rounded = (ours * 100 + hand / 2) / hand;
            *ratio = (ratio.0.min(rounded), ratio.1.max(rounded));
            checks.check(
                format_args!("counters {counters}, {name}: {ours}, by hand {hand}, {rounded} %"),
                ours * 100 <= hand * percent,
            );
        }
    }
    let [added, thousand] = driver::calibrated();
    checks.note(format_args!("a measurement adds {added} to a count of instructions"));
    // The compiler generates the code around each work separately, with a few instructions more or fewer.
    let near = thousand.exact().is_ok_and(|count| (996..=1004).contains(&count));
    checks.check(
        format_args!(
            "of 1000 instructions, {thousand} are counted after this overhead is subtracted"
        ),
        near,
    );
    for (Bound { name, percent, reason }, (lowest, highest)) in BOUNDS.iter().zip(ratios) {
        checks.note(format_args!(
            "{name}: {lowest} to {highest} % of assembly, at most {percent} %: {reason}"
        ));
    }
}

/// Returns `N - 1` events from index `first` on, with wrap-around, and then the cycles.
fn first_and_cycles<const N: usize>(first: usize) -> [EventOrCycles<Selection>; N] {
    core::array::from_fn(|nth| match EVENTS.get((first + nth) % EVENTS.len()) {
        Some(&event) if nth < N - 1 => EventOrCycles::Event(Selection::event(event)),
        _ => EventOrCycles::Cycles,
    })
}

//! Compares the driver with the code by hand.

use cortex_a8::{EventOrCycles, Selection};
use firmware::Checks;

use crate::bounds::{BY_VALUE, Bound, MEASURE, MEASURE_AGAIN, MOVED, READ, START, STOP};
use crate::driver::EVENTS;
use crate::{by_hand, clock, driver};

/// Prints a line for each number of counters and each operation, and compares it with its bound.
pub fn all(checks: &mut Checks) {
    checks.equal("the clock counts 1000 instructions", clock::thousand(), 1000);
    checks.note(format_args!("instructions beside those of assembly with the same guarantees"));
    let codes = EVENTS.map(|event| u32::from(event.code()));
    for counters in 1..=EVENTS.len() {
        let (events, codes) = (&EVENTS[..counters], &codes[..counters]);
        let run = driver::run(events);
        let (by_value, exact) = driver::start_stop(events);
        let (read, read_exact) = driver::read(events);
        let (moved, moved_exact) = driver::moved(events);
        let (hand, exact_by_hand) = by_hand::start_read_stop(codes);
        let [start, bare_read, stop] = by_hand::bare(codes);
        let title = plural(counters);
        checks.check(
            format_args!("{title}: all counts are exact"),
            exact && read_exact && moved_exact && exact_by_hand,
        );
        let mut row = |bound: &Bound, ours, hand, bare| {
            checks.check(
                format_args!(
                    "{title}, {}: {ours}, by hand {hand}, ratio {}.{:02}; without checks {bare}",
                    bound.name,
                    ours / hand,
                    ours * 100 / hand % 100
                ),
                ours * 100 <= hand * bound.percent,
            );
        };
        row(&START, run[0], hand[0], start);
        row(&READ, read, hand[1], bare_read);
        row(&STOP, run[1], hand[2], stop);
        row(&BY_VALUE, by_value[0] + by_value[1], hand[0] + hand[2], start + stop);
        row(&MOVED, moved[0] + moved[1], hand[0] + hand[2], start + stop);
        let ([first, again], [hand_first, hand_again]) =
            (measure(counters), by_hand::measure(codes));
        row(&MEASURE, first, hand_first, start + stop);
        row(&MEASURE_AGAIN, again, hand_again, start + stop);
    }
    let [added, thousand] = driver::calibrated();
    checks.note(format_args!("a measurement adds {added} to a count of instructions"));
    // The compiler makes the code around the work anew for each work, a few instructions longer or shorter.
    let near = thousand.exact().is_ok_and(|count| (996..=1004).contains(&count));
    checks.check(
        format_args!("of 1000 instructions it leaves {thousand} when that is taken off"),
        near,
    );
    for Bound { name, percent, reason } in
        [START, READ, STOP, BY_VALUE, MOVED, MEASURE, MEASURE_AGAIN]
    {
        checks.note(format_args!("{name} may take {percent} %: {reason}"));
    }
}

fn plural(counters: usize) -> &'static str {
    ["1 counter", "2 counters", "3 counters", "4 counters"][counters - 1]
}

fn measure(counters: usize) -> [u32; 2] {
    let [a, b, c, d] = EVENTS.map(|event| EventOrCycles::Event(Selection::event(event)));
    let cycles = EventOrCycles::Cycles;
    match counters {
        1 => driver::measure([a, cycles]),
        2 => driver::measure([a, b, cycles]),
        3 => driver::measure([a, b, c, cycles]),
        _ => driver::measure([a, b, c, d, cycles]),
    }
}

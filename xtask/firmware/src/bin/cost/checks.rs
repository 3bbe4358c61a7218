//! The driver beside what was written by hand.

use arm_pmu::Event;
use cortex_a8::{CortexA8Event, EventOrCycles, Selection};
use firmware::Checks;

use crate::driver::EVENTS;
use crate::{by_hand, driver};

pub fn all(checks: &mut Checks) {
    for counters in 1..=EVENTS.len() {
        let events = &EVENTS[..counters];
        let codes = EVENTS.map(|event| u32::from(event.code()));
        let codes = &codes[..counters];
        let (ours, exact) = driver::start_read_stop(events);
        let (theirs, exact_too) = by_hand::start_read_stop(codes);
        let bare = by_hand::bare(codes);
        checks.check(format_args!("{counters} counters and the cycles: exact"), exact && exact_too);
        for (nth, name) in ["start", "read", "stop"].into_iter().enumerate() {
            row(checks, name, counters, ours[nth], theirs[nth], bare[nth]);
        }
        row(checks, "measure", counters, measure(counters), by_hand::measure(codes), bare[0] + bare[2]);
    }
}

fn row(checks: &mut Checks, name: &str, counters: usize, ours: u32, by_hand: u32, bare: u32) {
    checks.note(format_args!("{name} {counters}: {ours}, by hand {by_hand}, {}%, bare {bare}", ours * 100 / by_hand));
}

fn measure(counters: usize) -> u32 {
    let [a, b, c, d] = EVENTS.map(|event: CortexA8Event| EventOrCycles::Event(Selection::event(event)));
    let cycles = EventOrCycles::Cycles;
    match counters {
        1 => driver::measure([a, cycles]),
        2 => driver::measure([a, b, cycles]),
        3 => driver::measure([a, b, c, cycles]),
        _ => driver::measure([a, b, c, d, cycles]),
    }
}

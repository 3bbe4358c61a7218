//! Other software moves the selector between any two accesses of the driver.

use super::*;

/// A timer handler moves the selector twice: while a counter is written, and while it is read back. Each case is hard
/// to detect: the counter that the handler selects looks programmed, or two differences fall on the same bit of the
/// compared word.
#[test]
fn selector_moved_twice_is_detected() {
    let instructions = INSTRUCTIONS.id() as u8;
    // Each row has the event and the value that a counter has while it is off, and then the start
    // value of the second counter.
    for (event, count, from) in [
        (instructions, 100, 0),
        // The driver combines all differences in one word: the event from bit 24 up, and the selector from bit 27 up.
        (instructions ^ 1, 1 << 24, 0),
        (instructions, 100, 1 << 27),
    ] {
        let measure = |when, selector| {
            let device = Device::new();
            device.set_posted_stores(false);
            for counter in 0..COUNTERS {
                device.poke_event(counter, event);
                device.poke_counter(counter, count);
            }
            let bus = disturbed(device.bus(), when, || device.other_owner_moves_selector(selector));
            let mut pmu = Pmu::new(bus);
            let [first, second, ..] = pmu.counters();
            first.count(INSTRUCTIONS);
            second.count_from(INSTRUCTIONS, from);
            let running = pmu.start();
            signal(&device, INSTRUCTIONS, 7);
            let now = running.counts();
            let pmu = running.stop();
            (now, pmu.counts(), accesses(&device))
        };
        let (.., all) = measure([usize::MAX; 2], 0);
        for selector in [0, 1] {
            for (first, second) in (0..all).flat_map(|a| (a..all).map(move |b| (a, b))) {
                let (now, then, _) = measure([first, second], selector);
                for count in [now[0], now[1], then[0], then[1]] {
                    let right = matches!(count.exact(), Ok(7) | Err(CountError::Disturbed));
                    assert!(right, "{selector} before {first} and {second}: {count}");
                }
            }
        }
    }
}

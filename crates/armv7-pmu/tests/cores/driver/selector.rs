//! Other software moves the selector between any two accesses of the driver.

use super::*;

/// A timer handler moves the selector twice: while a counter is written, and while it is read back. In each case, the
/// counter that the handler selects looks programmed, or two differences fall on the same bit of the compared word.
#[test]
fn selector_moved_twice_is_detected() {
    let instructions = INSTRUCTIONS.id() as u8;
    // Event and value of a counter that is off, and the start value of the second counter.
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

/// A timer handler moves the selector while a counter is rearmed. If a counter keeps an old value above the new
/// value, it seems to have counted.
#[test]
fn rearmed_counter_is_exact_or_disturbed() {
    let rearm = |when| {
        let device = Device::new();
        device.set_posted_stores(false);
        let bus = disturbed(device.bus(), [when; 2], || device.other_owner_moves_selector(1));
        let mut pmu = Pmu::new(bus);
        let [first, second, ..] = pmu.counters();
        first.overflow_after(INSTRUCTIONS, NonZeroU32::new(200).unwrap());
        second.count(MISSES);
        let mut running = pmu.start();
        signal(&device, INSTRUCTIONS, 7);
        let before = accesses(&device);
        running.rearm(0, NonZeroU32::new(1_000).unwrap());
        let after = accesses(&device);
        signal(&device, INSTRUCTIONS, 5);
        (running.stop().counts(), before..after)
    };
    let (counts, accesses) = rearm(usize::MAX);
    assert_eq!((counts[0].exact(), counts[1].exact()), (Ok(5), Ok(0)));
    let mut lost = 0;
    for when in accesses {
        let (counts, _) = rearm(when);
        // The write may have reached the counter that the handler selected.
        for (count, expected) in counts.into_iter().zip([5, 0]) {
            match count.exact() {
                Ok(count) => assert_eq!(count, expected, "{when}"),
                Err(why) => {
                    assert_eq!(why, CountError::Disturbed);
                    lost += 1;
                }
            }
        }
    }
    assert!(lost > 0);
}

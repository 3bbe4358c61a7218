// Other software moves the selector between any two accesses of the driver.

/// Both counters count the same event, so the selection does not distinguish them; the start values
/// differ between the two measurements.
fn tell(pmu: &mut DevicePmu<'_>, from: [u32; 4]) {
    let what = [INSTRUCTIONS, MISSES, INSTRUCTIONS, ACCESSES].into_iter().zip(from);
    for (counter, (event, from)) in pmu.counters().into_iter().zip(what) {
        counter.count_from(event, from);
    }
}

/// Signals one round of events; `ONCE` is the count of each counter.
fn happen(device: &Device) {
    signal(device, INSTRUCTIONS, 7);
    signal(device, MISSES, 30);
    signal(device, ACCESSES, 200);
}

const ONCE: [u32; 4] = [7, 30, 7, 200];

/// Runs two measurements in sequence. Returns the counts of each reading, with the number of rounds
/// before the reading.
fn measure(device: &Device) -> Vec<([Count; COUNTERS], u32)> {
    let mut pmu = Pmu::new(device.bus());
    let mut read = Vec::new();
    tell(&mut pmu, [500, 600, 700, 800]);
    let running = pmu.start();
    happen(device);
    read.push((running.counts(), 1));
    let mut pmu = running.stop();
    read.push((pmu.counts(), 1));
    // The same events, caused by another source.
    tell(&mut pmu, [5, 1_000, 0, 50]);
    let mut running = pmu.start();
    happen(device);
    read.push((running.counts(), 1));
    running.acknowledge();
    happen(device);
    read.push((running.counts(), 2));
    let running = running.stop().resume();
    happen(device);
    let pmu = running.stop();
    read.push((pmu.counts(), 3));
    let lost = pmu.counts()[..4].iter().any(|count| count.exact().is_err());
    assert_eq!(lost, pmu.interference().is_some());
    read
}

#[test]
fn moved_selector_gives_right_or_lost_counts() {
    let quiet = Device::new();
    measure(&quiet);
    let all = accesses(&quiet);
    for (noise, stale, posted) in [
        (Noise::Zeros, StaleSelector::Old, true),
        (Noise::Ones, StaleSelector::Random, false),
        (Noise::Seeded(1), StaleSelector::New, true),
        (Noise::Seeded(2), StaleSelector::Old, false),
    ] {
        for selector in [0, 1, 2, 3, 4, 31] {
            let mut with_loss = 0;
            for nth in 0..=all {
                let device = Device::new();
                device.set_noise(noise);
                device.power_up_with(noise);
                device.set_stale_selector(stale);
                device.set_posted_stores(posted);
                device.interrupt_moves_selector_after(nth, selector);
                let read = measure(&device);
                let mut lost = 0;
                for (counts, times) in read {
                    for (count, once) in counts.into_iter().zip(ONCE) {
                        match count.exact() {
                            Ok(count) => assert_eq!(
                                count,
                                once * times,
                                "selector {selector} before access {nth} of {all}"
                            ),
                            Err(why) => {
                                assert_eq!(why, CountError::Disturbed);
                                lost += 1;
                            }
                        }
                    }
                }
                assert!(nth < all || lost == 0, "nothing is lost without a reason");
                with_loss += usize::from(lost > 0);
                // Violations come from the handler's selector, not from the driver's.
                for violation in device.violations() {
                    assert_eq!(violation, Violation::ReservedSelector { selector });
                }
            }
            // The selector does not matter for most accesses.
            assert!((5..all).contains(&with_loss), "{with_loss} of {all}");
        }
    }
}

/// A timer handler moves the selector twice: while a counter is written, and while it is read back. The
/// counter selected then has the expected event and value, or differs in the same bits as another part of
/// the comparison.
#[test]
fn selector_moved_twice_is_detected() {
    let instructions = INSTRUCTIONS.id() as u8;
    // Event and value of a counter that is off, and the start value of the second counter.
    for (event, count, from) in [
        (instructions, 100, 0),
        // The driver compares one combined word, with the event from bit 24 up and the selector from bit 27 up.
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

/// A timer handler moves the selector while a counter is rearmed. A counter that keeps an old value above the new
/// one looks as if it had counted.
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

/// The selector's value before a call of the driver does not matter.
#[test]
fn selector_moved_between_calls_does_no_harm() {
    on_every_pmu(|device, pmu| {
        let running = pmu.start();
        for selector in 0..=31 {
            device.other_owner_moves_selector(selector);
            signal(device, INSTRUCTIONS, 1);
            assert_eq!(running.counts()[0].exact(), Ok(u32::from(selector) + 1));
        }
        device.other_owner_moves_selector(31);
        let pmu = running.stop();
        assert_eq!((pmu.interference(), pmu.counts()[0].exact()), (None, Ok(32)));
    });
}

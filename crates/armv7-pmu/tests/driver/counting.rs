// Events: counted, read, and started again.

#[test]
fn only_events_and_cycles_of_the_run_count() {
    on_every_pmu(|device, pmu| {
        signal(device, INSTRUCTIONS, 100);
        device.clock(1_000);
        let running = pmu.start();
        signal(device, INSTRUCTIONS, 7);
        signal(device, MISSES, 28);
        signal(device, FETCH_MISSES, 1);
        device.clock(640);
        let pmu = running.stop();
        signal(device, INSTRUCTIONS, 100);
        device.clock(1_000);
        let [instructions, unused, _, misses, ..] = pmu.counts();
        assert_eq!((instructions.exact(), unused), (Ok(7), Count::NOT_COUNTED));
        assert_eq!((misses.exact(), pmu.cycles().exact()), (Ok(28), Ok(640)));
        assert_eq!(pmu.interference(), None);
    });
}

/// Other events each time, so that every event is on every counter once.
#[test]
fn every_counter_counts_every_event() {
    on_every_device(|device| {
        let mut pmu = Pmu::new(device.bus());
        // Software increments are not signalled.
        let (_, signalled) = Device::EVENTS.split_first().unwrap();
        for first in 0..signalled.len() {
            let events: [u8; COUNTERS] = from_fn(|nth| signalled[(first + nth) % signalled.len()]);
            for (counter, event) in pmu.counters().into_iter().zip(events) {
                counter.count(Selection::from_id(event.into()).unwrap());
            }
            let running = pmu.start();
            for (times, event) in (10..).zip(events) {
                device.signal_raw(event, times);
            }
            pmu = running.stop();
            assert_eq!(pmu.counts(), from_fn(|nth| Count::new(10 + nth as u32)), "{events:x?}");
            assert_eq!((pmu.interference(), pmu.cycles()), (None, Count::NOT_COUNTED));
        }
    });
}

#[test]
fn start_counts_from_zero_and_resume_continues() {
    on_every_pmu(|device, pmu| {
        let running = pmu.resume();
        signal(device, INSTRUCTIONS, 5);
        device.clock(50);
        let running = running.stop().resume();
        signal(device, INSTRUCTIONS, 6);
        device.clock(60);
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(11), Ok(110)));
        let running = pmu.start();
        signal(device, INSTRUCTIONS, 2);
        device.clock(20);
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(2), Ok(20)));
    });
}

#[test]
fn a_new_selection_takes_effect_at_the_next_start() {
    on_every_pmu(|device, pmu| {
        let mut pmu = pmu.start().stop();
        let [first, second, ..] = pmu.counters();
        first.off();
        second.count(INSTRUCTIONS);
        pmu.cycle_counter().off();
        let running = pmu.resume();
        signal(device, INSTRUCTIONS, 5);
        let pmu = running.stop();
        let [first, second, ..] = pmu.counts();
        assert_eq!(
            (first.exact(), second, pmu.cycles().exact()),
            (Ok(5), Count::NOT_COUNTED, Ok(0))
        );
        let running = pmu.start();
        signal(device, INSTRUCTIONS, 5);
        let pmu = running.stop();
        let [first, second, ..] = pmu.counts();
        assert_eq!(
            (first, second.exact(), pmu.cycles()),
            (Count::NOT_COUNTED, Ok(5), Count::NOT_COUNTED)
        );
    });
}

#[test]
fn a_running_pmu_can_be_read_without_stopping_it() {
    on_every_pmu(|device, pmu| {
        let running = pmu.start();
        signal(device, INSTRUCTIONS, 5);
        signal(device, MISSES, 2);
        device.clock(50);
        let ([before, unused, _, misses, ..], cycles) = (running.counts(), running.cycles());
        assert_eq!((unused, misses.exact()), (Count::NOT_COUNTED, Ok(2)));
        signal(device, INSTRUCTIONS, 4);
        device.clock(40);
        assert_eq!(running.counts()[0].since(before).exact(), Ok(4));
        assert_eq!(running.cycles().since(cycles).exact(), Ok(40));
        assert_eq!(stores(device).last().unwrap().0, "PMSELR", "reading only selects");
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(9), Ok(90)));
    });
}

#[test]
fn a_wrap_is_an_overflow_and_never_a_small_number() {
    on_every_pmu(|device, pmu| {
        let running = pmu.start();
        device.poke_counter(0, u32::MAX - 1);
        device.poke(PMCCNTR, u32::MAX);
        let (before, cycles) = (running.counts()[0], running.cycles());
        signal(device, INSTRUCTIONS, 5);
        device.clock(3);
        let (after, later) = (running.counts()[0], running.cycles());
        assert_eq!((before.exact(), cycles.exact()), (Ok(u32::MAX - 1), Ok(u32::MAX)));
        assert!(after.overflowed() && later.overflowed());
        assert_eq!((after.since(before).exact(), later.since(cycles).exact()), (Ok(5), Ok(3)));
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].lower_bound(), (1 << 32) + 3);
        assert_eq!(pmu.cycles().exact(), Err(CountError::Overflowed));
        assert_eq!(pmu.counts()[3].exact(), Ok(0), "the other counter is none the worse");
    });
}

/// The counters wrap at every possible moment of a reading.
#[test]
fn a_wrap_during_a_reading_is_seen() {
    for left in 1..120 {
        let device = Device::new();
        let mut pmu = Pmu::new(device.bus());
        for counter in pmu.counters() {
            counter.count(CYCLE);
        }
        pmu.cycle_counter().count(product::Divider::By1);
        let running = pmu.start();
        for counter in 0..COUNTERS {
            device.poke_counter(counter, 0_u32.wrapping_sub(left));
        }
        device.poke(PMCCNTR, 0_u32.wrapping_sub(left));
        device.set_cycles_per_access(1);
        let cycles = running.cycles();
        for count in running.counts().into_iter().chain([cycles]) {
            let lower_bound = count.lower_bound();
            // Either just below the wrap, or just beyond it.
            assert!((0xFFFF_FF00..0x1_0000_0100).contains(&lower_bound), "{left}: {count}");
            assert_eq!(count.overflowed(), lower_bound >= 1 << 32);
        }
        assert_eq!(device.violations(), []);
    }
}

#[test]
fn an_acknowledged_overflow_is_remembered_until_the_next_start() {
    on_every_pmu(|device, pmu| {
        let mut running = pmu.start();
        assert_eq!(device.peek(PMOVSR), 0, "start clears what an earlier owner left");
        assert!(running.acknowledge().is_empty());
        device.poke_counter(0, u32::MAX);
        signal(device, INSTRUCTIONS, 1);
        let first = running.acknowledge();
        assert_eq!(first, only(&[0], false));
        assert_eq!(device.peek(PMOVSR), 0);
        device.poke(PMCCNTR, u32::MAX);
        device.clock(1);
        let second = running.acknowledge();
        assert_eq!(second, only(&[], true));
        assert!(running.counts()[0].overflowed() && running.cycles().overflowed());
        device.poke_counter(3, u32::MAX);
        signal(device, MISSES, 1);
        let pmu = running.stop();
        assert_eq!(device.peek(PMOVSR), 0);
        let overflowed = |pmu: &DevicePmu<'_>| {
            let [a, _, _, d, ..] = pmu.counts();
            [a, d, pmu.cycles()].map(Count::overflowed)
        };
        assert_eq!(overflowed(&pmu), [true; 3]);
        let pmu = pmu.resume().stop();
        assert_eq!(overflowed(&pmu), [true; 3], "resuming does not forget");
        let pmu = pmu.start().stop();
        assert_eq!(overflowed(&pmu), [false; 3], "starting does");
    });
}

/// A counter overflows between the look at the flags and the clearing of another's: at each access
/// of the acknowledgement one cycle passes.
#[test]
fn overflow_during_acknowledgement_is_kept() {
    let mut moments = [0; 3];
    for left in 1..8 {
        let device = Device::new();
        let mut pmu = Pmu::new(device.bus());
        let [first, second, ..] = pmu.counters();
        first.count(INSTRUCTIONS);
        second.count(CYCLE);
        let mut running = pmu.start();
        device.poke_counter(0, u32::MAX);
        signal(&device, INSTRUCTIONS, 1);
        device.poke_counter(1, 0_u32.wrapping_sub(left));
        device.set_cycles_per_access(1);
        let up = running.acknowledge();
        device.set_cycles_per_access(0);
        assert!(up.counters[0]);
        let pending = device.peek(PMOVSR);
        assert!(pending == 0 || pending == 0b10 && !up.counters[1], "cleared, or not seen yet");
        let wrapping_value = device.peek_counter(1) < 0x1000;
        assert_eq!(wrapping_value, up.counters[1] || pending != 0);
        moments[usize::from(wrapping_value) + usize::from(pending != 0)] += 1;
        let pmu = running.stop();
        assert!(pmu.counts()[0].overflowed());
        assert_eq!(pmu.counts()[1].overflowed(), up.counters[1] || pending != 0, "{left}");
    }
    assert!(moments.iter().all(|count| *count > 0), "before, in between and after: {moments:?}");
}

#[test]
fn a_flag_of_an_unused_counter_is_ignored() {
    on_every_pmu(|device, pmu| {
        let mut running = pmu.start();
        device.poke(PMOVSR, 0b0110);
        assert!(running.acknowledge().is_empty());
        assert_eq!(device.peek(PMOVSR), 0b0110);
        let mut pmu = running.stop();
        assert_eq!(device.peek(PMOVSR), 0b0110);
        pmu.acknowledge_all();
        assert_eq!(device.peek(PMOVSR), 0);
    });
}

#[test]
fn counters_start_from_their_start_values() {
    on_every_pmu(|device, mut pmu| {
        let [instructions, _, budget, ..] = pmu.counters();
        instructions.count_from(INSTRUCTIONS, 1_000);
        budget.overflow_after(INSTRUCTIONS, NonZeroU32::new(10).unwrap());
        let mut running = pmu.start();
        assert_eq!((device.peek_counter(0), device.peek_counter(2)), (1_000, u32::MAX - 9));
        signal(device, INSTRUCTIONS, 9);
        assert!(running.acknowledge().is_empty());
        assert_eq!(running.counts()[0].exact(), Ok(9), "the start value is not counted");
        signal(device, INSTRUCTIONS, 1);
        assert_eq!(running.acknowledge(), only(&[2], false));
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.counts()[2].lower_bound()), (Ok(10), 10));
        // Again from there, not from where they stopped.
        let pmu = pmu.start().stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.counts()[2].exact()), (Ok(0), Ok(0)));
    });
}

#[test]
fn software_increments_reach_only_their_counters() {
    on_every_pmu(|device, mut pmu| {
        let [_, by_event, by_number, ..] = pmu.counters();
        by_event.count(SOFTWARE);
        by_number.count(Selection::raw(0x00).unwrap());
        let mut running = pmu.start();
        device.clear_journal();
        for _ in 0..3 {
            running.increment();
        }
        assert_eq!(stores(device), [("PMSWINC", 0b0110); 3]);
        assert_eq!(running.counts().map(Count::wrapping_value)[..4], [0, 3, 3, 0]);
        running.increment();
        let mut pmu = running.stop();
        assert_eq!(pmu.counts().map(Count::exact)[..4], [Ok(0), Ok(4), Ok(4), Ok(0)]);
        let [_, by_event, by_number, ..] = pmu.counters();
        by_event.off();
        by_number.count(MISSES);
        let mut running = pmu.resume();
        running.increment();
        let mut running = running.stop().start();
        device.clear_journal();
        running.increment();
        assert_eq!(stores(device), [], "no counter counts that");
        let pmu = running.stop();
        let expected = [Ok(0), Err(CountError::NotCounted), Ok(0), Ok(0)];
        assert_eq!(pmu.counts().map(Count::exact)[..4], expected);
    });
}

#[test]
fn unlisted_events_are_counted_by_number() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, second, ..] = pmu.counters();
    first.count(Selection::raw(0x03).unwrap());
    second.count(Selection::raw(0x5D).unwrap());
    let running = pmu.start();
    signal(&device, MISSES, 3);
    let pmu = running.stop();
    assert_eq!((pmu.counts()[0].exact(), pmu.counts()[1].exact()), (Ok(3), Ok(0)));
    let reserved = Violation::ReservedEvent { counter: 1, event: 0x5D };
    assert_eq!(device.violations(), [reserved], "the caller asked for it");
}

#[test]
fn driver_shows_selections_and_returns_its_bus() {
    let device = Device::new();
    device.power_up_with(Noise::Ones);
    let mut pmu = Pmu::new(device.bus());
    let [misses, ..] = pmu.counters();
    misses.count(MISSES);
    assert!(format!("{pmu:?}").contains(&MISSES.to_string()));
    let running = pmu.start();
    assert!(format!("{running:?}").contains(&MISSES.to_string()));
    running.stop().release().synchronize();
    assert_eq!(device.peek(PMCR) & 1, 0, "it stays stopped");
}

#[test]
fn no_counts_or_writes_before_first_start() {
    on_every_pmu(|device, mut pmu| {
        pmu.cycles_need_debug(true);
        pmu.interrupts(product::Counters::ALL);
        assert_eq!(
            (pmu.counts(), pmu.cycles()),
            ([Count::NOT_COUNTED; COUNTERS], Count::NOT_COUNTED)
        );
        assert_eq!(pmu.interference(), None);
        assert_eq!(device.journal(), []);
    });
}

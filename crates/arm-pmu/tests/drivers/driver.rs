//! Tests how all drivers behave if unknown bits have any values, and if writes are posted or immediate. The random
//! programs in `random` check the counts.

use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::devices::{Device, on_every_driver};
use crate::traffic::{Item, Traffic};
use arm_pmu::count::{Count, CountError};
use arm_pmu::diagnose::Diagnose as _;
use arm_pmu::measure::{AssignError, Interference, Monitor, Rearm as _, RunningMonitor, StartStop};
use arm_pmu_sim::{Noise, Response};

type Running<'d, D> = <<D as Device>::Pmu<'d> as StartStop>::Running;

/// Calls `test` with devices in several states. Checks that the driver made no forbidden access.
fn on_every_device<D: Device>(test: impl Fn(&D)) {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2), Noise::Seeded(3)] {
        for (posted, variant) in (0..6).map(|n| (n % 2 == 1, n / 2)) {
            let device = D::new();
            device.vary(variant);
            device.set_unknown(noise);
            device.set_posted_stores(posted);
            test(&device);
            assert!(device.complaints().is_empty(), "{noise:?}: {:?}", device.complaints());
        }
    }
}

/// Two events, and the cycles if the PMU has a cycle counter.
fn selections<D: Device>() -> Vec<D::Selection> {
    let clock = <D::Pmu<'_> as Monitor>::CLOCK;
    D::selections()[..2].iter().copied().chain(clock).collect()
}

/// Causes events and cycles, and returns the expected counts of [`selections`].
fn happen<D: Device>(device: &D, times: [u32; 3]) {
    device.signal(0, times[0]);
    device.signal(1, times[1]);
    device.cycles(times[2].into());
}

fn start<'d, D: Device>(device: &'d D) -> Running<'d, D> {
    let mut pmu = device.pmu();
    pmu.assign(&selections::<D>()).unwrap();
    pmu.start()
}

fn stop<'d, D: Device>(running: Running<'d, D>) -> D::Pmu<'d> {
    <D::Pmu<'d> as StartStop>::stop(running)
}

fn counts<D: Device>(pmu: &mut D::Pmu<'_>) -> Vec<Result<u32, CountError>> {
    (0..selections::<D>().len()).map(|nth| pmu.count(nth).exact()).collect()
}

fn read<D: Device>(running: &Running<'_, D>) -> Vec<Count> {
    let mut counts = vec![Count::NOT_COUNTED; <Running<'_, D> as RunningMonitor>::COUNTERS];
    running.read(&mut counts);
    (0..selections::<D>().len()).map(|nth| counts[running.counter_of(nth)]).collect()
}

/// Expected counts; the last count is omitted if the PMU has no cycle counter.
fn exactly<D: Device>(counts: [u32; 3]) -> Vec<Result<u32, CountError>> {
    counts.map(Ok)[..selections::<D>().len()].to_vec()
}

/// Leaves the counters of event 0 and cycles two events before their wrap.
fn come_near_the_end<D: Device>(device: &D) {
    happen(device, [u32::MAX - 1, 0, u32::MAX - 1]);
}

fn a_wrap_is_reported_as_overflow<D: Device>() {
    if D::SATURATES {
        return; // Saturating counters do not wrap.
    }
    on_every_device::<D>(|device| {
        let running = start(device);
        come_near_the_end(device);
        let before = read::<D>(&running);
        happen(device, [5, 0, 5]);
        let after = read::<D>(&running);
        assert_eq!(before[0].exact(), Ok(u32::MAX - 1));
        for counter in [0, 2].into_iter().filter(|counter| *counter < after.len()) {
            assert_eq!(after[counter].exact(), Err(CountError::Overflowed));
            assert_eq!(after[counter].since(before[counter]).exact(), Ok(5));
        }
        assert_eq!(after[1].exact(), Ok(0), "the other counter is still exact");
        let mut pmu = stop::<D>(running);
        let stopped = pmu.count(0);
        assert_eq!((stopped.wrapping_value(), stopped.lower_bound()), (3, (1 << 32) + 3));
        assert_eq!((pmu.count(1).exact(), D::interference(&pmu)), (Ok(0), None));
    });
}

fn an_acknowledged_overflow_is_remembered_until_the_next_start<D: Device>() {
    on_every_device::<D>(|device| {
        let overflowed = |pmu: &mut D::Pmu<'_>| [0, 1].map(|nth| pmu.count(nth).exact().is_err());
        let mut running = start(device);
        assert!(!device.is_flag_set(), "a start clears the flags of an earlier owner");
        assert_eq!(running.take_overflows(), 0);
        happen(device, [u32::MAX, 0, 0]);
        device.signal(0, 1);
        assert!(device.is_flag_set() || D::SATURATES, "a wrapped counter sets its flag");
        assert_eq!(running.take_overflows(), 1);
        assert!(!device.is_flag_set());
        assert_eq!(running.take_overflows(), 0, "once");
        assert!(read::<D>(&running)[0].exact().is_err());
        // The other counter overflows before the stop.
        happen(device, [0, u32::MAX, 0]);
        device.signal(1, 1);
        let mut pmu = stop::<D>(running);
        assert!(!device.is_flag_set(), "a stop acknowledges");
        assert_eq!(overflowed(&mut pmu), [true; 2]);
        let mut pmu = stop::<D>(D::resume(pmu));
        assert_eq!(overflowed(&mut pmu), [true; 2], "a resumption keeps overflows");
        let mut pmu = stop::<D>(pmu.start());
        assert_eq!(overflowed(&mut pmu), [false; 2], "a start clears overflows");
    });
}

fn a_stopped_pmu_clears_stale_flags<D: Device>() {
    on_every_device::<D>(|device| {
        D::acknowledge_all(&mut device.pmu());
        assert!(!device.is_flag_set());
    });
}

fn counters_start_from_their_start_values<D: Device>() {
    // A saturating counter is full one event before a wrapping counter would wrap.
    let budget = NonZeroU32::new(10 + u32::from(D::SATURATES)).unwrap();
    on_every_device::<D>(|device| {
        let mut pmu = device.pmu();
        D::count_from(&mut pmu, 0, 0, 1_000);
        D::overflow_after(&mut pmu, 1, 1, budget);
        let mut running = pmu.start();
        happen(device, [9, 9, 0]);
        assert_eq!(running.take_overflows(), 0);
        let mut counts = [Count::NOT_COUNTED; 2];
        running.read(&mut counts);
        assert_eq!(counts.map(Count::exact), [Ok(9), Ok(9)], "the start value is not counted");
        happen(device, [1, 1, 0]);
        assert_eq!(running.take_overflows(), 0b10, "at the tenth");
        let pmu = stop::<D>(running);
        assert_eq!((D::counts(&pmu)[0].exact(), D::counts(&pmu)[1].lower_bound()), (Ok(10), 10));
        // The count restarts from its start value, not from the value at the stop.
        let mut running = pmu.start();
        happen(device, [0, 9, 0]);
        assert_eq!(running.take_overflows(), 0);
        running.read(&mut counts);
        assert_eq!(counts.map(Count::exact), [Ok(0), Ok(9)]);
    });
}

fn a_disabled_pmu_is_not_read_as_idle<D: Device>() {
    on_every_device::<D>(|device| {
        let running = start(device);
        happen(device, [7, 0, 5]);
        device.other_owner_enables_all(false);
        let is_disturbed = |count: &Count| count.exact() == Err(CountError::Disturbed);
        assert!(read::<D>(&running).iter().all(is_disturbed));
        let mut all = vec![Count::NOT_COUNTED; <Running<'_, D> as RunningMonitor>::COUNTERS];
        running.read(&mut all);
        let unused = all.iter().filter(|count| **count == Count::NOT_COUNTED).count();
        assert_eq!(unused, all.len() - selections::<D>().len());
        let mut pmu = stop::<D>(running);
        assert!(D::interference(&pmu).is_some_and(|lost| lost.disabled));
        assert!((0..selections::<D>().len()).all(|nth| is_disturbed(&pmu.count(nth))));
        let mut pmu = stop::<D>(D::resume(pmu));
        assert!(is_disturbed(&pmu.count(0)), "a resumption does not repair a count");
        let running = pmu.start();
        happen(device, [2, 3, 4]);
        let mut pmu = stop::<D>(running);
        assert_eq!((D::interference(&pmu), counts::<D>(&mut pmu)), (None, exactly::<D>([2, 3, 4])));
    });
}

/// Accesses fail during a start or a resumption, and work again before the stop. Because the start had no effect, the
/// counters count with an earlier owner's settings. Only the start or the resumption can detect the failure.
fn an_ignored_start_is_lost<D: Device>() {
    on_every_device::<D>(|device| {
        for resumes in [true, false] {
            let pmu = stop::<D>(start(device));
            device.respond_after(0, Response::Zero);
            let running = if resumes { D::resume(pmu) } else { pmu.start() };
            device.respond_after(0, Response::Registers);
            device.other_owner_enables_all(true);
            happen(device, [2, 3, 4]);
            let mut pmu = stop::<D>(running);
            assert!(D::interference(&pmu).is_some_and(|lost| lost.disabled), "{resumes}");
            assert_eq!(pmu.count(0).exact(), Err(CountError::Disturbed));
        }
    });
}

/// In drivers that read the enable, an acknowledgement also detects a disabled PMU.
fn acknowledging_a_disabled_pmu_is_lost<D: Device>() {
    on_every_device::<D>(|device| {
        let mut running = start(device);
        device.other_owner_enables_all(false);
        running.take_overflows();
        device.other_owner_enables_all(true);
        let reads_enable = !["armv7_pmu", "smmuv3_pmcg"].contains(&D::KIND);
        assert_eq!(stop::<D>(running).count(0).exact().is_err(), reads_enable);
    });
}

/// Rearming a counter that other software disabled does not repair its count.
fn rearming_a_disabled_pmu_is_lost<D: Device>() {
    on_every_device::<D>(|device| {
        let mut running = start(device);
        device.other_owner_enables_all(false);
        running.rearm(0, NonZeroU32::MAX);
        device.other_owner_enables_all(true);
        let mut pmu = stop::<D>(running);
        assert_eq!(pmu.count(0).exact(), Err(CountError::Disturbed));
        let mut running = pmu.start();
        assert_eq!(read::<D>(&running)[0].exact(), Ok(0));
        device.set_stores_ignored(true);
        running.rearm(0, NonZeroU32::MAX);
        device.set_stores_ignored(false);
        assert_eq!(read::<D>(&running)[0].exact(), Err(CountError::Disturbed));
    });
}

/// Another owner disables the PMU before an access of a call. A driver may disable and enable the PMU to clear a flag,
/// but leaves it disabled then.
fn no_call_enables_a_disabled_pmu<D: Device>() {
    for at in 0..60 {
        let device = D::new();
        device.hold_flags();
        let mut running = start(&device);
        overflow(&device, 0);
        device.world().begin(&[Traffic { at, item: Item::DisableAll }]);
        running.take_overflows();
        running.rearm(0, NonZeroU32::MAX);
        device.world().end(&device);
        assert_eq!(device.get(device.control()) & 1, 0, "{at}");
    }
}

/// An overflow flag from before a new budget does not count for the new budget.
fn a_flag_before_rearming_is_no_overflow<D: Device>() {
    let ten = NonZeroU32::new(10).unwrap();
    let device = D::new();
    let what: Vec<_> =
        D::selections()[..1].iter().copied().chain(<D::Pmu<'_> as Monitor>::CLOCK).collect();
    let mut pmu = device.pmu();
    pmu.assign(&what).unwrap();
    let mut running = pmu.start();
    for nth in 0..what.len() {
        let counter = running.counter_of(nth);
        let happens = |events: u32| match nth {
            0 => device.signal(0, events),
            _ => device.cycles(events.into()),
        };
        running.rearm(counter, ten);
        assert_eq!(running.take_overflows(), 0);
        // These events occur between the read of the flags and the next `rearm`.
        happens(12);
        running.rearm(counter, ten);
        let mut counts = vec![Count::NOT_COUNTED; counter + 1];
        running.read(&mut counts);
        assert_eq!(counts[counter], Count::new(0), "{nth}");
        assert_eq!(running.take_overflows(), 0, "{nth}");
        happens(9);
        running.read(&mut counts);
        assert_eq!(counts[counter], Count::new(9), "{nth}");
        happens(1);
        assert_eq!(running.take_overflows(), 1 << counter, "at the tenth");
    }
}

/// A failed access invalidates the counts of the current read or stop, and of all later ones.
fn counts_of_failed_accesses_are_bus_errors<D: Device>() {
    let exact = exactly::<D>([7, 28, 640]);
    let failed = vec![Err(CountError::BusError); exact.len()];
    for after in 0.. {
        let device = D::new();
        let mut pmu = device.pmu();
        pmu.assign(&selections::<D>()).unwrap();
        device.respond_after(after, Response::Error);
        let running = pmu.start();
        happen(&device, [7, 28, 640]);
        let read: Vec<_> = read::<D>(&running).iter().map(|count| count.exact()).collect();
        assert!([&exact, &failed].contains(&&read), "{after}: {read:?}");
        let mut pmu = stop::<D>(running);
        if counts::<D>(&mut pmu) == exact {
            assert_eq!((after > 0, read), (true, exact));
            break;
        }
        assert_eq!(counts::<D>(&mut pmu), failed, "{after}");
        let _ = pmu.diagnose_with(None, || ());
        assert_eq!(counts::<D>(&mut pmu), failed, "{after}: diagnosed");
        assert!(matches!(pmu.assign(&[]), Err(AssignError::BusError(_))));
        let mut pmu = stop::<D>(D::resume(pmu));
        assert_eq!(counts::<D>(&mut pmu), failed, "{after}: resumed");
    }
}

/// Another owner reprograms or disables counter 0, possibly before a new budget.
fn changed_counters_are_disturbed<D: Device>() {
    let changes = [Item::Select(0), Item::Disable(0)];
    // The counters of an ARM11 have no enables of their own.
    let changes = &changes[..if D::KIND == "arm11" { 1 } else { 2 }];
    for (change, rearms) in changes.iter().flat_map(|change| [(*change, false), (*change, true)]) {
        on_every_device::<D>(|device| {
            let mut running = start(device);
            device.apply(change);
            if rearms {
                running.rearm(0, NonZeroU32::MAX);
            }
            let mut pmu = stop::<D>(running);
            assert_eq!(D::interference(&pmu), Interference::new(0b1, false));
            let mut expected = exactly::<D>([0; 3]);
            expected[0] = Err(CountError::Disturbed);
            assert_eq!(counts::<D>(&mut pmu), expected);
        });
    }
}

/// Flags of unused counters are not acknowledged, raise no interrupt, and disturb no count.
fn flags_of_unused_counters_are_ignored<D: Device>() {
    if D::SATURATES {
        return; // Saturating counters have no flags.
    }
    on_every_device::<D>(|device| {
        let mut pmu = device.pmu();
        pmu.assign(&D::selections()[..1]).unwrap();
        D::interrupts(&mut pmu, 0b11);
        let mut running = pmu.start();
        device.flags().into_iter().for_each(|(at, bits)| device.set(at, device.get(at) | bits));
        assert_eq!(running.take_overflows(), 0b1);
        assert!(!device.is_interrupting());
        let mut pmu = stop::<D>(running);
        D::acknowledge_all(&mut pmu);
        assert!(!device.is_flag_set());
    });
}

/// Signals an event 2^32 times, so that its counter overflows.
fn overflow<D: Device>(device: &D, nth: usize) {
    device.signal(nth, u32::MAX);
    device.signal(nth, 1);
}

/// By default, no counter interrupts, whatever an earlier owner enabled.
fn only_chosen_counters_interrupt<D: Device>() {
    for (chosen, nth) in [None, Some(0), Some(0b01), Some(0b10), Some(0b11)]
        .into_iter()
        .flat_map(|chosen| [(chosen, 0), (chosen, 1)])
    {
        on_every_device::<D>(|device| {
            let mut pmu = device.pmu();
            pmu.assign(&D::selections()[..2]).unwrap();
            let interrupts = match chosen {
                Some(chosen) if D::interrupts(&mut pmu, chosen) => chosen >> nth & 1 == 1,
                _ => false,
            };
            let mut running = pmu.start();
            assert!(!device.is_interrupting(), "a start raises none");
            overflow(device, nth);
            assert_eq!(device.is_interrupting(), interrupts, "{chosen:?} {nth}");
            running.take_overflows();
            assert!(!device.is_interrupting(), "acknowledged");
        });
    }
}

fn a_choice_of_interrupts_holds_from_the_next_start<D: Device>() {
    on_every_device::<D>(|device| {
        let mut pmu = device.pmu();
        pmu.assign(&D::selections()[..2]).unwrap();
        D::interrupts(&mut pmu, 0b01);
        let mut pmu = stop::<D>(pmu.start());
        let has_interrupts = D::interrupts(&mut pmu, 0b10);
        let running = D::resume(pmu);
        overflow(device, 1);
        assert!(!device.is_interrupting(), "not yet");
        overflow(device, 0);
        assert_eq!(device.is_interrupting(), has_interrupts);
        let running = stop::<D>(running).start();
        assert!(!device.is_interrupting());
        overflow(device, 1);
        assert_eq!(device.is_interrupting(), has_interrupts);
        drop(running);
    });
}

fn unused_counters_have_no_selection<D: Device>() {
    let device = D::new();
    let mut pmu = device.pmu();
    D::count_from(&mut pmu, 1, 0, 0);
    let running = pmu.start();
    for counter in 0..=<Running<'_, D> as RunningMonitor>::COUNTERS {
        let expected = (counter == 1).then(|| D::selections()[0]);
        assert_eq!(running.selection(counter), expected, "{counter}");
    }
}

fn an_assignment_of_too_many_selections_changes_nothing<D: Device>() {
    let device = D::new();
    let mut pmu = device.pmu();
    let clock = <D::Pmu<'_> as Monitor>::CLOCK.filter(|_| D::HAS_CYCLE_COUNTER);
    let counters = <D::Pmu<'_> as Monitor>::COUNTERS - usize::from(D::HAS_CYCLE_COUNTER);
    let all = D::selections();
    let what: Vec<_> = clock.into_iter().chain(vec![all[0]; counters]).collect();
    assert_eq!(pmu.assign(&what), Ok(()), "as many selections as counters");
    pmu.run(|| happen(&device, [6, 0, 60]));
    for (nth, selection) in what.iter().enumerate() {
        let expected = if Some(*selection) == clock { 60 } else { 6 };
        assert_eq!(pmu.count(nth), Count::new(expected));
    }
    assert_eq!(pmu.count(what.len()), Count::NOT_COUNTED);
    let asked = counters + 1;
    assert_eq!(pmu.assign(&vec![all[1]; asked]), Err(AssignError::TooMany { asked, counters }));
    if let Some(clock) = clock {
        assert_eq!(pmu.assign(&[clock, all[1], clock]), Err(AssignError::CyclesTwice));
    }
    pmu.run(|| happen(&device, [2, 9, 20]));
    assert_eq!(pmu.count(what.len() - 1), Count::new(2), "nothing has changed");
}

fn panicking_work_leaves_the_pmu_stopped<D: Device>() {
    let device = D::new();
    let mut pmu = device.pmu();
    pmu.assign(&selections::<D>()).unwrap();
    let work = AssertUnwindSafe(|| {
        pmu.run(|| {
            happen(&device, [5, 4, 50]);
            resume_unwind(Box::new(()));
        })
    });
    assert!(catch_unwind(work).is_err());
    happen(&device, [100, 100, 100]);
    assert_eq!(counts::<D>(&mut pmu), exactly::<D>([5, 4, 50]));
}

fn drivers_show_their_selections<D: Device>() {
    let device = D::new();
    let name = format!("{:?}", D::selections()[0]);
    let name = name.trim_start_matches("Event(").trim_end_matches("))");
    let mut pmu = device.pmu();
    pmu.assign(&D::selections()[..1]).unwrap();
    assert!(format!("{pmu:?}").contains(name), "{pmu:?}");
    let running = pmu.start();
    assert!(format!("{running:?}").contains(name), "{running:?}");
}

on_every_driver! { $
    a_wrap_is_reported_as_overflow
    an_acknowledged_overflow_is_remembered_until_the_next_start
    a_stopped_pmu_clears_stale_flags
    counters_start_from_their_start_values
    a_disabled_pmu_is_not_read_as_idle
    an_ignored_start_is_lost
    acknowledging_a_disabled_pmu_is_lost
    rearming_a_disabled_pmu_is_lost
    no_call_enables_a_disabled_pmu
    a_flag_before_rearming_is_no_overflow
    counts_of_failed_accesses_are_bus_errors
    changed_counters_are_disturbed
    flags_of_unused_counters_are_ignored
    only_chosen_counters_interrupt
    a_choice_of_interrupts_holds_from_the_next_start
    unused_counters_have_no_selection
    an_assignment_of_too_many_selections_changes_nothing
    panicking_work_leaves_the_pmu_stopped
    drivers_show_their_selections
}

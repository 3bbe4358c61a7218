//! With every driver, runs sequences of calls that once gave a wrong count or the count of another event.

use crate::devices::{Device, on_every_driver};
use arm_pmu::count::{Amount, Count, CountError};
use arm_pmu::measure::{
    CountSnapshot, Intervals, Monitor, RunningMonitor, StartStop, Totals, measure,
};
use arm_pmu::schedule::EventSet;
use arm_pmu_sim::Response;

/// Signals this many events, possibly more than a counter can hold.
fn happens<D: Device>(device: &D, nth: usize, mut times: u64) {
    while times > 0 {
        let now = u32::try_from(times).unwrap_or(1 << 31);
        device.signal(nth, now);
        times -= u64::from(now);
    }
}

const WRAP: u64 = 1 << 32;

/// A flag is one bit, so the number of overflows before the first reading is unknown, even if some were acknowledged.
fn totals_begin_after_overflows<D: Device>() {
    if D::SATURATES || D::LONG {
        return; // Saturating counters do not wrap, and 64-bit counts stay exact.
    }
    let device = &D::new();
    let mut pmu = device.pmu();
    for acknowledged in [0, 1, 2] {
        pmu.assign(&D::selections()[..1]).unwrap();
        let mut running = pmu.start();
        for _ in 0..acknowledged {
            happens(device, 0, WRAP);
            assert_eq!(running.take_overflows(), 1);
        }
        let of_this_one = if acknowledged == 0 { WRAP } else { 0 };
        happens(device, 0, of_this_one + 5);
        let mut totals = Totals::<1>::of(&mut running);
        let total = (totals.get(0), totals.lower_bound(0));
        assert_eq!(total, (Err(CountError::Overflowed), WRAP + 5), "{acknowledged}");
        let mut intervals = Intervals::<_, 1>::of(&mut running, 0);
        happens(device, 0, 3);
        totals.update(&mut running);
        assert_eq!(totals.lower_bound(0), WRAP + 8);
        // From here, all overflows are known.
        assert_eq!(intervals.next(&mut running, 1).amounts, [Amount::new(3)]);
        let whole = intervals.snapshot(&mut running, 2).amounts();
        assert_eq!(whole, [Amount::invalid(WRAP + 8, CountError::Overflowed)]);
        pmu = <D::Pmu<'_> as StartStop>::stop(running);
    }
}

fn silent_devices_add_nothing<D: Device>() {
    let device = &D::new();
    let mut pmu = device.pmu();
    pmu.assign(&D::selections()[..2]).unwrap();
    let mut running = pmu.start();
    happens(device, 0, 100);
    let mut totals = Totals::<2>::of(&mut running);
    let mut intervals = Intervals::<_, 2>::of(&mut running, 0);
    device.respond_after(0, Response::Ones);
    let fresh = Totals::<2>::of(&mut running);
    let fresh_intervals = Intervals::<_, 2>::of(&mut running, 0).snapshot(&mut running, 0);
    totals.update(&mut running);
    let amounts = intervals.next(&mut running, 0).amounts;
    for counter in [0, 1] {
        for totals in [&totals, &fresh] {
            assert!(matches!(
                totals.get(counter),
                Err(CountError::BusError | CountError::Disturbed)
            ));
            assert_eq!(totals.lower_bound(counter), 0);
        }
        for amount in [fresh_intervals.amounts()[counter], amounts[counter]] {
            assert!(
                matches!(amount.estimate(), Err(CountError::BusError | CountError::Disturbed)),
                "{amount}"
            );
        }
    }
    // The count after the stop is an error too.
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    assert!(pmu.count(0).exact().is_err());
}

/// Other code acknowledges an overflow through the driver, between two updates.
fn overflows_are_acknowledged_between_updates<D: Device>() {
    if D::SATURATES || D::LONG {
        return; // Saturating counters do not wrap, and 64-bit counts stay exact.
    }
    let device = &D::new();
    let mut pmu = device.pmu();
    pmu.assign(&D::selections()[..1]).unwrap();
    let mut running = pmu.start();
    happens(device, 0, 100);
    let mut totals = Totals::<1>::of(&mut running);
    happens(device, 0, WRAP + 7);
    assert_eq!(running.take_overflows(), 1);
    totals.update(&mut running);
    let total = (totals.get(0), totals.lower_bound(0));
    assert_eq!(total, (Err(CountError::Overflowed), WRAP + 107));
}

/// After the last update, more events occur than a counter can hold.
fn passes_end_long_after_an_update<D: Device>() {
    if D::SATURATES || D::LONG {
        return; // Saturating counters do not wrap, and 64-bit counts stay exact.
    }
    let device = &D::new();
    // The first case has no earlier overflow, the second has one.
    for parts in [[100, 0, WRAP + 7], [1 << 31, 1 << 31, WRAP + 7]] {
        let mut pmu = device.pmu();
        let all = D::selections();
        let plan = EventSet::<_, 1>::of([all[0]]);
        let sum: u64 = parts.iter().sum();
        let [first, second, last] = parts;
        let schedule = plan.schedule(&mut pmu).unwrap();
        let (mut pmu, passes) = schedule.run_long(pmu, |keep_up| {
            for part in [first, second] {
                happens(device, 0, part);
                keep_up();
            }
            happens(device, 0, last);
        });
        let amount = passes.unwrap().amount(all[0]);
        assert_eq!((amount.estimate(), amount.lower_bound()), (Err(CountError::Overflowed), sum));

        let mut rotation = plan.schedule(&mut pmu).unwrap().rotate(pmu, 0);
        for part in [first, second] {
            happens(device, 0, part);
            rotation.update();
        }
        happens(device, 0, last);
        let (_, rotated) = rotation.stop(1);
        let amount = rotated.amount(all[0]);
        assert_eq!((amount.estimate(), amount.lower_bound()), (Err(CountError::Overflowed), sum));
    }
}

/// Continues the intervals after the PMU was stopped and got other selections.
fn intervals_follow_changed_selections<D: Device>() {
    let device = &D::new();
    let mut pmu = device.pmu();
    let all = D::selections();
    pmu.assign(&all[..2]).unwrap();
    let mut running = pmu.start();
    happens(device, 0, 3);
    happens(device, 1, 4);
    let mut intervals = Intervals::<_, 2>::of(&mut running, 0);
    let expected = [(all[0], Count::new(3)), (all[1], Count::new(4))];
    assert!(CountSnapshot::<_, 2>::of(&running).pairs().eq(expected));
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    pmu.assign(&[all[1], all[2]]).unwrap();
    let mut running = pmu.start();
    happens(device, 0, 10);
    happens(device, 1, 20);
    happens(device, 2, 30);
    let amounts = intervals.next(&mut running, 1).amounts;
    assert!(
        amounts.iter().all(|amount| amount.estimate() == Err(CountError::Disturbed)),
        "{amounts:?}"
    );
    let mut intervals = Intervals::<_, 2>::of(&mut running, 1);
    assert_eq!(intervals.selections(), &[Some(all[1]), Some(all[2])]);
    let expected = [(all[1], Amount::new(20)), (all[2], Amount::new(30))];
    assert!(intervals.snapshot(&mut running, 1).pairs().eq(expected));
    // The counts start from zero again.
    let pmu = <D::Pmu<'_> as StartStop>::stop(running);
    let mut running = pmu.start();
    happens(device, 1, 19);
    happens(device, 2, 31);
    let [amount, _] = intervals.next(&mut running, 3).amounts;
    assert_eq!(amount.estimate(), Err(CountError::Disturbed));
}

/// An assignment for a measurement does not affect counters that are configured individually afterwards.
fn counters_can_be_set_individually_afterwards<D: Device>() {
    let clock = <D::Pmu<'_> as Monitor>::CLOCK.filter(|_| D::HAS_CYCLE_COUNTER);
    let Some(cycles) = clock else { return };
    let (device, event) = (&D::new(), D::selections()[0]);
    let mut pmu = device.pmu();
    let measured = measure(&mut pmu, [cycles, event], || device.cycles(7)).unwrap();
    assert_eq!(measured.counts, [7, 0].map(Count::new));
    D::count_from(&mut pmu, 0, 0, 0);
    D::set_cycles(&mut pmu, Some(0));
    assert_eq!(
        [0, 1].map(|nth| pmu.count(nth)),
        measured.counts,
        "the counts of the last run remain"
    );
    let mut running = pmu.start();
    let mut intervals = Intervals::<_, 2>::of(&mut running, 0);
    happens(device, 0, 111);
    device.cycles(987_654);
    let expected = [(event, Amount::new(111)), (cycles, Amount::new(987_654))];
    assert!(intervals.next(&mut running, 1).pairs().eq(expected));
    let snapshot = CountSnapshot::<_, 2>::of(&running);
    assert_eq!(snapshot.count(event), Count::new(111));
    assert_eq!(snapshot.count(cycles), Count::new(987_654));
    let cycles_first = snapshot.to_string().lines().position(|line| line.ends_with("cycles"));
    assert_eq!(cycles_first, Some(1), "{snapshot}");
}

on_every_driver! { $
    totals_begin_after_overflows
    silent_devices_add_nothing
    overflows_are_acknowledged_between_updates
    passes_end_long_after_an_update
    intervals_follow_changed_selections
    counters_can_be_set_individually_afterwards
}

//! Estimates from multiplexed counts.

use crate::support::{Of, Pmu};
use arm_pmu_core::count::{Amount, Count, CountError, Scaling};
use arm_pmu_core::measure::RunningMonitor;
use arm_pmu_core::metric::MetricError;
use arm_pmu_core::schedule::EventSet;

#[test]
fn selections_scale_by_their_cycles_share() {
    let mut pmu = Pmu::<1, true>::new();
    let work = pmu.work.clone();
    let schedule = EventSet::<char, 2>::of(['x', 'y']).schedule(&mut pmu).unwrap();
    let mut rotation = schedule.rotate(pmu, 0);
    // Time slices of x, y, x, y, x. The caller's time stamps do not matter here.
    for (cycles, x, y) in [(100, 10, 70), (300, 90, 30), (200, 30, 70), (300, 70, 60)] {
        work.happens('c', cycles);
        work.happens('x', x);
        work.happens('y', y);
        rotation.rotate(0);
    }
    work.happens('c', 100);
    work.happens('x', 20);
    assert!(rotation.running().is_some());
    let shown = format!("{rotation:?}");
    assert!(
        shown.starts_with("MultiplexedRun { running: Some(Pmu {") && shown.contains("samples: [")
    );
    let (pmu, rotated) = rotation.stop(77);
    assert_eq!(pmu.unwrap().runs, ["cx", "cy", "cx", "cy", "cx"]);
    let [x, y]: [_; 2] = rotated.counts().collect::<Vec<_>>().try_into().unwrap();
    let share = |counted| Scaling { time_running: counted, time_enabled: 1_000 };
    assert_eq!((x.selection, x.amount), ('x', Amount::scaled(60, share(400))));
    assert_eq!((x.amount.to_string(), x.slices), ("~150".to_owned(), 3));
    assert_eq!((y.amount, y.slices), (Amount::scaled(90, share(600)).in_pass(1), 2));
    // The lowest rate of x is 10 in 100 cycles, the highest 20 in 100.
    assert_eq!((x.least.estimate(), x.most.estimate()), (Ok(100), Ok(200)));
    assert_eq!((y.least.estimate(), y.most.estimate()), (Ok(100), Ok(200)));
    assert_eq!(rotated.amount('y'), y.amount);
    assert_eq!(rotated.amount('q'), Amount::NOT_COUNTED);
    assert_eq!(rotated.pairs().count(), 2);
}

#[test]
fn metrics_use_counts_of_common_slices() {
    let mut pmu = Pmu::<3, true>::new();
    let work = pmu.work.clone();
    let mut plan = EventSet::<char, 4>::new();
    plan.add_group(&['p', 'w', 'l']).unwrap();
    plan.each(&['x']).unwrap();
    let mut rotation = plan.schedule(&mut pmu).unwrap().rotate(pmu, 0);
    for (part, whole) in [(5, 10), (100, 1), (1, 10)] {
        work.happens('c', 100);
        work.happens('p', part);
        work.happens('w', whole);
        rotation.rotate(0);
    }
    work.happens('c', 100);
    let (_, rotated) = rotation.stop(0);
    assert_eq!(rotated.metric(&Of::<0>).to_string(), "~30.00 %  (12 / 40)");

    let mut pmu = Pmu::<1, true>::new();
    let mut rotation = plan.schedule(&mut pmu).unwrap().rotate(pmu, 0);
    for _ in 0..4 {
        rotation.rotate(0);
    }
    let (_, rotated) = rotation.stop(0);
    let apart = rotated.metric(&Of::<0>).exact();
    assert!(
        matches!(apart, Err(MetricError::Doubtful { .. } | MetricError::OtherPass { .. })),
        "{apart:?}"
    );
}

#[test]
fn a_clock_reference_event_gives_the_time() {
    for (reference, share) in [('c', 300), ('w', 10)] {
        let mut pmu = Pmu::<2, true>::new();
        let work = pmu.work.clone();
        let mut plan = EventSet::<char, 4>::new();
        plan.reference(reference);
        plan.add_group(&['x', 'v']).unwrap();
        plan.add_group(&['y', 'u']).unwrap();
        let mut rotation = plan.schedule(&mut pmu).unwrap().rotate(pmu, 0);
        for (cycles, now) in [(300, 10), (100, 30)] {
            work.happens('c', cycles);
            work.happens('w', 5);
            work.happens('x', 6);
            rotation.rotate(now);
        }
        let (pmu, rotated) = rotation.stop(30);
        let runs = pmu.unwrap().runs;
        assert!(runs.iter().all(|run| run.starts_with(reference)), "{runs:?}");
        assert_eq!(rotated.amount('x').scaling().time_running, share, "{reference}, {runs:?}");
    }
}

#[test]
fn a_selection_without_a_slice_is_not_counted() {
    let start = || {
        let mut pmu = Pmu::<1, false>::new();
        let work = pmu.work.clone();
        let schedule = EventSet::<char, 2>::of(['x', 'y']).schedule(&mut pmu).unwrap();
        (work, schedule.rotate(pmu, 1_000))
    };
    // No slice counted y. The only slice counted x, so its count is exact.
    let (work, rotation) = start();
    work.happens('x', 10);
    let (_, rotated) = rotation.stop(1_050);
    assert_eq!(
        [rotated.amount('x'), rotated.amount('y')],
        [Amount::new(10), Amount::NOT_COUNTED.in_pass(1)]
    );
    // The slice of y is shorter than one tick of the caller's clock.
    let (work, mut rotation) = start();
    work.happens('x', 10);
    rotation.rotate(1_050);
    work.happens('y', 10);
    let (_, rotated) = rotation.stop(1_050);
    assert_eq!(
        rotated.amount('x').exact().map_err(|why| matches!(why, CountError::Estimated)),
        Err(true)
    );
    assert_eq!(rotated.amount('y'), Amount::NOT_COUNTED.in_pass(1));
    // The first slice of x is also shorter than one tick. The lowest and highest rates come from
    // the longer slices.
    let (work, mut rotation) = start();
    for now in [1_000, 1_020, 1_050] {
        work.happens('x', 10);
        rotation.rotate(now);
    }
    let (_, rotated) = rotation.stop(1_060);
    let x = rotated.counts().next().unwrap();
    assert_eq!((x.amount.estimate(), x.slices), (Ok(40), 2));
    assert_eq!((x.least.estimate(), x.most.estimate()), (Ok(20), Ok(20)));
}

#[test]
fn a_single_pass_is_counted_all_the_time() {
    let mut pmu = Pmu::<2, true>::new();
    let work = pmu.work.clone();
    let schedule = EventSet::<char, 2>::of(['x', 'y']).schedule(&mut pmu).unwrap();
    let mut rotation = schedule.rotate(pmu, 0);
    for now in 1..4 {
        work.happens('x', 10);
        rotation.rotate(now);
    }
    let (pmu, rotated) = rotation.stop(9);
    assert_eq!(pmu.unwrap().runs, ["cxy"]);
    assert_eq!([rotated.amount('x'), rotated.amount('y')], [30, 0].map(Amount::new));
    let count = rotated.counts().next().unwrap();
    assert_eq!([count.least, count.most], [Amount::new(30); 2]);
}

#[test]
fn taking_flags_keeps_the_slice() {
    let mut pmu = Pmu::<1, true>::new();
    let work = pmu.work.clone();
    let schedule = EventSet::<char, 2>::of(['x', 'y']).schedule(&mut pmu).unwrap();
    let mut rotation = schedule.rotate(pmu, 0);
    work.happens('x', (1 << 32) + 5);
    let mut counts = [Count::NOT_COUNTED; 2];
    rotation.running().unwrap().read(&mut counts);
    assert_eq!((counts[1].lower_bound(), rotation.take_overflows()), ((1 << 32) + 5, 0b10));
    assert_eq!(rotation.take_overflows(), 0);
    let (_, rotated) = rotation.stop(0);
    assert_eq!(rotated.amount('x').exact(), Err(CountError::Overflowed));
}

/// If an estimate exceeds 64 bits, the sum of the counted events is the lower bound.
#[test]
fn estimates_beyond_64_bits_are_invalid() {
    const MANY: u64 = (1 << 32) - 1;
    let mut pmu = Pmu::<1, false>::new();
    let work = pmu.work.clone();
    let schedule = EventSet::<char, 2>::of(['x', 'y']).schedule(&mut pmu).unwrap();
    let mut rotation = schedule.rotate(pmu, 0);
    work.happens('x', MANY);
    rotation.rotate(1);
    let (_, rotated) = rotation.stop(1 << 40);
    let x = rotated.counts().next().unwrap();
    for amount in [x.amount, x.least, x.most] {
        assert_eq!((amount.exact(), amount.lower_bound()), (Err(CountError::Overflowed), MANY));
    }
}

#[test]
fn a_failed_slice_setup_invalidates_its_selections() {
    let mut pmu = Pmu::<1, false>::new();
    let work = pmu.work.clone();
    let schedule = EventSet::<char, 2>::of(['x', 'y']).schedule(&mut pmu).unwrap();
    let mut rotation = schedule.rotate(pmu, 0);
    work.happens('x', 10);
    rotation.running().unwrap().broken.set(true);
    rotation.rotate(10);
    work.happens('x', 10);
    let (_, rotated) = rotation.stop(20);
    assert_eq!(rotated.amount('x').estimate(), Ok(20));
    assert_eq!(rotated.amount('y').estimate(), Err(CountError::BusError));
}

/// Counts cannot be scaled without the total time.
#[test]
fn a_slice_without_length_invalidates_amounts() {
    let mut pmu = Pmu::<1, true>::new();
    let work = pmu.work.clone();
    let schedule = EventSet::<char, 2>::of(['x', 'y']).schedule(&mut pmu).unwrap();
    let mut rotation = schedule.rotate(pmu, 0);
    for lost in [false, true, false] {
        work.happens('c', 100);
        work.happens('x', 10);
        rotation.running().unwrap().lost.set(lost);
        rotation.rotate(0);
    }
    let (_, rotated) = rotation.stop(0);
    for count in rotated.counts() {
        // The bounds `least` and `most`, which are estimates from single slices, must be errors
        // too.
        for amount in [count.amount, count.least, count.most] {
            assert_eq!(amount.estimate(), Err(CountError::Disturbed), "{}", count.selection);
        }
    }
}

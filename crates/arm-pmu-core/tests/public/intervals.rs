//! Intervals of a long run, and snapshots of its counters.

use arm_pmu_core::count::{Amount, Count, CountError, Scaling};
use arm_pmu_core::measure::{CountSnapshot, Intervals};

use crate::support::Running;

/// The first counter counts the second selection.
fn counts([first, second]: [Count; 2], flags: u32) -> Running<char> {
    Running { flags, ..Running::of(['a', 'b'], [second, first]) }
}

fn running(first: u32, second: u32) -> Running<char> {
    counts([first, second].map(Count::new), 0)
}

/// Values after an overflow of the second counter. A set flag shows that the overflow happened after the last reading.
fn wrapping_value(first: u32, second: u32, flags: u32) -> Running<char> {
    counts([Count::new(first), Count::invalid(second, CountError::Overflowed)], flags)
}

#[test]
fn each_interval_begins_where_the_last_ended() {
    let mut pmu = running(1, 10);
    let mut intervals = Intervals::<_, 3>::of(&mut pmu, 5);
    let selections = [Some('a'), Some('b'), None];
    assert_eq!(intervals.selections(), &selections);
    let expected = |a, b| [Amount::new(a), Amount::new(b), Amount::NOT_COUNTED];
    let first = intervals.next(&mut running(4, 30), 6);
    assert_eq!((first.from, first.to), (5, 6));
    assert_eq!((first.selections, first.amounts), (selections, expected(20, 3)));
    let pairs = [('a', Amount::new(20)), ('b', Amount::new(3))];
    assert!(first.pairs().eq(pairs));
    // Counter 1 wraps in the middle of an interval.
    intervals.update(&mut wrapping_value(4, 7, 0));
    let second = intervals.next(&mut wrapping_value(5, 8, 0b10), 9);
    assert_eq!((second.from, second.to), (6, 9));
    assert_eq!(second.amounts, expected((1 << 32) - 30 + 8, 1));
    let snapshot = intervals.snapshot(&mut wrapping_value(5, 8, 0), 10);
    assert_eq!((snapshot.at(), snapshot.amounts()), (10, expected((1 << 32) + 8, 5)));
    let pairs = [('a', Amount::new((1 << 32) + 8)), ('b', Amount::new(5))];
    assert!(snapshot.pairs().eq(pairs));
}

#[test]
fn an_error_affects_only_its_own_interval() {
    let mut intervals = Intervals::<_, 1>::of(&mut running(0, 10), 0);
    let [amount] = intervals.next(&mut wrapping_value(0, 12, 0b10), 1).amounts;
    assert_eq!(amount, Amount::invalid((1 << 32) + 2, CountError::Overflowed));
    assert_eq!(intervals.next(&mut wrapping_value(0, 15, 0), 2).amounts, [Amount::new(3)]);
    let whole = intervals.snapshot(&mut wrapping_value(0, 15, 0), 3).amounts();
    assert!(whole[0].exact().is_err(), "the total is still a lower bound");

    let mut broken = counts([Count::invalid(99, CountError::BusError); 2], 0);
    let [amount] = intervals.next(&mut broken, 4).amounts;
    assert_eq!(amount.estimate(), Err(CountError::BusError));
    // This interval starts with an invalid value.
    let [amount] = intervals.next(&mut wrapping_value(0, 120, 0), 5).amounts;
    assert_eq!(amount.estimate(), Err(CountError::BusError));
    assert_eq!(intervals.next(&mut wrapping_value(0, 121, 0), 6).amounts, [Amount::new(1)]);
    // An invalid reading between two valid readings.
    intervals.update(&mut broken);
    let [amount] = intervals.next(&mut wrapping_value(0, 130, 0), 7).amounts;
    assert_eq!(amount.estimate(), Err(CountError::BusError));
}

/// The difference is a lower bound only if both readings are valid.
#[test]
fn a_bad_reading_gives_no_lower_bound() {
    let reading = |value, why| counts([Count::invalid(value, why); 2], 0);
    let full = || reading(50, CountError::Saturated);
    let mut intervals = Intervals::<_, 1>::of(&mut full(), 0);
    let mut disturbed = reading(51, CountError::Disturbed);
    let [amount] = intervals.next(&mut disturbed, 1).amounts;
    assert_eq!((amount.exact(), amount.lower_bound()), (Err(CountError::Disturbed), 0));
    let whole = intervals.snapshot(&mut full(), 2).amounts();
    assert_eq!(whole, [Amount::invalid(50, CountError::Saturated)]);
    // This interval starts with an invalid value.
    let [amount] = intervals.next(&mut full(), 3).amounts;
    assert_eq!((amount.exact(), amount.lower_bound()), (Err(CountError::Disturbed), 0));
    let [amount] = intervals.next(&mut full(), 4).amounts;
    assert_eq!((amount.exact(), amount.lower_bound()), (Err(CountError::Saturated), 0));
}

#[test]
fn counts_of_another_selection_are_disturbed() {
    let mut intervals = Intervals::<_, 2>::of(&mut running(0, 10), 0);
    let first = intervals.snapshot(&mut running(0, 10), 0);
    let mut other = running(5, 20);
    other.selections[0] = Some('x');
    let interval = intervals.next(&mut other, 1);
    let [a, b] = interval.amounts;
    assert_eq!((a.estimate(), b), (Err(CountError::Disturbed), Amount::new(5)));
    let mut intervals = Intervals::<_, 2>::of(&mut other, 0);
    let [a, b] = intervals.snapshot(&mut other, 0).since(&first).amounts;
    assert_eq!((a.estimate(), b), (Err(CountError::Disturbed), Amount::new(5)));
}

/// The amount is in cycles, although the counter counts every 64th cycle.
#[test]
fn every_64th_cycle_gives_an_amount_of_cycles() {
    let with_cycles = |cycles, events| Running {
        by_64: Some('c'),
        ..Running::of(['a', 'c'], [events, cycles].map(Count::new))
    };
    let by_64 = Scaling { time_running: 1, time_enabled: 64 };
    let cycles = |counts| Amount::scaled(counts, by_64);
    let mut intervals = Intervals::<_, 2>::of(&mut with_cycles(1, 50), 0);
    let mut pmu = with_cycles(11, 690);
    let interval = intervals.next(&mut pmu, 1);
    assert_eq!(interval.amounts, [Amount::new(640), cycles(10)]);
    let snapshot = intervals.snapshot(&mut pmu, 2);
    assert_eq!(snapshot.amounts(), [Amount::new(690), cycles(11)]);
    let snapshot = CountSnapshot::<_, 2>::of(&pmu);
    assert!(snapshot.amounts().eq([('a', Amount::new(690)), ('c', cycles(11))]));
    assert_eq!(snapshot.to_string(), "          690  a\n         ~704  c");
    assert_eq!(snapshot.count('c'), Count::new(11));

    arm_pmu_core::metric! {
        Rate, "RATE", Ratio;
        doc "Events for each cycle.";
        formula "A / C" "";
        caveat "";
        source "";
        inputs(self) -> [char; 2] {
            0 events: 'a',
            1 cycles: 'c',
        }
        events / cycles
    }

    assert_eq!(interval.metric(&Rate).to_string(), "~1.000  (640 / 640)");
    assert_eq!(snapshot.metric(&Rate).to_string(), "~0.980  (690 / 704)");
}

#[test]
fn unused_counters_are_skipped() {
    let mut pmu = running(7, 10);
    pmu.selections[0] = None;
    let mut intervals = Intervals::<_, 1>::of(&mut pmu, 0);
    assert_eq!(intervals.selections(), &[Some('b')]);
    assert_eq!(intervals.snapshot(&mut pmu, 0).amounts(), [Amount::new(7)]);
}

#[test]
fn snapshots_in_the_wrong_order_are_disturbed() {
    let mut intervals = Intervals::<_, 1>::of(&mut running(0, 10), 0);
    let early = intervals.snapshot(&mut running(0, 11), 1);
    let later = intervals.snapshot(&mut running(0, 14), 2);
    assert_eq!(later.since(&early).amounts, [Amount::new(3)]);
    let [amount] = early.since(&later).amounts;
    assert_eq!(amount.estimate(), Err(CountError::Disturbed));
}

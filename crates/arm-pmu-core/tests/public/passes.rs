//! Assignment of selections to passes, and the results of the passes.

use crate::support::{Of, Pmu};
use arm_pmu_core::bus::BusError;
use arm_pmu_core::count::{Amount, CountError};
use arm_pmu_core::measure::AssignError;
use arm_pmu_core::metric::{Metric, MetricError};
use arm_pmu_core::schedule::{EventSet, EventSetError, Passes, Spread, SpreadError};
use proptest::prelude::*;

/// Returns the number of passes for these groups if each pass also counts cycles.
fn passes_of<const EVENTS: usize>(groups: &[&str]) -> usize {
    let mut plan = EventSet::<char, 64>::new();
    for group in groups {
        plan.add_group(&group.chars().collect::<Vec<_>>()).unwrap();
    }
    plan.schedule(&mut Pmu::<EVENTS, true>::new()).unwrap().passes()
}

#[test]
fn the_number_of_passes_is_minimal() {
    assert_eq!(passes_of::<2>(&["a", "b", "d", "e", "f"]), 3);
    assert_eq!(passes_of::<4>(&["ab", "xyz", "d"]), 2);
    // First fit by group size would need three passes.
    assert_eq!(passes_of::<8>(&["abde", "fgh", "ijk", "lm", "no", "pq"]), 2);
    assert_eq!(passes_of::<8>(&["ab", "abde", "fgh", "lm", "ijk", "no"]), 2);
    // A selection that is in two groups takes only one counter in a pass.
    assert_eq!(passes_of::<4>(&["abx", "adx", "ex"]), 2);
    assert_eq!(passes_of::<4>(&["abx", "adx"]), 1);
    // A selection that is also in a group is not counted again, whatever its position.
    assert_eq!(passes_of::<2>(&["a", "ab", "b", "b"]), 1);
    assert_eq!(passes_of::<4>(&["wxy", "abd", "a", "k", "l"]), 2);
    // Cycles have their own counter, so each pass counts them anyway.
    assert_eq!(passes_of::<2>(&["ac", "b"]), 1);
    assert_eq!(passes_of::<2>(&[]), 0);
}

/// Returns how many passes groups of these sizes need, and how many `assign` calls the search
/// makes.
///
/// No two groups share a selection.
fn search<const EVENTS: usize>(groups: &[usize]) -> (usize, usize) {
    let mut plan = EventSet::<char, 64>::new();
    let mut selections = ('!'..'c').chain('d'..='\u{7F}');
    for group in groups {
        plan.add_group(&selections.by_ref().take(*group).collect::<Vec<_>>()).unwrap();
    }
    let mut pmu = Pmu::<EVENTS, true>::new();
    (plan.schedule(&mut pmu).unwrap().passes(), pmu.asked)
}

#[test]
fn pass_search_is_bounded() {
    // A single selection fits into any pass with a free counter, so other layouts of single
    // selections are not tried.
    let (passes, asked) = search::<2>(&[1; 40]);
    assert!(passes == 20 && asked < 4_000, "{passes}, {asked}");
    let (passes, asked) = search::<8>(&[1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
    assert!(passes == 2 && asked < 50, "{passes}, {asked}");
    // Two groups fit into a pass, and one group is left over, so there are more layouts than the
    // search tries.
    let (passes, asked) = search::<8>(&[3; 21]);
    assert!(passes == 11 && asked < 5_000, "{passes}, {asked}");
    // Each group needs its own pass.
    let (passes, asked) = search::<4>(&[3; 21]);
    assert!(passes == 21 && asked < 2_500, "{passes}, {asked}");
}

#[test]
fn an_oversized_group_is_split() {
    let mut pmu = Pmu::<2, true>::new();
    let mut plan = EventSet::<char, 8>::new();
    let large = plan.add_group(&['x', 'y', 'z']).unwrap();
    let small = plan.add_group(&['a', 'b']).unwrap();
    plan.each(&['d']).unwrap();
    let passes = plan.run(&mut pmu, || ()).unwrap();
    assert_eq!(passes.number(), 3);
    assert!(!passes.is_together(large) && passes.is_together(small));
    assert_eq!(passes.group(small).map(|(what, _)| what).collect::<String>(), "ab");
    assert_eq!(pmu.runs, ["cxy", "cab", "czd"]);
}

#[test]
fn amounts_are_found_by_selection_and_group() {
    let mut pmu = Pmu::<2, true>::new();
    let work = pmu.work.clone();
    let mut plan = EventSet::<char, 8>::new();
    let one = plan.add_group(&['x', 'y']).unwrap();
    let two = plan.add_group(&['z', 'x']).unwrap();
    // The counts of the second run differ a little from the counts of the first run.
    let mut run = 0;
    let passes = plan
        .run(&mut pmu, || {
            run += 1;
            work.happens('c', 1_000 + run);
            work.happens('x', 10 * run);
            work.happens('y', 5);
            work.happens('z', 7);
        })
        .unwrap();
    let in_pass = |events, pass| Amount::new(events).in_pass(pass);
    assert_eq!(
        passes.group(one).collect::<Vec<_>>(),
        [('x', in_pass(10, 0)), ('y', in_pass(5, 0))]
    );
    assert_eq!(
        passes.group(two).collect::<Vec<_>>(),
        [('z', in_pass(7, 1)), ('x', in_pass(20, 1))]
    );
    assert_eq!(passes.pairs().count(), 4);
    assert_eq!(passes.amount('x'), in_pass(10, 0));
    assert_eq!(passes.amount('q'), Amount::NOT_COUNTED);
    assert_eq!(passes.reference(), Some('c'));
    assert_eq!(
        passes.reference_amounts().collect::<Vec<_>>(),
        [in_pass(1_001, 0), in_pass(1_002, 1)]
    );
    let spread = Spread { least: 1_001, most: 1_002 };
    assert_eq!((spread.per_mille(), passes.spread()), (1, Ok(spread)));
    let table = [
        "           10  pass 0  x",
        "            5  pass 0  y",
        "            7  pass 1  z",
        "           20  pass 1  x",
        "         1001  pass 0  reference: c",
        "         1002  pass 1  reference: c",
        "passes differ by 0.1 %",
    ];
    assert_eq!(passes.to_string(), table.join("\n"));
}

#[test]
fn metric_inputs_come_from_one_pass() {
    let mut pmu = Pmu::<3, true>::new();
    let work = pmu.work.clone();
    let mut plan = EventSet::<char, 8>::new();
    plan.add_group(&['x', 'p']).unwrap();
    let inputs = plan.add_group(&['p', 'w', 'l']).unwrap();
    let mut run = 0;
    let passes = plan.run(&mut pmu, || {
        run += 1;
        work.happens('p', 3 * run);
        work.happens('w', 16);
        work.happens('l', 2);
    });
    let passes = passes.unwrap();
    assert!(passes.is_together(inputs));
    assert_eq!(
        passes.metric(&Of::<0>).to_string(),
        "6.25 %  (1 / 16)",
        "the count of the other pass is not used"
    );

    // With too few counters, the inputs come from two passes.
    let mut pmu = Pmu::<2, true>::new();
    let passes = plan.run(&mut pmu, || ()).unwrap();
    assert!(matches!(passes.metric(&Of::<0>).exact(), Err(MetricError::OtherPass { .. })));
    assert_eq!(Of::<0>.find_in_any_pass(passes.pairs()).exact(), Err(MetricError::Undefined));
}

#[test]
fn a_reference_event_can_be_chosen_or_left_out() {
    let mut pmu = Pmu::<2, false>::new();
    let work = pmu.work.clone();
    let mut plan = EventSet::<char, 3>::of(['x', 'y', 'z']);
    let passes = plan.run(&mut pmu, || ()).unwrap();
    assert_eq!((passes.number(), passes.reference()), (2, None));
    assert_eq!(
        (passes.spread(), passes.reference_amounts().count()),
        (Err(SpreadError::NoReference), 0)
    );
    let last = "passes differ by an unknown amount: no reference event was counted";
    assert_eq!(passes.to_string().lines().last(), Some(last));
    // The reference event takes a counter in each pass, unless the pass counts it already.
    plan.reference('z');
    pmu.runs.clear();
    let passes = plan.run(&mut pmu, || work.happens('z', 50)).unwrap();
    assert_eq!(pmu.runs, ["zx", "zy"]);
    assert_eq!(passes.spread(), Ok(Spread { least: 50, most: 50 }));
    plan.without_reference();
    assert_eq!(plan.run(&mut pmu, || ()).unwrap().spread(), Err(SpreadError::NoReference));
    // Without a reference event, the passes do not count cycles, even if the PMU has a cycle
    // counter.
    let mut pmu = Pmu::<3, true>::new();
    let _ = plan.run(&mut pmu, || ()).unwrap();
    assert_eq!(pmu.runs, ["xyz"]);
    let one = EventSet::<char, 1>::of(['x']).run(&mut pmu, || ()).unwrap();
    assert_eq!(one.spread(), Ok(Spread::ZERO));
    assert_eq!(one.to_string(), "            0  x", "a single pass prints no pass number");
    let two = EventSet::<char, 2>::of(['x', 'y']).run(&mut pmu, || ()).unwrap();
    assert_eq!(two.to_string(), "            0  x\n            0  y");
}

#[test]
fn uncountable_selections_are_errors() {
    let mut plan = EventSet::<char, 2>::new();
    plan.add_group(&['a', 'b']).unwrap();
    let full = EventSetError::Full { room: 2 };
    assert_eq!(plan.each(&['d']), Err(full));
    assert_eq!(full.to_string(), "the event set has room for 2 selections");
    let fault = AssignError::BusError(BusError::new());
    let mut pmu = Pmu::<2, true>::new();
    pmu.broken.set(true);
    let refused = plan.run(&mut pmu, || unreachable!()).unwrap_err();
    assert_eq!((refused, refused.to_string()), (fault.into(), fault.to_string()));
    // The reference event takes the only counter.
    let mut pmu = Pmu::<1, false>::new();
    plan.reference('w');
    let refused = AssignError::TooMany { asked: 2, counters: 1 };
    assert_eq!(plan.schedule(&mut pmu).unwrap_err(), EventSetError::Assign(refused));
    // More selections than any PMU can count at once.
    let mut plan = EventSet::<char, 64>::new();
    let all: Vec<char> = (' '..='_').collect();
    let group = plan.add_group(&all).unwrap();
    let passes = plan.run(&mut Pmu::<32, true>::new(), || ()).unwrap();
    assert!(passes.number() == 2 && !passes.is_together(group));
}

#[test]
fn a_failing_bus_returns_the_driver() {
    let mut pmu = Pmu::<1, false>::new();
    let schedule = EventSet::<char, 1>::of(['x']).schedule(&mut pmu).unwrap();
    pmu.broken.set(true);
    let (pmu, failed) = schedule.run_long(pmu, |_| unreachable!());
    assert_eq!(failed.unwrap_err(), AssignError::BusError(BusError::new()));
    assert!(pmu.runs.is_empty());
}

#[test]
fn two_pmus_count_their_passes_in_the_same_runs() {
    let (mut far, mut near) = (Pmu::<1, true>::new(), Pmu::<2, false>::new());
    let (of_far, of_near) = (far.work.clone(), near.work.clone());
    let set = EventSet::<char, 3>::of(['x', 'y', 'z']);
    let mut far_passes = Passes::of(set.schedule(&mut far).unwrap());
    let mut near_passes = Passes::of(set.schedule(&mut near).unwrap());
    assert_eq!((far_passes.number(), near_passes.number()), (3, 2));
    assert_eq!(far_passes.amount('x'), Amount::NOT_COUNTED, "no pass has run");
    assert_eq!(far_passes.spread(), Err(SpreadError::Unknown(CountError::NotCounted)));
    for pass in 0..3 {
        let run = pass as u64 + 1;
        let work = || {
            for (what, times) in [('c', 100 + run), ('x', run), ('y', 10 * run), ('z', 100 * run)] {
                of_far.happens(what, times);
                of_near.happens(what, 2 * times);
            }
            run
        };
        let result =
            far_passes.run_pass(pass, &mut far, || near_passes.run_pass(pass, &mut near, work));
        assert_eq!(result, Ok(Ok(run)));
    }
    let in_pass = |events, pass| Amount::new(events).in_pass(pass);
    let of_far = [('x', in_pass(1, 0)), ('y', in_pass(20, 1)), ('z', in_pass(300, 2))];
    assert_eq!(far_passes.pairs().collect::<Vec<_>>(), of_far);
    assert_eq!(far_passes.spread(), Ok(Spread { least: 101, most: 103 }));
    // The second PMU needs only two passes, so it does not count in the third run and keeps its
    // results.
    let of_near = [('x', in_pass(2, 0)), ('y', in_pass(20, 0)), ('z', in_pass(400, 1))];
    assert_eq!(near_passes.pairs().collect::<Vec<_>>(), of_near);
    assert_eq!(
        (far.runs, near.runs),
        (vec!["cx".into(), "cy".into(), "cz".into()], vec!["xy".into(), "z".to_string()])
    );
}

#[test]
fn a_single_pass_can_run_again() {
    let mut pmu = Pmu::<1, true>::new();
    let work = pmu.work.clone();
    let schedule = EventSet::<char, 2>::of(['x', 'y']).schedule(&mut pmu).unwrap();
    let mut passes = schedule.run(&mut pmu, || work.happens('x', 5)).unwrap();
    pmu.lost.set(true);
    passes.run_pass(0, &mut pmu, || work.happens('x', 6)).unwrap();
    assert_eq!(passes.amount('x').exact(), Err(CountError::Disturbed));
    passes.run_pass(0, &mut pmu, || work.happens('x', 7)).unwrap();
    assert_eq!(passes.amount('x'), Amount::new(7).in_pass(0));
    assert_eq!(passes.amount('y'), Amount::new(0).in_pass(1));
    assert_eq!(pmu.runs, ["cx", "cy", "cx", "cx"]);

    pmu.broken.set(true);
    let error = AssignError::BusError(BusError::new());
    assert_eq!(passes.run_pass(1, &mut pmu, || unreachable!()), Err::<(), _>(error));
    assert_eq!(passes.amount('x'), Amount::new(7).in_pass(0), "the earlier amount is kept");
    // A pass that this PMU does not need assigns no selections.
    assert_eq!(passes.run_pass(2, &mut pmu, || 3), Ok(3));
}

#[test]
fn errors_and_spreads_print_as_sentences() {
    let spread = Spread { least: 1_000, most: 1_012 };
    assert_eq!(spread.to_string(), "1.2 %");
    assert_eq!(Spread::ZERO.to_string(), "0.0 %");
    assert_eq!(SpreadError::NoReference.to_string(), "no reference event was counted");
    let unknown = SpreadError::Unknown(CountError::Disturbed).to_string();
    assert!(unknown.starts_with("the reference event has no valid count: the counter was stopped"));
    assert_eq!(Spread::ZERO.per_mille(), 0);
    assert_eq!(Spread { least: 0, most: u64::MAX }.per_mille(), 1_000);
}

/// Returns whether the groups fit into at most `most` passes, by trying every layout.
fn possible(
    groups: &[Vec<char>],
    counters: usize,
    passes: &mut Vec<Vec<char>>,
    most: usize,
) -> bool {
    let Some((group, rest)) = groups.split_first() else { return true };
    for pass in 0..(passes.len() + 1).min(most) {
        let before = passes.clone();
        if pass == passes.len() {
            passes.push(Vec::new());
        }
        passes[pass].extend(group);
        passes[pass].sort_unstable();
        passes[pass].dedup();
        if passes[pass].len() <= counters && possible(rest, counters, passes, most) {
            return true;
        }
        *passes = before;
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Each group is in one pass, no pass has duplicates, and no layout has fewer passes.
    #[test]
    fn no_layout_has_fewer_passes(
        groups in prop::collection::vec(prop::collection::vec(prop::char::range('k', 'z'), 1..5), 1..7),
    ) {
        let mut pmu = Pmu::<4, true>::new();
        let mut plan = EventSet::<char, 32>::new();
        let handles: Vec<_> =
            groups.iter().map(|group| plan.add_group(group).unwrap()).collect();
        let passes = plan.run(&mut pmu, || ()).unwrap();
        for (group, handle) in groups.iter().zip(handles) {
            prop_assert!(passes.is_together(handle));
            prop_assert!(passes.group(handle).map(|(what, _)| what).eq(group.iter().copied()));
        }
        prop_assert_eq!(pmu.runs.len(), passes.number());
        prop_assert!(!possible(&groups, 4, &mut Vec::new(), passes.number() - 1));
    }
}

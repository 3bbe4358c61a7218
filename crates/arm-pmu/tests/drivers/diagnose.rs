//! Tests of the diagnosis on a PMU of every driver. The tests of each architecture check the findings in each state.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::devices::{Device, on_every_driver};
use crate::registers::Entry;
use crate::traffic::Item;
use arm_pmu::diagnose::{Diagnose, Finding as _, FixableBy, Outcome};
use arm_pmu::measure::{Monitor, StartStop};
use arm_pmu_sim::{Noise, Response};

type Finding<D> = <<D as Device>::Pmu<'static> as Diagnose>::Finding;

/// Causes events and cycles: instructions in a core, requests in an interconnect.
fn work<D: Device>(device: &D) {
    device.signal(0, 50);
    device.signal(1, 10);
    device.cycles(100);
}

/// An event that the work causes.
fn expected<D: Device>() -> Option<D::Selection> {
    Some(D::selections()[1])
}

/// Names of the findings. The text of each must contain its cause, fix and source.
fn found<P: Diagnose>(
    pmu: &mut P,
    expected: Option<P::Selection>,
    work: impl FnMut(),
) -> Vec<&'static str> {
    let diagnosis = pmu.diagnose_with(expected, work);
    let text = diagnosis.to_string();
    for found in diagnosis.findings() {
        let cause = text.find(found.finding.cause()).expect("the cause");
        let fix = text.find(found.finding.fix()).expect("the fix");
        assert!(cause < fix && text.contains(found.finding.source()), "{text}");
    }
    let names: Vec<_> = diagnosis.findings().map(|found| found.finding.name()).collect();
    assert_eq!(names.is_empty(), diagnosis.outcome() == Outcome::Counts, "{text}");
    names
}

/// Returns the findings of a diagnosis. They must be the same with and without an expected event.
fn found_in_any_case<D: Device>(device: &D) -> Vec<&'static str> {
    let mut pmu = device.pmu();
    let with = found(&mut pmu, expected::<D>(), || work(device));
    assert_eq!(found(&mut pmu, None, || work(device)), with);
    with
}

/// Checks that the diagnosis made no forbidden access. Writing back a reserved event or selector is permitted.
fn behaved<D: Device>(device: &D) {
    let is_forbidden =
        |of: &&String| !of.contains("ReservedEvent") && !of.contains("ReservedSelector");
    assert_eq!(device.complaints().iter().find(is_forbidden), None);
}

fn a_counting_device_has_no_finding<D: Device>() {
    let device = D::new();
    let mut pmu = device.pmu();
    for expected in [None, expected::<D>(), <D::Pmu<'_> as Monitor>::CLOCK] {
        assert_eq!(found(&mut pmu, expected, || work(&device)), [""; 0], "{expected:?}");
    }
}

fn every_register_is_afterwards_as_before<D: Device>() {
    for noise in [Noise::Zeros, Noise::Ones].into_iter().chain((0..20).map(Noise::Seeded)) {
        for (counts, expected, variant) in [
            (true, None, 0),
            (true, expected::<D>(), 1),
            (true, expected::<D>(), 2),
            (false, None, 1),
            (false, expected::<D>(), 0),
        ] {
            let device = D::new();
            device.vary(variant);
            device.set_unknown(noise);
            device.set_posted_stores(variant == 1);
            let counts = counts || !device.prohibit_counting();
            let before = device.registers();
            let found = found(&mut device.pmu(), expected, || work(&device));
            // An ARM11 whose counters are stopped keeps the overflow flags of an earlier owner.
            let late = found == ["OVERFLOW_NOT_ACKNOWLEDGED"] && D::KIND == "arm11";
            assert!(found.is_empty() == counts || late, "{noise:?}: {found:?}");
            assert_eq!(device.registers(), before, "{noise:?} {variant}");
            behaved(&device);
        }
    }
}

fn panicking_work_leaves_registers_unchanged<D: Device>() {
    for seed in 0..8 {
        for last in 1..=3 {
            let device = D::new();
            device.set_unknown(Noise::Seeded(seed));
            device.other_owner_enables_all(seed % 2 == 0);
            let _ = seed % 4 > 1 && device.prohibit_counting();
            let before = device.registers();
            let mut pmu = device.pmu();
            let call = Cell::new(0);
            let panics = catch_unwind(AssertUnwindSafe(|| {
                pmu.diagnose_with(expected::<D>(), || {
                    call.set(call.get() + 1);
                    work(&device);
                    if call.get() == last {
                        device.clear_journal();
                        resume_unwind(Box::new(()));
                    }
                })
            }));
            assert_eq!(panics.is_err(), call.get() == last);
            if panics.is_err() {
                // The first store must stop the counters: running counters could overflow from the
                // restored values.
                let mut journal = device.journal().into_iter();
                let first = journal.find(|entry| matches!(entry, Entry::Store(..)));
                let stops = |entry| matches!(entry, Entry::Store(at, value) if at == device.control() && value & 1 == 0);
                assert!(first.is_some_and(stops), "{first:?}");
            }
            assert_eq!(device.registers(), before, "{seed}, call {last}");
            behaved(&device);
        }
    }
}

fn a_measurement_can_be_resumed_after_it<D: Device>() {
    let device = D::new();
    let mut pmu = device.pmu();
    pmu.assign(&D::selections()[..2]).unwrap();
    let running = pmu.start();
    work(&device);
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    assert_eq!(found(&mut pmu, expected::<D>(), || work(&device)), [""; 0]);
    assert_eq!([0, 1].map(|nth| pmu.count(nth).exact()), [Ok(50), Ok(10)]);
    let running = D::resume(pmu);
    work(&device);
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    assert_eq!([0, 1].map(|nth| pmu.count(nth).exact()), [Ok(100), Ok(20)]);
}

fn the_work_is_bounded_and_an_error_ends_it<D: Device>() {
    // Returns the findings, and the numbers of calls of `work` and of accesses.
    let diagnose = |device: &D| {
        let mut calls = 0;
        let found = found(&mut device.pmu(), expected::<D>(), || {
            calls += 1;
            work(device);
        });
        (found, calls, device.accesses())
    };
    let of_error = {
        let device = D::new();
        device.respond_after(0, Response::Error);
        diagnose(&device).0
    };
    assert_eq!(of_error.len(), 1);
    for counts in [true, false] {
        let device = || {
            let device = D::new();
            let _ = counts || device.prohibit_counting();
            device
        };
        let (_, calls, most) = diagnose(&device());
        assert!(calls <= 3 && most <= 700, "{calls} calls, {most} accesses");
        for (arrivals, response) in (0..most).flat_map(|arrivals| {
            [Response::Error, Response::Zero, Response::Ones].map(|response| (arrivals, response))
        }) {
            let device = device();
            device.respond_after(arrivals, response);
            let (found, calls, accesses) = diagnose(&device);
            let is_error = response == Response::Error;
            // The driver reads up to a thousand times until an SMMU acknowledges a new interrupt setting.
            let bound = 2 * most + if is_error { 0 } else { 2_000 };
            assert!(calls <= 3 && accesses <= bound, "{calls} calls, {accesses} accesses");
            assert!(!is_error || found == of_error, "{arrivals}: {found:?}");
            assert!(found.len() <= 4, "{arrivals} {response:?}: {found:?}");
        }
    }
}

/// Counters that an earlier owner left close to their wrap must not count during a diagnosis.
fn a_diagnosis_sets_no_overflow_flag<D: Device>() {
    let device = D::new();
    let mut pmu = device.pmu();
    let counters = <D::Pmu<'_> as Monitor>::COUNTERS - usize::from(D::HAS_CYCLE_COUNTER);
    let last = u32::MAX - u32::from(D::SATURATES);
    (0..counters).for_each(|counter| D::count_from(&mut pmu, counter, 0, last));
    drop(pmu.start());
    let before = device.registers();
    assert_eq!(found_in_any_case(&device), [""; 0]);
    assert_eq!(device.registers(), before);
    assert!(!device.is_flag_set());
}

/// The diagnosis accesses no missing counter.
fn missing_counters_are_found<D: Device>() {
    if !["arm_pmuv3", "armv7_pmu", "cci400", "cci5xx"].contains(&D::KIND) {
        return; // The number of counters is fixed, or a setting of the device.
    }
    let device = D::new();
    device.apply(Item::Leave(2));
    let before = device.registers();
    assert_eq!(found_in_any_case(&device), ["COUNTERS"]);
    assert_eq!((device.registers(), device.complaints()), (before, vec![]));
}

fn ignored_writes_are_found<D: Device>() {
    let device = D::new();
    device.set_stores_ignored(true);
    let before = device.registers();
    assert_eq!(found_in_any_case(&device), ["WRITES_IGNORED"]);
    assert_eq!(device.registers(), before);
}

fn a_silent_expected_event_is_found<D: Device>() {
    let device = D::new();
    let expected = Some(D::selections()[2]);
    let found = found(&mut device.pmu(), expected, || work(&device));
    assert_eq!(found, ["EXPECTED_EVENT_NOT_COUNTED"]);
}

fn another_owner_is_found<D: Device>() {
    let device = D::new();
    let mut pmu = device.pmu();
    let disturbed = || {
        work(&device);
        device.other_owner_enables_all(false);
    };
    assert_eq!(found(&mut pmu, expected::<D>(), disturbed), ["ENABLE_LOST"]);
    pmu.assign(&D::selections()[..1]).unwrap();
    let running = pmu.start();
    device.other_owner_enables_all(false);
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    assert_eq!(found(&mut pmu, None, || work(&device)), ["INTERFERENCE"]);
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(pmu.start());
    assert_eq!(found(&mut pmu, None, || work(&device)), [""; 0]);
}

/// A diagnosis detects counters that changed since the stop. If the PMU is then resumed, all counts are disturbed.
fn changed_counters_are_not_resumed<D: Device>() {
    for counts_at_the_end in [true, false] {
        let device = D::new();
        let mut pmu = device.pmu();
        pmu.assign(&D::selections()[..2]).unwrap();
        pmu.run(|| work(&device));
        device.other_owner_enables_all(true);
        if !counts_at_the_end {
            device.signal(0, 1);
        }
        device.other_owner_enables_all(counts_at_the_end);
        assert_eq!(found(&mut pmu, expected::<D>(), || work(&device)), ["INTERFERENCE"]);
        assert_eq!(pmu.count(0).exact(), Ok(50), "the count of the last stop remains");
        let mut pmu = <D::Pmu<'_> as StartStop>::stop(D::resume(pmu));
        assert!([0, 1].iter().all(|nth| pmu.count(*nth).exact().is_err()));
    }
}

/// In the middle of a diagnosis, the registers start to read as zeros or ones. The latched counts are also zero, so
/// the values alone do not show the failure. If the counters are resumed afterwards, they count correctly, or an error
/// is reported.
fn counters_of_a_silent_device_are_not_resumed<D: Device>() {
    let all = [<D::Pmu<'_> as Monitor>::CLOCK.unwrap_or(D::selections()[1])];
    for (after, response) in (0..200)
        .flat_map(|after| [Response::Zero, Response::Ones].map(|response| (after, response)))
    {
        let device = D::new();
        let mut pmu = device.pmu();
        pmu.assign(&all).unwrap();
        pmu.run(|| ());
        device.respond_after(after, response);
        let _ = found(&mut pmu, expected::<D>(), || work(&device));
        device.respond_after(0, Response::Registers);
        work(&device);
        let running = D::resume(pmu);
        device.happens(all[0], 7);
        let count = <D::Pmu<'_> as StartStop>::stop(running).count(0).exact();
        assert!(matches!(count, Ok(7) | Err(_)), "{after} {response:?}: {count:?}");
    }
}

/// For a PMU or a kind of PMU, the findings in six cases: the work causes neither events nor cycles, the work causes no
/// events, counting is not permitted, all registers read as zero, all bits read as one, accesses fail.
const FINDINGS: [(&str, [&str; 6]); 9] = [
    (
        "arm11:arm1176",
        [STILL, "INSTRUCTIONS_NOT_COUNTED", STILL, IGNORED, IGNORED, "USER_MODE_CLOSED"],
    ),
    ("arm11", [STILL, "INSTRUCTIONS_NOT_COUNTED", STILL, IGNORED, IGNORED, "NO_ACCESS"]),
    (
        "armv7_pmu",
        [CLOCK, "INSTRUCTIONS_NOT_COUNTED", "DEBUG_NOT_PERMITTED", COUNTERS, COUNTERS, "NO_ACCESS"],
    ),
    (
        "arm_pmuv3",
        // If all bits read as one, the number of counters reads as its maximum.
        [CLOCK, "INSTRUCTIONS_NOT_COUNTED", "COUNTING_PROHIBITED", COUNTERS, IGNORED, "NO_ACCESS"],
    ),
    ("cci400", [CLOCK, SILENT, "NIDEN_LOW", ZEROS, ONES, ERROR]),
    ("cci5xx", ["NIDEN_LOW", "NIDEN_LOW", "NIDEN_LOW", ZEROS, ONES, ERROR]),
    ("dsu", [CLOCK, SILENT, CLOCK, COUNTERS, COUNTERS, "ACCESS_TRAPPED"]),
    ("l2c_310", ["NOTHING_COUNTED", "NOTHING_COUNTED", "", ZEROS, ONES, ERROR]),
    ("smmuv3_pmcg", [CLOCK, SILENT, CLOCK, ZEROS, ONES, ERROR]),
];

const STILL: &str = "COUNTERS_STAND_STILL";
const CLOCK: &str = "CLOCK_STANDS_STILL";
const SILENT: &str = "EXPECTED_EVENT_NOT_COUNTED";
const IGNORED: &str = "WRITES_IGNORED";
const COUNTERS: &str = "COUNTERS";
const ZEROS: &str = "READS_AS_ZERO";
const ONES: &str = "READS_AS_ONES";
const ERROR: &str = "BUS_ERROR";

fn each_state_has_its_finding<D: Device>() {
    let (_, expected) = FINDINGS.iter().find(|row| [D::NAME, D::KIND].contains(&row.0)).unwrap();
    let [idle, without_events, prohibited, zeros, ones, error] = expected;
    let device = D::new();
    let mut pmu = device.pmu();
    let event = self::expected::<D>();
    assert_eq!(found(&mut pmu, event, || ()), [*idle]);
    assert_eq!(found(&mut pmu, event, || device.cycles(100)), [*without_events]);
    // The clock stops after the first call of the work.
    let mut call = 0;
    let found_then = found(&mut pmu, None, || {
        call += 1;
        device.cycles(if call == 1 { 100 } else { 0 });
    });
    assert!(*idle != CLOCK || call == 1 || found_then == [CLOCK], "{found_then:?}");
    // An event that only one call causes is detected too, except on an ARM11, which has a single
    // spare counter.
    for busy in [1, 2].into_iter().filter(|_| D::KIND != "arm11") {
        let mut call = 0;
        let work_once = || {
            call += 1;
            if call == busy { work(&device) } else { device.cycles(100) }
        };
        let found = found(&mut pmu, event, work_once);
        assert!(found.is_empty() || call < busy, "{busy}: {found:?}");
    }
    for (response, finding) in
        [(Response::Zero, zeros), (Response::Ones, ones), (Response::Error, error)]
    {
        device.respond_after(0, response);
        assert_eq!(found_in_any_case(&device), [*finding]);
        device.respond_after(0, Response::Registers);
    }
    let device = D::new();
    if device.prohibit_counting() {
        assert_eq!(found(&mut device.pmu(), event, || work(&device)), [*prohibited]);
        // While the clock stands still, the diagnosis cannot tell whether events are counted.
        assert_eq!(found(&mut device.pmu(), event, || ()), [*idle]);
    }
}

fn every_text_is_a_line<D: Device + 'static>() {
    for finding in Finding::<D>::ALL {
        let sentences = [finding.cause(), finding.fix()];
        assert!(sentences.iter().all(|text| text.ends_with('.') && !text.contains('\n')));
        let phrases = [finding.read(), finding.expected()];
        assert!(phrases.iter().all(|text| !text.ends_with('.') && !text.is_empty()));
        assert!(finding.source().ends_with('.') && finding.to_string() == finding.cause());
        assert_ne!(finding.fixable_by().to_string(), "");
    }
    assert_eq!(FixableBy::SecureSoftware.to_string(), "Secure software");
}

on_every_driver! { $
    a_counting_device_has_no_finding
    every_register_is_afterwards_as_before
    panicking_work_leaves_registers_unchanged
    a_measurement_can_be_resumed_after_it
    the_work_is_bounded_and_an_error_ends_it
    a_diagnosis_sets_no_overflow_flag
    missing_counters_are_found
    ignored_writes_are_found
    a_silent_expected_event_is_found
    another_owner_is_found
    changed_counters_are_not_resumed
    counters_of_a_silent_device_are_not_resumed
    each_state_has_its_finding
    every_text_is_a_line
}

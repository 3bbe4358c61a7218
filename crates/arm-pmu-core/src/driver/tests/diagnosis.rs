//! Order of calls to the device during a diagnosis, and the findings.

extern crate std;

use std::boxed::Box;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::vec::Vec;

use super::device::{CURRENT, Call, CycleDriver, DISABLED, Device, ENABLED, take_calls};
use crate::bus::BusError;
use crate::count::Count;
use crate::diagnose::{Diagnosis, Found, Outcome};
use crate::driver::{Clock, CounterConfig, Driver};
use crate::event::EventOrCycles;
use crate::event::EventOrCycles::{Cycles, Event};

/// Calls of one trial.
const fn trial(trial: bool) -> [Call; 6] {
    let counts = Call::Counts { trial, before: ENABLED };
    [Call::SetUp(trial), Call::Control, Call::Enable(CURRENT), Call::Work, Call::Disable, counts]
}

const BEGIN: [Call; 3] = [Call::IsEnabled, Call::Disable, Call::Save];
/// Last calls if the counters were enabled before the diagnosis.
const END: [Call; 3] = [Call::Restore, Call::Control, Call::Enable(CURRENT)];

fn driver(change: impl FnOnce(&mut Device)) -> CycleDriver {
    let mut device = Device::new();
    change(&mut device);
    Driver::with_cycle_counter(device)
}

/// Runs a diagnosis. Returns the findings with their values, and the calls.
fn diagnose(
    mut driver: CycleDriver,
    expected: Option<EventOrCycles<char>>,
) -> (Diagnosis<char>, Vec<Call>) {
    let calls = driver.hardware().calls.clone();
    take_calls(&calls);
    let work = || calls.borrow_mut().push(Call::Work);
    let diagnosis = driver.diagnose(|_, _| Ok(()), expected, work);
    (diagnosis, take_calls(&calls))
}

fn found(diagnosis: &Diagnosis<char>) -> Vec<(char, u32)> {
    diagnosis.findings().map(|found| (found.finding, found.value)).collect()
}

#[test]
fn a_trial_counts_between_save_and_restore() {
    let (diagnosis, calls) = diagnose(
        driver(|device| {
            device.results = [7].to_vec().into();
            device.try_out = |trials, _| {
                assert!(trials.was_enabled());
                assert_eq!(trials.count(true)?, 7);
                trials.diagnosis.add_proof();
                Ok(())
            };
        }),
        None,
    );
    assert_eq!(diagnosis.outcome(), Outcome::Counts);
    assert_eq!(calls, [&BEGIN[..], &trial(true), &END, &[Call::Error]].concat());
}

#[test]
fn disabled_counters_stay_disabled() {
    let (_, calls) = diagnose(
        driver(|device| {
            device.is_enabled = false;
            device.try_out = |trials, _| {
                assert!(!trials.was_enabled());
                Ok(())
            };
        }),
        None,
    );
    assert_eq!(calls, [&BEGIN[..], &[Call::Restore, Call::Disable, Call::Error]].concat());
}

#[test]
fn a_panic_of_the_work_restores_disabled_counters() {
    for was_enabled in [true, false] {
        let mut driver = driver(|device| {
            device.is_enabled = was_enabled;
            device.try_out = |trials, _| trials.count(true).map(drop);
        });
        let calls = driver.hardware().calls.clone();
        let work = AssertUnwindSafe(|| {
            driver.diagnose(
                |_, _| Ok(()),
                None,
                || {
                    take_calls(&calls);
                    resume_unwind(Box::new(()));
                },
            )
        });
        assert!(catch_unwind(work).is_err());
        let end = if was_enabled { END[1..].to_vec() } else { [Call::Disable].to_vec() };
        let expected = [&[Call::Disable, Call::Restore][..], &end].concat();
        assert_eq!(take_calls(&calls), expected, "was enabled: {was_enabled}");
    }
}

#[test]
fn a_finding_of_the_identification_ends_the_diagnosis() {
    let mut driver = driver(|_| {});
    let calls = driver.hardware().calls.clone();
    let identify = |_: &Device, diagnosis: &mut Diagnosis<char>| {
        diagnosis.add('a', 1);
        Err(Found::new('b', 2))
    };
    let diagnosis = driver.diagnose(identify, None, || unreachable!("nothing is tried"));
    assert_eq!(found(&diagnosis), [('a', 1), ('b', 2)]);
    assert_eq!(take_calls(&calls), [Call::Error]);
}

#[test]
fn registers_are_untouched_if_saving_fails() {
    let change = |device: &mut Device| device.saved = Err(Found::new('s', 3));
    let (diagnosis, calls) = diagnose(driver(change), None);
    assert_eq!(found(&diagnosis), [('s', 3)]);
    assert_eq!(calls, [&BEGIN[..], &END[1..], &[Call::Error]].concat());
}

#[test]
fn a_failed_restore_is_a_fallback_finding() {
    for (try_out, expected) in [
        ((|_, _| Ok(())) as super::device::TryOut, ('r', 4)),
        (|_, _| Err(Found::new('c', 6)), ('c', 6)),
        // Without results, the trial fails.
        (|trials, _| trials.count(false).map(drop), ('E', 5)),
    ] {
        let change = |device: &mut Device| {
            device.restored = Err(Found::new('r', 4));
            device.try_out = try_out;
        };
        assert_eq!(found(&diagnose(driver(change), None).0), [expected]);
    }
}

#[test]
fn a_bus_error_is_the_only_finding() {
    let change = |device: &mut Device| {
        device.error = Some(BusError);
        device.try_out = |trials, _| {
            trials.diagnosis.add('a', 1);
            Err(Found::new('b', 2))
        };
    };
    assert_eq!(found(&diagnose(driver(change), None).0), [('B', 0)]);
}

#[test]
fn earlier_interference_is_a_fallback_finding() {
    for (try_out, expected) in [
        ((|_, _| Ok(())) as super::device::TryOut, ('I', 1)),
        (|_, _| Err(Found::new('c', 6)), ('c', 6)),
    ] {
        let mut driver = driver(|device| {
            device.rejected = 1;
            device.try_out = try_out;
        });
        driver.assign(&[Event('a')]).unwrap();
        driver.start();
        assert_eq!(found(&diagnose(driver, None).0), [expected]);
    }
}

/// A change to the device between a run and a diagnosis.
type Change = fn(&mut Device);

/// Runs 'a' and the cycle counter, changes the device, and diagnoses. Returns the driver and the
/// diagnosis.
fn diagnose_after_a_run(change: Change) -> (CycleDriver, Diagnosis<char>, Vec<Call>) {
    let mut driver = driver(|_| {});
    driver.assign(&[Event('a'), Cycles]).unwrap();
    driver.run(|| ());
    let calls = driver.hardware().calls.clone();
    take_calls(&calls);
    let device = driver.hardware_mut();
    device.is_enabled = false;
    change(device);
    let diagnosis = driver.diagnose(|_, _| Ok(()), None, || ());
    (driver, diagnosis, take_calls(&calls))
}

/// A flag that the work of the diagnosis set is cleared, and does not count as an overflow of the
/// last run.
#[test]
fn restored_counters_are_compared_with_last_stop() {
    let (mut driver, diagnosis, calls) =
        diagnose_after_a_run(|device| device.stopped.overflowed = Clock::BIT | 0b01);
    let settings = ([CounterConfig::on('a', 0), CounterConfig::OFF], 0);
    let latch = Call::Latch { settings, in_use: Clock::BIT | 0b01, before: ENABLED };
    let end = [Call::Restore, Call::Disable, latch, Call::Disable, Call::Error];
    assert_eq!(calls, [&BEGIN[..], &end].concat());
    assert_eq!(found(&diagnosis), []);
    assert_eq!((driver.overflowed(), driver.cycles()), (0, Count::new(33)));
    driver.hardware_mut().stopped.overflowed = 0;
    driver.resume();
    driver.stop();
    assert_eq!([driver.count(0), driver.cycles()], [11, 33].map(Count::new));
}

#[test]
fn a_resume_disturbs_counters_changed_by_a_diagnosis() {
    const CYCLES: u32 = Clock::BIT;
    let changes: [(Change, u32); 6] = [
        (|device| device.values[0] = 12, 0b01),
        (|device| device.cycles = 0, CYCLES),
        (|device| device.stopped.changed = 0b11, 0b01),
        (|device| device.stopped.is_stopped = false, CYCLES | 0b01),
        // Other software had enabled the counters before the diagnosis.
        (|device| device.is_enabled = true, CYCLES | 0b01),
        // Not in use.
        (|device| device.values[1] = 12, 0),
    ];
    for (change, others) in changes {
        let (mut driver, diagnosis, _) = diagnose_after_a_run(change);
        let finding = found(&diagnosis);
        assert_eq!(finding, if others == 0 { Vec::new() } else { [('I', others)].to_vec() });
        // The counts of the last stop stay unchanged.
        assert_eq!((driver.count(0), driver.cycles()), (Count::new(11), Count::new(33)));
        assert_eq!(driver.interference(), None);
        driver.hardware_mut().stopped = Device::new().stopped;
        driver.resume();
        driver.stop();
        let lost = [driver.count(0), driver.cycles()].map(|count| count.exact().is_err());
        assert_eq!(lost, [others != 0; 2]);
        driver.run(|| ());
        assert!(driver.count(0).exact().is_ok(), "a start ends it");
        driver.resume();
        driver.stop();
        assert!(driver.count(0).exact().is_ok());
    }
}

#[test]
fn trials_receive_expected_event_and_settings() {
    for (expected, event) in [(Some(Event('x')), 'x'), (Some(Cycles), '-'), (None, '-')] {
        let mut driver = driver(|device| {
            device.try_out = |trials, expected| {
                let [first, _] = trials.pending().counters;
                let first = first.selection.map_or(0, u32::from);
                Err(Found::new(expected.unwrap_or('-'), first))
            };
        });
        driver.assign(&[Event('a')]).unwrap();
        assert_eq!(found(&diagnose(driver, expected).0), [(event, 'a'.into())]);
    }
}

/// A third trial distinguishes prohibited debug from a stopped clock.
#[test]
fn cycles_are_counted_with_and_without_debug() {
    for (results, expected, trials) in [
        (&[9, 8][..], ('-', 17), &[false, true][..]),
        (&[0], ('s', 0), &[false]),
        (&[9, 0, 0], ('s', 0), &[false, true, false]),
        (&[9, 0, 9], ('n', 0), &[false, true, false]),
        // A trial fails.
        (&[], ('E', 5), &[false]),
        (&[9], ('E', 5), &[false, true]),
        (&[9, 0], ('E', 5), &[false, true, false]),
    ] {
        let (diagnosis, calls) = diagnose(
            driver(|device| {
                let results: Vec<_> = results.iter().rev().copied().collect();
                device.results = results.into();
                device.try_out = |trials, _| {
                    let findings = ['s', 'n'];
                    let [first, second] =
                        trials.count_with_and_without_debug(|debug| debug, |n| *n, findings)?;
                    Err(Found::new('-', first + second))
                };
            }),
            None,
        );
        assert_eq!(found(&diagnosis), [expected], "{results:?}");
        let trials: Vec<_> = trials.iter().flat_map(|debug| trial(*debug)).collect();
        assert_eq!(calls, [&BEGIN[..], &trials, &END, &[Call::Error]].concat());
    }
}

/// The control value from before [`Driver::diagnose`] disabled the counters does not matter.
#[test]
fn the_enable_is_read_before_it_is_cleared() {
    let change = |device: &mut Device| device.before = DISABLED;
    let (_, calls) = diagnose(driver(change), None);
    assert_eq!(calls, [&BEGIN[..], &END, &[Call::Error]].concat());
}

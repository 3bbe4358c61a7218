//! A failure invalidates the counts of the affected counters only.

use super::device::{CycleDriver, DISABLED, Device};
use crate::bus::BusError;
use crate::count::{Count, CountError};
use crate::driver::Clock;
use crate::driver::{CounterConfig, Driver};
use crate::event::EventOrCycles::{Cycles, Event};
use crate::measure::Interference;

/// Sets of counters that fail.
const SETS: [u32; 6] = [0, 0b01, 0b10, Clock::BIT, Clock::BIT | 0b01, Clock::BIT | 0b11];
/// Counts of a device without failures: event counters, then the cycle counter.
const EXACT: Counts = [Ok(11), Ok(22), Ok(33)];

type Counts = [Result<u32, CountError>; 3];

/// A stopped driver with settings for all counters.
fn driver() -> CycleDriver {
    let mut driver = Driver::with_cycle_counter(Device::new());
    driver.assign(&[Event('a'), Event('b'), Cycles]).unwrap();
    driver
}

/// A running driver with all counters on.
fn running() -> CycleDriver {
    let mut driver = driver();
    driver.start();
    driver
}

/// Counts at the last stop.
fn counts(driver: &CycleDriver) -> Counts {
    let counts = [driver.count(0), driver.count(1), driver.cycles()];
    assert_eq!([0, 1, 2].map(|nth| driver.count_of_selection(nth)), counts);
    counts.map(Count::exact)
}

/// Counts of the running counters.
fn read(driver: &CycleDriver) -> Counts {
    let mut counts = [Count::NOT_COUNTED; 3];
    driver.read_into(&mut counts);
    let [first, second] = driver.read();
    assert_eq!(counts, [first, second, driver.read_cycles()]);
    counts.map(Count::exact)
}

/// Returns [`EXACT`] with this error for the counters in `set`.
fn except(set: u32, error: CountError) -> Counts {
    let bits = [0b01, 0b10, Clock::BIT];
    core::array::from_fn(|nth| if set & bits[nth] == 0 { EXACT[nth] } else { Err(error) })
}

/// Checks the counts of running and stopped counters, and that the next start makes them exact.
#[track_caller]
fn check_interference(mut driver: CycleDriver, counters: u32, disabled: bool) {
    let expected = except(if disabled { u32::MAX } else { counters }, CountError::Disturbed);
    assert_eq!(driver.interference(), Interference::new(counters, disabled));
    assert_eq!(read(&driver), expected, "running: {counters:#x}");
    driver.stop();
    assert_eq!(counts(&driver), expected, "stopped: {counters:#x}");
    driver.resume();
    driver.stop();
    assert_eq!(counts(&driver), expected, "resumed: {counters:#x}");
    assert_eq!(driver.interference(), Interference::new(counters, disabled));
    driver.start();
    check_recovery(driver);
}

/// Checks that a measurement started now is exact.
#[track_caller]
fn check_recovery(mut driver: CycleDriver) {
    assert_eq!(driver.interference(), None);
    assert_eq!(read(&driver), EXACT);
    driver.stop();
    assert_eq!((counts(&driver), driver.interference()), (EXACT, None));
}

#[test]
fn counts_of_a_working_device_are_exact() {
    check_interference(running(), 0, false);
}

#[test]
fn counters_with_rejected_settings_are_disturbed() {
    for set in SETS {
        let mut driver = driver();
        driver.hardware_mut().rejected = set;
        driver.start();
        driver.hardware_mut().rejected = 0;
        check_interference(driver, set, false);
    }
}

#[test]
fn start_leaves_the_device_disabled() {
    let mut driver = driver();
    driver.hardware_mut().is_enabled_by_enable = false;
    driver.start();
    driver.hardware_mut().is_enabled_by_enable = true;
    check_interference(driver, 0, true);
}

#[test]
fn resume_leaves_the_device_disabled() {
    let mut driver = running();
    driver.stop();
    driver.hardware_mut().is_enabled_by_enable = false;
    driver.resume();
    assert_eq!(counts(&driver), EXACT, "the counts of the last stop");
    driver.hardware_mut().is_enabled_by_enable = true;
    check_interference(driver, 0, true);
}

#[test]
fn start_of_a_run_leaves_the_device_disabled() {
    let mut driver = driver();
    driver.hardware_mut().is_enabled_by_enable = false;
    assert_eq!(driver.run(|| 7), 7);
    assert_eq!(counts(&driver), [Err(CountError::Disturbed); 3]);
}

#[test]
fn counters_changed_by_another_party_are_disturbed() {
    for set in SETS {
        let mut driver = running();
        driver.hardware_mut().stopped.changed = set;
        driver.stop();
        assert_eq!(counts(&driver), except(set, CountError::Disturbed));
        driver.hardware_mut().stopped.changed = 0;
        driver.resume();
        check_interference(driver, set, false);
    }
}

#[test]
fn device_disabled_before_a_stop_disturbs_all_counts() {
    let mut driver = running();
    driver.hardware_mut().before = DISABLED;
    driver.stop();
    assert_eq!(counts(&driver), [Err(CountError::Disturbed); 3]);
    driver.hardware_mut().before = Device::new().before;
    driver.resume();
    check_interference(driver, 0, true);
}

#[test]
fn device_that_does_not_stop_disturbs_all_counts() {
    let mut driver = running();
    driver.hardware_mut().stopped.is_stopped = false;
    driver.stop();
    assert_eq!(counts(&driver), [Err(CountError::Disturbed); 3]);
    driver.hardware_mut().stopped.is_stopped = true;
    driver.resume();
    check_interference(driver, 0, true);
}

#[test]
fn a_failed_access_invalidates_all_counts() {
    let mut driver = running();
    driver.hardware_mut().error = Some(BusError::new());
    assert_eq!(read(&driver), [Err(CountError::BusError); 3]);
    driver.stop();
    assert_eq!((counts(&driver), driver.interference()), ([Err(CountError::BusError); 3], None));
    driver.hardware_mut().error = None;
    driver.start();
    driver.hardware_mut().error = Some(BusError::new());
    driver.hardware_mut().stopped.changed = 0b01;
    driver.hardware_mut().stopped.overflowed = 0b10;
    driver.hardware_mut().stopped.is_stopped = false;
    driver.stop();
    assert_eq!(counts(&driver), [Err(CountError::BusError); 3]);
    driver.hardware_mut().error = None;
    driver.hardware_mut().stopped = Device::new().stopped;
    driver.start();
    check_recovery(driver);
}

#[test]
fn overflows_found_at_a_stop_stay_until_the_next_start() {
    for set in SETS {
        let mut driver = running();
        driver.hardware_mut().stopped.overflowed = set;
        driver.stop();
        driver.hardware_mut().stopped.overflowed = 0;
        assert_eq!(counts(&driver), except(set, CountError::Overflowed));
        driver.resume();
        assert_eq!(read(&driver), except(set, CountError::Overflowed), "after a resume");
        driver.stop();
        assert_eq!(counts(&driver), except(set, CountError::Overflowed), "after a resume");
        driver.start();
        check_recovery(driver);
    }
}

#[test]
fn overflow_flags_of_running_counters_mark_the_counts() {
    for set in SETS {
        let mut driver = running();
        driver.hardware_mut().flags = set.into();
        assert_eq!(read(&driver), except(set, CountError::Overflowed));
        driver.hardware_mut().flags = 0.into();
        assert_eq!(read(&driver), EXACT, "the flag was not acknowledged");
    }
}

#[test]
fn acknowledged_overflows_stay_until_the_next_start() {
    for set in SETS {
        let mut driver = running();
        driver.hardware_mut().acknowledged.overflowed = set;
        assert_eq!(driver.acknowledge(), set);
        assert_eq!(driver.interference(), None);
        assert_eq!(read(&driver), except(set, CountError::Overflowed));
        driver.stop();
        assert_eq!(counts(&driver), except(set, CountError::Overflowed));
        driver.start();
        check_recovery(driver);
    }
}

#[test]
fn events_missed_during_acknowledge_disturb_the_counts() {
    for set in SETS {
        let mut driver = running();
        driver.hardware_mut().acknowledged.disturbed = set;
        assert_eq!(driver.acknowledge(), 0);
        check_interference(driver, set, false);
    }
}

#[test]
fn acknowledge_leaves_the_device_disabled() {
    let mut driver = running();
    driver.hardware_mut().acknowledged.is_enabled = false;
    assert_eq!(driver.acknowledge(), 0);
    check_interference(driver, 0, true);
}

#[test]
fn a_rearm_reports_disturbed_counters() {
    for set in SETS {
        for counter in 0..3 {
            let mut driver = running();
            driver.hardware_mut().disturbed_by_rearm = set;
            driver.rearm(counter, 0);
            check_interference(driver, set, false);
        }
    }
}

#[test]
fn rearm_of_an_unused_counter_disturbs_nothing() {
    let mut driver = running();
    driver.hardware_mut().disturbed_by_rearm = u32::MAX;
    driver.rearm(3, 0);
    check_interference(driver, 0, false);
}

#[test]
fn rearm_clears_the_overflow_of_its_counter_alone() {
    let mut driver = running();
    driver.hardware_mut().acknowledged.overflowed = Clock::BIT | 0b11;
    driver.acknowledge();
    driver.rearm(1, 2);
    let mut expected = [Err(CountError::Overflowed); 3];
    expected[1] = Ok(20);
    assert_eq!(read(&driver), expected);
    driver.stop();
    assert_eq!(counts(&driver), expected);
}

#[test]
fn device_disabled_during_a_read_invalidates_all_counts() {
    for error in [None, Some(BusError::new())] {
        let why = if error.is_some() { CountError::BusError } else { CountError::Disturbed };
        let mut driver = running();
        driver.hardware_mut().is_enabled = false;
        driver.hardware_mut().error = error;
        assert_eq!(read(&driver), [Err(why); 3]);
        let copied = driver.counts_of(0, [Some(5), None]);
        assert_eq!(copied.map(Count::exact), [Err(why), Err(CountError::NotCounted)]);
        assert_eq!(copied[0].wrapping_value(), 5);
        // Overflow flags do not replace this error.
        driver.hardware_mut().flags = u32::MAX.into();
        assert_eq!(read(&driver), [Err(why); 3], "overflowed");
        driver.hardware_mut().acknowledged.disturbed = 0b01;
        driver.acknowledge();
        assert_eq!(read(&driver), [Err(why); 3], "disturbed, too");
        driver.hardware_mut().acknowledged.is_enabled = false;
        driver.acknowledge();
        assert_eq!(read(&driver), [Err(why); 3], "disabled before, too");
    }
}

#[test]
fn reads_do_not_change_final_counts() {
    let mut driver = running();
    driver.hardware_mut().is_enabled = false;
    assert_eq!(read(&driver), [Err(CountError::Disturbed); 3]);
    driver.hardware_mut().is_enabled = true;
    driver.stop();
    assert_eq!((counts(&driver), driver.interference()), (EXACT, None));
}

#[test]
fn a_disturbed_read_affects_only_its_counter() {
    for set in [0b00, 0b01, 0b10, 0b11] {
        let mut driver = running();
        driver.hardware_mut().disturbed_by_read = set;
        assert_eq!(read(&driver), except(set, CountError::Disturbed));
        assert_eq!(driver.read()[0].wrapping_value(), 11);
    }
}

#[test]
fn copied_values_have_the_errors_of_their_counters() {
    let exact = |driver: &CycleDriver, flags| {
        driver.counts_of(flags, [Some(11), Some(22)]).map(Count::exact)
    };
    for set in [0b00, 0b01, 0b10, 0b11] {
        let mut driver = running();
        let overflowed = except(set, CountError::Overflowed);
        assert_eq!(exact(&driver, set), overflowed[..2]);
        driver.hardware_mut().acknowledged.overflowed = set;
        driver.acknowledge();
        assert_eq!(exact(&driver, 0), overflowed[..2], "acknowledged before");
        driver.hardware_mut().acknowledged.overflowed = 0;
        driver.hardware_mut().acknowledged.disturbed = set;
        driver.acknowledge();
        assert_eq!(exact(&driver, 0), except(set, CountError::Disturbed)[..2]);
        driver.hardware_mut().error = Some(BusError::new());
        assert_eq!(exact(&driver, 0), [Err(CountError::BusError); 2]);
    }
}

#[test]
fn unused_counters_never_have_a_count() {
    let mut driver = driver();
    *driver.counters_mut() = [CounterConfig::on('a', 0), CounterConfig::OFF];
    driver.cycle_counter().off();
    let fail: [fn(&mut Device); 9] = [
        |device| device.rejected = u32::MAX,
        |device| device.is_enabled_by_enable = false,
        |device| device.stopped.changed = u32::MAX,
        |device| device.stopped.overflowed = u32::MAX,
        |device| device.stopped.is_stopped = false,
        |device| device.before = DISABLED,
        |device| device.error = Some(BusError::new()),
        |device| device.is_enabled = false,
        |device| device.flags = u32::MAX.into(),
    ];
    for (nth, fail) in fail.iter().enumerate() {
        *driver.hardware_mut() = Device::new();
        fail(driver.hardware_mut());
        driver.start();
        assert_eq!(read(&driver)[1..], [Err(CountError::NotCounted); 2], "{nth}: running");
        driver.stop();
        assert_eq!(counts(&driver)[1..], [Err(CountError::NotCounted); 2], "{nth}: stopped");
    }
}

#[test]
fn before_the_first_start_nothing_has_a_count() {
    let mut driver = driver();
    assert_eq!(counts(&driver), [Err(CountError::NotCounted); 3]);
    assert_eq!(read(&driver), [Err(CountError::NotCounted); 3]);
    driver.stop();
    assert_eq!(counts(&driver), [Err(CountError::NotCounted); 3]);
}

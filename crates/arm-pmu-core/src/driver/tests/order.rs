//! Order of the driver's calls to the device.

extern crate std;

use std::boxed::Box;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::vec::Vec;

use super::device::{
    CURRENT, Call, CallSettings, CycleDriver, DISABLED, Device, ENABLED, EventDevice, EventDriver,
    PROGRAMMED, take_calls,
};
use crate::count::Count;
use crate::driver::{Clock, Divider};
use crate::driver::{CounterConfig, CycleSetting, Driver, Hardware};
use crate::event::EventOrCycles::{Cycles, Event};

/// Settings of 'a', 'b' and the cycle counter.
const ALL: CallSettings = ([CounterConfig::on('a', 0), CounterConfig::on('b', 0)], 0);
/// Settings of 'a' alone.
const FIRST: CallSettings = ([CounterConfig::on('a', 0), CounterConfig::OFF], 0);
/// All counters of the device.
const IN_USE: u32 = Clock::BIT | 0b11;

/// A stopped driver with settings for 'a', 'b' and the cycle counter.
fn driver(device: Device) -> CycleDriver {
    let mut driver = Driver::with_cycle_counter(device);
    driver.assign(&[Event('a'), Event('b'), Cycles]).unwrap();
    calls(&driver);
    driver
}

/// A driver that counts 'a', 'b' and cycles.
fn running(device: Device) -> CycleDriver {
    let mut driver = driver(device);
    driver.start();
    calls(&driver);
    driver
}

/// A driver that counts 'a' alone.
fn running_first(device: Device) -> CycleDriver {
    let mut driver = driver(device);
    driver.assign(&[Event('a')]).unwrap();
    driver.start();
    calls(&driver);
    driver
}

fn calls(driver: &CycleDriver) -> Vec<Call> {
    take_calls(&driver.hardware().calls)
}

fn event_calls(driver: &EventDriver) -> Vec<Call> {
    take_calls(&driver.hardware().0.calls)
}

#[test]
fn settings_and_counts_do_not_access_the_device() {
    let mut driver = running(Device::new());
    driver.counters_mut()[0] = CounterConfig::on('x', 1);
    driver.cycle_counter().count(Divider::By64);
    driver.cycles_need_debug(true);
    let _ = (driver.pending(), driver.programmed(), driver.in_use(), driver.overflowed());
    let _ = (driver.count(0), driver.cycles(), driver.interference(), driver.started_from(0));
    let _ = (driver.count_of_selection(0), driver.counter_of(0), driver.selection(0));
    assert_eq!(std::format!("{driver:?}").matches("PmuState").count(), 1);
    assert_eq!(calls(&driver), []);
    assert_eq!((CycleDriver::COUNTERS, EventDriver::COUNTERS), (3, 2));
    assert_eq!(driver.release().values, [11, 22]);
}

#[test]
fn assign_only_checks_for_an_earlier_error() {
    let mut driver = driver(Device::new());
    driver.assign(&[Event('x')]).unwrap();
    assert_eq!(calls(&driver), [Call::Error]);
}

#[test]
fn a_start_enables_with_the_programmed_control() {
    let mut driver = driver(Device::new());
    driver.start();
    assert_eq!(calls(&driver), [Call::Program(ALL), Call::Enable(PROGRAMMED)]);
    assert_eq!(driver.in_use(), IN_USE);
    driver.counters_mut()[1] = CounterConfig::on('y', 7);
    driver.cycle_counter().count_from(Divider::By1, 9);
    driver.start();
    let changed = ([CounterConfig::on('a', 0), CounterConfig::on('y', 7)], 9);
    assert_eq!(calls(&driver), [Call::Program(changed), Call::Enable(PROGRAMMED)]);
}

#[test]
fn a_resume_keeps_the_device_control() {
    let mut driver = driver(Device::new());
    driver.resume();
    let start = [Call::Program(ALL), Call::Enable(PROGRAMMED)];
    assert_eq!(calls(&driver), start, "nothing was counted before");
    driver.stop();
    calls(&driver);
    driver.counters_mut()[0] = CounterConfig::on('x', 1);
    driver.resume();
    assert_eq!(calls(&driver), [Call::Control, Call::Enable(CURRENT)]);
    assert_eq!((driver.programmed().counters, driver.in_use()), (ALL.0, IN_USE));
}

#[test]
fn a_resume_with_all_counters_off_is_a_start() {
    let mut driver = Driver::with_cycle_counter(Device::new());
    driver.run(|| ());
    calls(&driver);
    driver.counters_mut()[0] = CounterConfig::on('a', 0);
    driver.resume();
    assert_eq!(calls(&driver), [Call::Program(FIRST), Call::Enable(PROGRAMMED)]);
    assert_eq!(driver.in_use(), 0b01);
}

#[test]
fn a_stop_disables_latches_then_checks() {
    for before in [ENABLED, DISABLED] {
        let mut driver = running(Device::new());
        driver.hardware_mut().before = before;
        driver.stop();
        let latch = Call::Latch { settings: ALL, in_use: IN_USE, before };
        assert_eq!(calls(&driver), [Call::Disable, latch, Call::Error]);
    }
    let mut driver = running_first(Device::new());
    driver.stop();
    let latch = Call::Latch { settings: FIRST, in_use: 0b01, before: ENABLED };
    assert_eq!(calls(&driver), [Call::Disable, latch, Call::Error]);
}

#[test]
fn a_run_stops_even_if_the_work_panics() {
    let run = [
        Call::Program(ALL),
        Call::Enable(PROGRAMMED),
        Call::Work,
        Call::Disable,
        Call::Latch { settings: ALL, in_use: IN_USE, before: ENABLED },
        Call::Error,
    ];
    let mut driver = driver(Device::new());
    let log = Rc::clone(&driver.hardware().calls);
    let output = driver.run(|| {
        log.borrow_mut().push(Call::Work);
        7
    });
    assert_eq!((output, take_calls(&log).as_slice()), (7, run.as_slice()));
    let panics = || {
        driver.run(|| {
            log.borrow_mut().push(Call::Work);
            resume_unwind(Box::new("the panic of the work"))
        })
    };
    let panic = catch_unwind(AssertUnwindSafe(panics)).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"the panic of the work"));
    assert_eq!(take_calls(&log), run);
    assert_eq!(driver.count(0), Count::new(11));
}

/// Calls that read a running event counter whose flag does not change.
const fn read_of(counter: usize) -> [Call; 6] {
    [
        Call::Select(counter),
        Call::Flags(counter),
        Call::Value(counter),
        Call::Flags(counter),
        Call::Error,
        Call::IsUndisturbed(counter),
    ]
}

/// Calls that read the running cycle counter if its flag does not change.
const READ_OF_CYCLES: [Call; 4] =
    [Call::CycleFlags, Call::CycleValue, Call::CycleFlags, Call::Error];

#[test]
fn a_read_confirms_all_counters_at_the_end() {
    let driver = running(Device::new());
    assert_eq!(driver.read(), [11, 22].map(Count::new));
    let expected = [&read_of(0)[..], &read_of(1), &[Call::IsEnabled]].concat();
    assert_eq!(calls(&driver), expected);
    let driver = running_first(Device::new());
    assert_eq!(driver.read(), [Count::new(11), Count::NOT_COUNTED]);
    let expected = [&read_of(0)[..], &[Call::IsEnabled]].concat();
    assert_eq!(calls(&driver), expected, "counter 1 is off");
}

#[test]
fn a_read_is_repeated_after_a_new_flag() {
    let driver = running(Device { raised_by_read: 0b01, ..Device::new() });
    let counts = driver.read();
    assert_eq!((counts[0].lower_bound(), counts[1].exact()), ((1 << 32) + 11, Ok(22)));
    let first = [
        Call::Select(0),
        Call::Flags(0),
        Call::Value(0),
        Call::Flags(0),
        Call::Value(0),
        Call::Error,
        Call::IsUndisturbed(0),
    ];
    assert_eq!(calls(&driver), [&first[..], &read_of(1), &[Call::IsEnabled]].concat());
    let driver = running(Device { raised_by_read: Clock::BIT, ..Device::new() });
    assert_eq!(driver.read_cycles().lower_bound(), (1 << 32) + 33);
    let cycles = [
        Call::CycleFlags,
        Call::CycleValue,
        Call::CycleFlags,
        Call::CycleValue,
        Call::Error,
        Call::IsEnabled,
    ];
    assert_eq!(calls(&driver), cycles);
}

#[test]
fn reading_cycles_skips_event_counters() {
    let driver = running(Device::new());
    assert_eq!(driver.read_cycles(), Count::new(33));
    assert_eq!(calls(&driver), [&READ_OF_CYCLES[..], &[Call::IsEnabled]].concat());
    let driver = running_first(Device::new());
    assert_eq!(driver.read_cycles(), Count::NOT_COUNTED);
    assert_eq!(calls(&driver), [Call::IsEnabled], "the cycle counter is off");
}

#[test]
fn a_slice_receives_the_cycle_counter_last() {
    let driver = running(Device::new());
    let mut counts = [Count::new(99); 5];
    driver.read_into(&mut counts);
    let [nothing, exactly] = [|_| Count::NOT_COUNTED, Count::new];
    assert_eq!(counts, [exactly(11), exactly(22), exactly(33), nothing(0), nothing(0)]);
    let expected = [&read_of(0)[..], &read_of(1), &READ_OF_CYCLES, &[Call::IsEnabled]].concat();
    assert_eq!(calls(&driver), expected);
    for length in 0..=3 {
        let mut shorter = [Count::new(99); 3];
        driver.read_into(&mut shorter[..length]);
        assert_eq!(shorter[..length], counts[..length]);
        assert!(shorter[length..].iter().all(|&count| count == Count::new(99)));
        let calls = calls(&driver);
        assert_eq!(calls.last(), Some(&Call::IsEnabled));
        assert_eq!(calls.contains(&Call::CycleValue), length == 3, "{length}");
    }
}

#[test]
fn without_a_cycle_counter_only_event_counters_are_read() {
    let mut driver = EventDriver::new(EventDevice(Device::new()));
    driver.assign(&['a', 'b']).unwrap();
    driver.start();
    event_calls(&driver);
    let mut counts = [Count::new(99); 4];
    driver.read_into(&mut counts);
    let nothing = Count::NOT_COUNTED;
    assert_eq!(counts, [Count::new(11), Count::new(22), nothing, nothing]);
    let read = |counter| [Call::Flags(counter), Call::Value(counter), Call::Flags(counter)];
    let error = [Call::Error];
    let expected = [&read(0)[..], &error, &read(1), &error, &[Call::IsEnabled]].concat();
    assert_eq!(event_calls(&driver), expected);
    assert_eq!(driver.read_cycles(), nothing);
    assert_eq!(event_calls(&driver), [Call::IsEnabled]);
    let device = driver.hardware();
    assert_eq!((device.cycle_flags(), device.cycle_value(), <()>::value::<u32>(())), (0, 0, 0));
    driver.stop();
    let latch = Call::Latch { settings: ALL, in_use: 0b11, before: ENABLED };
    assert_eq!(event_calls(&driver), [Call::Disable, latch, Call::Error]);
    assert_eq!([0, 1, 2].map(|counter| driver.count(counter)), counts[..3]);
}

#[test]
fn the_device_confirms_copied_values() {
    let driver = running(Device { flags: 0b11.into(), ..Device::new() });
    let counts = driver.counts_of(0b10, [Some(5), Some(6)]);
    assert_eq!((counts[0].exact(), counts[1].lower_bound()), (Ok(5), (1 << 32) + 6));
    assert_eq!(calls(&driver), [Call::Error, Call::Error, Call::IsEnabled]);
    let counts = driver.counts_of(0, [None, Some(6)]);
    assert_eq!(counts, [Count::NOT_COUNTED, Count::new(6)]);
    assert_eq!(calls(&driver), [Call::Error, Call::IsEnabled]);
    assert_eq!(driver.counts_of(0, [None; 2]), [Count::NOT_COUNTED; 2]);
    assert_eq!(calls(&driver), [Call::IsEnabled]);
}

#[test]
fn copied_values_are_counted_from_the_start_value() {
    let mut driver = driver(Device::new());
    *driver.counters_mut() = [CounterConfig::on('a', 3), CounterConfig::on('b', u32::MAX - 9)];
    driver.start();
    let counts = driver.counts_of(0b10, [Some(5), Some(4)]);
    assert_eq!(counts.map(Count::lower_bound), [2, 14]);
}

#[test]
fn confirm_checks_errors_only_when_disabled() {
    let mut driver = running(Device::new());
    let mut counts = [Count::new(5)];
    driver.confirm(&mut counts);
    assert_eq!((calls(&driver), counts), ([Call::IsEnabled].into(), [Count::new(5)]));
    driver.hardware_mut().is_enabled = false;
    driver.confirm(&mut counts);
    assert_eq!(calls(&driver), [Call::IsEnabled, Call::Error]);
    assert_ne!(counts, [Count::new(5)]);
}

#[test]
fn acknowledge_clears_flags_in_use() {
    let mut driver = running_first(Device::new());
    driver.hardware_mut().acknowledged.overflowed = 0b01;
    assert_eq!(driver.acknowledge(), 0b01);
    assert_eq!(calls(&driver), [Call::Acknowledge { in_use: 0b01 }]);
    driver.hardware_mut().acknowledged.overflowed = 0;
    assert_eq!(driver.acknowledge(), 0, "only the flags that were up this time");
    assert_eq!(driver.overflowed(), 0b01, "all flags since the start");
}

#[test]
fn rearm_writes_counters_in_use_only() {
    let mut driver = running_first(Device::new());
    driver.rearm(0, 7);
    let settings = ([CounterConfig::on('a', 7), CounterConfig::OFF], 0);
    assert_eq!(calls(&driver), [Call::Rearm { settings, in_use: 0b01, counter: 0, from: 7 }]);
    for counter in [1, 2, 3, 31, usize::MAX] {
        driver.rearm(counter, 7);
        assert_eq!(calls(&driver), [], "{counter}");
    }
    assert_eq!(driver.programmed().counters, settings.0);
    let mut driver = running(Device::new());
    driver.rearm(2, 7);
    let settings = (ALL.0, 7);
    assert_eq!(calls(&driver), [Call::Rearm { settings, in_use: IN_USE, counter: 2, from: 7 }]);
    assert_eq!(driver.read_cycles(), Count::new(26));
    driver.start();
    assert_eq!(calls(&driver).iter().rev().nth(1), Some(&Call::Program(ALL)), "as assigned");
}

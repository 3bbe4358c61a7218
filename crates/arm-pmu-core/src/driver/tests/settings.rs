//! Settings of the counters, and the numbers of selections.

extern crate std;

use core::num::NonZeroU32;
use std::format;

use super::device::{CycleDriver, Device, EventDevice, EventDriver};
use crate::bus::BusError;
use crate::count::Count;
use crate::driver::{Clock, Divider};
use crate::driver::{Counter, CounterConfig, Driver};
use crate::event::EventOrCycles::{Cycles, Event};
use crate::measure::AssignError;

fn off() -> CycleDriver {
    Driver::with_cycle_counter(Device { values: [111, 222], cycles: 987_654, ..Device::new() })
}

fn assigned<const N: usize>(selections: [crate::event::EventOrCycles<char>; N]) -> CycleDriver {
    let mut driver = off();
    driver.assign(&selections).unwrap();
    driver
}

fn run(driver: &mut CycleDriver) -> [Count; 3] {
    driver.run(|| ());
    [0, 1, 2].map(|nth| driver.count_of_selection(nth))
}

#[test]
fn later_settings_keep_counts_and_their_order() {
    let mut driver = assigned([Cycles, Event('a')]);
    let counts = [Count::new(987_654), Count::new(111), Count::NOT_COUNTED];
    let counters = [2, 0, 1];
    assert_eq!(run(&mut driver), counts);
    let check = |driver: &CycleDriver| {
        assert_eq!([0, 1, 2].map(|nth| driver.count_of_selection(nth)), counts);
        assert_eq!([0, 1, 2].map(|nth| driver.counter_of(nth)), counters);
        let selections = [Some(Event('a')), None, Some(Cycles), None];
        assert_eq!([0, 1, 2, 3].map(|counter| driver.selection(counter)), selections);
    };
    driver.assign(&[Event('b'), Event('c')]).unwrap();
    check(&driver);
    let [first, _] = driver.counters_mut();
    Counter::from(first).count('d');
    driver.cycle_counter().off();
    check(&driver);
    let counts = [Count::new(111), Count::new(222), Count::NOT_COUNTED];
    assert_eq!(run(&mut driver), counts);
    assert_eq!([0, 1, 2].map(|nth| driver.counter_of(nth)), [0, 1, 2]);
    assert_eq!(driver.selection(0), Some(Event('d')));
}

#[test]
fn counters_set_singly_are_in_numeric_order() {
    let mut driver = off();
    driver.cycle_counter().count(Divider::By1);
    let [_, second] = driver.counters_mut();
    Counter::from(second).count('b');
    let counts = [Count::NOT_COUNTED, Count::new(222), Count::new(987_654)];
    assert_eq!(run(&mut driver), counts);
    driver.assign(&[Cycles, Event('a')]).unwrap();
    driver.cycle_counter().count(Divider::By64);
    driver.start();
    assert_eq!(driver.programmed().cycles.divider, Divider::By64);
    assert_eq!(driver.counter_of(0), 2, "the cycles stay where they were assigned");
    let [first, _] = driver.counters_mut();
    Counter::from(first).count_from('a', 7);
    assert_eq!(driver.counter_of(0), 2, "from the next start on");
    driver.start();
    assert_eq!(driver.counter_of(0), 0);
}

#[test]
fn counter_n_is_element_n_of_the_array() {
    let mut driver = off();
    driver.counter(1).unwrap().count('b');
    assert_eq!(driver.counters_mut().map(|config| config.selection), [None, Some('b')]);
    assert_eq!(driver.counter(1).unwrap().selection(), Some('b'));
    driver.assign(&[Cycles, Event('a')]).unwrap();
    assert!(driver.counter(2).is_none() && driver.counter(usize::MAX).is_none());
    driver.start();
    assert_eq!(driver.counter_of(0), 2, "a counter that does not exist changes nothing");
}

#[test]
fn each_counter_has_its_start_value() {
    let mut driver = off();
    let [_, second] = driver.counters_mut();
    Counter::from(second).count_from('a', 5);
    driver.cycle_counter().count_from(Divider::By1, 7);
    driver.start();
    assert_eq!([0, 1, 2, 3].map(|counter| driver.started_from(counter)), [0, 5, 7, 0]);
    driver.stop();
    let counts = [Count::NOT_COUNTED, Count::new(217), Count::new(987_647)];
    assert_eq!([0, 1, 2].map(|nth| driver.count_of_selection(nth)), counts);
    assert_eq!([driver.count(0), driver.count(1), driver.cycles()], counts);
    assert_eq!(driver.count(2), Count::NOT_COUNTED, "`count` is of event counters");
}

#[test]
fn an_unused_cycle_counter_has_no_selection() {
    let mut driver = assigned([Cycles]);
    assert_eq!(driver.selection(2), None, "not started");
    driver.start();
    assert_eq!([0, 1, 2].map(|counter| driver.selection(counter)), [None, None, Some(Cycles)]);
    driver.assign(&[Event('a')]).unwrap();
    driver.start();
    assert_eq!([0, 1, 2].map(|counter| driver.selection(counter)), [Some(Event('a')), None, None]);
}

#[test]
fn reads_subtract_the_programmed_start_values() {
    let mut driver = assigned([Event('a'), Event('b'), Cycles]);
    driver.start();
    driver.counters_mut()[0] = CounterConfig::on('a', 100);
    driver.cycle_counter().count_from(Divider::By1, 100);
    assert_eq!(driver.read(), [111, 222].map(Count::new));
    assert_eq!(driver.read_cycles(), Count::new(987_654));
    assert_eq!(driver.counts_of(0, [Some(111), None])[0], Count::new(111));
    driver.start();
    assert_eq!(driver.read(), [11, 222].map(Count::new));
    assert_eq!(driver.read_cycles(), Count::new(987_554));
    assert_eq!(driver.counts_of(0, [Some(111), None])[0], Count::new(11));
}

#[test]
fn a_divider_applies_from_the_next_start_on() {
    let mut driver = off();
    driver.cycle_counter().count(Divider::By1);
    driver.start();
    driver.cycle_counter().count(Divider::By64);
    assert_eq!(driver.programmed().cycles.divider, Divider::By1);
    assert_eq!(driver.pending().cycles.divider, Divider::By64);
    driver.start();
    assert_eq!(driver.programmed().cycles.divider, Divider::By64);
    driver.cycle_counter().overflow_after(Divider::By1, NonZeroU32::new(10).unwrap());
    driver.hardware_mut().cycles = u32::MAX - 9;
    driver.run(|| ());
    assert_eq!(driver.cycles().exact(), Ok(0));
    driver.cycle_counter().count_from(Divider::By64, 7);
    driver.cycle_counter().off();
    driver.start();
    let off = Clock { divider: Divider::By64, ..Clock::off_after(2) };
    assert_eq!((driver.in_use(), driver.programmed().cycles), (0, off));
}

#[test]
fn debug_permission_is_independent_of_selections() {
    let mut driver = off();
    driver.cycles_need_debug(true);
    driver.assign(&[Cycles]).unwrap();
    driver.start();
    assert!(driver.programmed().cycles.needs_debug);
    driver.cycles_need_debug(false);
    assert!(driver.programmed().cycles.needs_debug, "from the next start on");
    driver.cycles_need_debug(true);
    driver.cycle_counter().count(Divider::By64);
    driver.cycle_counter().off();
    driver.start();
    assert!(driver.programmed().cycles.needs_debug);
    driver.cycles_need_debug(false);
    driver.start();
    assert!(!driver.programmed().cycles.needs_debug);
}

#[test]
fn assign_changes_nothing_after_an_access_failed() {
    let mut driver = assigned([Event('a')]);
    driver.hardware_mut().error = Some(BusError::new());
    assert_eq!(driver.assign(&[Event('x')]), Err(AssignError::BusError(BusError::new())));
    assert_eq!(driver.pending().counters, [CounterConfig::on('a', 0), CounterConfig::OFF]);
    driver.hardware_mut().error = None;
    let three = [Event('x'), Event('y'), Event('z')];
    let too_many = AssignError::TooMany { asked: 3, counters: 2 };
    assert_eq!(driver.assign(&three), Err(too_many));
    assert_eq!(driver.pending().counters, [CounterConfig::on('a', 0), CounterConfig::OFF]);
}

#[test]
fn overflowed_counters_are_numbered_event_counters_first() {
    for (flags, numbered) in [(Clock::BIT, 0b100), (0b10, 0b10), (Clock::BIT | 0b11, 0b111)] {
        let mut driver = assigned([Cycles, Event('a'), Event('b')]);
        driver.start();
        assert_eq!(driver.overflowed(), 0);
        driver.hardware_mut().acknowledged.overflowed = flags;
        assert_eq!(driver.acknowledge(), flags);
        assert_eq!(driver.overflowed(), numbered);
        driver.stop();
        assert_eq!(driver.overflowed(), numbered, "until the next start");
        driver.start();
        assert_eq!(driver.overflowed(), 0);
        driver.hardware_mut().stopped.overflowed = flags;
        driver.stop();
        assert_eq!(driver.overflowed(), numbered, "found at a stop");
    }
    let mut driver = EventDriver::new(EventDevice(Device::new()));
    driver.assign(&['a', 'b']).unwrap();
    driver.start();
    driver.hardware_mut().0.acknowledged.overflowed = 0b11;
    driver.acknowledge();
    assert_eq!(driver.overflowed(), 0b11);
}

#[test]
fn the_debug_text_shows_the_settings() {
    let text = format!("{:?}", assigned([Event('q')]));
    assert!(text.contains("selection: Some('q')"), "{text}");
}

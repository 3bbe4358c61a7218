//! State of a PMU without a device: wraps during reads, start values, numbers of counters. The other test
//! modules use a driver.

use core::array;
use core::cell::Cell;
use core::num::NonZeroU32;

use crate::count::{Count, CountError};
use crate::driver::Clock;
use crate::driver::state::PmuState;
use crate::driver::{Counter, CounterConfig};
use crate::event::EventOrCycles::{Cycles, Event};
use crate::measure::AssignError;

/// State of a PMU without a cycle counter.
type State<const N: usize> = PmuState<char, N, ()>;
/// State of a PMU with a cycle counter.
type CycleState<const N: usize> = PmuState<char, N, Clock>;

fn off<const N: usize>() -> State<N> {
    State::new((), ())
}

fn off_with_cycles<const N: usize>() -> CycleState<N> {
    CycleState::new(Clock::off_after(N), 0)
}

/// State of two counters: the first counts 'a', the second is off.
fn started() -> State<2> {
    let mut state = off();
    let [first, _] = counters(&mut state);
    first.count('a');
    start(&mut state);
    state
}

fn counters<const N: usize>(state: &mut State<N>) -> [Counter<'_, char>; N] {
    state.pending_mut().counters.each_mut().map(Counter::from)
}

/// Event counters that are programmed to count, one bit each.
fn programmed_to_count<const N: usize>(configs: &[CounterConfig<char>; N]) -> u32 {
    let on = configs.iter().enumerate().filter(|(_, config)| config.selection.is_some());
    on.fold(0, |set, (counter, _)| set | 1 << counter)
}

/// Starts; the device accepts all settings.
fn start<const N: usize>(state: &mut State<N>) {
    state.begin();
    state.set_programmed(programmed_to_count(&state.programmed().counters), 0);
}

/// Starts with a cycle counter; the device accepts all settings.
fn start_with_cycles<const N: usize>(state: &mut CycleState<N>) {
    state.begin();
    let settings = state.programmed();
    let cycles = if settings.cycles.on { Clock::BIT } else { 0 };
    state.set_programmed(programmed_to_count(&settings.counters) | cycles, 0);
}

fn selections<C: crate::driver::CycleSetting, const N: usize>(
    state: &PmuState<char, N, C>,
) -> [Option<char>; N] {
    state.programmed().counters.map(|config| config.selection)
}

/// Stops with `value` in one counter.
fn stop<const N: usize>(state: &mut State<N>, counter: usize, value: u32) -> Count {
    state.latch().1.values[counter] = value;
    state.finish(false);
    state.count(counter, false)
}

/// Stops with these values in the counters.
fn stop_with_cycles<const N: usize>(state: &mut CycleState<N>, values: [u32; N], cycles: u32) {
    let (_, latched) = state.latch();
    latched.values = values;
    latched.cycles = cycles;
    state.finish(false);
}

#[test]
fn counts_begin_at_the_start_value() {
    let mut state = off::<3>();
    let [a, b, c] = counters(&mut state);
    a.count_from('a', 7);
    b.overflow_after('b', NonZeroU32::new(10).unwrap());
    c.count('c');
    let [a, _, c] = counters(&mut state);
    assert_eq!(a.selection(), Some('a'));
    c.off();
    let configs =
        [CounterConfig::on('a', 7), CounterConfig::on('b', u32::MAX - 9), CounterConfig::OFF];
    assert_eq!(state.pending().counters, configs);
    assert!(!state.has_started());
    assert_eq!(state.selection(0), None);
    start(&mut state);
    assert!(state.has_started());
    assert_eq!(state.selection(0), Some('a'));
    assert_eq!(state.programmed().counters, configs);
    assert_eq!(state.pending().counters, configs);
    assert_eq!([0, 1, 2, 3].map(|counter| state.started_from(counter)), [7, u32::MAX - 9, 0, 0]);
    // One counter started at 7 and holds 17, the other started at 2^32 - 10 and holds 4.
    state.add_overflows(0b010);
    assert_eq!(stop(&mut state, 0, 17), Count::new(10));
    assert_eq!(stop(&mut state, 1, 4).lower_bound(), 14);
    let running = state.validity().read(1, u32::MAX - 9, || 0, || 4_u32, || false, || false);
    assert_eq!(running.lower_bound(), 14);
    assert_eq!(stop(&mut state, 0, 7), Count::new(0));
    assert_eq!(stop(&mut state, 0, 6).exact(), Err(CountError::Disturbed), "below the start value");
}

#[test]
fn a_running_read_detects_a_wrap() {
    let state = started();
    // The counter wraps after this number of reads of flag or value.
    for wraps_after in 0..5 {
        let reads = Cell::new(0);
        let wrapping_value = || {
            reads.set(reads.get() + 1);
            reads.get() > wraps_after
        };
        let value = || if wrapping_value() { 1 } else { u32::MAX };
        let flags = || wrapping_value().into();
        let count = state.validity().read(0, 0, flags, value, || false, || false);
        let possible = [u64::from(u32::MAX), (1 << 32) + 1];
        assert!(possible.contains(&count.lower_bound()), "{wraps_after}: {count}");
    }
    let read = |flag: bool, error| {
        state.validity().read(0, 0, || flag.into(), || 5_u32, || false, || error)
    };
    assert_eq!(read(false, false), Count::new(5));
    assert_eq!(read(true, false).exact(), Err(CountError::Overflowed));
    assert_eq!(read(false, true).exact(), Err(CountError::BusError));
    assert_eq!(read(true, true).exact(), Err(CountError::BusError));
    let from = |from| state.validity().read(0, from, || 0, || 5_u32, || false, || false);
    assert_eq!((from(2), from(5)), (Count::new(3), Count::new(0)));
    assert_eq!(from(6).exact(), Err(CountError::Disturbed), "below the start value");
    // Other software cleared the flag between the two reads of the flag.
    let reads = Cell::new(0);
    let up_at_first = || {
        reads.set(reads.get() + 1);
        u32::from(reads.get() == 1)
    };
    assert!(state.validity().read(0, 0, up_at_first, || 5_u32, || false, || false).overflowed());
}

#[test]
fn only_a_new_own_flag_repeats_the_read() {
    let state = started();
    for (before, after, reads) in [(0b00, 0b00, 1), (0b01, 0b01, 1), (0b00, 0b10, 1), (0, 1, 2)] {
        let (flag_reads, value_reads) = (Cell::new(0), Cell::new(0));
        let flags = || if flag_reads.replace(1) == 0 { before } else { after };
        let value = || {
            value_reads.set(value_reads.get() + 1);
            5_u32
        };
        let _ = state.validity().read(0, 0, flags, value, || false, || false);
        assert_eq!(value_reads.get(), reads, "{before:#b} to {after:#b}");
    }
}

#[test]
fn one_counter_restarts() {
    let mut state = started();
    state.add_overflows(0b1);
    assert!(state.restart(0, u32::MAX));
    assert_eq!(state.started_from(0), u32::MAX);
    assert_eq!(stop(&mut state, 0, u32::MAX), Count::new(0));
    assert_eq!(state.pending().counters[0].from, 0, "the next start is as it was");
    assert!(!state.restart(1, 7) && !state.restart(9, 7), "off, and no such counter");
    assert_eq!(state.started_from(1), 0);
    state.set_programmed(u32::MAX, 0);
    assert!(!state.restart(2, 7) && !state.restart(31, 7), "bits of no counter");
    assert!(state.restart(1, 7));
    assert_eq!(state.started_from(1), 7);
}

#[test]
fn selections_map_to_event_counters_by_number() {
    let mut state = off::<2>();
    state.pending_mut().counters = [CounterConfig::on('x', 7); 2];
    state.assign(&['a', 'b']).unwrap();
    start(&mut state);
    stop(&mut state, 0, 5);
    stop(&mut state, 1, 6);
    let nth = [0, 1, 2, usize::MAX];
    let counts = [Count::new(5), Count::new(6), Count::NOT_COUNTED, Count::NOT_COUNTED];
    assert_eq!(nth.map(|nth| state.count_of_selection(nth, || false)), counts);
    assert_eq!(nth.map(|nth| state.counter_of(nth)), [0, 1, usize::MAX, usize::MAX]);
    assert_eq!(nth.map(|counter| state.selection(counter)), [Some('a'), Some('b'), None, None]);
    // These bits belong to no counter.
    state.set_programmed(u32::MAX, 0);
    state.finish(false);
    assert_eq!(nth.map(|nth| state.count_of_selection(nth, || false)), counts);
}

#[test]
fn selections_find_their_counters_wherever_the_cycles_are() {
    const VALUES: [u32; 4] = [10, 11, 12, 13];
    for place in 0..=4 {
        let mut selections = [Cycles; 5];
        let mut events = ['a', 'b', 'c', 'd'].map(Event).into_iter();
        for (nth, selection) in selections.iter_mut().enumerate() {
            *selection = if nth == place { Cycles } else { events.next().unwrap() };
        }
        let mut state = off_with_cycles::<4>();
        state.assign(&selections).unwrap();
        start_with_cycles(&mut state);
        assert_eq!(state.in_use(), Clock::BIT | 0b1111);
        stop_with_cycles(&mut state, VALUES, 99);
        let counter = |nth: usize| match nth {
            _ if nth == place => 4,
            _ if nth > place => nth - 1,
            _ => nth,
        };
        let expected: [_; 5] =
            array::from_fn(|nth| VALUES.get(counter(nth)).copied().unwrap_or(99));
        let nth = [0, 1, 2, 3, 4];
        assert_eq!(nth.map(|nth| state.counter_of(nth)), nth.map(counter), "{place}");
        let counts = |state: &CycleState<4>| nth.map(|nth| state.count_of_selection(nth, || false));
        assert_eq!(counts(&state), expected.map(Count::new), "{place}");
        // Counts that are not exact take another code path.
        state.add_overflows(u32::MAX);
        state.finish(false);
        let overflowed = expected.map(|value| Count::invalid(value, CountError::Overflowed));
        assert_eq!(counts(&state), overflowed, "{place}");
        for beyond in [5, 6] {
            assert_eq!(state.count_of_selection(beyond, || false), Count::NOT_COUNTED);
            assert_eq!(state.counter_of(beyond), usize::MAX);
        }
    }
}

#[test]
fn too_many_selections_with_cycles_change_nothing() {
    let mut state = off_with_cycles::<2>();
    state.assign(&[Event('a')]).unwrap();
    let too_many = state.assign(&[Event('x'), Event('y'), Event('z'), Cycles]);
    assert_eq!(too_many, Err(AssignError::TooMany { asked: 3, counters: 2 }));
    assert_eq!(state.assign(&[Cycles, Cycles]), Err(AssignError::CyclesTwice));
    start_with_cycles(&mut state);
    assert_eq!((selections(&state), state.in_use()), ([Some('a'), None], 0b1));
}

#[test]
fn a_long_counter_is_exact_across_wraps() {
    let state = started();
    let read = |from, value: u64, up: bool| {
        state.validity().read(0, from, || up.into(), || value, || true, || false)
    };
    let wraps = |n: u64, value: u64| n << 32 | value;
    assert_eq!(read(7, wraps(3, 5), true).exact_u64(), Ok(wraps(3, 5) - 7));
    assert_eq!(read(7, wraps(1, 5), true).exact(), Ok(u32::MAX - 1));
    assert!(read(7, wraps(1, 5), true).overflowed());
    assert_eq!(read(7, 9, false), Count::new(2));
    // The flag and the wraps disagree, or the value is below the start value.
    for (value, up) in [(wraps(1, 5), false), (wraps(3, 9), false), (9, true), (5, false)] {
        assert_eq!(read(7, value, up).exact_u64(), Err(CountError::Disturbed), "{value:#x}");
    }
    let failed = state.validity().read(0, 7, || 1, || wraps(3, 5), || true, || true);
    assert_eq!(failed.exact_u64(), Err(CountError::BusError));
}

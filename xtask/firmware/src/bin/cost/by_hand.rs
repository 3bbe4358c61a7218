//! Measurement in hand-written assembly, in `by_hand.s` of the product.
//!
//! The functions are not inlined, so that no instruction of the caller lies between two moments.
#![allow(unsafe_code)]

use core::hint::black_box;

use crate::clock::{between, now};
use crate::driver::OVERFLOWS_AT_ONCE;
use crate::product::{COUNTERS, MORE, More};

/// Marks an unused counter.
const NONE: u32 = u32::MAX;

/// Marks the cycle counter in place of an event.
const CYCLES: u32 = 0x1_0000;

/// A count.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Judged {
    value: u32,
    verdict: u32,
}

type Counts = [Judged; COUNTERS + 1];

/// Selections and counts. `by_hand.s` uses the offset of each field.
#[repr(C, align(8))]
#[derive(Default)]
struct EventSet {
    events: [u32; COUNTERS],
    from: [u32; COUNTERS],
    clock: u32,
    clock_from: u32,
    control: u32,
    interrupts: u32,
    lost: u32,
    overflowed: u32,
    in_use: u32,
    cycles_nth: u32,
    counts: Counts,
    next: [u32; 2 * COUNTERS + 2],
    changed: u32,
    more: More,
    /// Whether a switch programmed the last settings.
    switched: u32,
}

/// A task. `by_hand.s` uses the offset of each field.
#[repr(C, align(8))]
#[derive(Default)]
struct Task {
    events: [u32; COUNTERS],
    in_use: u32,
    totals: [u64; COUNTERS + 1],
    verdicts: [u32; COUNTERS + 1],
}

unsafe extern "C" {
    fn by_hand_start(plan: &mut EventSet);
    fn by_hand_stop(plan: &mut EventSet);
    fn by_hand_switch(plan: &mut EventSet, previous: *mut Task, next: *mut Task);
    fn by_hand_read(plan: &EventSet, counts: &mut Counts);
    fn by_hand_acknowledge(plan: &mut EventSet) -> u32;
    fn by_hand_measure(
        plan: &mut EventSet,
        what: *const u32,
        length: usize,
        counts: *mut Judged,
    ) -> u32;
}

fn plan(events: &[u32]) -> EventSet {
    let mut plan =
        EventSet { events: [NONE; COUNTERS], clock: 1, more: MORE, ..EventSet::default() };
    plan.events[..events.len()].copy_from_slice(events);
    plan
}

/// Returns how many instructions a start, a reading of all counters, and a stop execute.
#[inline(never)]
pub fn start_read_stop(events: &[u32]) -> ([u32; 3], bool) {
    let mut plan = black_box(plan(events));
    let mut counts = Counts::default();
    // SAFETY: `by_hand.s` defines these functions, and no other code uses the PMU while they run.
    let moments = unsafe {
        let before = now();
        by_hand_start(&mut plan);
        let started = now();
        by_hand_read(&plan, &mut counts);
        let read = now();
        by_hand_stop(&mut plan);
        [before, started, read, now()]
    };
    let [before, started, read, stopped] = moments;
    let taken = [between(before, started), between(started, read), between(read, stopped)];
    let used = |counts: Counts| {
        counts.iter().filter(|count| count.verdict == 0 && count.value < 1 << 31).count()
    };
    let all = events.len() + 1;
    (taken, used(counts) == all && used(plan.counts) == all)
}

/// Overflows the first counter. Returns the number of instructions of the acknowledgement, and whether it acknowledged
/// that overflow.
#[inline(never)]
pub fn acknowledge(events: &[u32]) -> (u32, bool) {
    let mut plan = plan(events);
    plan.from[0] = OVERFLOWS_AT_ONCE;
    let (mut plan, mut counts) = black_box((plan, Counts::default()));
    // SAFETY: as above.
    let (moments, overflowed) = unsafe {
        by_hand_start(&mut plan);
        by_hand_read(&plan, &mut counts);
        let before = now();
        let overflowed = by_hand_acknowledge(&mut plan);
        let acknowledged = now();
        by_hand_stop(&mut plan);
        ([before, acknowledged], overflowed)
    };
    let [before, acknowledged] = moments;
    (between(before, acknowledged), overflowed == 1 && plan.overflowed == 1 && plan.lost == 0)
}

/// Returns two numbers of instructions, for a switch between two tasks with these events and for a switch to `others`,
/// and whether all totals are exact.
#[inline(never)]
pub fn switch(events: &[u32], others: &[u32]) -> ([u32; 2], bool) {
    let task = |events: &[u32]| {
        let in_use = 1 << 31 | ((1 << events.len()) - 1);
        let mut task = Task { events: [NONE; COUNTERS], in_use, ..Task::default() };
        task.events[..events.len()].copy_from_slice(events);
        task
    };
    let none = core::ptr::null_mut();
    let (mut plan, mut tasks) = black_box((plan(&[]), [task(events), task(events), task(others)]));
    let [first, second, third] = tasks.each_mut().map(core::ptr::from_mut);
    // SAFETY: as above.
    let moments = unsafe {
        by_hand_switch(&mut plan, none, first);
        let before = now();
        by_hand_switch(&mut plan, first, second);
        let same = now();
        by_hand_switch(&mut plan, second, third);
        let others = now();
        by_hand_switch(&mut plan, third, none);
        [before, same, others]
    };
    let [before, same, others] = moments;
    let is_exact = |task: &Task| task.verdicts == [0; COUNTERS + 1] && task.totals[COUNTERS] > 0;
    ([between(before, same), between(same, others)], tasks.iter().all(is_exact))
}

/// Counts `events` and cycles around an empty function, twice. Returns how many instructions each
/// measurement takes.
#[inline(never)]
pub fn measure(events: &[u32]) -> [u32; 2] {
    let mut what = [CYCLES; COUNTERS + 1];
    what[..events.len()].copy_from_slice(events);
    let (mut plan, what) = black_box((plan(&[]), what));
    let what = &what[..=events.len()];
    [measure_nothing(&mut plan, what), measure_nothing(&mut plan, what)]
}

#[inline(never)]
fn measure_nothing(plan: &mut EventSet, what: &[u32]) -> u32 {
    let mut counts = Counts::default();
    let before = now();
    // SAFETY: as above. Both arrays have the highest possible length.
    let refused = unsafe { by_hand_measure(plan, what.as_ptr(), what.len(), counts.as_mut_ptr()) };
    let after = now();
    assert_eq!(refused, 0, "there are enough counters");
    black_box(counts);
    between(before, after)
}

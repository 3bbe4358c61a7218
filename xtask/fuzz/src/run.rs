//! Runs programs.

use std::cell::RefCell;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arm_pmu_core::count::{Amount, Count};
use arm_pmu_core::diagnose::Diagnose;
use arm_pmu_core::measure::{
    AssignError, CountSnapshot, Intervals, Monitor, Rearm, RunningMonitor, StartStop, Totals,
    calibrate, measure,
};
use arm_pmu_core::metric::{About, Inputs, Metric, MetricUnit, Term};
use arm_pmu_core::schedule::{EventSet, EventSetError, MultiplexedRun, Schedule};

use crate::oracle::{
    ALL, Answer, Checked, Config, Failure, Kind, Slot, Track, check, check_metric, differences,
    stayed_below,
};
use crate::program::{
    CYCLES, Class, Classes, DetectedBy, EVENTS, Item, MOST_COUNTERS, Op, PlanOf, Program, Reference,
};
use crate::subject::{Counts, Subject};
use crate::world::{Span, World};

/// Rows of an interval.
const ROWS: usize = 5;

/// Result of a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Done {
    /// Numbers of checks.
    pub checked: Checked,
    /// Register accesses.
    pub accesses: u64,
}

/// Runs a program on a new device.
///
/// # Errors
///
/// The first disagreement between a driver and the oracle.
pub fn run<D: Subject>(program: &Program, classes: Classes) -> Result<Done, Failure> {
    let device = D::device();
    let world = World::<D>::new(&device);
    let at = RefCell::new(0);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut runner = Runner::new(&world, classes);
        for (nth, step) in program.steps.iter().enumerate() {
            *at.borrow_mut() = nth;
            world.begin(&step.traffic);
            let result = runner.step(&step.op);
            world.end();
            if let Err((kind, what)) = result {
                return Err(Failure { kind, step: nth, what });
            }
        }
        // A diagnosis writes back values that it read. After a reset these can be reserved values.
        let diagnosed = program.steps.iter().any(|step| step.op.is_diagnosis());
        let checked = world.is_lawful() && !diagnosed;
        let violations = if checked { D::violations(&device) } else { String::new() };
        if !violations.is_empty() {
            let (kind, step) = (Kind::Violation, program.steps.len());
            return Err(Failure { kind, step, what: violations });
        }
        Ok(runner.checked)
    }));
    let checked = match result {
        Ok(result) => result?,
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            let what = text.unwrap_or_default();
            return Err(Failure { kind: Kind::Panic, step: at.into_inner(), what });
        }
    };
    Ok(Done { checked, accesses: world.accesses() })
}

type Outcome = Result<(), (Kind, String)>;

/// The driver, stopped or running.
enum State<'w, D: Subject> {
    Stopped(D::Pmu<'w>),
    Running(D::Running<'w>),
    Rotating(Box<MultiplexedRun<D::Pmu<'w>, EVENTS>>, Box<Turns<D>>),
    /// Only while the state changes.
    Gone,
}

/// State of a multiplexed run.
struct Turns<D: Subject> {
    schedule: Schedule<D::Selection, EVENTS>,
    kinds: Vec<u8>,
    started: Span,
    readings: Vec<Span>,
    rotated: bool,
    /// Whether a call may have read an old capture.
    missed: bool,
    now: u64,
}

struct Runner<'w, D: Subject> {
    world: &'w World<'w, D>,
    classes: Classes,
    state: State<'w, D>,
    /// Settings of the next start. `None` if unknown.
    pending: Option<Config>,
    /// Settings of the last start. `None` if there was none, or if unknown.
    programmed: Option<Config>,
    /// Whether there was a start.
    ever_started: bool,
    tracks: [Option<Track>; ALL],
    /// The last call that took overflow flags, or the start.
    flags: Span,
    /// Number of times that flags were taken.
    taken: u32,
    /// Whether a counter overflowed since the start while its flag was being cleared, so that the flag was set again.
    flag_again: bool,
    totals: Option<(Totals<ALL>, Readings)>,
    intervals: Option<Rows<D>>,
    /// The last reading of all counters since the start.
    read: Option<(Span, Counts)>,
    checked: Checked,
}

/// The metric of one selection: its amount.
struct Only<D: Subject>(D::Selection);

impl<D: Subject> Metric for Only<D> {
    type Selection = D::Selection;
    type Events = [D::Selection; 1];
    const UNIT: MetricUnit = MetricUnit::Occurrences;
    const ABOUT: About =
        About { name: "ONLY", unit: Self::UNIT, formula: "", doc: "", caveat: "", source: "" };

    fn events(&self) -> [D::Selection; 1] {
        [self.0]
    }

    fn formula(&self, inputs: &Inputs) -> Term {
        inputs.nth(0)
    }
}

struct Rows<D: Subject> {
    intervals: Intervals<D::Selection, ROWS>,
    /// The counter of each row.
    counters: [Option<usize>; ROWS],
    readings: Readings,
    /// The reading that began the interval.
    began: Span,
    time: u64,
}

/// State of a series of readings.
#[derive(Clone, Debug)]
struct Readings {
    last: Span,
    /// Number of times that flags had been taken then.
    taken: u32,
    /// Whether the condition was met, or its violation is detected.
    trusted: [bool; ALL],
    /// Whether the flag of an overflow may be missing: see [`Period`].
    flag_missing: [bool; ALL],
}

fn all_counts(number: usize, counts: &[Count]) -> Counts {
    let mut all = [Count::NOT_COUNTED; ALL];
    let events = number.min(counts.len());
    all[..events].copy_from_slice(&counts[..events]);
    if let Some(cycles) = counts.get(number) {
        all[MOST_COUNTERS] = *cycles;
    }
    all
}

impl<'w, D: Subject> Runner<'w, D> {
    fn new(world: &'w World<'w, D>, classes: Classes) -> Self {
        Self {
            world,
            classes,
            state: State::Stopped(D::pmu(world)),
            pending: Some(Config::new::<D>()),
            programmed: None,
            ever_started: false,
            tracks: [const { None }; ALL],
            flags: Span { first: 0, last: 0 },
            taken: 0,
            flag_again: false,
            totals: None,
            intervals: None,
            read: None,
            checked: Checked::default(),
        }
    }

    fn step(&mut self, op: &Op) -> Outcome {
        match std::mem::replace(&mut self.state, State::Gone) {
            State::Stopped(pmu) => self.stopped(pmu, op),
            State::Running(running) => self.running(running, op),
            State::Rotating(rotation, turns) => self.rotating(rotation, turns, op),
            State::Gone => Ok(()),
        }
    }

    // Calls on a stopped PMU.

    fn stopped(&mut self, mut pmu: D::Pmu<'w>, op: &Op) -> Outcome {
        let begin = self.world.now();
        let result = match op {
            Op::Start => {
                self.begin_start();
                let running = pmu.start();
                self.started(self.world.since(begin));
                self.state = State::Running(running);
                return Ok(());
            }
            Op::Resume => {
                let fresh =
                    self.programmed.as_ref().is_some_and(Config::is_empty) || !self.ever_started;
                if fresh {
                    self.begin_start();
                }
                let running = D::resume(pmu);
                let span = self.world.since(begin);
                if self.world.touched().power && D::SHAPE.power_loss != DetectedBy::Resume {
                    self.world.touch_counters();
                    let none = D::SHAPE.power_loss == DetectedBy::None;
                    self.tracks.iter_mut().flatten().for_each(|track| track.void |= none);
                }
                if fresh {
                    self.started(span);
                } else {
                    self.tracks.iter_mut().flatten().for_each(|track| track.start(span));
                    self.begin_reading(span);
                }
                self.state = State::Running(running);
                return Ok(());
            }
            Op::Rotate(plan) => return self.rotate(pmu, plan),
            Op::LongPasses(plan, work) => return self.long_passes(pmu, plan, work),
            Op::Release => {
                D::release(pmu);
                self.new_driver();
                return Ok(());
            }
            Op::Count { counter, event, from } => {
                let slot = Slot { kind: *event, from: *from, by_64: false };
                D::set(&mut pmu, (*counter).into(), Some((*event, *from)));
                self.set((*counter).into(), Some(slot));
                Ok(())
            }
            Op::Off(counter) => {
                D::set(&mut pmu, (*counter).into(), None);
                self.set((*counter).into(), None);
                Ok(())
            }
            Op::CountCycles { by_64, from } => {
                D::set_cycles(&mut pmu, Some((*by_64, *from)));
                let slot = Slot { kind: CYCLES, from: *from, by_64: *by_64 && D::SHAPE.divider };
                self.set(MOST_COUNTERS, Some(slot));
                Ok(())
            }
            Op::CyclesOff => {
                D::set_cycles(&mut pmu, None);
                self.set(MOST_COUNTERS, None);
                Ok(())
            }
            Op::Assign(list) => {
                let result = pmu.assign(&selections::<D>(list));
                self.assigned(list, result).map(|_| ())
            }
            Op::Run(work) => {
                let mut spans = [begin; 3];
                self.begin_start();
                pmu.run(|| {
                    spans[1] = self.world.now();
                    self.work(work);
                    spans[2] = self.world.now();
                });
                self.ran(spans)
            }
            // More than the counters of some PMU do not compile.
            Op::Measure(list, work) => match list.len() {
                1 => self.measure::<1>(&mut pmu, list, work),
                2 => self.measure::<2>(&mut pmu, list, work),
                _ => Ok(()),
            },
            Op::Calibrate(list) => match list.len() {
                1 => self.calibrate::<1>(&mut pmu, list),
                2 => self.calibrate::<2>(&mut pmu, list),
                _ => Ok(()),
            },
            Op::CountNth => self.count_nth(&mut pmu),
            Op::AcknowledgeAll => {
                D::acknowledge_all(&mut pmu);
                Ok(())
            }
            Op::Diagnose => {
                let _ = pmu.diagnose_with(None, || ());
                Ok(())
            }
            Op::DiagnoseWith(work) => {
                let _ = pmu.diagnose_with(None, || self.work(work));
                Ok(())
            }
            Op::Fit(plan) => {
                if let Some((plan, _)) = plan_of::<D>(plan) {
                    self.pending = None;
                    let _ = plan.schedule(&mut pmu);
                }
                Ok(())
            }
            Op::Passes(plan, work) => self.passes(&mut pmu, plan, work),
            _ => Ok(()),
        };
        if result.is_ok() && !matches!(op, Op::Idle) {
            let counts = D::counts(&pmu);
            self.state = State::Stopped(pmu);
            return self.check_stopped(&counts);
        }
        self.state = State::Stopped(pmu);
        result
    }

    fn set(&mut self, counter: usize, slot: Option<Slot>) {
        let exists = match counter {
            MOST_COUNTERS => D::SHAPE.cycle_counter,
            _ => counter < D::SHAPE.counters.into(),
        };
        if let Some(pending) = self.pending.as_mut().filter(|_| exists) {
            pending.slots[counter] = slot;
            if counter != MOST_COUNTERS {
                pending.nth_is_cycles = D::SHAPE.counters.into();
            }
        }
    }

    /// Whether it was accepted.
    fn assigned(
        &mut self,
        list: &[u8],
        result: Result<(), AssignError>,
    ) -> Result<bool, (Kind, String)> {
        let config = Config::assign::<D>(list);
        match (result, config) {
            (Ok(()), Some(config)) => {
                self.pending = Some(config);
                Ok(true)
            }
            (Err(AssignError::BusError(_)), _) => Ok(false),
            (Err(_), None) => Ok(false),
            (result, config) => {
                Err((Kind::WrongAssign, format!("{result:?}, should fit: {}", config.is_some())))
            }
        }
    }

    fn begin_start(&mut self) {
        self.world.forget();
    }

    /// A start was made in these moments.
    fn started(&mut self, span: Span) {
        self.programmed.clone_from(&self.pending);
        self.ever_started = true;
        self.flag_again = false;
        let slots = self.pending.as_ref().map_or([None; ALL], |pending| pending.slots);
        self.tracks = slots.map(|slot| {
            let mut track = Track::of::<D>(slot?);
            track.start(span);
            Some(track)
        });
        self.begin_reading(span);
    }

    fn begin_reading(&mut self, span: Span) {
        self.flags = span;
        self.read = None;
        self.totals = None;
        self.intervals = None;
    }

    /// It was stopped in these moments.
    fn ended(&mut self, span: Span) {
        self.take_flags(span);
        for track in self.tracks.iter_mut().flatten() {
            track.before = track.possible(self.world, span);
            track.started = None;
            track.void |= track.before.len() > 64;
        }
    }

    /// Flags were taken in these moments.
    fn take_flags(&mut self, span: Span) {
        let (begin, flags) = (Span { first: span.first, last: span.first }, self.flags);
        self.flag_again |= self.tracks.iter().flatten().any(|track| {
            let wraps = |at, most| track.wraps(self.world, at, most);
            let now = wraps(span, true);
            now > wraps(begin, false) && now > wraps(flags, false) + 1
        });
        self.flags = span;
        self.taken += 1;
    }

    /// The work began and ended at these moments of a call that began at the first.
    fn ran(&mut self, [begin, work, end]: [usize; 3]) -> Outcome {
        self.started(Span { first: begin, last: work });
        self.ended(self.world.since(end));
        Ok(())
    }

    fn work(&self, work: &[Item]) {
        work.iter().for_each(|item| self.world.happen(*item));
    }

    fn check_stopped(&mut self, counts: &Counts) -> Outcome {
        let clean = self.world.is_clean() && !self.flag_again;
        for (number, count) in counts.iter().enumerate() {
            let Some(track) = &mut self.tracks[number] else { continue };
            if track.started.is_some() {
                continue;
            }
            let must = clean && !track.old_flag && stayed_below(track, &track.before);
            check(&mut self.checked, track, &track.before, (*count).into(), must)
                .map_err(|(kind, what)| (kind, format!("counter {number}: {what}")))?;
            // From here on, the settings are those.
            if let (Ok(exact), false) = (count.exact(), track.slot.by_64) {
                track.before = vec![exact.into()];
            }
        }
        Ok(())
    }

    fn count_nth(&mut self, pmu: &mut D::Pmu<'w>) -> Outcome {
        let Some(programmed) = &self.programmed else { return Ok(()) };
        for nth in 0..=ALL {
            let count = pmu.count(nth);
            let Some(counter) = programmed.counter_of::<D>(nth) else { continue };
            let Some(track) = &self.tracks[counter] else { continue };
            check(&mut self.checked, track, &track.before, count.into(), false)
                .map_err(|(kind, what)| (kind, format!("count({nth}): {what}")))?;
        }
        Ok(())
    }

    fn measure<const N: usize>(
        &mut self,
        pmu: &mut D::Pmu<'w>,
        list: &[u8],
        work: &[Item],
    ) -> Outcome {
        let mut spans = [self.world.now(); 3];
        let what: [D::Selection; N] = std::array::from_fn(|nth| D::selection(kind::<D>(list[nth])));
        let touched = self.world.touched();
        self.world.forget();
        let result = measure(pmu, what, || {
            spans[1] = self.world.now();
            self.work(work);
            spans[2] = self.world.now();
        });
        let measurement = match result {
            Ok(measurement) => measurement,
            Err(error) => {
                self.world.remember(touched);
                return self.assigned(&kinds::<D>(list), Err(error)).map(|_| ());
            }
        };
        self.assigned(&kinds::<D>(list), Ok(()))?;
        self.ran(spans)?;
        let programmed = self.programmed.as_ref().expect("it was assigned");
        for (nth, count) in measurement.counts.into_iter().enumerate() {
            let counter = programmed.counter_of::<D>(nth).expect("it was assigned");
            let track = self.tracks[counter].as_ref().expect("it was assigned");
            let must = self.world.is_clean() && stayed_below(track, &track.before);
            check(&mut self.checked, track, &track.before, count.into(), must)
                .map_err(|(kind, what)| (kind, format!("measured[{nth}]: {what}")))?;
        }
        Ok(())
    }

    fn calibrate<const N: usize>(&mut self, pmu: &mut D::Pmu<'w>, list: &[u8]) -> Outcome {
        let begin = self.world.now();
        let what: [D::Selection; N] = std::array::from_fn(|nth| D::selection(kind::<D>(list[nth])));
        let result = calibrate(pmu, what);
        let overhead = match result {
            Ok(overhead) => overhead,
            Err(error) => {
                // The first of the two measurements may have been made.
                if matches!(error, AssignError::BusError(_)) {
                    (self.programmed, self.pending) = (None, None);
                    self.tracks = [const { None }; ALL];
                }
                return self.assigned(&kinds::<D>(list), Err(error)).map(|_| ());
            }
        };
        self.assigned(&kinds::<D>(list), Ok(()))?;
        // The second measurement was at some time in these moments.
        let span = self.world.since(begin);
        self.started(span);
        self.ended(span);
        let programmed = self.programmed.as_ref().expect("it was assigned");
        for (nth, count) in overhead.counts().into_iter().enumerate() {
            let counter = programmed.counter_of::<D>(nth).expect("it was assigned");
            let track = self.tracks[counter].as_ref().expect("it was assigned");
            check(&mut self.checked, track, &track.before, count.into(), false)
                .map_err(|(kind, what)| (kind, format!("overhead[{nth}]: {what}")))?;
        }
        Ok(())
    }

    /// A new driver of the same device.
    fn new_driver(&mut self) {
        self.pending = Some(Config::new::<D>());
        self.programmed = None;
        self.ever_started = false;
        self.tracks = [const { None }; ALL];
        self.totals = None;
        self.intervals = None;
        self.state = State::Stopped(D::pmu(self.world));
    }

    /// The pending and the last started settings are unknown.
    fn unknown(&mut self) {
        self.pending = None;
        self.programmed = None;
        self.ever_started = true;
        self.tracks = [const { None }; ALL];
    }

    // Calls on a running PMU.

    fn running(&mut self, mut running: D::Running<'w>, op: &Op) -> Outcome {
        let begin = self.world.now();
        let result = match op {
            Op::Stop => {
                let pmu = <D::Pmu<'w> as StartStop>::stop(running);
                self.ended(self.world.since(begin));
                let counts = D::counts(&pmu);
                self.state = State::Stopped(pmu);
                return self.check_stopped(&counts);
            }
            Op::Drop => {
                drop(running);
                self.new_driver();
                return Ok(());
            }
            Op::Counts => {
                let counts = D::running_counts(&running);
                self.check_running(begin, &counts)
            }
            Op::ReadAtOnce => {
                let number = <D::Running<'w> as RunningMonitor>::COUNTERS;
                let mut counts = [Count::NOT_COUNTED; ALL];
                running.read_at_once(&mut counts[..number]);
                let counts = all_counts(D::SHAPE.counters.into(), &counts[..number]);
                if self.missed_capture() { Ok(()) } else { self.check_running(begin, &counts) }
            }
            Op::Acknowledge => {
                D::acknowledge(&mut running);
                self.take_flags(self.world.since(begin));
                Ok(())
            }
            Op::Rearm { counter, events } => {
                self.rearm(&mut running, *counter, *events);
                Ok(())
            }
            Op::Totals => {
                let totals = Totals::of(&mut running);
                let readings = self.first_reading(begin);
                self.totals = Some((totals, readings));
                self.check_totals()
            }
            Op::UpdateTotals => {
                if let Some((mut totals, mut readings)) = self.totals.take() {
                    totals.update(&mut running);
                    self.next_reading(&mut readings, begin);
                    self.totals = Some((totals, readings));
                }
                self.check_totals()
            }
            Op::Intervals => self.begin_intervals(&mut running, begin),
            Op::Snapshot => self.snapshot(&running, begin),
            Op::NextInterval => self.next_interval(&mut running, begin),
            Op::UpdateIntervals => {
                if let Some(mut rows) = self.intervals.take() {
                    rows.intervals.update(&mut running);
                    self.next_reading(&mut rows.readings, begin);
                    self.intervals = Some(rows);
                }
                Ok(())
            }
            _ => Ok(()),
        };
        self.state = State::Running(running);
        result
    }

    /// Whether this step may have read an old capture.
    fn missed_capture(&self) -> bool {
        D::SHAPE.captures && self.world.ignored_store()
    }

    fn check_running(&mut self, begin: usize, counts: &Counts) -> Outcome {
        if self.world.touched().counters {
            return Ok(());
        }
        let span = self.world.since(begin);
        let clean = self.world.is_clean() && !self.flag_again;
        for (number, count) in counts.iter().enumerate() {
            let Some(track) = &self.tracks[number] else { continue };
            let possible = track.possible(self.world, span);
            let must = clean && !track.old_flag && stayed_below(track, &possible);
            check(&mut self.checked, track, &possible, (*count).into(), must)
                .map_err(|(kind, what)| (kind, format!("counter {number}, running: {what}")))?;
        }
        self.check_since(begin, counts)
    }

    /// Checks the differences from the last reading to this one.
    fn check_since(&mut self, begin: usize, counts: &Counts) -> Outcome {
        let span = self.world.since(begin);
        let Some((last, before)) = self.read.replace((span, *counts)) else { return Ok(()) };
        for (number, count) in counts.iter().enumerate() {
            let Some(track) = &self.tracks[number] else { continue };
            let sum = |moment| self.world.sum(track.slot.kind, moment);
            // More than that is not always detected.
            if !track.saturates && sum(span.last) - sum(last.first) >= 1 << 32 {
                continue;
            }
            let possible = differences(self.world, track.slot.kind, last, span, &[]);
            let since = count.since(before[number]);
            check(&mut self.checked, &track.between_readings(), &possible, since.into(), false)
                .map_err(|(kind, what)| (kind, format!("counter {number}, since: {what}")))?;
        }
        Ok(())
    }

    fn rearm(&mut self, running: &mut D::Running<'w>, counter: u8, events: u32) {
        let Some(budget) = NonZeroU32::new(events) else { return };
        self.read = None;
        let counter = usize::from(counter);
        let cycles = counter == MOST_COUNTERS;
        let number = if cycles { D::SHAPE.counters.into() } else { counter };
        let begin = self.world.now();
        running.rearm(number, budget);
        let span = self.world.since(begin);
        let flags = self.flags;
        let ignored = self.world.ignored_store();
        let Some(track) = &mut self.tracks[counter] else { return };
        let kind = track.slot.kind;
        let meanwhile = self.world.sum(kind, span.last) - self.world.sum(kind, span.first);
        track.void |= ignored && meanwhile >= 1 << 30;
        // At the least until flags were taken, and at the most until now.
        if track.wraps(self.world, span, true) > track.wraps(self.world, flags, false) {
            track.old_flag = true;
            track.void |= !self.classes.has(Class::RearmFlag);
        }
        // A counter that saturates is full after that many events.
        track.slot.from = if track.saturates { !events } else { events.wrapping_neg() };
        track.before = Vec::new();
        track.starts = 0;
        track.start(span);
        if let Some((_, readings)) = &mut self.totals {
            readings.trusted[counter] = false;
        }
        if let Some(rows) = &mut self.intervals {
            rows.readings.trusted[counter] = false;
        }
    }

    // 64-bit totals.

    fn first_reading(&mut self, begin: usize) -> Readings {
        let span = self.world.since(begin);
        self.take_flags(span);
        let trusted = std::array::from_fn(|counter| {
            self.tracks[counter].as_ref().is_some_and(|track| {
                let kind = track.slot.kind;
                let meanwhile = self.world.sum(kind, span.last) - self.world.sum(kind, span.first);
                !track.old_flag && !track.void && meanwhile < 1 << 32 && !self.missed_capture()
            })
        });
        Readings { last: span, taken: self.taken, trusted, flag_missing: [false; ALL] }
    }

    fn next_reading(&mut self, readings: &mut Readings, begin: usize) {
        let span = self.world.since(begin);
        let alone = self.taken == readings.taken;
        self.take_flags(span);
        for (counter, track) in self.tracks.iter().enumerate() {
            let Some(track) = track else { continue };
            let period = Period {
                slot: track.slot,
                from: readings.last,
                to: span,
                before: track.possible(self.world, readings.last),
                alone,
                flag_missing: readings.flag_missing[counter],
            };
            readings.trusted[counter] &= period.is_found_out(self.world) && !self.missed_capture();
            readings.flag_missing[counter] = period.flag_is_missing(self.world);
        }
        (readings.last, readings.taken) = (span, self.taken);
    }

    fn check_totals(&mut self) -> Outcome {
        let Some((totals, readings)) = &self.totals else { return Ok(()) };
        if self.world.touched().counters {
            return Ok(());
        }
        for counter in 0..ALL {
            let (Some(track), true) = (&self.tracks[counter], readings.trusted[counter]) else {
                continue;
            };
            let cycles = counter == MOST_COUNTERS;
            let number = if cycles { D::SHAPE.counters.into() } else { counter };
            let possible = track.possible(self.world, readings.last);
            let answer = Answer::total(totals.get(number), totals.lower_bound(number));
            check(&mut self.checked, track, &possible, answer, false)
                .map_err(|(kind, what)| (kind, format!("total of counter {counter}: {what}")))?;
        }
        Ok(())
    }

    fn begin_intervals(&mut self, running: &mut D::Running<'w>, begin: usize) -> Outcome {
        let intervals = Intervals::of(running, 0);
        let readings = self.first_reading(begin);
        let mut counters = [None; ROWS];
        if let Some(programmed) = &self.programmed {
            for (row, counter) in counters.iter_mut().zip(programmed.in_use::<D>()) {
                *row = Some(counter);
            }
            for (row, selection) in intervals.selections().iter().enumerate() {
                self.check_label(counters[row], *selection)?;
            }
        }
        let began = readings.last;
        self.intervals = Some(Rows { intervals, counters, readings, began, time: 0 });
        Ok(())
    }

    /// Whether this counter was set to the selection.
    fn check_label(&self, counter: Option<usize>, label: Option<D::Selection>) -> Outcome {
        let slot = counter.and_then(|counter| self.tracks[counter].as_ref());
        let expected = slot.map(|track| D::selection(track.slot.kind));
        if label == expected {
            return Ok(());
        }
        Err((
            Kind::WrongLabel,
            format!("{label:?} of counter {counter:?}, which counts {expected:?}"),
        ))
    }

    fn snapshot(&mut self, running: &D::Running<'w>, begin: usize) -> Outcome {
        let snapshot = CountSnapshot::<_, ALL>::of(running);
        let Some(programmed) = &self.programmed else { return Ok(()) };
        let mut counts = [Count::NOT_COUNTED; ALL];
        let mut counters = programmed.in_use::<D>();
        for (selection, count) in snapshot.pairs() {
            let counter = counters.next();
            self.check_label(counter, Some(selection))?;
            counts[counter.unwrap_or(0)] = count;
        }
        let missing = counters.next();
        self.check_label(missing, None)?;
        drop(counters);
        if !self.world.touched().counters {
            let mut seen = Vec::new();
            for ((selection, _), counter) in snapshot.pairs().zip(programmed.in_use::<D>()) {
                let Some(track) = &self.tracks[counter] else { continue };
                if seen.contains(&selection) {
                    continue;
                }
                seen.push(selection);
                let possible = track.possible(self.world, self.world.since(begin));
                check_metric(track, &possible, snapshot.metric(&Only::<D>(selection)))?;
            }
        }
        self.check_running(begin, &counts)
    }

    fn next_interval(&mut self, running: &mut D::Running<'w>, begin: usize) -> Outcome {
        let Some(mut rows) = self.intervals.take() else { return Ok(()) };
        rows.time += 1;
        let interval = rows.intervals.next(running, rows.time);
        self.next_reading(&mut rows.readings, begin);
        if !self.world.touched().counters {
            for (nth, amount) in interval.amounts.into_iter().enumerate() {
                let Some(counter) = rows.counters[nth] else { continue };
                let Some(track) = &self.tracks[counter] else { continue };
                if !rows.readings.trusted[counter] {
                    continue;
                }
                let kind = track.slot.kind;
                let possible = differences(self.world, kind, rows.began, rows.readings.last, &[]);
                let row = track.between_readings();
                check(&mut self.checked, &row, &possible, amount.into(), false)
                    .map_err(|(kind, what)| (kind, format!("row {nth}: {what}")))?;
                let first = |selection| interval.selections.iter().position(|s| *s == selection);
                if let Some(selection) = interval.selections[nth]
                    && first(Some(selection)) == Some(nth)
                {
                    check_metric(&row, &possible, interval.metric(&Only::<D>(selection)))?;
                }
            }
        }
        rows.began = rows.readings.last;
        self.intervals = Some(rows);
        Ok(())
    }

    // More selections than counters.

    fn passes(&mut self, pmu: &mut D::Pmu<'w>, plan: &PlanOf, work: &[Item]) -> Outcome {
        let Some((plan, listed)) = plan_of::<D>(plan) else { return Ok(()) };
        self.world.forget();
        let mut moments = vec![self.world.now()];
        let result = plan.run(pmu, || {
            moments.push(self.world.now());
            self.work(work);
            moments.push(self.world.now());
        });
        moments.push(self.world.now());
        self.unknown();
        let passes = match result {
            Ok(passes) => passes,
            Err(error) => return refused(error),
        };
        for ((_, amount), kind) in passes.pairs().zip(listed) {
            // Begin of the call, begin and end of the work, and so on.
            let first = amount.pass() as usize * 2;
            let &[begin, started, stopped, end] = &moments[first..first + 4] else { continue };
            let (from, to) =
                (Span { first: begin, last: started }, Span { first: stopped, last: end });
            let track = Track::of::<D>(Slot { kind, from: 0, by_64: false });
            let possible = differences(self.world, kind, from, to, &[]);
            let must = self.world.is_clean() && stayed_below(&track, &possible);
            check(&mut self.checked, &track, &possible, amount.into(), must)
                .map_err(|(kind, what)| (kind, format!("pass {}: {what}", amount.pass())))?;
        }
        Ok(())
    }

    fn long_passes(&mut self, mut pmu: D::Pmu<'w>, plan: &PlanOf, work: &[Item]) -> Outcome {
        let Some((plan, listed)) = plan_of::<D>(plan) else {
            self.state = State::Stopped(pmu);
            return Ok(());
        };
        self.world.forget();
        let schedule = match plan.schedule(&mut pmu) {
            Ok(schedule) => schedule,
            Err(error) => {
                self.unknown();
                self.state = State::Stopped(pmu);
                return refused(error);
            }
        };
        // Of each pass: the begin, and the calls that read the counters.
        let mut passes: Vec<Vec<Span>> = Vec::new();
        let mut end = self.world.now();
        let (pmu, result) = schedule.run_long(pmu, |keep_up| {
            let mut spans = vec![self.world.since(end)];
            for (nth, item) in work.iter().enumerate() {
                if nth > 0 {
                    let before = self.world.now();
                    keep_up();
                    spans.push(self.world.since(before));
                }
                self.world.happen(*item);
            }
            end = self.world.now();
            passes.push(spans);
        });
        self.unknown();
        self.state = State::Stopped(pmu);
        let counted = match result {
            Ok(counted) => counted,
            Err(error) => return refused(error.into()),
        };
        // The stop is at the begin of the next pass, or at the end.
        let mut stop = self.world.since(end);
        for spans in passes.iter_mut().rev() {
            let next = stop;
            stop = spans[0];
            spans.push(next);
        }
        for ((_, amount), kind) in counted.pairs().zip(listed) {
            let spans = &passes[amount.pass() as usize];
            let single = spans.len() == 2;
            self.check_series(kind, spans, single, single, amount.into(), "a long pass")?;
        }
        Ok(())
    }

    /// Checks an amount from the first of these calls to the last. `single` is whether the counter was
    /// read at the stop only, so that no condition is needed, and `must` whether there has to be a number.
    fn check_series(
        &mut self,
        kind: u8,
        spans: &[Span],
        single: bool,
        must: bool,
        answer: Answer,
        name: &str,
    ) -> Outcome {
        let track = Track::of::<D>(Slot { kind, from: 0, by_64: false });
        let [first, .., last] = spans else { return Ok(()) };
        let mut trusted = !self.missed_capture();
        let mut flag_missing = false;
        for pair in spans.windows(2).take_while(|_| !single) {
            let [from, to] = [pair[0], pair[1]];
            let before = differences(self.world, kind, *first, from, &[]);
            let slot = track.slot;
            let period = Period { slot, from, to, before, alone: true, flag_missing };
            trusted &= period.is_found_out(self.world);
            flag_missing = period.flag_is_missing(self.world);
        }
        if !trusted {
            return Ok(());
        }
        let possible = differences(self.world, kind, *first, *last, &[]);
        let must = must && self.world.is_clean() && stayed_below(&track, &possible);
        check(&mut self.checked, &track, &possible, answer, must)
            .map_err(|(kind, what)| (kind, format!("{name}: {what}")))
    }

    fn rotate(&mut self, mut pmu: D::Pmu<'w>, plan: &PlanOf) -> Outcome {
        let Some((plan, kinds)) = plan_of::<D>(plan) else {
            self.state = State::Stopped(pmu);
            return Ok(());
        };
        self.world.forget();
        let schedule = match plan.schedule(&mut pmu) {
            Ok(schedule) => schedule,
            Err(error) => {
                self.unknown();
                self.state = State::Stopped(pmu);
                return refused(error);
            }
        };
        let begin = self.world.now();
        let rotation = schedule.clone().rotate(pmu, 0);
        let started = self.world.since(begin);
        let readings = vec![started];
        let turns =
            Turns { schedule, kinds, started, readings, rotated: false, missed: false, now: 0 };
        self.unknown();
        self.state = State::Rotating(Box::new(rotation), Box::new(turns));
        Ok(())
    }

    fn rotating(
        &mut self,
        mut rotation: Box<MultiplexedRun<D::Pmu<'w>, EVENTS>>,
        mut turns: Box<Turns<D>>,
        op: &Op,
    ) -> Outcome {
        let begin = self.world.now();
        match op {
            Op::NextSlice => {
                turns.now += 1;
                rotation.rotate(turns.now);
                turns.missed |= self.missed_capture();
                turns.rotated |= turns.schedule.passes() > 1;
                turns.readings.push(self.world.since(begin));
            }
            Op::Wait(ticks) => turns.now += u64::from(*ticks) << 8,
            Op::UpdateSlice => {
                rotation.update();
                turns.missed |= self.missed_capture();
                turns.readings.push(self.world.since(begin));
            }
            Op::EndRotation => {
                let (pmu, rotated) = rotation.stop(turns.now);
                turns.readings.push(self.world.since(begin));
                self.state = State::Stopped(pmu.expect("no driver panicked"));
                for (count, kind) in rotated.counts().zip(&turns.kinds) {
                    let most = self.world.sum(*kind, self.world.now())
                        - self.world.sum(*kind, turns.started.first);
                    let bounds = [count.amount, count.least, count.most].map(Amount::lower_bound);
                    let sum = |moment| self.world.sum(*kind, moment);
                    // More events from one call to the next are not always detected.
                    let in_time = turns.readings.windows(2).all(|calls| {
                        let [from, to] = [calls[0], calls[1]];
                        sum(to.last) - sum(from.first) < 1 << 32
                    });
                    // An ignored capture has values of an earlier one, as in totals.
                    let captured = !turns.missed && !self.missed_capture();
                    if in_time && captured && bounds.iter().any(|bound| *bound > most) {
                        let text = format!("rotated: {count:?}, at most {most}");
                        return Err((Kind::WrongLowerBound, text));
                    }
                }
                for ((_, amount), kind) in rotated.pairs().zip(&turns.kinds) {
                    if turns.rotated {
                        // Estimates, and exact at most if one slice was all of it.
                        let most = self.world.sum(*kind, self.world.now())
                            - self.world.sum(*kind, turns.started.first);
                        if amount.exact().is_ok_and(|events| events > most) {
                            return Err((Kind::WrongNumber, format!("rotated: {amount:?}")));
                        }
                    } else if amount.pass() == 0 && !turns.missed {
                        let single = turns.readings.len() == 2;
                        let name = "a rotation";
                        let readings = &turns.readings;
                        // Unknown if the time is unknown.
                        self.check_series(*kind, readings, single, false, amount.into(), name)?;
                    }
                }
                return Ok(());
            }
            _ => {}
        }
        self.state = State::Rotating(rotation, turns);
        Ok(())
    }
}

/// From one reading of a series to the next.
struct Period {
    slot: Slot,
    from: Span,
    to: Span,
    /// Possible counts up to the first reading.
    before: Vec<u64>,
    /// Whether no other call took overflow flags in between.
    alone: bool,
    /// Whether the flag of an overflow before the first reading may be missing: it was set during that reading,
    /// or another call took it.
    flag_missing: bool,
}

impl Period {
    /// The most events from the beginning of the first reading to the end of the second.
    fn most<D: Subject>(&self, world: &World<'_, D>) -> u64 {
        world.sum(self.slot.kind, self.to.last) - world.sum(self.slot.kind, self.from.first)
    }

    /// Whether no such event happened during the two readings.
    fn is_quiet<D: Subject>(&self, world: &World<'_, D>) -> bool {
        let sum = |moment| world.sum(self.slot.kind, moment);
        [self.from, self.to].iter().all(|span| sum(span.first) == sum(span.last))
    }

    /// The value of the counter at the first reading, if it is known.
    fn held(&self) -> Option<u64> {
        match self.before[..] {
            [raw] if !self.slot.by_64 => Some((raw + u64::from(self.slot.from)) & 0xFFFF_FFFF),
            _ => None,
        }
    }

    /// Whether the counter saturates, or fewer than 2^32 events happened, or more are detected: the overflow flag was
    /// set once, the counter is not below its last value, and the flag is not from an earlier overflow.
    fn is_found_out<D: Subject>(&self, world: &World<'_, D>) -> bool {
        if D::SHAPE.saturates {
            return true;
        }
        let most = self.most(world);
        let Some(held) = self.held().filter(|_| self.is_quiet(world)) else {
            return most < 1 << 32;
        };
        let once = most < 1 << 33 && held + most < 1 << 33;
        most < 1 << 32 || (once && self.alone && !self.flag_missing)
    }

    /// Whether the flag of an overflow up to the second reading may be missing.
    fn flag_is_missing<D: Subject>(&self, world: &World<'_, D>) -> bool {
        let may_wrap = self.held().is_none_or(|held| held + self.most(world) >= 1 << 32);
        may_wrap && (self.flag_missing || !self.alone || !self.is_quiet(world))
    }
}

fn refused(error: EventSetError) -> Outcome {
    match error {
        EventSetError::Assign(AssignError::BusError(_)) => Ok(()),
        error => Err((Kind::WrongAssign, format!("the plan was refused: {error}"))),
    }
}

/// Where cycles cannot be selected, an event is.
fn kind<D: Subject>(kind: u8) -> u8 {
    if kind == CYCLES && !D::SHAPE.clock { 0 } else { kind }
}

fn kinds<D: Subject>(list: &[u8]) -> Vec<u8> {
    list.iter().map(|number| kind::<D>(*number)).collect()
}

fn selections<D: Subject>(list: &[u8]) -> Vec<D::Selection> {
    list.iter().map(|number| D::selection(kind::<D>(*number))).collect()
}

type PlanAndKinds<D> = (EventSet<<D as Subject>::Selection, EVENTS>, Vec<u8>);

/// The event set, and the selections of its entries. `None` if there is no room.
fn plan_of<D: Subject>(of: &PlanOf) -> Option<PlanAndKinds<D>> {
    let mut plan = EventSet::new();
    let mut all = Vec::with_capacity(EVENTS);
    for group in &of.groups {
        plan.add_group(&selections::<D>(group)).ok()?;
        all.extend(kinds::<D>(group));
    }
    match of.reference {
        Reference::Clock => {}
        Reference::None => plan.without_reference(),
        Reference::Selected(number) => plan.reference(D::selection(kind::<D>(number))),
    }
    Some((plan, all))
}

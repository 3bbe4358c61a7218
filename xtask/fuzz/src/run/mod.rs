//! Runs programs.
//!
//! Runs the calls of a program. Each call is possible in one state of the driver: [stopped], [running], or
//! [switching between tasks](tasks). In other states, a call does nothing.

mod running;
mod stopped;
pub mod tasks;

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arm_pmu_core::measure::AssignError;

use crate::oracle::{Answer, Checked, Config, Failure, Kind, Track, check, stayed_below};
use crate::program::{Item, Op, Program};
use crate::world::{Counts, MOST, Span, Subject, World};
use running::Run;

#[derive(Clone, Copy, Debug, Default)]
pub struct Done {
    pub checked: Checked,
    pub accesses: u64,
}

/// Runs a program on a new device.
pub fn run<D: Subject>(program: &Program) -> Result<Done, Failure> {
    let device = D::device();
    let world = World::<D>::new(&device);
    let at = Cell::new(0);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut runner = Runner::new(&world);
        for (nth, step) in program.steps.iter().enumerate() {
            at.set(nth);
            world.begin(&step.traffic);
            let result = runner.step(&step.op);
            world.end();
            result.map_err(|(kind, what)| Failure { kind, step: nth, what })?;
        }
        // A diagnosis writes back values that it read. After a reset, these values can be reserved.
        let diagnosed = program.steps.iter().any(|step| step.op.is_diagnosis());
        let checked = world.is_lawful() && !diagnosed;
        let what = if checked { D::violations(&device) } else { String::new() };
        if !what.is_empty() {
            return Err(Failure { kind: Kind::Violation, step: program.steps.len(), what });
        }
        Ok(runner.checked.get())
    }));
    let checked = result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Failure { kind: Kind::Panic, step: at.get(), what: text.unwrap_or_default() })
    })?;
    Ok(Done { checked, accesses: world.accesses() })
}

type Outcome = Result<(), (Kind, String)>;

/// The driver, in one of its states.
enum State<'w, D: Subject> {
    Stopped(D::Pmu<'w>),
    Running(D::Running<'w>),
    Switching(Box<tasks::Switching<'w, D>>),
    /// Used only while the state changes.
    Gone,
}

struct Runner<'w, D: Subject> {
    world: &'w World<'w, D>,
    state: State<'w, D>,
    /// Settings of the next start. `None` if unknown.
    pending: Option<Config>,
    /// Settings of the last start. `None` if there was no start, or if the settings are unknown.
    programmed: Option<Config>,
    /// Whether a start has happened.
    ever_started: bool,
    tracks: [Option<Track>; MOST],
    /// Moments of the last call that took overflow flags, or of the start.
    flags: Span,
    /// Whether a counter overflowed since the start while its flag was cleared, so that the flag was set again.
    flag_again: bool,
    /// Readings since the start.
    run: Run,
    checked: Cell<Checked>,
}

impl<'w, D: Subject> Runner<'w, D> {
    fn new(world: &'w World<'w, D>) -> Self {
        Self {
            world,
            state: State::Stopped(D::pmu(world)),
            pending: Some(Config::new::<D>()),
            programmed: None,
            ever_started: false,
            tracks: [const { None }; MOST],
            flags: Span { first: 0, last: 0 },
            flag_again: false,
            run: Run::default(),
            checked: Cell::default(),
        }
    }

    fn step(&mut self, op: &Op) -> Outcome {
        match std::mem::replace(&mut self.state, State::Gone) {
            State::Stopped(pmu) => self.stopped(pmu, op),
            State::Running(running) => self.running(running, op),
            State::Switching(switching) => self.switching(switching, op),
            State::Gone => Ok(()),
        }
    }

    /// Creates a new driver of the same device.
    fn new_driver(&mut self) -> Outcome {
        self.pending = Some(Config::new::<D>());
        self.programmed = None;
        self.ever_started = false;
        self.tracks = [const { None }; MOST];
        self.run = Run::default();
        self.state = State::Stopped(D::pmu(self.world));
        Ok(())
    }

    /// Makes the pending and the last started settings unknown.
    fn unknown(&mut self) {
        self.pending = None;
        self.programmed = None;
        self.ever_started = true;
        self.tracks = [const { None }; MOST];
    }

    /// `assign` returned this.
    fn assigned(&mut self, list: &[u8], result: Result<(), AssignError>) -> Outcome {
        match (result, Config::assign::<D>(list)) {
            (Ok(()), Some(config)) => {
                self.pending = Some(config);
                Ok(())
            }
            (Err(AssignError::BusError(_)), _) | (Err(_), None) => Ok(()),
            (result, config) => {
                Err((Kind::WrongAssign, format!("{result:?}, should fit: {}", config.is_some())))
            }
        }
    }

    /// Records a start in these moments.
    fn started(&mut self, span: Span) {
        self.programmed.clone_from(&self.pending);
        self.ever_started = true;
        self.flag_again = false;
        let slots = self.pending.as_ref().map_or([None; MOST], |pending| pending.slots);
        self.tracks = slots.map(|slot| {
            let mut track = Track::new::<D>(slot?);
            track.started = Some(span);
            Some(track)
        });
        self.begin_reading(span);
    }

    fn begin_reading(&mut self, span: Span) {
        self.flags = span;
        self.run = Run::default();
    }

    /// Records a stop in these moments.
    fn ended(&mut self, span: Span) {
        self.take_flags(span);
        for track in self.tracks.iter_mut().flatten() {
            track.before = track.possible(self.world, span);
            track.started = None;
            track.void |= track.before.len() > 64;
        }
    }

    /// Records that flags were taken in these moments.
    fn take_flags(&mut self, span: Span) {
        let (begin, flags) = (Span { first: span.first, last: span.first }, self.flags);
        self.flag_again |= self.tracks.iter().flatten().any(|track| {
            let wraps = |at, most| track.wraps(self.world, at, most);
            let now = wraps(span, true);
            now > wraps(begin, false) && now > wraps(flags, false) + 1
        });
        self.flags = span;
    }

    fn work(&self, work: &[Item]) {
        work.iter().for_each(|item| self.world.happen(*item));
    }

    /// Returns whether this step may have read an old capture.
    fn missed_capture(&self) -> bool {
        D::SHAPE.captures && self.world.ignored_store()
    }

    /// Compares a count with its possible values.
    fn check(
        &self,
        name: impl Display,
        track: &Track,
        possible: &[u64],
        answer: impl Into<Answer>,
        must: bool,
    ) -> Outcome {
        let mut checked = self.checked.get();
        let result = check(&mut checked, track, possible, answer.into(), must);
        self.checked.set(checked);
        result.map_err(|(kind, what)| (kind, format!("{name}: {what}")))
    }

    /// Returns whether the counter must have an exact number, provided that the program is `clean`.
    fn must(&self, track: &Track, possible: &[u64]) -> bool {
        let clean = self.world.is_clean() && !self.flag_again && !track.old_flag;
        clean && stayed_below(track, possible)
    }

    fn check_stopped(&mut self, counts: &Counts) -> Outcome {
        for (number, count) in counts.iter().enumerate() {
            let Some(track) = &self.tracks[number] else { continue };
            if track.started.is_some() {
                continue;
            }
            let must = self.must(track, &track.before);
            self.check(format_args!("counter {number}"), track, &track.before, *count, must)?;
            // After an exact count, only this number is possible.
            if let (Ok(exact), Some(track)) = (count.exact(), &mut self.tracks[number]) {
                track.before = vec![exact.into()];
            }
        }
        Ok(())
    }
}

/// Converts a counter of a program, where [`MOST_COUNTERS`](crate::program::MOST_COUNTERS) is the
/// cycle counter, to a counter number.
fn number<D: Subject>(counter: u8) -> usize {
    counter.min(D::SHAPE.counters).into()
}

/// Returns the selections of a program; an event in place of cycles if the device cannot select cycles.
fn kinds<D: Subject>(list: &[u8]) -> Vec<u8> {
    let kind = |kind| if kind == crate::program::CYCLES && !D::SHAPE.clock { 0 } else { kind };
    list.iter().map(|number| kind(*number)).collect()
}

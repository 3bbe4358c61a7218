//! Runs the calls of a program. Each call is possible in one state of the driver: [stopped], [running], or
//! [switching between tasks](tasks). In other states, a call does nothing.

mod running;
mod stopped;
mod tasks;

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arm_pmu::count::Count;
use arm_pmu::measure::{AssignError, StartStop};

use super::oracle::{Answer, Config, Failure, MOST, Slot, Track, Wrong, check};
use super::program::{Op, Shape, Step};
use crate::devices::Device;
use crate::traffic::{Item, Span, Touched, World};
use running::Run;

/// Runs a program on a new device, and returns how many exact numbers were checked.
pub(super) fn run<D: Device + 'static>(program: &[Step]) -> Result<u64, Failure> {
    let device = D::new();
    let world = device.world();
    let at = Cell::new(0);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut runner = Runner::new(&device);
        for (nth, step) in program.iter().enumerate() {
            at.set(nth);
            world.begin(&step.traffic);
            let result = runner.step(&step.op);
            world.end(&device);
            result.map_err(|(kind, what)| Failure { kind, step: nth, what })?;
        }
        // A diagnosis writes back values that it read. After a reset, these values can be reserved.
        let diagnosed = program.iter().any(|step| matches!(step.op, Op::Diagnose(_)));
        let complaints = device.complaints();
        if world.is_lawful.get() && !diagnosed && !complaints.is_empty() {
            let (kind, what) = ("the driver does what the manual forbids", complaints.join(", "));
            return Err(Failure { kind, step: program.len(), what });
        }
        Ok(runner.checked.get())
    }));
    result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Failure { kind: "a panic", step: at.get(), what: text.unwrap_or_default() })
    })
}

type Outcome = Result<(), Wrong>;

/// The driver while it counts.
type Running<'w, D> = <<D as Device>::Pmu<'w> as StartStop>::Running;

/// Counts by counter number; the cycle counter has the highest number.
type Counts = [Count; MOST];

/// The driver, in one of its states.
enum State<'w, D: Device + 'static> {
    Stopped(D::Pmu<'w>),
    Running(Running<'w, D>),
    Switching(Box<tasks::Switching<'w, D>>),
    /// Used only while the state changes.
    Gone,
}

struct Runner<'w, D: Device + 'static> {
    device: &'w D,
    world: &'w World,
    shape: Shape,
    state: State<'w, D>,
    /// Settings of the next start. `None` if unknown.
    pending: Option<Config>,
    /// Settings of the last start. `None` if there was no start, or if the settings are unknown.
    programmed: Option<Config>,
    /// Whether a start has happened.
    ever_started: bool,
    tracks: [Option<Track>; MOST],
    /// Time span of the last call that read and cleared overflow flags or, if no call has done so,
    /// of the start.
    flags: Span,
    /// Whether, since the start, a counter may have overflowed again while its flag was being cleared.
    flag_again: bool,
    /// Readings since the start.
    run: Run,
    /// Number of exact counts that were checked.
    checked: Cell<u64>,
}

impl<'w, D: Device + 'static> Runner<'w, D> {
    fn new(device: &'w D) -> Self {
        let shape = Shape::of::<D>();
        Self {
            device,
            world: device.world(),
            shape,
            state: State::Stopped(device.pmu()),
            pending: Some(Config::new(shape)),
            programmed: None,
            ever_started: false,
            tracks: [const { None }; MOST],
            flags: Span { first: 0, last: 0 },
            flag_again: false,
            run: Run::default(),
            checked: Cell::new(0),
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
    fn replace_driver(&mut self) -> Outcome {
        let checked = self.checked.take();
        *self = Self::new(self.device);
        self.checked.set(checked);
        Ok(())
    }

    /// Marks both the pending settings and the settings of the last start as unknown.
    fn unknown(&mut self) {
        self.pending = None;
        self.programmed = None;
        self.ever_started = true;
        self.tracks = [const { None }; MOST];
    }

    /// Checks that an assignment succeeds if and only if there are enough counters for the
    /// selections.
    fn assigned(
        &self,
        list: &[u8],
        result: Result<(), AssignError>,
    ) -> Result<Option<Config>, Wrong> {
        let config = Config::assign(self.shape, list);
        match result {
            Err(AssignError::BusError(_)) => Ok(None),
            _ if result.is_ok() == config.is_some() => Ok(config),
            _ => Err(("assign does not do what it should", format!("{result:?}, {list:?}"))),
        }
    }

    /// Records a start that happened at some moment of `span`.
    fn started(&mut self, span: Span) {
        self.programmed.clone_from(&self.pending);
        self.ever_started = true;
        self.flag_again = false;
        let slots = self.pending.as_ref().map_or([None; MOST], |pending| pending.slots);
        let track = |slot| Track { started: Some(span), ..Track::new(slot, self.shape.saturates) };
        self.tracks = slots.map(|slot| slot.map(track));
        self.begin_reading(span);
    }

    fn begin_reading(&mut self, span: Span) {
        self.flags = span;
        self.run = Run::default();
    }

    /// Records a stop that happened at some moment of `span`.
    fn ended(&mut self, span: Span) {
        self.take_flags(span);
        for track in self.tracks.iter_mut().flatten() {
            track.before = track.possible(self.world, span);
            track.started = None;
            track.void |= track.before.len() > 64;
        }
    }

    /// Records that the driver read and cleared the overflow flags at some moment in `span`.
    fn take_flags(&mut self, span: Span) {
        let begin = Span { first: span.first, last: span.first };
        self.flag_again |= self.tracks.iter().flatten().any(|track| {
            let [now, begin, flags] =
                [span, begin, self.flags].map(|at| track.wraps(self.world, at));
            now[1] > begin[0] && now[1] > flags[0] + 1
        });
        self.flags = span;
    }

    fn work(&self, work: &[Item]) {
        work.iter().for_each(|item| self.world.happen(self.device, *item));
    }

    /// Prepares for a start: earlier actions of a second owner no longer matter.
    fn forget(&self) {
        self.world.touched.set(Touched::default());
    }

    /// Returns whether this step may have read a capture that is out of date.
    fn missed_capture(&self) -> bool {
        self.shape.captures && self.world.ignored_store.get()
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
        let is_exact = check(track, possible, answer.into(), must)
            .map_err(|(kind, what)| (kind, format!("{name}: {what}")))?;
        self.checked.set(self.checked.get() + u64::from(is_exact));
        Ok(())
    }

    /// Returns whether the counter must have an exact number.
    fn must(&self, track: &Track, possible: &[u64]) -> bool {
        let clean = self.world.is_clean.get() && !self.flag_again && !track.old_flag;
        clean && track.stayed_below(possible)
    }

    /// Checks the count of a counter that is off. After tasks, it can be unknown whether the
    /// counter is off; any count is then accepted.
    fn check_unused(&self, number: usize, count: Count) -> Outcome {
        if self.programmed.is_none() || count == Count::NOT_COUNTED {
            return Ok(());
        }
        Err(("an unused counter has a count", format!("counter {number}: {count:?}")))
    }

    fn check_stopped(&mut self, pmu: &D::Pmu<'w>) -> Outcome {
        let events = D::counts(pmu);
        let counts = events.into_iter().chain([D::count_of_cycles(pmu)]);
        for (number, count) in counts.enumerate() {
            let Some(track) = &self.tracks[number] else {
                self.check_unused(number, count)?;
                continue;
            };
            if track.started.is_some() {
                continue;
            }
            let must = self.must(track, &track.before);
            self.check(format_args!("counter {number}"), track, &track.before, count, must)?;
            // After an exact count, only this number remains possible.
            if let (Ok(exact), Some(track)) = (count.exact(), &mut self.tracks[number]) {
                track.before = vec![exact.into()];
            }
        }
        Ok(())
    }
}

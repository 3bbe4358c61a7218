//! Calls of a running PMU.

use std::num::NonZeroU32;

use arm_pmu_core::count::Count;
use arm_pmu_core::measure::{
    CountSnapshot, Intervals, Rearm, RunningMonitor as _, StartStop, Totals,
};
use arm_pmu_core::metric::{About, Inputs, Metric, MetricUnit, Term};

use super::reading::Readings;
use super::{Outcome, Runner, State, number};
use crate::oracle::{Answer, Kind, check_metric, differences};
use crate::program::{Class, Op};
use crate::world::{Counts, MOST, Span, Subject};

/// Rows of an interval.
const ROWS: usize = 5;

/// Readings since the start.
pub struct Run<D: Subject> {
    totals: Option<(Totals<MOST>, Readings)>,
    intervals: Option<Rows<D>>,
    /// The last reading of all counters.
    read: Option<(Span, Counts)>,
}

impl<D: Subject> Default for Run<D> {
    fn default() -> Self {
        Self { totals: None, intervals: None, read: None }
    }
}

struct Rows<D: Subject> {
    intervals: Intervals<D::Selection, ROWS>,
    /// Counter of each row.
    counters: [Option<usize>; ROWS],
    readings: Readings,
    /// Reading that began the interval.
    began: Span,
    time: u64,
}

/// A metric of one selection, whose value is the selection's amount.
struct Only<D: Subject>(D::Selection);

impl<D: Subject> Metric for Only<D> {
    type Selection = D::Selection;
    type Events = [D::Selection; 1];
    const ABOUT: About = About {
        name: "ONLY",
        unit: MetricUnit::Occurrences,
        formula: "",
        doc: "",
        caveat: "",
        source: "",
    };

    fn events(&self) -> [D::Selection; 1] {
        [self.0]
    }

    fn formula(&self, inputs: &Inputs) -> Term {
        inputs.nth(0)
    }
}

impl<'w, D: Subject> Runner<'w, D> {
    pub fn running(&mut self, mut running: D::Running<'w>, op: &Op) -> Outcome {
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
                return self.new_driver();
            }
            Op::Counts => self.check_running(begin, &D::running_counts(&running)),
            Op::ReadAtOnce => {
                let mut counts = [Count::NOT_COUNTED; MOST];
                running.read_at_once(&mut counts[..all::<D>()]);
                if self.missed_capture() { Ok(()) } else { self.check_running(begin, &counts) }
            }
            Op::Acknowledge => {
                D::acknowledge(&mut running);
                self.take_flags(self.world.since(begin));
                Ok(())
            }
            Op::Rearm { counter, events } => {
                if let Some(budget) = NonZeroU32::new(*events) {
                    self.rearm(&mut running, number::<D>(*counter), budget);
                }
                Ok(())
            }
            Op::Totals => {
                let totals = Totals::of(&mut running);
                self.run.totals = Some((totals, self.first_reading(begin)));
                self.check_totals()
            }
            Op::UpdateTotals => {
                if let Some((mut totals, mut readings)) = self.run.totals.take() {
                    totals.update(&mut running);
                    self.next_reading(&mut readings, begin);
                    self.run.totals = Some((totals, readings));
                }
                self.check_totals()
            }
            Op::Snapshot => self.snapshot(&running, begin),
            Op::Intervals => self.begin_intervals(&mut running, begin),
            Op::NextInterval => self.next_interval(&mut running, begin),
            Op::UpdateIntervals => {
                if let Some(mut rows) = self.run.intervals.take() {
                    rows.intervals.update(&mut running);
                    self.next_reading(&mut rows.readings, begin);
                    self.run.intervals = Some(rows);
                }
                Ok(())
            }
            _ => Ok(()),
        };
        self.state = State::Running(running);
        result
    }

    fn check_running(&mut self, begin: usize, counts: &Counts) -> Outcome {
        if self.world.touched().counters {
            return Ok(());
        }
        let span = self.world.since(begin);
        for (number, count) in counts.iter().enumerate() {
            let Some(track) = &self.tracks[number] else { continue };
            let possible = track.possible(self.world, span);
            let must = self.must(track, &possible);
            self.check(format_args!("counter {number}, running"), track, &possible, *count, must)?;
        }
        // Differences from the last reading to this one.
        let Some((last, before)) = self.run.read.replace((span, *counts)) else { return Ok(()) };
        for (number, count) in counts.iter().enumerate() {
            let Some(track) = &self.tracks[number] else { continue };
            let kind = track.slot.kind;
            // 2^32 or more events are not always detected.
            if !track.saturates && self.world.between(kind, last.first, span.last) >= 1 << 32 {
                continue;
            }
            let possible = differences(self.world, kind, last, span, &[]);
            let since = count.since(before[number]);
            let name = format_args!("counter {number}, since");
            self.check(name, &track.between_readings(), &possible, since, false)?;
        }
        Ok(())
    }

    fn rearm(&mut self, running: &mut D::Running<'w>, counter: usize, budget: NonZeroU32) {
        self.run.read = None;
        let begin = self.world.now();
        running.rearm(counter, budget);
        let span = self.world.since(begin);
        let Some(track) = &mut self.tracks[counter] else { return };
        let meanwhile = self.world.during(track.slot.kind, span);
        track.void |= self.world.ignored_store() && meanwhile >= 1 << 30;
        // Compares the wraps before the flags were taken (at least) with the wraps until now (at
        // most).
        if track.wraps(self.world, span, true) > track.wraps(self.world, self.flags, false) {
            track.old_flag = true;
            track.void |= !self.classes.has(Class::RearmFlag);
        }
        // A saturating counter is full after this number of events.
        let events = budget.get();
        track.slot.from = if track.saturates { !events } else { events.wrapping_neg() };
        track.before = Vec::new();
        track.starts = 0;
        track.start(span);
        if let Some((_, readings)) = &mut self.run.totals {
            readings.trusted[counter] = false;
        }
        if let Some(rows) = &mut self.run.intervals {
            rows.readings.trusted[counter] = false;
        }
    }

    fn check_totals(&self) -> Outcome {
        let Some((totals, readings)) = &self.run.totals else { return Ok(()) };
        if self.world.touched().counters {
            return Ok(());
        }
        for (counter, track) in self.tracks.iter().enumerate() {
            let (Some(track), true) = (track, readings.trusted[counter]) else { continue };
            let possible = track.possible(self.world, readings.last);
            let answer = Answer::total(totals.get(counter), totals.lower_bound(counter));
            let name = format_args!("total of counter {counter}");
            self.check(name, track, &possible, answer, false)?;
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
            for (counter, selection) in counters.iter().zip(intervals.selections()) {
                self.check_label(*counter, *selection)?;
            }
        }
        let began = readings.last;
        self.run.intervals = Some(Rows { intervals, counters, readings, began, time: 0 });
        Ok(())
    }

    /// Checks that this counter was set to the selection.
    fn check_label(&self, counter: Option<usize>, label: Option<D::Selection>) -> Outcome {
        let slot = counter.and_then(|counter| self.tracks[counter].as_ref());
        let expected = slot.map(|track| D::selection(track.slot.kind));
        if label == expected {
            return Ok(());
        }
        let what = format!("{label:?} of counter {counter:?}, which counts {expected:?}");
        Err((Kind::WrongLabel, what))
    }

    fn snapshot(&mut self, running: &D::Running<'w>, begin: usize) -> Outcome {
        let snapshot = CountSnapshot::<_, MOST>::of(running);
        let Some(programmed) = &self.programmed else { return Ok(()) };
        let mut counts = [Count::NOT_COUNTED; MOST];
        let counters: Vec<_> = programmed.in_use::<D>().collect();
        for (nth, (selection, count)) in snapshot.pairs().enumerate() {
            let counter = counters.get(nth).copied();
            self.check_label(counter, Some(selection))?;
            counts[counter.unwrap_or(0)] = count;
        }
        self.check_label(counters.get(snapshot.pairs().count()).copied(), None)?;
        if !self.world.touched().counters {
            let mut seen = Vec::new();
            for ((selection, _), counter) in snapshot.pairs().zip(counters) {
                let Some(track) = &self.tracks[counter] else { continue };
                if !seen.contains(&selection) {
                    seen.push(selection);
                    let possible = track.possible(self.world, self.world.since(begin));
                    check_metric(track, &possible, snapshot.metric(&Only::<D>(selection)))?;
                }
            }
        }
        self.check_running(begin, &counts)
    }

    fn next_interval(&mut self, running: &mut D::Running<'w>, begin: usize) -> Outcome {
        let Some(mut rows) = self.run.intervals.take() else { return Ok(()) };
        rows.time += 1;
        let interval = rows.intervals.next(running, rows.time);
        self.next_reading(&mut rows.readings, begin);
        let is_known = !self.world.touched().counters;
        for (nth, amount) in interval.amounts.into_iter().enumerate().filter(|_| is_known) {
            let Some(counter) = rows.counters[nth] else { continue };
            let (Some(track), true) = (&self.tracks[counter], rows.readings.trusted[counter])
            else {
                continue;
            };
            let (kind, row) = (track.slot.kind, track.between_readings());
            let possible = differences(self.world, kind, rows.began, rows.readings.last, &[]);
            self.check(format_args!("row {nth}"), &row, &possible, amount, false)?;
            let selection = interval.selections[nth];
            if let Some(only) = selection
                && interval.selections.iter().position(|other| *other == selection) == Some(nth)
            {
                check_metric(&row, &possible, interval.metric(&Only::<D>(only)))?;
            }
        }
        rows.began = rows.readings.last;
        self.run.intervals = Some(rows);
        Ok(())
    }
}

/// Returns the number of counters, including the cycle counter.
const fn all<D: Subject>() -> usize {
    D::SHAPE.counters as usize + D::SHAPE.cycle_counter as usize
}

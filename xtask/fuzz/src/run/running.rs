//! Calls of a running PMU.

use std::num::NonZeroU32;

use arm_pmu_core::count::Count;
use arm_pmu_core::measure::{Rearm, RunningMonitor as _, StartStop, Totals};

use super::{Outcome, Runner, State, number};
use crate::oracle::differences;
use crate::program::Op;
use crate::world::{Counts, MOST, Span, Subject};

/// Readings since the start.
#[derive(Default)]
pub struct Run {
    totals: Option<(Totals<MOST>, Readings)>,
    /// The last reading of all counters.
    read: Option<(Span, Counts)>,
}

/// State of a series of readings.
struct Readings {
    last: Span,
    /// Whether fewer than 2^32 events happened in each period.
    trusted: [bool; MOST],
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
            Op::Counts | Op::ReadAtOnce => {
                let mut counts = [Count::NOT_COUNTED; MOST];
                let all = usize::from(D::SHAPE.counters) + usize::from(D::SHAPE.cycle_counter);
                let at_once = *op == Op::ReadAtOnce;
                match &mut counts[..all] {
                    counts if at_once => running.read_at_once(counts),
                    counts => running.read(counts),
                }
                let is_old = at_once && self.missed_capture();
                if is_old { Ok(()) } else { self.check_running(begin, &counts) }
            }
            Op::Acknowledge => {
                running.take_overflows();
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
                self.check_totals(begin, totals, None)
            }
            Op::UpdateTotals => match self.run.totals.take() {
                Some((mut totals, readings)) => {
                    totals.update(&mut running);
                    self.check_totals(begin, totals, Some(readings))
                }
                None => Ok(()),
            },
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
            self.check(name, &track.between_readings::<D>(), &possible, since, false)?;
        }
        Ok(())
    }

    fn rearm(&mut self, running: &mut D::Running<'w>, counter: usize, budget: NonZeroU32) {
        self.run.read = None;
        let begin = self.world.now();
        running.rearm(counter, budget);
        let span = self.world.since(begin);
        let Some(track) = &mut self.tracks[counter] else { return };
        let meanwhile = self.world.between(track.slot.kind, span.first, span.last);
        track.void |= self.world.ignored_store() && meanwhile >= 1 << 30;
        // The flag may be old if the counter may have wrapped after the flags were last taken.
        track.old_flag |=
            track.wraps(self.world, span, true) > track.wraps(self.world, self.flags, false);
        // A saturating counter is full after this number of events.
        let events = budget.get();
        track.slot.from = if track.saturates { !events } else { events.wrapping_neg() };
        track.before = Vec::new();
        track.started = Some(span);
        if let Some((_, readings)) = &mut self.run.totals {
            readings.trusted[counter] = false;
        }
    }

    /// Records a reading of these totals, which takes overflow flags, and checks the totals.
    fn check_totals(
        &mut self,
        begin: usize,
        totals: Totals<MOST>,
        earlier: Option<Readings>,
    ) -> Outcome {
        let span = self.world.since(begin);
        self.take_flags(span);
        let is_first = earlier.is_none();
        let mut readings = earlier.unwrap_or(Readings { last: span, trusted: [true; MOST] });
        for (counter, track) in self.tracks.iter().enumerate() {
            let Some(track) = track else { continue };
            let most = self.world.between(track.slot.kind, readings.last.first, span.last);
            let in_time = track.saturates || most < 1 << 32;
            let is_unknown = is_first && (track.old_flag || track.void);
            readings.trusted[counter] &= in_time && !is_unknown && !self.missed_capture();
            if readings.trusted[counter] && !self.world.touched().counters {
                let possible = track.possible(self.world, span);
                let name = format_args!("total of counter {counter}");
                self.check(name, track, &possible, totals.amounts()[counter], false)?;
            }
        }
        readings.last = span;
        self.run.totals = Some((totals, readings));
        Ok(())
    }
}

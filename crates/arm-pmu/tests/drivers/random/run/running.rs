//! The calls that a program makes while the PMU is running.

use std::num::NonZeroU32;

use arm_pmu::count::Count;
use arm_pmu::measure::{Rearm as _, RunningMonitor as _, StartStop, Totals};

use super::{Counts, Outcome, Runner, Running, State};
use crate::devices::Device;
use crate::random::oracle::{MOST, Track, differences};
use crate::random::program::Op;
use crate::traffic::Span;

/// Readings since the start.
#[derive(Default)]
pub(super) struct Run {
    totals: Option<(Totals<MOST>, Readings)>,
    /// The last reading of all counters.
    read: Option<(Span, Counts)>,
}

/// For a series of readings: when the last one happened, and which counters are still trustworthy.
struct Readings {
    last: Span,
    /// Whether fewer than 2^32 events happened in each period.
    trusted: [bool; MOST],
}

impl<'w, D: Device + 'static> Runner<'w, D> {
    pub(super) fn running(&mut self, mut running: Running<'w, D>, op: &Op) -> Outcome {
        let begin = self.world.now();
        let result = match op {
            Op::Stop => {
                let pmu = <D::Pmu<'w> as StartStop>::stop(running);
                self.ended(self.world.since(begin));
                let result = self.check_stopped(&pmu);
                self.state = State::Stopped(pmu);
                return result;
            }
            Op::Replace => {
                drop(running);
                return self.replace_driver();
            }
            Op::Read | Op::ReadAtOnce => {
                let mut counts = [Count::NOT_COUNTED; MOST];
                let of_device = &mut counts[..self.shape.all()];
                let at_once = *op == Op::ReadAtOnce;
                if at_once {
                    running.read_at_once(of_device)
                } else {
                    running.read(of_device)
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
                    self.rearm(&mut running, self.shape.number(*counter), budget);
                }
                Ok(())
            }
            Op::Totals => {
                let (totals, readings) = match self.run.totals.take() {
                    Some((mut totals, readings)) => {
                        totals.update(&mut running);
                        (totals, Some(readings))
                    }
                    None => (Totals::of(&mut running), None),
                };
                self.check_totals(begin, totals, readings)
            }
            _ => Ok(()),
        };
        self.state = State::Running(running);
        result
    }

    fn check_running(&mut self, begin: usize, counts: &Counts) -> Outcome {
        if self.world.touched.get().counters {
            return Ok(());
        }
        let span = self.world.since(begin);
        let last = self.run.read.replace((span, *counts));
        for (number, count) in counts.iter().enumerate() {
            let Some(track) = &self.tracks[number] else {
                self.check_unused(number, *count)?;
                continue;
            };
            let possible = track.possible(self.world, span);
            let must = self.must(track, &possible);
            self.check(format_args!("counter {number}, running"), track, &possible, *count, must)?;
            // The difference from the last reading. 2^32 or more events are not always detected.
            let kind = track.slot.kind;
            let in_time = |last: Span| {
                track.saturates || self.world.between(kind, last.first, span.last) < 1 << 32
            };
            if let Some((last, before)) = last.filter(|(last, _)| in_time(*last)) {
                let possible = differences(self.world, kind, last, span, &[]);
                let fresh = Track { void: track.void, ..Track::new(track.slot, track.saturates) };
                let since = count.since(before[number]);
                self.check(format_args!("{number}, since"), &fresh, &possible, since, false)?;
            }
        }
        Ok(())
    }

    fn rearm(&mut self, running: &mut Running<'w, D>, counter: usize, budget: NonZeroU32) {
        self.run.read = None;
        let begin = self.world.now();
        running.rearm(counter, budget);
        let span = self.world.since(begin);
        let Some(track) = &mut self.tracks[counter] else { return };
        let meanwhile = self.world.between(track.slot.kind, span.first, span.last);
        track.void |= self.world.ignored_store.get() && meanwhile >= 1 << 30;
        // The flag may be old if the counter may have wrapped after the flags were last taken.
        let [_, most] = track.wraps(self.world, span);
        let [taken, _] = track.wraps(self.world, self.flags);
        track.old_flag |= most > taken;
        // A saturating counter is full after this number of events.
        let events = budget.get();
        track.slot.from = if track.saturates { !events } else { events.wrapping_neg() };
        track.before = Vec::new();
        track.started = Some(span);
        if let Some((_, readings)) = &mut self.run.totals {
            readings.trusted[counter] = false;
        }
    }

    /// Records that these totals were read, which also took the overflow flags. Then checks the
    /// totals.
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
            if readings.trusted[counter] && !self.world.touched.get().counters {
                let possible = track.possible(self.world, span);
                let total = totals.amounts()[counter];
                self.check(format_args!("total {counter}"), track, &possible, total, false)?;
            }
        }
        readings.last = span;
        self.run.totals = Some((totals, readings));
        Ok(())
    }
}

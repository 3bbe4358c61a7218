//! Calls of a PMU that multiplexes its counters.

use arm_pmu_core::count::Amount;
use arm_pmu_core::schedule::MultiplexedRun;

use super::{Outcome, Runner, State};
use crate::oracle::Kind;
use crate::program::{EVENTS, Op, PlanOf};
use crate::world::{Span, Subject};

/// A multiplexed run.
pub struct Rotation<'w, D: Subject> {
    run: MultiplexedRun<D::Pmu<'w>, EVENTS>,
    passes: usize,
    /// Selections of the entries.
    kinds: Vec<u8>,
    /// The start, and the calls that read the counters.
    readings: Vec<Span>,
    rotated: bool,
    /// Whether a call may have read an old capture.
    missed: bool,
    now: u64,
}

impl<'w, D: Subject> Runner<'w, D> {
    pub fn rotate(&mut self, mut pmu: D::Pmu<'w>, plan: &PlanOf) -> Outcome {
        let Some((schedule, kinds)) = self.schedule(&mut pmu, plan)? else {
            self.state = State::Stopped(pmu);
            return Ok(());
        };
        let begin = self.world.now();
        let passes = schedule.passes();
        let run = schedule.rotate(pmu, 0);
        let readings = vec![self.world.since(begin)];
        self.unknown();
        let (rotated, missed, now) = (false, false, 0);
        let rotation = Rotation { run, passes, kinds, readings, rotated, missed, now };
        self.state = State::Rotating(Box::new(rotation));
        Ok(())
    }

    pub fn rotating(&mut self, mut rotation: Box<Rotation<'w, D>>, op: &Op) -> Outcome {
        let begin = self.world.now();
        match op {
            Op::NextSlice => {
                rotation.now += 1;
                rotation.run.rotate(rotation.now);
                rotation.rotated |= rotation.passes > 1;
            }
            Op::UpdateSlice => rotation.run.update(),
            Op::EndRotation => return self.end_rotation(*rotation),
            Op::Wait(ticks) => rotation.now += u64::from(*ticks) << 8,
            _ => {}
        }
        if matches!(op, Op::NextSlice | Op::UpdateSlice) {
            rotation.missed |= self.missed_capture();
            rotation.readings.push(self.world.since(begin));
        }
        self.state = State::Rotating(rotation);
        Ok(())
    }

    fn end_rotation(&mut self, rotation: Rotation<'w, D>) -> Outcome {
        let Rotation { run, kinds, mut readings, rotated, missed, now, .. } = rotation;
        let begin = self.world.now();
        let (pmu, counted) = run.stop(now);
        readings.push(self.world.since(begin));
        self.state = State::Stopped(pmu.expect("no driver panicked"));
        let most = |kind| self.world.between(kind, readings[0].first, self.world.now());
        for (count, kind) in counted.counts().zip(&kinds) {
            let most = most(*kind);
            let bounds = [count.amount, count.least, count.most].map(Amount::lower_bound);
            // 2^32 or more events from one call to the next are not always detected.
            let in_time = readings
                .windows(2)
                .all(|calls| self.world.between(*kind, calls[0].first, calls[1].last) < 1 << 32);
            // If a capture is ignored, the values are from an earlier capture, as in totals.
            let captured = !missed && !self.missed_capture();
            if in_time && captured && bounds.iter().any(|bound| *bound > most) {
                let text = format!("rotated: {count:?}, at most {most}");
                return Err((Kind::WrongLowerBound, text));
            }
        }
        for ((_, amount), kind) in counted.pairs().zip(&kinds) {
            // Several slices result in an estimate, which is exact only if one slice covers all the
            // time.
            if rotated && amount.exact().is_ok_and(|events| events > most(*kind)) {
                return Err((Kind::WrongNumber, format!("rotated: {amount:?}")));
            }
            if !rotated && amount.pass() == 0 && !missed {
                let single = readings.len() == 2;
                // The amount is unknown if the time is unknown.
                self.check_series("a rotation", *kind, &readings, single, false, amount)?;
            }
        }
        Ok(())
    }
}

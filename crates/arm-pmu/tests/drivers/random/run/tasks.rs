//! Runs the calls of a PMU that several tasks share, each with its own bank.

use super::{Outcome, Runner, Slot, State, Track};
use crate::devices::Device;
use crate::random::banks::Tasks;
use crate::random::oracle::differences;
use crate::random::program::Op;
use crate::traffic::Span;

/// Tasks that take turns.
pub(super) struct Switching<'w, D: Device + 'static> {
    tasks: Box<dyn Tasks<D::Pmu<'w>> + 'w>,
    /// The selections of each task, with their sums.
    sums: Vec<Vec<Sum>>,
    current: Option<usize>,
    /// The call that began the slice.
    started: Span,
}

/// Events of one selection of a task.
struct Sum {
    kind: u8,
    /// Possible totals of the slices that have ended.
    before: Vec<u64>,
    /// Whether more events happened in a slice than the driver can detect, or the sum is unknown.
    void: bool,
    /// Whether the amount must be exact if the program is clean.
    must: bool,
}

/// Lowest number of events in one slice that can make the total wrong.
const UNDETECTED: u64 = 3 << 31;

impl<'w, D: Device + 'static> Runner<'w, D> {
    pub(super) fn tasks(&mut self, pmu: D::Pmu<'w>, lists: &[[u8; 2]]) -> Outcome {
        let selections: Vec<_> = lists.iter().map(|list| list.map(Self::selection)).collect();
        let (tasks, results) = match D::banks(pmu, &selections) {
            Ok(banks) => banks,
            Err(pmu) => {
                self.state = State::Stopped(pmu);
                return Ok(());
            }
        };
        self.unknown();
        self.forget();
        let mut sums = Vec::new();
        for (list, result) in lists.iter().zip(results) {
            let fits = self.assigned(list, result)?.is_some();
            let sum = |kind| Sum { kind, before: Vec::new(), void: false, must: true };
            sums.push(list.iter().filter(|_| fits).map(|kind| sum(*kind)).collect());
        }
        let started = self.world.since(self.world.now());
        self.state = State::Switching(Box::new(Switching { tasks, sums, current: None, started }));
        Ok(())
    }

    pub(super) fn switching(&mut self, mut switching: Box<Switching<'w, D>>, op: &Op) -> Outcome {
        let begin = self.world.now();
        let next = match op {
            Op::Switch(task) => {
                Some(usize::from(*task)).filter(|task| *task < switching.sums.len())
            }
            Op::UpdateBank | Op::Migrate => switching.current,
            Op::Stop => None,
            _ => {
                self.state = State::Switching(switching);
                return Ok(());
            }
        };
        // The software that manages the power knows that the PMU has lost its power, so it calls `invalidate`. If a
        // task was running, its counts are disturbed instead.
        if switching.current.is_none() && self.world.touched.get().power {
            switching.tasks.invalidate();
        }
        match op {
            Op::UpdateBank => switching.tasks.update(),
            Op::Migrate => switching.tasks.migrate(self.device.pmu()),
            _ => switching.tasks.switch(next),
        }
        self.forget();
        let span = self.world.since(begin);
        let started = std::mem::replace(&mut switching.started, span);
        if let Some(task) = std::mem::replace(&mut switching.current, next) {
            self.end_slice(&mut switching, task, started, span)?;
        }
        self.state = match op {
            Op::Stop => State::Stopped(switching.tasks.release()),
            _ => State::Switching(switching),
        };
        Ok(())
    }

    /// Adds the events of a slice to the sums that a task can have, and checks the amounts of the
    /// task.
    fn end_slice(
        &self,
        switching: &mut Switching<'w, D>,
        task: usize,
        started: Span,
        ended: Span,
    ) -> Outcome {
        for (nth, sum) in switching.sums[task].iter_mut().enumerate() {
            let most = self.world.between(sum.kind, started.first, ended.last);
            sum.must &= most < 1 << 32;
            sum.before = differences(self.world, sum.kind, started, ended, &sum.before);
            sum.void |= most >= UNDETECTED || sum.before.len() > 64;
            let amount = switching.tasks.amount(task, nth);
            if sum.void {
                continue;
            }
            let must = sum.must && self.world.is_clean.get();
            let track = Track::new(Slot { kind: sum.kind, from: 0 }, self.shape.saturates);
            let name = format!("task {task}, total {nth}");
            self.check(name, &track, &sum.before, amount, must)?;
            // After an exact count, only this number remains possible.
            if let Ok(exact) = amount.exact() {
                sum.before = vec![exact];
            }
        }
        Ok(())
    }
}

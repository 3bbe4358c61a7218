//! Calls that count more selections than counters, in passes.

use arm_pmu_core::measure::AssignError;
use arm_pmu_core::schedule::{EventSet, EventSetError, Schedule};

use super::{Outcome, Runner, State, kind, kinds, selections, track};
use crate::oracle::{Kind, differences, stayed_below};
use crate::program::{EVENTS, Item, PlanOf, Reference};
use crate::world::{Span, Subject};

impl<'w, D: Subject> Runner<'w, D> {
    pub fn fit(&mut self, pmu: &mut D::Pmu<'w>, plan: &PlanOf) {
        if let Some((plan, _)) = plan_of::<D>(plan) {
            self.pending = None;
            let _ = plan.schedule(pmu);
        }
    }

    pub fn passes(&mut self, pmu: &mut D::Pmu<'w>, plan: &PlanOf, work: &[Item]) -> Outcome {
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
            let track = track::<D>(kind);
            let possible = differences(self.world, kind, from, to, &[]);
            let must = self.world.is_clean() && stayed_below(&track, &possible);
            self.check(format_args!("pass {}", amount.pass()), &track, &possible, amount, must)?;
        }
        Ok(())
    }

    /// Returns the schedule, and the selections of its entries. Returns `None` if there is no room, or
    /// if accesses failed.
    pub fn schedule(
        &mut self,
        pmu: &mut D::Pmu<'w>,
        plan: &PlanOf,
    ) -> Result<Option<Listed<D>>, (Kind, String)> {
        let Some((plan, kinds)) = plan_of::<D>(plan) else { return Ok(None) };
        self.world.forget();
        match plan.schedule(pmu) {
            Ok(schedule) => Ok(Some((schedule, kinds))),
            Err(error) => {
                self.unknown();
                refused(error).map(|()| None)
            }
        }
    }

    pub fn long_passes(&mut self, mut pmu: D::Pmu<'w>, plan: &PlanOf, work: &[Item]) -> Outcome {
        let Some((schedule, listed)) = self.schedule(&mut pmu, plan)? else {
            self.state = State::Stopped(pmu);
            return Ok(());
        };
        // For each pass: its beginning, and the calls that read the counters.
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
        // The stop is at the beginning of the next pass, or at the end.
        let mut stop = self.world.since(end);
        for spans in passes.iter_mut().rev() {
            let next = std::mem::replace(&mut stop, spans[0]);
            spans.push(next);
        }
        for ((_, amount), kind) in counted.pairs().zip(listed) {
            let spans = &passes[amount.pass() as usize];
            let single = spans.len() == 2;
            self.check_series("a long pass", kind, spans, single, single, amount)?;
        }
        Ok(())
    }
}

fn refused(error: EventSetError) -> Outcome {
    match error {
        EventSetError::Assign(AssignError::BusError(_)) => Ok(()),
        error => Err((Kind::WrongAssign, format!("the plan was refused: {error}"))),
    }
}

/// A schedule, and the selections of its entries.
type Listed<D> = (Schedule<<D as Subject>::Selection, EVENTS>, Vec<u8>);

/// Returns the event set, and the selections of its entries. Returns `None` if there is no room.
fn plan_of<D: Subject>(of: &PlanOf) -> Option<(EventSet<D::Selection, EVENTS>, Vec<u8>)> {
    let mut plan = EventSet::new();
    for group in &of.groups {
        plan.add_group(&selections::<D>(group)).ok()?;
    }
    match of.reference {
        Reference::Clock => {}
        Reference::None => plan.without_reference(),
        Reference::Selected(number) => plan.reference(D::selection(kind::<D>(number))),
    }
    Some((plan, kinds::<D>(&of.groups.concat())))
}

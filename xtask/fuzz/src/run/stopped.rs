//! Calls of a stopped PMU.

use arm_pmu_core::count::Count;
use arm_pmu_core::diagnose::Diagnose;
use arm_pmu_core::measure::{AssignError, Monitor, StartStop, calibrate, measure};

use super::{Outcome, Runner, State, kind, kinds, selections};
use crate::oracle::{Config, Slot, stayed_below};
use crate::program::{CYCLES, DetectedBy, Item, Op};
use crate::world::{MOST, Span, Subject};

impl<'w, D: Subject> Runner<'w, D> {
    pub fn stopped(&mut self, mut pmu: D::Pmu<'w>, op: &Op) -> Outcome {
        match op {
            Op::Start => return self.start(pmu),
            Op::Resume => return self.resume(pmu),
            Op::Rotate(plan) => return self.rotate(pmu, plan),
            Op::Tasks(lists) => return self.tasks(pmu, lists),
            Op::LongPasses(plan, work) => return self.long_passes(pmu, plan, work),
            Op::Release => {
                D::release(pmu);
                return self.new_driver();
            }
            Op::Count { counter, event, from } => {
                D::set(&mut pmu, (*counter).into(), Some((*event, *from)));
                self.set(*counter, Some(Slot { kind: *event, from: *from, by_64: false }));
            }
            Op::Off(counter) => {
                D::set(&mut pmu, (*counter).into(), None);
                self.set(*counter, None);
            }
            Op::CountCycles { by_64, from } => {
                D::set_cycles(&mut pmu, Some((*by_64, *from)));
                let by_64 = *by_64 && D::SHAPE.divider;
                self.set_cycles(Some(Slot { kind: CYCLES, from: *from, by_64 }));
            }
            Op::CyclesOff => {
                D::set_cycles(&mut pmu, None);
                self.set_cycles(None);
            }
            Op::Assign(list) => {
                let result = pmu.assign(&selections::<D>(list));
                self.assigned(&kinds::<D>(list), result)?;
            }
            Op::Run(work) => {
                let mut spans = [self.world.now(); 3];
                self.world.forget();
                pmu.run(|| {
                    spans[1] = self.world.now();
                    self.work(work);
                    spans[2] = self.world.now();
                });
                self.ran(spans);
            }
            // More selections than the PMU has counters do not compile.
            Op::Measure(list, work) => match list.len() {
                1 => self.measure::<1>(&mut pmu, list, work)?,
                2 => self.measure::<2>(&mut pmu, list, work)?,
                _ => {}
            },
            Op::Calibrate(list) => match list.len() {
                1 => self.calibrate::<1>(&mut pmu, list)?,
                2 => self.calibrate::<2>(&mut pmu, list)?,
                _ => {}
            },
            Op::CountNth => self.count_nth(&mut pmu)?,
            Op::AcknowledgeAll => D::acknowledge_all(&mut pmu),
            Op::Diagnose => drop(pmu.diagnose_with(None, || ())),
            Op::DiagnoseWith(work) => drop(pmu.diagnose_with(None, || self.work(work))),
            Op::Fit(plan) => self.fit(&mut pmu, plan),
            Op::Passes(plan, work) => self.passes(&mut pmu, plan, work)?,
            // No call is made, and no value is read.
            Op::Idle => {
                self.state = State::Stopped(pmu);
                return Ok(());
            }
            _ => {}
        }
        let counts = D::counts(&pmu);
        self.state = State::Stopped(pmu);
        self.check_stopped(&counts)
    }

    fn set(&mut self, counter: u8, slot: Option<Slot>) {
        let exists = counter < D::SHAPE.counters;
        if let Some(pending) = self.pending.as_mut().filter(|_| exists) {
            pending.slots[usize::from(counter)] = slot;
            pending.nth_is_cycles = D::SHAPE.counters.into();
        }
    }

    fn set_cycles(&mut self, slot: Option<Slot>) {
        if let Some(pending) = self.pending.as_mut().filter(|_| D::SHAPE.cycle_counter) {
            pending.slots[usize::from(D::SHAPE.counters)] = slot;
        }
    }

    fn start(&mut self, pmu: D::Pmu<'w>) -> Outcome {
        let begin = self.world.now();
        self.world.forget();
        let running = pmu.start();
        self.started(self.world.since(begin));
        self.state = State::Running(running);
        Ok(())
    }

    fn resume(&mut self, pmu: D::Pmu<'w>) -> Outcome {
        let begin = self.world.now();
        let fresh = self.programmed.as_ref().is_some_and(Config::is_empty) || !self.ever_started;
        if fresh {
            self.world.forget();
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
        Ok(())
    }

    /// Records work that began and ended at these moments of a call.
    fn ran(&mut self, [begin, work, end]: [usize; 3]) {
        self.started(Span { first: begin, last: work });
        self.ended(self.world.since(end));
    }

    fn count_nth(&self, pmu: &mut D::Pmu<'w>) -> Outcome {
        let Some(programmed) = &self.programmed else { return Ok(()) };
        for nth in 0..=MOST {
            let count = pmu.count(nth);
            let Some(counter) = programmed.counter_of::<D>(nth) else { continue };
            let Some(track) = &self.tracks[counter] else { continue };
            self.check(format_args!("count({nth})"), track, &track.before, count, false)?;
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
        let touched = self.world.touched();
        self.world.forget();
        let measured = measure(pmu, array::<D, N>(list), || {
            spans[1] = self.world.now();
            self.work(work);
            spans[2] = self.world.now();
        });
        match measured {
            Ok(measurement) => {
                self.assigned(&kinds::<D>(list), Ok(()))?;
                self.ran(spans);
                self.check_assigned("measured", &measurement.counts, true)
            }
            Err(error) => {
                self.world.remember(touched);
                self.assigned(&kinds::<D>(list), Err(error))
            }
        }
    }

    fn calibrate<const N: usize>(&mut self, pmu: &mut D::Pmu<'w>, list: &[u8]) -> Outcome {
        let begin = self.world.now();
        match calibrate(pmu, array::<D, N>(list)) {
            Ok(overhead) => {
                self.assigned(&kinds::<D>(list), Ok(()))?;
                // The second measurement happened at some time in these moments.
                let span = self.world.since(begin);
                self.started(span);
                self.ended(span);
                self.check_assigned("overhead", &overhead.counts(), false)
            }
            Err(error) => {
                // The first of the two measurements may have happened.
                if matches!(error, AssignError::BusError(_)) {
                    (self.programmed, self.pending) = (None, None);
                    self.tracks = [const { None }; MOST];
                }
                self.assigned(&kinds::<D>(list), Err(error))
            }
        }
    }

    /// Checks the counts of the selections that a call has just assigned and counted.
    fn check_assigned(&self, name: &str, counts: &[Count], must: bool) -> Outcome {
        let programmed = self.programmed.as_ref().expect("it was assigned");
        for (nth, count) in counts.iter().enumerate() {
            let counter = programmed.counter_of::<D>(nth).expect("it was assigned");
            let track = self.tracks[counter].as_ref().expect("it was assigned");
            let must = must && self.world.is_clean() && stayed_below(track, &track.before);
            self.check(format_args!("{name}[{nth}]"), track, &track.before, *count, must)?;
        }
        Ok(())
    }
}

fn array<D: Subject, const N: usize>(list: &[u8]) -> [D::Selection; N] {
    std::array::from_fn(|nth| D::selection(kind::<D>(list[nth])))
}

//! Calls of a stopped PMU.

use arm_pmu_core::diagnose::Diagnose;
use arm_pmu_core::measure::{Monitor, StartStop};

use super::{Outcome, Runner, State, kinds};
use crate::oracle::{Config, Slot};
use crate::program::{CYCLES, DetectedBy, Op};
use crate::world::{MOST, Span, Subject};

impl<'w, D: Subject> Runner<'w, D> {
    pub fn stopped(&mut self, mut pmu: D::Pmu<'w>, op: &Op) -> Outcome {
        match op {
            Op::Start => return self.start(pmu),
            Op::Resume => return self.resume(pmu),
            Op::Tasks(lists) => return self.tasks(pmu, lists),
            Op::Release => {
                D::release(pmu);
                return self.new_driver();
            }
            Op::Count { counter, event, from } => {
                D::set(&mut pmu, (*counter).into(), Some((*event, *from)));
                self.set(*counter, Some(Slot { kind: *event, from: *from }));
            }
            Op::Off(counter) => {
                D::set(&mut pmu, (*counter).into(), None);
                self.set(*counter, None);
            }
            Op::CountCycles { from } => {
                D::set_cycles(&mut pmu, Some(*from));
                self.set_cycles(Some(Slot { kind: CYCLES, from: *from }));
            }
            Op::CyclesOff => {
                D::set_cycles(&mut pmu, None);
                self.set_cycles(None);
            }
            Op::Assign(list) => {
                let list = kinds::<D>(list);
                let selections: Vec<_> = list.iter().map(|kind| D::selection(*kind)).collect();
                let result = pmu.assign(&selections);
                self.assigned(&list, result)?;
            }
            Op::Run(work) => {
                let mut moments = [self.world.now(); 3];
                self.world.forget();
                pmu.run(|| {
                    moments[1] = self.world.now();
                    self.work(work);
                    moments[2] = self.world.now();
                });
                let [first, last, end] = moments;
                self.started(Span { first, last });
                self.ended(self.world.since(end));
            }
            Op::CountNth => self.count_nth(&mut pmu)?,
            Op::AcknowledgeAll => D::acknowledge_all(&mut pmu),
            Op::Diagnose(work) => drop(pmu.diagnose_with(None, || self.work(work))),
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
            self.tracks.iter_mut().flatten().for_each(|track| track.started = Some(span));
            self.begin_reading(span);
        }
        self.state = State::Running(running);
        Ok(())
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
}

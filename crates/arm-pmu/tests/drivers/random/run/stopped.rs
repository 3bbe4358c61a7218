//! Calls the methods of a stopped PMU, and checks their results.

use arm_pmu::diagnose::Diagnose as _;
use arm_pmu::measure::{Monitor as _, StartStop as _};

use super::{Outcome, Runner, Slot, State};
use crate::devices::Device;
use crate::random::oracle::{Config, MOST};
use crate::random::program::{DetectedBy, Op};
use crate::traffic::{CYCLES, Span, Touched};

impl<'w, D: Device + 'static> Runner<'w, D> {
    pub(super) fn stopped(&mut self, mut pmu: D::Pmu<'w>, op: &Op) -> Outcome {
        match op {
            Op::Start => {
                let begin = self.world.now();
                self.forget();
                let running = pmu.start();
                self.started(self.world.since(begin));
                self.state = State::Running(running);
                return Ok(());
            }
            Op::Resume => return self.resume(pmu),
            Op::Tasks(lists) => return self.tasks(pmu, lists),
            Op::Device { variant, posted, noise } => {
                drop(pmu);
                self.device.vary((*variant).into());
                self.device.set_posted_stores(*posted);
                self.device.set_unknown(*noise);
                return self.replace_driver();
            }
            Op::Replace => {
                drop(pmu);
                return self.replace_driver();
            }
            Op::Set { counter, what } => self.set(&mut pmu, *counter, *what),
            Op::Assign(list) => {
                // If the PMU has no cycle counter, an event replaces the cycles.
                let list: Vec<_> = list
                    .iter()
                    .map(|kind| if *kind == CYCLES && !self.shape.clock { 0 } else { *kind })
                    .collect();
                let selections: Vec<_> = list.iter().map(|kind| Self::selection(*kind)).collect();
                let result = pmu.assign(&selections);
                if let Some(config) = self.assigned(&list, result)? {
                    self.pending = Some(config);
                }
            }
            Op::Run(work) => {
                let mut moments = [self.world.now(); 3];
                self.forget();
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
            // These operations make no call, and read no value.
            _ => {
                self.state = State::Stopped(pmu);
                return Ok(());
            }
        }
        let result = self.check_stopped(&pmu);
        self.state = State::Stopped(pmu);
        result
    }

    /// Returns the selection for an event, or for the cycles.
    pub(super) fn selection(kind: u8) -> D::Selection {
        let clock = <D::Pmu<'w>>::CLOCK.filter(|_| kind == CYCLES);
        clock.unwrap_or_else(|| D::selections()[usize::from(kind)])
    }

    fn set(&mut self, pmu: &mut D::Pmu<'w>, counter: u8, what: Option<(u8, u32)>) {
        let number = self.shape.number(counter);
        match what {
            _ if number == usize::from(self.shape.counters) => {
                D::set_cycles(pmu, what.map(|(_, from)| from));
            }
            Some((event, from)) => D::count_from(pmu, number, event.into(), from),
            None => D::off(pmu, number),
        }
        if let Some(pending) = self.pending.as_mut().filter(|_| number < self.shape.all()) {
            pending.set(number, what.map(|(kind, from)| Slot { kind, from }));
        }
    }

    fn resume(&mut self, pmu: D::Pmu<'w>) -> Outcome {
        let begin = self.world.now();
        let fresh = self.programmed.as_ref().is_some_and(Config::is_empty) || !self.ever_started;
        if fresh {
            self.forget();
        }
        let running = D::resume(pmu);
        let span = self.world.since(begin);
        let touched = self.world.touched.get();
        if touched.power && self.shape.power_loss != DetectedBy::Resume {
            // Counts of the running PMU are unknown until the next start.
            self.world.touched.set(Touched { counters: true, ..touched });
            let none = self.shape.power_loss == DetectedBy::None;
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
        let _ = pmu.count(MOST);
        for (nth, counter) in programmed.counters().into_iter().enumerate() {
            let count = pmu.count(nth);
            let Some(track) = &self.tracks[counter] else { continue };
            self.check(format_args!("count({nth})"), track, &track.before, count, false)?;
        }
        Ok(())
    }
}

//! Tests, with each driver, that the samples at counter overflows agree with a model that knows all events.

use std::collections::VecDeque;
use std::num::NonZeroU32;

use crate::devices::{Device, on_every_driver};
use arm_pmu::measure::{Monitor as _, RunningMonitor as _, StartStop as _};
use arm_pmu::sample::{Period, SampleRing, Sampler};
use proptest::prelude::*;

/// Length of the ring.
const LENGTH: usize = 4;

const MEAN: NonZeroU32 = NonZeroU32::new(100).unwrap();

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Both events happen this many times.
    Events([u32; 2]),
    /// The interrupt handler runs, if interrupts are not masked.
    Handler,
    /// The main program reads all samples.
    Drain,
}

fn any_steps() -> impl Strategy<Value = Vec<Step>> {
    let times = || prop_oneof![3 => 0..70_u32, 1 => 0..1_000_u32];
    let events = [times(), times()].prop_map(Step::Events);
    let step = prop_oneof![4 => events, 3 => Just(Step::Handler), 1 => Just(Step::Drain)];
    prop::collection::vec(step, 1..60)
}

/// Each overflow makes either one sample, with all events since the last sample, or one loss.
fn hold<D: Device>(device: &D, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut pmu = device.pmu();
    pmu.assign(&D::selections()[..2]).unwrap();
    let mut running = pmu.start();
    let mut ring = SampleRing::<LENGTH>::new();
    let (writer, mut reader) = ring.split();
    let both = [0, 1].map(|counter| (counter, Period::about(MEAN)));
    let mut sampler = Sampler::start(&mut running, both, writer);
    let (mut since, mut waiting, mut lost) = ([0; 2], VecDeque::new(), 0);
    for (pc, step) in steps.iter().enumerate() {
        match step {
            Step::Events(times) => {
                for event in 0..2 {
                    device.signal(event, times[event]);
                    since[event] += times[event];
                }
            }
            Step::Handler => {
                for (counter, since) in since.iter_mut().enumerate() {
                    let from = running.started_from(counter);
                    let period = if D::SATURATES { !from } else { from.wrapping_neg() };
                    let happened = *since;
                    if happened < period {
                        continue;
                    }
                    *since = 0;
                    let known = (!D::SATURATES).then_some(happened);
                    let late = known.map(|happened| happened - period);
                    let missed = late.map_or(0, |late| late / period);
                    if waiting.len() < LENGTH {
                        waiting.push_back((pc, counter, period, known, late, missed));
                    } else {
                        lost += 1;
                    }
                }
                prop_assert_eq!(sampler.sample(&mut running, &[pc]), 0);
            }
            Step::Drain => {
                for sample in reader.by_ref() {
                    let found = (sample.events(), sample.late(), sample.missed());
                    let found = (sample.counter(), sample.period(), found);
                    let (pc, counter, period, known, late, missed) = waiting.pop_front().unwrap();
                    prop_assert_eq!(sample.stack(), &[pc]);
                    prop_assert_eq!(found, (counter, period, (known, late, missed)));
                }
                prop_assert_eq!((waiting.len(), reader.lost()), (0, lost));
            }
        }
    }
    Ok(())
}

fn every_overflow_is_sampled_or_lost<D: Device>() {
    let config =
        ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(steps in any_steps())| hold(&D::new(), &steps)?);
}

/// The sampler leaves the overflow of another counter to the handler.
fn other_overflows_are_returned<D: Device>() {
    let device = &D::new();
    let mut pmu = device.pmu();
    D::overflow_after(&mut pmu, 0, 0, MEAN);
    D::overflow_after(&mut pmu, 1, 1, MEAN);
    let mut running = pmu.start();
    let mut ring = SampleRing::<LENGTH>::new();
    let (writer, mut reader) = ring.split();
    let mut sampler = Sampler::start(&mut running, [(1, Period::exactly(MEAN))], writer);
    device.signal(0, MEAN.get());
    device.signal(1, MEAN.get());
    assert_eq!(sampler.sample(&mut running, &[7]), 1);
    assert_eq!(reader.next().map(|sample| sample.counter()), Some(1));
    assert_eq!(reader.next(), None);
}

on_every_driver! { $
    every_overflow_is_sampled_or_lost
    other_overflows_are_returned
}

//! Runs the driver of each PMU on a tape.

use std::fmt::Display;
use std::str::FromStr;

use arm_pmu::count::Count;
use arm_pmu::event::EventOrCycles;
use arm_pmu::measure::{RunningMonitor, StartStop};
use arm_pmu::{arm11, cci400, cci500, cci550, cortex_a7, cortex_a8, cortex_a9, l2c_310, mmu600};
use arm_pmu_tables::Pmu;

use super::program::{CYCLES, Phase};
use super::tape::Tape;

/// The driver's result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Why there are no counts at all.
    pub problem: Option<String>,
    /// The counts while counting, in the order of the selections; `None` if not exact.
    pub read: Vec<Option<u32>>,
    /// The counts after the stop.
    pub stopped: Vec<Option<u32>>,
}

impl Outcome {
    /// Whether all counts are exact.
    pub fn is_valid(&self) -> bool {
        self.problem.is_none() && self.read.iter().chain(&self.stopped).all(Option::is_some)
    }
}

/// The most counters of a PMU, with a cycle counter.
const MOST: usize = 33;

/// Identifies the device if wanted, starts, reads and stops. `None` if there is no driver for this PMU.
pub fn run(pmu: Pmu, identifies: bool, what: &[String], tape: &Tape) -> Option<Outcome> {
    tape.begin(Phase::Identify);
    macro_rules! memory_mapped {
        ($driver:ty, $parse:expr) => {{
            let bus = tape.memory();
            let pmu = if identifies { <$driver>::probe(bus) } else { Ok(<$driver>::new(bus)) };
            measure(pmu, what, $parse, tape)
        }};
    }
    macro_rules! paged {
        ($driver:ty) => {{
            let (page0, page1) = (tape.memory(), tape.memory());
            let pmu = if identifies {
                <$driver>::probe(page0, page1)
            } else {
                Ok(<$driver>::new(page0, page1))
            };
            measure(pmu, what, event, tape)
        }};
    }
    // A debugger knows which core it is connected to.
    macro_rules! core {
        ($driver:ty) => {
            measure(Ok::<_, String>(<$driver>::new(tape.cp15())), what, event_or_cycles, tape)
        };
    }
    Some(match (pmu.ip.name, pmu.unit.map(|unit| unit.name)) {
        ("cci400", Some("r0")) => memory_mapped!(cci400::r0::Pmu<_>, event_or_cycles),
        ("cci400", Some("r1")) => memory_mapped!(cci400::Pmu<_>, event_or_cycles),
        ("cci500", _) => memory_mapped!(cci500::Pmu<_>, event),
        ("cci550", _) => memory_mapped!(cci550::Pmu<_>, event),
        ("l2c-310", _) => memory_mapped!(l2c_310::Pmu<_>, event),
        ("mmu600", Some("tcu")) => paged!(mmu600::tcu::Pmu<_, _>),
        ("mmu600", Some("tbu")) => paged!(mmu600::tbu::Pmu<_, _>),
        ("arm11", Some("arm1136")) => core!(arm11::arm1136::Pmu<_>),
        ("arm11", Some("arm1156")) => core!(arm11::arm1156::Pmu<_>),
        ("arm11", Some("arm1176")) => core!(arm11::arm1176::Pmu<_>),
        ("cortex-a7", _) => core!(cortex_a7::Pmu<_>),
        ("cortex-a8", _) => core!(cortex_a8::Pmu<_>),
        ("cortex-a9", _) => core!(cortex_a9::Pmu<_>),
        _ => return None,
    })
}

fn event<S: FromStr>(text: &str) -> Option<S> {
    text.parse().ok()
}

fn event_or_cycles<S: FromStr>(text: &str) -> Option<EventOrCycles<S>> {
    if text == CYCLES { Some(EventOrCycles::Cycles) } else { event(text).map(EventOrCycles::Event) }
}

fn measure<M: StartStop, E: Display>(
    pmu: Result<M, E>,
    what: &[String],
    parse: impl Fn(&str) -> Option<M::Selection>,
    tape: &Tape,
) -> Outcome {
    let failed = |problem: String| Outcome { problem: Some(problem), ..Outcome::default() };
    let mut pmu = match pmu {
        Ok(pmu) => pmu,
        Err(error) => return failed(error.to_string()),
    };
    let mut selections = Vec::new();
    for text in what {
        let Some(selection) = parse(text) else {
            return failed(format!("the driver has no event `{text}`"));
        };
        selections.push(selection);
    }
    if let Err(error) = pmu.assign(&selections) {
        return failed(error.to_string());
    }
    tape.begin(Phase::Start);
    let running = pmu.start();
    tape.begin(Phase::Read);
    let mut counts = [Count::NOT_COUNTED; MOST];
    running.read(&mut counts);
    let exact = |count: Count| count.exact().ok();
    let read = (0..what.len()).map(|nth| exact(counts[running.counter_of(nth)])).collect();
    tape.begin(Phase::Stop);
    let mut pmu = M::stop(running);
    let stopped = (0..what.len()).map(|nth| exact(pmu.count(nth))).collect();
    Outcome { problem: None, read, stopped }
}

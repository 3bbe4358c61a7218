//! Behaviour of a core's counters: groups, overflows, user-mode reads, estimates and the clock.

use std::time::Duration;

use arm_pmu_linux::perf::Overflow;

use super::Judged;
use super::expect::{Expected, Outcome, Verdict};
use super::machine::{CHAIN, Counts, Machine, Way};
use crate::linux::report::sample::Sample;

/// A core's PMU with the event numbers of instructions and cycles.
pub struct Core {
    pub pmu: String,
    pub ip: Option<String>,
    pub cpus: Option<Vec<u32>>,
    pub instructions: u16,
    pub cycles: Option<u16>,
}

/// Maximum number of event counters of a core.
const MOST: usize = 31;

/// Duration of the trial in which events share counters. It is long enough for the kernel to switch
/// the events many times.
const IN_TURN: Duration = Duration::from_millis(100);

/// Number of turns of the chain that execute slightly more than 2^32 instructions.
const LONG: u32 = 68_000_000;

/// Number of turns of the chain in a measurement of the clock.
const CLOCK: u32 = 10 * CHAIN;

/// Result of a trial: whether the behaviour is right, and the figures. An error is the reason why
/// there is no verdict.
type Trial = Result<(bool, String), String>;

/// Judges the counters of a core. `clocks` are the lowest and the highest clock in Hz. QEMU loses some counter
/// interrupts, so a lost interrupt is not judged on an emulated core.
pub fn judge(
    machine: &mut dyn Machine,
    core: &Core,
    clocks: Option<(f64, f64)>,
    is_emulated: bool,
    long: bool,
) -> Vec<Judged> {
    let mut count = |events: &[u16], way: Way, turns: u32, time: Duration| {
        machine.count(&core.pmu, events, way, turns, time)
    };
    let mut all = Vec::new();
    let mut add = |what: &str, trial: Trial| {
        let (outcome, why) = match trial {
            Ok((true, text)) => (Outcome::Right, text),
            Ok((false, text)) => (Outcome::Off, text),
            Err(text) => (Outcome::NotJudged, text),
        };
        let (pmu, ip) = (core.pmu.clone(), core.ip.clone());
        all.push(Judged { pmu, ip, what: what.to_owned(), outcome, why: Some(why) });
    };
    let one = [core.instructions];
    let now = Duration::ZERO;
    let counted = count(&[core.instructions; MOST], Way::Group, CHAIN, now);
    let counters = counted.as_ref().map_or(0, |counts| counts.samples.len());
    add("each counter", counted.map(|counts| exact(&counts, &counts.samples)));
    let group: Vec<_> = one.iter().copied().chain(core.cycles).collect();
    let grouped = count(&group, Way::Group, CHAIN, now);
    add("group", grouped.map(|counts| exact(&counts, &counts.samples[..1])));
    let read = count(&one, Way::UserReads, CHAIN, now);
    add(
        "user-mode reads",
        read.map(|counts| {
            let (is_exact, text) = exact(&counts, &[&counts.early[..], &counts.samples].concat());
            (is_exact && counts.early[0].count <= counts.samples[0].count, text)
        }),
    );
    let between = u64::from(CHAIN) * 64 * 2 / 7;
    let every = count(&one, Way::Alone(Overflow::Every(between)), CHAIN, now);
    add("overflows", every.map(|counts| exact(&counts, &counts.samples)));
    let once = count(&one, Way::Alone(Overflow::Once(between)), 4 * CHAIN, now);
    add(
        "overflow interrupt",
        match once.map(|counts| interrupt(&counts, between)) {
            Ok((false, text)) if is_emulated => {
                Err(format!("{text}, because QEMU loses interrupts"))
            }
            trial => trial,
        },
    );
    let past = match long {
        true => count(&one, Way::Group, LONG, now).map(|counts| exact(&counts, &counts.samples)),
        false => Err("counting past 2^32 needs --long".to_owned()),
    };
    add("64 bits", past);
    // With twice as many events as counters, the events share counters.
    let many = vec![core.instructions; 2 * counters];
    add(
        "estimates",
        count(&many, Way::Alone(Overflow::AtEnd), CHAIN, IN_TURN)
            .and_then(|counts| in_turn(&counts)),
    );
    let cycles = core.cycles.ok_or_else(|| "no event counts cycles".to_owned());
    add(
        "clock",
        cycles.and_then(|cycles| clock(&count(&[cycles], Way::Group, CLOCK, now)?, clocks)),
    );
    all
}

/// Whether each event was on a counter for the whole time and counted the executed instructions.
fn exact(counts: &Counts, samples: &[Sample]) -> (bool, String) {
    let expected = Expected::exactly(counts.instructions);
    let is_exact =
        |sample: &Sample| sample.share >= 1.0 && expected.verdict(sample.count) == Verdict::Right;
    let numbers = samples.iter().map(|sample| sample.count.unwrap_or(0));
    let range = [numbers.clone().min().unwrap_or(0), numbers.max().unwrap_or(0)];
    let text = match (samples.len(), range) {
        (1, [count, _]) => format!("{count} instructions of {}", counts.instructions),
        (all, [least, most]) => {
            format!("{all} counts: {least} to {most} instructions of {}", counts.instructions)
        }
    };
    (samples.iter().all(is_exact), text)
}

/// Whether the interrupt stopped the counter after at least `after` instructions, but before half of the executed
/// instructions.
fn interrupt(counts: &Counts, after: u64) -> (bool, String) {
    let stopped = counts.samples.first().and_then(|sample| sample.count).unwrap_or(0);
    let text = format!(
        "the interrupt was due after {after} instructions, and stopped the counter at {stopped}"
    );
    ((after..counts.instructions / 2).contains(&stopped), text)
}

fn in_turn(counts: &Counts) -> Trial {
    let share = counts.samples.iter().map(|sample| sample.share).fold(1.0, f64::min);
    if share >= 1.0 {
        return Err("no events shared a counter".to_owned());
    }
    let truth = counts.instructions.max(1) as f64;
    let ratios = counts.samples.iter().map(|sample| sample.count.unwrap_or(0) as f64 / truth);
    let (least, most) = (ratios.clone().fold(f64::INFINITY, f64::min), ratios.fold(0.0, f64::max));
    let part = 100.0 * share;
    let text =
        format!("{least:.3} to {most:.3} of the true count, on a counter {part:.0} % of the time");
    // The kernel opens the events one after the other, so their times differ a little.
    Ok((least >= 0.8 && most <= 1.2, text))
}

fn clock(counts: &Counts, clocks: Option<(f64, f64)>) -> Trial {
    let cycles = counts.samples.first().and_then(|sample| sample.count).unwrap_or(0);
    let rate = cycles as f64 / counts.time.as_secs_f64();
    let text = format!("{:.3} GHz by the architectural timer", rate / 1e9);
    match clocks {
        // Time in the kernel adds no user-mode cycles, so the measured clock can be too low.
        Some((low, high)) => {
            let limits =
                format!("{text}; the kernel sets {:.3} to {:.3} GHz", low / 1e9, high / 1e9);
            Ok((rate >= 0.9 * low && rate <= 1.05 * high, limits))
        }
        None => Err(format!("{text}, and the kernel does not report its limits")),
    }
}

//! Behaviour of a core's counters: groups, overflows, user-mode reads, estimates and the clock.

use std::time::Duration;

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

/// Time in which events take turns, many turns of the kernel.
const IN_TURN: Duration = Duration::from_millis(100);

/// Turns of the chain for 2^32 instructions and a few more.
const LONG: u32 = 68_000_000;

/// Turns of the chain in a measurement of the clock.
const CLOCK: u32 = 10 * CHAIN;

/// Result of a trial: whether it is right, and its figures. An error is the reason for no verdict.
type Trial = Result<(bool, String), String>;

/// Judges the counters of a core. `clocks` are the lowest and the highest clock in Hz. QEMU loses some interrupts of
/// counters, so a lost interrupt of an emulated core is not judged.
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
    add("each counter", counted.map(|counts| each_counter(&counts)));
    let group: Vec<_> = one.iter().copied().chain(core.cycles).collect();
    add("group", count(&group, Way::Group, CHAIN, now).map(|counts| of_group(&counts)));
    add("user-mode reads", count(&one, Way::UserReads, CHAIN, now).and_then(|counts| own(&counts)));
    let between = u64::from(CHAIN) * 64 * 2 / 7;
    let every = count(&one, Way::Every(between), CHAIN, now);
    add("overflows", every.map(|counts| overflows(&counts, between)));
    let once = count(&one, Way::Once(between), 4 * CHAIN, now);
    add(
        "overflow interrupt",
        match once.map(|counts| interrupt(&counts, between)) {
            Ok((false, text)) if is_emulated => Err(format!("{text}, as QEMU loses interrupts")),
            trial => trial,
        },
    );
    let past = match long {
        true => count(&one, Way::Group, LONG, now).map(|counts| each_counter(&counts)),
        false => Err("counting past 2^32 needs --long".to_owned()),
    };
    add("64 bits", past);
    let many = vec![core.instructions; 2 * counters];
    let estimates = match counters {
        0 => Err("no counter is free".to_owned()),
        _ => count(&many, Way::InTurn, CHAIN, IN_TURN).and_then(|counts| in_turn(&counts)),
    };
    add("estimates", estimates);
    let cycles = core.cycles.ok_or_else(|| "no event counts cycles".to_owned());
    add(
        "clock",
        cycles.and_then(|cycles| clock(&count(&[cycles], Way::Group, CLOCK, now)?, clocks)),
    );
    all
}

fn is_exact(sample: &Sample, instructions: u64) -> bool {
    let exact = Expected::exactly(instructions);
    sample.share >= 1.0 && exact.verdict(sample.count) == Verdict::Right
}

/// Count of a sample in text.
fn number(sample: &Sample) -> String {
    sample.count.map_or_else(|| "nothing".to_owned(), |count| count.to_string())
}

fn each_counter(counts: &Counts) -> (bool, String) {
    let Counts { samples, instructions, .. } = counts;
    let mut all: Vec<_> = samples.iter().map(|sample| sample.count.unwrap_or(0)).collect();
    all.sort_unstable();
    let (least, most) = (all.first().unwrap_or(&0), all.last().unwrap_or(&0));
    let text = match all.len() {
        1 => format!("{least} instructions of {instructions}"),
        number => format!(
            "{number} counters of one event: {least} to {most} instructions of {instructions}"
        ),
    };
    (samples.iter().all(|sample| is_exact(sample, *instructions)), text)
}

fn of_group(counts: &Counts) -> (bool, String) {
    let first = counts.samples.first().copied().unwrap_or(Sample::NOT_COUNTED);
    let all_the_time = counts.samples.iter().all(|sample| sample.share >= 1.0);
    let cycles = counts
        .samples
        .get(1)
        .map_or_else(String::new, |cycles| format!(" with {} cycles", number(cycles)));
    let text = format!("{} instructions of {}{cycles}", number(&first), counts.instructions);
    (all_the_time && is_exact(&first, counts.instructions), text)
}

fn own(counts: &Counts) -> Trial {
    let [own, called] = counts.samples[..] else { return Err("no reading".to_owned()) };
    let text =
        format!("{} in user mode, then {} by the system call", number(&own), number(&called));
    let in_order = own.count <= called.count;
    Ok((in_order && [own, called].iter().all(|one| is_exact(one, counts.instructions)), text))
}

fn overflows(counts: &Counts, between: u64) -> (bool, String) {
    let sample = counts.samples.first().copied().unwrap_or(Sample::NOT_COUNTED);
    let text = format!(
        "{} instructions of {}, with an overflow every {between}",
        number(&sample),
        counts.instructions
    );
    (is_exact(&sample, counts.instructions), text)
}

fn interrupt(counts: &Counts, after: u64) -> (bool, String) {
    let sample = counts.samples.first().copied().unwrap_or(Sample::NOT_COUNTED);
    // The interrupt stops the counter some instructions late, long before the end of the work.
    let late = Expected { low: after, count: after, high: counts.instructions / 2 };
    let text = format!(
        "asked for after {after} instructions, it stopped the counter at {}",
        number(&sample)
    );
    (late.verdict(sample.count) == Verdict::Right, text)
}

fn in_turn(counts: &Counts) -> Trial {
    let share = counts.samples.iter().map(|sample| sample.share).fold(1.0, f64::min);
    if share >= 1.0 {
        return Err("all events had a counter all the time".to_owned());
    }
    let ratio = |sample: &Sample| {
        sample.count.map_or(0.0, |count| count as f64 / counts.instructions.max(1) as f64)
    };
    let ratios: Vec<_> = counts.samples.iter().map(ratio).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    let text = format!(
        "{least:.3} to {most:.3} of the truth, on a counter for {:.0} % of the time or more",
        100.0 * share
    );
    Ok((least >= 0.9 && most <= 1.1, text))
}

fn clock(counts: &Counts, clocks: Option<(f64, f64)>) -> Trial {
    let cycles = counts.samples.first().and_then(|sample| sample.count).unwrap_or(0);
    let rate = cycles as f64 / counts.time.as_secs_f64();
    let text = format!("{:.3} GHz by the architectural timer", rate / 1e9);
    match clocks {
        // Time in the kernel has no cycles of user mode.
        Some((low, high)) => {
            let limits =
                format!("{text}; the kernel sets {:.3} to {:.3} GHz", low / 1e9, high / 1e9);
            Ok((rate >= 0.9 * low && rate <= 1.05 * high, limits))
        }
        None => Err(format!("{text}, and the kernel does not report its limits")),
    }
}

//! Counts each event while known work runs.

use std::thread;
use std::time::{Duration, Instant};

use super::behaviour::Core;
use super::expect::{Facts, Outcome, Quantity, Verdict};
use super::machine::Machine;
use super::plan::{self, Plan};
use super::{Document, Judged, Row};
use crate::base::failure::Failure;
use crate::linux::report::sample::Sample;
use crate::linux::stat::Counting;

/// Runs of each work. The verdict is on the median count, so a single interruption has no effect.
const RUNS: usize = 3;

/// Duration of the idle count.
const IDLE: Duration = Duration::from_millis(300);

/// Counts the events of all plans one after the other, so that each event has a counter. Returns the cores whose
/// counters can be judged.
pub fn measure(
    machine: &mut dyn Machine,
    plans: Vec<Plan>,
    document: &mut Document,
) -> Result<Vec<Core>, Failure> {
    let mut cores: Vec<Core> = Vec::new();
    for plan in plans {
        let Some(cpu) = machine.pin(plan.cpus.as_deref()) else {
            document.miss(&plan.pmu, "this program is not allowed to run on any of its processors");
            continue;
        };
        match (plan.quantity, plan::number(&plan.wanted)) {
            (Quantity::Instructions, Some(instructions)) => {
                let Plan { pmu, ip, cpus, .. } = &plan;
                let (pmu, ip, cpus) = (pmu.clone(), ip.clone(), cpus.clone());
                cores.push(Core { pmu, ip, cpus, instructions, cycles: None });
            }
            (Quantity::Cycles, cycles) => {
                let of = cores.iter_mut().filter(|core| core.pmu == plan.pmu);
                of.for_each(|core| core.cycles = cycles);
            }
            _ => {}
        }
        let before = document.rows.len();
        let reason = count_plan(machine, &plan, cpu, document)?;
        document.events.push(judged(&plan, &document.rows[before..], reason));
    }
    Ok(cores)
}

/// Returns the first reason for a missing count.
fn count_plan(
    machine: &mut dyn Machine,
    plan: &Plan,
    cpu: u32,
    document: &mut Document,
) -> Result<Option<String>, Failure> {
    let Plan { pmu, ip, quantity, event, wanted, .. } = plan;
    let is_hidden = !wanted.is_of_system() && wanted.is_hidden;
    let (mut counting, with_kernel) = match machine.open(wanted) {
        Ok(opened) => opened,
        Err(failure) => {
            document.miss(pmu, &failure.to_string());
            return Ok(Some(failure.to_string()));
        }
    };
    let idle_rate = if wanted.is_of_system() {
        let (idle, seconds, ()) = count(counting.as_mut(), || thread::sleep(IDLE))?;
        idle.map_or(0.0, |idle| idle as f64 / seconds)
    } else {
        0.0
    };
    let mut reason = None;
    for work in quantity.works().iter().copied() {
        let run = |_| {
            if let Err(why) = machine.prepare(work) {
                return Ok(Err(why));
            }
            let (counted, seconds, executed) = count(counting.as_mut(), || machine.run(work))?;
            let facts = Facts {
                executed,
                lines: document.lines,
                held: plan::held(document.cache_bytes, document.bytes),
                cleaned: document.cleaned,
                with_kernel,
                idle: idle_rate * seconds,
            };
            Ok(quantity.expected(work, &facts).map(|expected| (counted, seconds, expected)))
        };
        let runs = (0..RUNS).map(run).collect::<Result<Result<Vec<_>, _>, Failure>>()?;
        let mut runs = match runs {
            Ok(runs) => runs,
            Err(why) => {
                document.miss(&format!("{pmu} {event}, {}", work.word()), why);
                reason.get_or_insert(why.to_owned());
                continue;
            }
        };
        let counts = runs.iter().map(|(counted, ..)| *counted).collect();
        // Sorting puts runs without a count first. If there is such a run, it is reported in place
        // of the median.
        runs.sort_by_key(|(counted, ..)| *counted);
        let middle = if runs[0].0.is_none() { 0 } else { RUNS / 2 };
        let (counted, seconds, expected) = runs[middle];
        document.rows.push(Row {
            pmu: pmu.clone(),
            ip: ip.clone(),
            cpu,
            work,
            event: event.clone(),
            quantity: *quantity,
            with_kernel,
            expected: expected.count,
            low: expected.low,
            high: expected.high,
            counted,
            runs: counts,
            idle: idle_rate * seconds,
            seconds,
            counted_bytes: counted.and_then(|count| Some(count * quantity.bytes()?)),
            verdict: expected.verdict(counted).or_hidden(is_hidden, counted),
        });
    }
    if let Some(error) = counting.error() {
        document.miss(pmu, &error.to_string());
        reason.get_or_insert(error.to_string());
    }
    Ok(reason)
}

/// Verdict on an event, from its rows.
fn judged(plan: &Plan, rows: &[Row], reason: Option<String>) -> Judged {
    let off = rows.iter().filter(|row| row.verdict.is_off());
    let distance = |row: &&Row| row.ratio().map_or(f64::INFINITY, |ratio| ratio.ln().abs());
    let worst = off.max_by(|one, other| distance(one).total_cmp(&distance(other)));
    let is = |verdict| rows.iter().any(|row| row.verdict == verdict && row.expected > 0);
    let (outcome, why) = match worst {
        Some(row) => (Outcome::Off, Some(row.off_by())),
        None if is(Verdict::Right) => (Outcome::Right, None),
        None if is(Verdict::Hidden) => (Outcome::NotThere, None),
        None => (Outcome::NotJudged, Some(reason.unwrap_or("no exact count".to_owned()))),
    };
    let (pmu, ip) = (plan.pmu.clone(), plan.ip.clone());
    Judged { pmu, ip, what: plan.event.clone(), outcome, why }
}

/// Returns three values: the sum of all columns, the time in seconds, and the result of `work`.
fn count<T>(
    counting: &mut dyn Counting,
    work: impl FnOnce() -> T,
) -> Result<(Option<u64>, f64, T), Failure> {
    let begin = Instant::now();
    counting.start(0).map_err(|error| Failure::wrong_use(error.to_string()))?;
    let result = work();
    let time = begin.elapsed();
    let samples = counting.stop(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    Ok((sum(&samples), time.as_secs_f64(), result))
}

/// Sum of exact counts; `None` if a count is missing or an estimate.
fn sum(samples: &[Sample]) -> Option<u64> {
    let exact = |sample: &Sample| sample.count.filter(|_| sample.share >= 1.0);
    samples.iter().map(exact).try_fold(0_u64, |sum, count| sum.checked_add(count?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_not_summed() {
        let exact = |count| Sample { count: Some(count), share: 1.0 };
        assert_eq!(sum(&[exact(3), exact(4)]), Some(7));
        assert_eq!(sum(&[exact(3), Sample { count: Some(4), share: 0.5 }]), None);
        assert_eq!(sum(&[exact(3), Sample::NOT_COUNTED]), None);
        assert_eq!(sum(&[exact(u64::MAX), exact(1)]), None);
    }
}

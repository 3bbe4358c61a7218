//! Generates the traffic while the PMUs count.

use std::thread;
use std::time::{Duration, Instant};

use arm_pmu_linux::perf::Sysfs;
use arm_pmu_linux::traffic::{Executed, Lines};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::expect::{Pass, Traffic};
use super::plan::{self, Plan};
use super::{Document, Missing, Row};
use crate::base::failure::Failure;
use crate::linux::report::sample::Sample;
use crate::linux::stat::{Counting, open_here};

/// Runs of each pass. The verdict is on the median count, so a single interruption has no effect.
const RUNS: usize = 3;

/// Duration of the idle count.
const IDLE: Duration = Duration::from_millis(300);

/// Counts the events of all plans one after the other, so that each event has a counter.
pub fn measure(
    sysfs: &Sysfs,
    plans: Vec<Plan>,
    document: &mut Document,
    missing: &mut Vec<Missing>,
) -> Result<(), Failure> {
    let mut lines = Lines::new(usize::try_from(document.bytes).unwrap_or(usize::MAX));
    document.lines = lines.count();
    document.bytes = lines.count() * Lines::BYTES as u64;
    document.cleaned = lines.clean();
    let held = plan::held(document.cache_bytes, document.bytes);
    for plan in plans {
        let Plan { pmu, ip, cpus, quantity, event, wanted } = plan;
        // A named event of one core has no other note.
        let is_hidden = !wanted.is_of_system() && !wanted.notes.is_empty();
        let Some(cpu) = pin(cpus.as_deref()) else {
            missing.push(Missing::new(&pmu, "this program must not run on any of its processors"));
            continue;
        };
        let (mut counting, with_kernel) = match open_here(sysfs, &wanted) {
            Ok(opened) => opened,
            Err(failure) => {
                missing.push(Missing::new(&pmu, &failure.to_string()));
                continue;
            }
        };
        let idle_rate = if wanted.is_of_system() {
            let (idle, seconds, ()) = count(counting.as_mut(), || thread::sleep(IDLE))?;
            idle.map_or(0.0, |idle| idle as f64 / seconds)
        } else {
            0.0
        };
        for pass in Pass::ALL.into_iter().filter(|pass| quantity.is_of(*pass)) {
            let mut runs = Vec::new();
            let mut times = Vec::new();
            let mut executed = None;
            for _ in 0..RUNS {
                lines.clean();
                let (counted, seconds, of) =
                    count(counting.as_mut(), || traffic(&mut lines, pass))?;
                runs.push(counted);
                times.push(seconds);
                executed = Some(of);
            }
            let Some(Executed { instructions, loads, stores, .. }) = executed else { continue };
            times.sort_by(f64::total_cmp);
            let seconds = times[RUNS / 2];
            let idle = idle_rate * seconds;
            let traffic = Traffic {
                lines: document.lines,
                instructions,
                loads,
                stores,
                held,
                cleaned: document.cleaned,
                with_kernel,
                idle,
            };
            let expected = match quantity.expected(&traffic) {
                Ok(expected) => expected,
                Err(why) => {
                    let what = format!("{pmu} {event}, {}", pass.word());
                    missing.push(Missing::new(&what, why.reason()));
                    continue;
                }
            };
            let counted = middle(&runs);
            document.rows.push(Row {
                pmu: pmu.clone(),
                ip: ip.clone(),
                cpu,
                pass,
                event: event.clone(),
                quantity,
                with_kernel,
                expected: expected.count,
                low: expected.low,
                high: expected.high,
                counted,
                runs,
                idle,
                seconds,
                counted_bytes: counted.and_then(|count| Some(count * quantity.bytes()?)),
                verdict: expected.verdict(counted).or_hidden(is_hidden),
            });
        }
        if let Some(error) = counting.error() {
            missing.push(Missing::new(&pmu, &error.to_string()));
        }
    }
    Ok(())
}

fn traffic(lines: &mut Lines, pass: Pass) -> Executed {
    match pass {
        Pass::Read => lines.read(),
        Pass::Write => lines.write(),
    }
}

/// Returns the sum of all columns, the seconds, and the result of `work`.
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

/// Median count; `None` if a run has no count.
fn middle(runs: &[Option<u64>]) -> Option<u64> {
    let mut counts = runs.iter().copied().collect::<Option<Vec<_>>>()?;
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied()
}

/// Binds this thread to the first listed processor that it may use.
fn pin(cpus: Option<&[u32]>) -> Option<u32> {
    thread_local! {
        static ALLOWED: Option<CpuSet> = sched_getaffinity(None).ok();
    }
    let allowed = ALLOWED.with(|allowed| *allowed)?;
    let usable = |cpu: &u32| (*cpu as usize) < CpuSet::MAX_CPU && allowed.is_set(*cpu as usize);
    let cpu = match cpus {
        Some(cpus) => cpus.iter().copied().find(usable)?,
        None => (0..CpuSet::MAX_CPU as u32).find(usable)?,
    };
    let mut one = CpuSet::new();
    one.set(cpu as usize);
    sched_setaffinity(None, &one).ok()?;
    Some(cpu)
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

    #[test]
    fn the_middle_run_is_judged() {
        assert_eq!(middle(&[Some(9), Some(1), Some(5)]), Some(5));
        assert_eq!(middle(&[Some(9), None, Some(5)]), None);
    }

    #[test]
    fn the_thread_moves_to_an_allowed_processor() {
        let first = pin(None).expect("a processor");
        assert_eq!(pin(Some(&[5_000_000, first])), Some(first));
        assert_eq!(pin(Some(&[])), None);
    }
}

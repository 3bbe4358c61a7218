//! The system under test: executes known work while its PMUs count.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use arm_pmu_linux::kernel::Kernel;
use arm_pmu_linux::perf::{AnyCore, Error, Options, Overflow, Pmu, Program, Sysfs};
use arm_pmu_linux::traffic::{Executed, Lines, Pages};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::expect::{Work, not_judged};
use super::plan;
use crate::base::failure::Failure;
use crate::linux::report::sample::Sample;
use crate::linux::stat::{Counting, Wanted, Whom, open};

/// Counts of events of a core, in user mode.
pub struct Counts {
    /// Counts of a group, read while the group counts.
    pub early: Vec<Sample>,
    pub samples: Vec<Sample>,
    /// Executed instructions.
    pub instructions: u64,
    pub time: Duration,
}

/// Way in which the kernel counts events of this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One group with as many events as there are counters.
    Group,
    /// The same kind of group, read in user mode while it counts.
    UserReads,
    /// Each event in its own group; the groups take turns if there are not enough counters.
    Alone(Overflow),
}

/// A system with PMUs.
pub trait Machine {
    /// Moves this thread to the first listed processor that it may use.
    fn pin(&mut self, cpus: Option<&[u32]>) -> Option<u32>;

    /// Opens a PMU. Also returns whether the PMU counts the kernel's instructions.
    fn open(&mut self, wanted: &Wanted) -> Result<(Box<dyn Counting>, bool), Failure>;

    /// Prepares the caches for work.
    fn prepare(&mut self, work: Work) -> Result<(), &'static str>;

    fn run(&mut self, work: Work) -> Executed;

    /// Counts events during the chain of instructions, which repeats until the time is over.
    fn count(
        &mut self,
        device: &str,
        events: &[u16],
        way: Way,
        turns: u32,
        time: Duration,
    ) -> Result<Counts, String>;
}

/// Turns of a loop. A count may be wrong by 1 %, which is far less than one event per turn.
const TURNS: u32 = 100_000;

/// Turns of the loop with a chain of instructions. The number is smaller than `TURNS`, because each
/// turn takes longer.
pub const CHAIN: u32 = 30_000;

/// Approximate number of accesses to lines or pages in one run of the work.
const ACCESSES: u64 = 100_000;

/// Total size of the pages. `MANY` is the smallest number of pages that no TLB can hold.
const MEMORY: usize = 64 << 20;
const MANY: usize = 4096;

/// This system.
pub struct Linux {
    pub sysfs: Sysfs,
    pub root: PathBuf,
    /// Lines of the traffic.
    pub lines: Lines,
    /// Lines that fit in a cache.
    near: Lines,
    pages: Option<Pages>,
    rounds: u32,
    cpu: u32,
}

impl Linux {
    pub fn new(sysfs: Sysfs, root: PathBuf, bytes: u64) -> Self {
        let lines = Lines::new(usize::try_from(bytes).unwrap_or(usize::MAX));
        Self { sysfs, root, lines, near: Lines::new(0), pages: None, rounds: 1, cpu: 0 }
    }

    /// Returns how many bytes of lines fit in the cache level that the work needs, which is the
    /// first or the second.
    fn near_bytes(&self, work: Work) -> Result<u64, &'static str> {
        match (plan::caches(&self.root, self.cpu).as_slice(), work) {
            ([first, ..], Work::InL1) => Ok(first / 2),
            ([first, second, ..], _) if second / first >= 4 => Ok((4 * first).min(second / 2)),
            ([_, _, ..], _) => Err(not_judged::SIMILAR_CACHES),
            _ => Err(not_judged::UNKNOWN_CACHES),
        }
    }
}

impl Machine for Linux {
    fn pin(&mut self, cpus: Option<&[u32]>) -> Option<u32> {
        self.cpu = pin(cpus)?;
        Some(self.cpu)
    }

    fn open(&mut self, wanted: &Wanted) -> Result<(Box<dyn Counting>, bool), Failure> {
        open(&self.sysfs, wanted, Whom::ThisThread)
    }

    fn prepare(&mut self, work: Work) -> Result<(), &'static str> {
        match work {
            Work::Read | Work::Write => {
                self.lines.clean();
            }
            Work::InL1 | Work::InL2 => {
                let bytes = self.near_bytes(work)?;
                self.near = Lines::new(usize::try_from(bytes).unwrap_or(0));
                self.rounds = (ACCESSES / self.near.count()).max(1) as u32;
                self.near.read_rounds(2);
            }
            Work::FewPages | Work::Pages => {
                let all = MEMORY / rustix::param::page_size();
                let is_free =
                    plan::free_bytes(&self.root).is_none_or(|free| free > 2 * MEMORY as u64);
                if work == Work::Pages && (all < MANY || !is_free) {
                    return Err(not_judged::IN_TLB);
                }
                let pages = if work == Work::Pages { all } else { 8 };
                self.rounds = (ACCESSES / pages as u64).max(1) as u32;
                self.pages = Pages::new(pages);
                self.pages.as_mut().ok_or(not_judged::IN_TLB)?.read_rounds(1);
            }
            _ => {
                Kernel::Chain.run(1).ok_or(not_judged::OF_COMPILER)?;
            }
        }
        Ok(())
    }

    fn run(&mut self, work: Work) -> Executed {
        let kernel = |kernel: Kernel, turns| kernel.run(turns).unwrap_or_default();
        match work {
            Work::Chain => kernel(Kernel::Chain, CHAIN),
            Work::Taken => kernel(Kernel::Taken, TURNS),
            Work::NotTaken => kernel(Kernel::NotTaken, TURNS),
            Work::Random => kernel(Kernel::Random, TURNS),
            Work::Load => kernel(Kernel::Loads, TURNS),
            Work::Store => kernel(Kernel::Stores, TURNS),
            Work::InL1 | Work::InL2 => self.near.read_rounds(self.rounds),
            Work::FewPages | Work::Pages => {
                let rounds = self.rounds;
                self.pages.as_mut().map(|pages| pages.read_rounds(rounds)).unwrap_or_default()
            }
            Work::Read => self.lines.read(),
            Work::Write => self.lines.write(),
        }
    }

    fn count(
        &mut self,
        device: &str,
        events: &[u16],
        way: Way,
        turns: u32,
        time: Duration,
    ) -> Result<Counts, String> {
        let options = Options::new().sysfs(self.sysfs.clone()).device(device).user_only();
        let options = if way == Way::UserReads { options.read_in_user_mode() } else { options };
        let events: Vec<_> = events.iter().map(|number| AnyCore(*number)).collect();
        let work = || work(turns, time);
        let counts = match way {
            Way::Group | Way::UserReads => together(options, &events, work),
            Way::Alone(overflow) => alone(&options, &events, overflow, work),
        };
        counts.map_err(|error| error.to_string())
    }
}

/// Executes the chain. Returns the instructions and the time.
fn work(turns: u32, time: Duration) -> (u64, Duration) {
    let begin = Instant::now();
    let mut instructions = 0;
    loop {
        let executed = Kernel::Chain.run(turns).unwrap_or_default();
        instructions += executed.instructions.unwrap_or(0);
        if begin.elapsed() >= time {
            return (instructions, begin.elapsed());
        }
    }
}

/// Counts as many of the events as fit, as one group. Reads the group twice: while it counts, and after it has stopped.
fn together(
    options: Options,
    events: &[AnyCore],
    work: impl FnOnce() -> (u64, Duration),
) -> Result<Counts, Error> {
    let mut pmu = Pmu::<AnyCore>::with(options)?;
    match pmu.try_assign(events) {
        Err(Error::DoNotFit { accepted, .. }) => pmu.try_assign(&events[..accepted])?,
        assigned => assigned?,
    }
    let running = pmu.start();
    let (instructions, time) = work();
    let early =
        running.amounts()?.iter().map(|(_, amount)| Sample::of(*amount)).collect::<Vec<_>>();
    let pmu = running.stop();
    pmu.error().map_or(Ok(()), |error| Err(error.clone()))?;
    let samples = (0..early.len()).map(|nth| Sample::of(pmu.amount(nth))).collect();
    Ok(Counts { early, samples, instructions, time })
}

/// Counts each event in its own group.
fn alone(
    options: &Options,
    events: &[AnyCore],
    overflow: Overflow,
    work: impl FnOnce() -> (u64, Duration),
) -> Result<Counts, Error> {
    let open = |event: &AnyCore| Program::this_thread::<AnyCore>(options, &[*event], overflow);
    let opened = events.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let (instructions, time) = work();
    let amounts = opened.iter().map(Program::amounts).collect::<Result<Vec<_>, _>>()?;
    let samples = amounts.into_iter().flatten().map(Sample::of).collect();
    Ok(Counts { early: Vec::new(), samples, instructions, time })
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
    fn the_thread_moves_to_an_allowed_processor() {
        let first = pin(None).expect("a processor");
        assert_eq!(pin(Some(&[5_000_000, first])), Some(first));
        assert_eq!(pin(Some(&[])), None);
    }
}

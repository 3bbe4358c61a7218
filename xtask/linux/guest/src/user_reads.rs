//! Counters of a core that a thread reads itself.

use std::fs;
use std::hint::black_box;
use std::thread;

use anyhow::{Context, Result, ensure};
use arm_pmu_linux::perf::{Options, Pmu, Running, WithCycles};
use cortex_a53::{CortexA53Event, Monitor, Selection};

const READINGS: u32 = 200;

/// Reading in user mode is refused until the kernel permits it. Then it returns as many events as a system call,
/// without making one.
pub fn user_reads() -> Result<()> {
    let permission = "/proc/sys/kernel/perf_user_access";
    fs::write(permission, "0")?;
    let refused = pmu(Options::new().read_in_user_mode()).err().context("it is not permitted")?;
    println!("{refused}");
    fs::write(permission, "1")?;

    let by_call = pmu(Options::new())?.start();
    let mut by_itself = pmu(Options::new().read_in_user_mode())?.start();
    let (called, read) = (kernel_in(&by_call)?, kernel_in(&by_itself)?);
    // The remaining instructions of the kernel are ticks of the system's timer.
    let no_calls = read < called / 10;
    ensure!(
        no_calls,
        "{READINGS} readings: {called} instructions of the kernel, in user mode {read}"
    );
    println!("readings without the kernel");

    for turns in [1_000, 10_000] {
        let (call, own) = (counted(&by_call, turns)?, counted(&by_itself, turns)?);
        // A reading itself is counted too, including a part of the kernel if the reading is a system call.
        ensure!(own >= 3 * u64::from(turns), "{own} instructions in {turns} turns");
        ensure!(
            own.abs_diff(call) < 5_000 + call / 50,
            "{own} instructions, {call} by system calls"
        );
    }
    println!("as many instructions");

    let before = instructions(&by_itself)?;
    by_itself = thread::spawn(move || {
        // A system call: the counters of this processor count another thread now.
        by_itself.amounts().map(|_| by_itself)
    })
    .join()
    .ok()
    .context("the thread ended otherwise")??;
    let after = instructions(&by_itself)?;
    ensure!(after > before, "{after} instructions after {before}");
    let stopped = by_itself.stop();
    let last = stopped.amount(0).exact()?;
    ensure!(last > after, "{last} instructions at the stop after {after}");
    let _ = by_call.stop();
    println!("another thread reads by a system call");
    Ok(())
}

fn pmu(options: Options) -> Result<Pmu<Selection>> {
    let mut pmu = Pmu::with(options)?;
    pmu.try_assign(&[CortexA53Event::InstRetired.into(), Selection::CYCLES])?;
    Ok(pmu)
}

/// Instructions of the kernel for some readings, without instructions in user mode: the minimum of several runs,
/// because ticks of the timer are counted too.
fn kernel_in(running: &Running<Selection>) -> Result<u64> {
    let counted = |options| -> Result<u64> {
        let mut pmu = pmu(options)?;
        let results: Result<Vec<_>, _> =
            pmu.run(|| (0..READINGS).map(|_| running.amounts()).collect());
        results?;
        Ok(pmu.amount(0).exact()?)
    };
    let mut least = u64::MAX;
    for _ in 0..5 {
        let all = counted(Options::new())?;
        least = least.min(all.saturating_sub(counted(Options::new().user_only())?));
    }
    Ok(least)
}

fn instructions(running: &Running<Selection>) -> Result<u64> {
    let amounts = running.amounts()?;
    let (_, amount) = amounts.first().context("nothing is counted")?;
    Ok(amount.exact()?)
}

/// The instructions of a loop: the minimum of several runs, because an interrupt adds instructions of the kernel.
fn counted(running: &Running<Selection>, turns: u32) -> Result<u64> {
    let mut least = u64::MAX;
    for _ in 0..20 {
        let before = instructions(running)?;
        black_box((0..turns).fold(0, |sum, turn| black_box(sum ^ turn)));
        least = least.min(instructions(running)? - before);
    }
    Ok(least)
}

//! Checks readings of counters, by the kernel and in user mode.

use std::fs;
use std::hint::black_box;
use std::thread;

use anyhow::{Context, Result, ensure};
use arm_pmu_core::count::Count;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::RunningMonitor;
use arm_pmu_linux::perf::{Options, Pmu, Running, WithCycles};
use cci400::{Monitor, S0, S1, S2, S3, SlaveEvent};
use cortex_a53::CortexA53Event;

const READINGS: u64 = 1000;

/// Number of `read` calls of a reading, as the kernel records them.
fn calls(mut reading: impl FnMut() -> Result<()>) -> Result<u64> {
    let recorded = || -> Result<u64> {
        let text = fs::read_to_string("/proc/self/io")?;
        let line = text.lines().find_map(|line| line.strip_prefix("syscr: "));
        Ok(line.context("no syscr")?.parse()?)
    };
    let (first, before) = (recorded()?, recorded()?);
    for _ in 0..READINGS {
        reading()?;
    }
    let calls = recorded()? - before - (before - first);
    ensure!(calls % READINGS == 0, "{calls} calls for {READINGS} readings");
    Ok(calls / READINGS)
}

/// Reads a group of five counters.
pub fn group() -> Result<()> {
    let mut pmu = Pmu::<cci400::Selection>::with(Options::new())?;
    let events = [S0, S1, S2, S3].map(|port| port.event(SlaveEvent::ReadRequestAny));
    let [a, b, c, d] = events.map(EventOrCycles::Event);
    pmu.assign(&[a, b, c, d, EventOrCycles::Cycles])?;
    let running = pmu.start();
    let amounts = calls(|| Ok(running.amounts().map(|_| ())?))?;
    println!("{amounts} system call for the amounts of 5 counters");
    let mut counts = [Count::NOT_COUNTED; 5];
    let counted = calls(|| {
        running.read(&mut counts);
        Ok(())
    })?;
    println!("{counted} for their counts");
    Ok(())
}

/// Reading in user mode is refused until the kernel permits it. Then such a reading returns the same number of events
/// as a reading by a system call, without making a system call itself.
pub fn user_mode() -> Result<()> {
    let permission = "/proc/sys/kernel/perf_user_access";
    fs::write(permission, "0")?;
    let refused = pmu(Options::new().read_in_user_mode()).err().context("it is not permitted")?;
    println!("{refused}");
    fs::write(permission, "1")?;

    let by_call = pmu(Options::new())?.start();
    let mut by_itself = pmu(Options::new().read_in_user_mode())?.start();
    let calls = [&by_call, &by_itself].map(|one| calls(|| Ok(one.amounts().map(|_| ())?)));
    let [by_kernel, in_user_mode] = calls;
    println!("{} system call for a reading, {} in user mode", by_kernel?, in_user_mode?);

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
        // This needs a system call, because this processor's counters now count another thread.
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
    println!("another thread reads the counts by a system call");
    Ok(())
}

fn pmu(options: Options) -> Result<Pmu<cortex_a53::Selection>> {
    let mut pmu = Pmu::with(options)?;
    pmu.try_assign(&[CortexA53Event::InstRetired.into(), cortex_a53::Selection::CYCLES])?;
    Ok(pmu)
}

fn instructions(running: &Running<cortex_a53::Selection>) -> Result<u64> {
    let amounts = running.amounts()?;
    let (_, amount) = amounts.first().context("nothing is counted")?;
    Ok(amount.exact()?)
}

/// The instructions of a loop: the minimum of several runs, because an interrupt adds instructions of the kernel.
fn counted(running: &Running<cortex_a53::Selection>, turns: u32) -> Result<u64> {
    let mut least = u64::MAX;
    for _ in 0..20 {
        let before = instructions(running)?;
        black_box((0..turns).fold(0, |sum, turn| black_box(sum ^ turn)));
        least = least.min(instructions(running)? - before);
    }
    Ok(least)
}

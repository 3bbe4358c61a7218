//! Cost of a reading.

use std::fs;

use anyhow::{Context, Result, ensure};
use arm_pmu_core::count::Count;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{Monitor, RunningMonitor};
use arm_pmu_linux::perf::{Options, Pmu};
use cci400::{S0, S1, S2, S3, Selection, SlaveEvent};

const READINGS: u64 = 1000;

/// Reads a group of five counters, and counts the system calls that read.
pub fn cost() -> Result<()> {
    let mut pmu = Pmu::<Selection>::with(Options::new())?;
    let events = [S0, S1, S2, S3].map(|port| port.event(SlaveEvent::ReadRequestAny));
    let [a, b, c, d] = events.map(EventOrCycles::Event);
    pmu.assign(&[a, b, c, d, EventOrCycles::Cycles])?;
    let running = pmu.start();

    let empty = calls(|| Ok(()))?;
    let amounts = calls(|| Ok(running.amounts().map(|_| ())?))?;
    println!("{} system call for the amounts of 5 counters", (amounts - empty) / READINGS);
    let mut counts = [Count::NOT_COUNTED; 5];
    let counted = calls(|| {
        running.read(&mut counts);
        Ok(())
    })?;
    println!("{} for their counts", (counted - empty) / READINGS);
    ensure!(
        (amounts - empty) % READINGS == 0 && (counted - empty) % READINGS == 0,
        "not the same each time"
    );
    Ok(())
}

/// Number of `read` calls that the kernel records.
fn calls(mut work: impl FnMut() -> Result<()>) -> Result<u64> {
    let before = noted()?;
    for _ in 0..READINGS {
        work()?;
    }
    Ok(noted()? - before)
}

fn noted() -> Result<u64> {
    let text = fs::read_to_string("/proc/self/io")?;
    let line = text.lines().find_map(|line| line.strip_prefix("syscr: "));
    Ok(line.context("no syscr")?.parse()?)
}

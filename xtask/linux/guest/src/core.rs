//! The PMU of a core that has a crate here.

use std::hint::black_box;

use anyhow::{Context, Result, bail, ensure};
use arm_pmu_linux::perf::{Options, Pmu, WithCycles};
use cortex_a8::Monitor;

/// Code of the event for executed instructions, on each of these cores.
const INSTRUCTIONS: u16 = 0x08;

/// Opens every event, then counts a loop. On the bench, each instruction takes one cycle.
pub fn core(name: &str) -> Result<()> {
    match name {
        "cortex-a53" => check::<cortex_a53::Selection>(),
        "cortex-a57" | "cortex-a72" => check::<cortex_a72::Selection>(),
        "cortex-a7" => check::<cortex_a7::Selection>(),
        "cortex-a8" => check::<cortex_a8::Selection>(),
        _ => bail!("there is no core {name}"),
    }
}

fn check<S: WithCycles>() -> Result<()> {
    let mut pmu = Pmu::<S>::with(Options::new())?;
    for event in (0..=u16::MAX).filter_map(S::of_id) {
        pmu.try_assign(&[event])?;
    }
    let instructions = S::of_id(INSTRUCTIONS).context("no instructions")?;
    pmu.assign(&[instructions, S::CYCLES])?;
    pmu.run(|| (0..1_000_u32).fold(0, |sum, turn| black_box(sum ^ turn)));
    let (counted, cycles) = (pmu.count(0).exact()?, pmu.count(1).exact()?);
    // The kernel starts and stops the counters one after the other.
    let near = counted > 3 * 1_000 && counted.abs_diff(cycles) < counted / 50;
    ensure!(near, "{counted} instructions in {cycles} cycles");
    println!("as many instructions as cycles");
    Ok(())
}

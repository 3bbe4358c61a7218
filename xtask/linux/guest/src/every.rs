//! Checks every selection of a PMU: the values in the registers, and the values returned.

use std::fmt::{Debug, Display};

use anyhow::{Context, Result, bail, ensure};
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::Monitor;
use arm_pmu_linux::perf::{Error, Kind, Options, Pmu};
use mmu600::{tbu, tcu};

use crate::device::{ADDED, Counters};

/// Counts every selection of a PMU. The argument of `every` names the PMU. After `@`, it also names a device; without
/// `@`, the PMU must have only one device.
pub fn every(pmu: &str, counters: &Counters) -> Result<()> {
    let (pmu, options) = match pmu.split_once('@') {
        Some((pmu, device)) => (pmu, Options::new().device(device)),
        None => (pmu, Options::new()),
    };
    let counters = (options, counters);
    match pmu {
        "cci400:r0" => counted(all(cci400::r0::Selection::from_id), EventOrCycles::Event, counters),
        "cci400:r1" => counted(all(cci400::Selection::from_id), EventOrCycles::Event, counters),
        "cci500" => counted(all(cci500::Selection::from_id), |one| one, counters),
        "cci550" => counted(all(cci550::Selection::from_id), |one| one, counters),
        "tcu" => counted(all(tcu::Selection::from_id), |one| one, counters),
        "tbu" => counted(all(tbu::Selection::from_id), |one| one, counters),
        "mmu700:tcu" => counted(all(mmu700::tcu::Selection::from_id), |one| one, counters),
        "mmu700:tbu" => counted(all(mmu700::tbu::Selection::from_id), |one| one, counters),
        _ => bail!("there is no PMU {pmu}"),
    }
}

/// All selections that a manual lists.
fn all<S>(from_id: impl Fn(u16) -> Option<S>) -> Vec<S> {
    (0..=u16::MAX).filter_map(from_id).collect()
}

fn counted<S>(
    events: Vec<S>,
    select: impl Fn(S) -> S::Selection,
    (options, counters): (Options, &Counters),
) -> Result<()>
where
    S: Kind + Copy + Debug + Into<u16>,
    S::Selection: Display,
{
    let mut pmu = Pmu::<S>::with(options)?;
    let mut opened = Vec::new();
    let mut refused = Vec::new();
    for event in events {
        match pmu.try_assign(&[select(event)]) {
            Ok(()) => opened.push(event),
            Err(error @ Error::Refused { .. }) => refused.push(error.to_string()),
            Err(error) => return Err(error.into()),
        }
    }
    for group in opened.chunks(counters.number()) {
        let selections: Vec<_> = group.iter().map(|event| select(*event)).collect();
        pmu.assign(&selections)?;
        let shown = pmu.run(|| counters.play(group.len()))?;
        if let Some(error) = pmu.error() {
            bail!("{}: {error}", selections[0]);
        }
        for (nth, event) in group.iter().enumerate() {
            // A PMCG's event register has other fields too.
            let register = shown.get(nth).context("no register")? & 0xFFFF;
            let id: u16 = (*event).into();
            ensure!(register == u64::from(id), "{}: {register:#x} was written", selections[nth]);
            let expected = ADDED + nth as u64;
            let amount = pmu.amount(nth);
            ensure!(amount.exact() == Ok(expected), "{}: counted {amount}", selections[nth]);
            ensure!(pmu.count(nth).exact() == Ok(expected as u32), "{}: count", selections[nth]);
        }
    }
    println!("{} selections counted, {} refused", opened.len(), refused.len());
    refused.iter().for_each(|error| println!("{error}"));
    Ok(())
}

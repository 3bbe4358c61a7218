//! Checks totals and panics, on a CCI-400 of revision 1.

use anyhow::{Result, ensure};
use arm_pmu_core::count::Amount;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{RunningMonitor, Totals};
use arm_pmu_linux::perf::{Options, Pmu};
use cci400::{Monitor, S3, Selection, SlaveEvent};

use crate::device::Counters;

const READS: EventOrCycles<Selection> = EventOrCycles::Event(S3.event(SlaveEvent::ReadRequestAny));

pub fn runs(counters: &Counters) -> Result<()> {
    many_wraps(counters)?;
    panicking(counters)?;
    println!("all as in firmware");
    Ok(())
}

fn open() -> Result<Pmu<Selection>> {
    let mut pmu = Pmu::with(Options::new())?;
    pmu.assign(&[READS])?;
    Ok(pmu)
}

/// Counts more than 2^32 events in total, but fewer between two readings.
fn many_wraps(counters: &Counters) -> Result<()> {
    const STEP: u64 = 0x6000_0000;
    let mut running = open()?.start();
    let mut totals = Totals::<1>::of(&mut running);
    for step in 1..=8 {
        counters.add(0, STEP)?;
        totals.update(&mut running);
        ensure!(totals.get(0) == Ok(step * STEP), "step {step}: {:x?}", totals.get(0));
    }
    ensure!(running.acknowledged() == 0b1, "the overflow has no flag");
    let amounts = running.amounts()?;
    ensure!(amounts == [(READS, Amount::new(8 * STEP))], "{amounts:?}");
    let mut pmu = running.stop();
    ensure!(pmu.amount(0).exact() == Ok(8 * STEP), "{}", pmu.amount(0));
    ensure!(pmu.count(0).overflowed(), "{}", pmu.count(0));
    Ok(())
}

/// A panic stops the counters.
fn panicking(counters: &Counters) -> Result<()> {
    let mut pmu = open()?;
    let work = std::panic::AssertUnwindSafe(|| {
        pmu.run(|| {
            let added = counters.add(0, 3);
            std::panic::resume_unwind(Box::new(added.is_ok()));
        });
    });
    ensure!(std::panic::catch_unwind(work).is_err(), "no panic");
    counters.add(0, 100)?;
    ensure!(pmu.count(0).exact() == Ok(3), "after the panic: {}", pmu.count(0));
    Ok(())
}

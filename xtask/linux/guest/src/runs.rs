//! Everything that is built on the traits of a driver, on a CCI-400 of revision 1.

use anyhow::{Context, Result, ensure};
use arm_pmu_core::count::Amount;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{Intervals, RunningMonitor, Totals};
use arm_pmu_core::schedule::EventSet;
use arm_pmu_linux::perf::{Options, Pmu};
use cci400::metrics::SnoopHitRate;
use cci400::{Monitor, S0, S3, Selection, SlaveEvent, measure};

use crate::device::{ADDED, Counters};

const READS: EventOrCycles<Selection> = EventOrCycles::Event(S3.event(SlaveEvent::ReadRequestAny));

pub fn runs(counters: &Counters) -> Result<()> {
    metric(counters)?;
    intervals(counters)?;
    many_wraps(counters)?;
    multiplexed(counters)?;
    panicking(counters)?;
    println!("all as in firmware");
    Ok(())
}

fn open() -> Result<Pmu<Selection>> {
    Ok(Pmu::with(Options::new())?)
}

fn metric(counters: &Counters) -> Result<()> {
    let mut pmu = open()?;
    let rate = SnoopHitRate(S3);
    let measured = measure(&mut pmu, rate.events(), || {
        counters.add(0, 15)?;
        counters.add(1, 20)
    })?;
    let value = measured.metric(&rate).to_string();
    measured.output?;
    ensure!(value == "75.00 %  (15 / 20)", "the metric is {value}");
    // Again, from zero.
    let measured = measure(&mut pmu, [READS, EventOrCycles::Cycles], || counters.add(0, 7))?;
    ensure!(measured.counts.map(|count| count.exact()) == [Ok(7), Ok(0)], "{measured}");
    Ok(())
}

fn intervals(counters: &Counters) -> Result<()> {
    let mut pmu = open()?;
    pmu.assign(&[READS])?;
    let mut running = pmu.start();
    counters.add(0, 5)?;
    let mut intervals = Intervals::<_, 1>::of(&mut running, 0);
    for (at, events) in [(1, 40), (2, 0), (3, 1_000_000)] {
        counters.add(0, events)?;
        let interval = intervals.next(&mut running, at);
        ensure!(interval.amounts == [Amount::new(events)], "interval {at}: {interval:?}");
    }
    let pmu = running.stop();
    ensure!(pmu.amount(0).exact() == Ok(1_000_045), "{}", pmu.amount(0));
    Ok(())
}

/// More than 2^32 events in total, fewer between two readings.
fn many_wraps(counters: &Counters) -> Result<()> {
    const STEP: u64 = 0x6000_0000;
    let mut pmu = open()?;
    pmu.assign(&[READS])?;
    let mut running = pmu.start();
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

/// Six events on four counters.
fn multiplexed(counters: &Counters) -> Result<()> {
    let event = |nth: usize| {
        let source = if nth % 2 == 0 { S0 } else { S3 };
        let events =
            [SlaveEvent::ReadRequestAny, SlaveEvent::WriteRequestAny, SlaveEvent::ReadDataSnoopHit];
        EventOrCycles::Event(source.event(events[nth / 2]))
    };
    let mut pmu = open()?;
    let mut set = EventSet::of([0, 1, 2, 3, 4, 5].map(event));
    set.without_reference();
    let schedule = set.schedule(&mut pmu)?;
    ensure!(schedule.passes() == 2, "{} passes", schedule.passes());
    let mut run = schedule.rotate(pmu, 0);
    for slice in 1..=8 {
        counters.play(counters.number())?;
        if slice < 8 {
            run.rotate(slice);
        }
    }
    let (pmu, counts) = run.stop(8);
    pmu.context("the PMU is lost")?;
    for count in counts.counts() {
        let amount = count.amount;
        let rate = amount.estimate()? / 8;
        ensure!((ADDED..ADDED + 4).contains(&rate), "{}: {amount}", count.selection);
        ensure!(amount.exact().is_err(), "{}: {amount} is exact", count.selection);
        ensure!(amount.scaling().running_per_mille() == 500, "{}: share", count.selection);
    }
    Ok(())
}

/// A panic stops the counters.
fn panicking(counters: &Counters) -> Result<()> {
    let mut pmu = open()?;
    pmu.assign(&[READS])?;
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

//! How often the snoop filter misses, and what the masters read meanwhile: is its RAM too small?
//!
//! It runs on a simulated CCI-500 with made-up traffic:
//!
//! ```text
//! cargo run -p cci500 --example snoop_filter
//! ```
//!
//! On a device, only the bus is another one: `Pmu::probe(unsafe { Mmio::new(base) })`.

use arm_pmu_sim::{Cci500, Security};
use cci500::{Count, GlobalEvent, Inexact, MI0, MasterEvent, Pmu, Reason, Selection};

/// The accesses to all banks, the misses, what the misses may lead to, and the data that came from
/// memory through master interface 0.
fn events() -> [Selection; 6] {
    [
        GlobalEvent::SnoopFilterAccessBank0Or1.into(),
        GlobalEvent::SnoopFilterAccessBank2Or3.into(),
        GlobalEvent::SnoopFilterMissBank0Or1.into(),
        GlobalEvent::SnoopFilterMissBank2Or3.into(),
        GlobalEvent::SnoopFilterBackInvalidation.into(),
        MI0.event(MasterEvent::ReadDataBeat),
    ]
}

fn main() -> Result<(), Reason> {
    let device = Cci500::new();
    let mut pmu = Pmu::probe(device.bus()).map_err(|refused| refused.reason)?;
    for (counter, event) in pmu.counters().into_iter().zip(events()) {
        counter.count(event);
    }
    let running = pmu.start();
    traffic(&device);
    let pmu = running.stop();

    for (event, count) in events().iter().zip(pmu.counts()) {
        println!("{:<38} {count:>8}", event.to_string());
    }
    let [accesses0, accesses2, misses0, misses2, ..] = pmu.counts();
    println!("\nsnoop filter misses  {}", rate(&[misses0, misses2], &[accesses0, accesses2]));
    Ok(())
}

/// Misses as a share of accesses, if all of the counts can be believed.
fn rate(misses: &[Count], accesses: &[Count]) -> String {
    let sum = |counts: &[Count]| -> Result<u64, Inexact> {
        counts.iter().map(|count| count.exact().map(u64::from)).sum()
    };
    match (sum(misses), sum(accesses)) {
        (Ok(_), Ok(0)) => "undefined: no accesses".to_owned(),
        (Ok(misses), Ok(accesses)) => format!("{:.1} %", 100.0 * misses as f64 / accesses as f64),
        (Err(why), _) | (_, Err(why)) => format!("unknown: {why}"),
    }
}

/// Reads of four masters; one in seven misses, and some of these push out an older entry.
fn traffic(device: &Cci500) {
    let signal = |what: Selection, times| {
        device.signal(what.source_id() as u8, what.code() as u8, Security::NonSecure, times);
    };
    let [access0, access2, miss0, miss2, back_invalidation, beats] = events();
    for nth in 0..7_000 {
        let (access, miss) = if nth % 2 == 0 { (access0, miss0) } else { (access2, miss2) };
        signal(access, 1);
        if nth % 7 == 0 {
            signal(miss, 1);
            signal(beats, 4);
        }
        if nth % 70 == 0 {
            signal(back_invalidation, 1);
        }
    }
}

//! How often reads of each slave interface are served by another cache, and how busy each is.
//!
//! An interface takes four event counters at a time, and the cycle counter is the time base. It runs on a
//! simulated CCI-400 with made-up traffic:
//!
//! ```text
//! cargo run -p cci400 --example interfaces
//! ```
//!
//! On a device, only the bus is another one: `Pmu::probe(unsafe { Mmio::new(base) })`.

use std::error::Error;

use arm_pmu_sim::{Cci400, Security};
use cci400::metrics::{ReadDataStallShare, ReadRequestsPerCycle, SnoopHitRate};
use cci400::{Pmu, SlaveEvent, SlaveSource, measure};

fn main() -> Result<(), Box<dyn Error>> {
    let device = Cci400::new();
    device.set_spniden(true);
    let mut pmu = Pmu::probe(device.bus()).map_err(|refused| refused.reason)?;
    println!(
        "{:<9} {:>13} {:>13} {:>9} {:>14} {:>11}",
        "interface", "shareable", "snoop hits", "hit rate", "requests/cycle", "data waited"
    );
    // The same work for each interface.
    for source in SlaveSource::ALL {
        let (rate, load, stalls) =
            (SnoopHitRate(source), ReadRequestsPerCycle(source), ReadDataStallShare(source));
        let [hits, shareable] = rate.events();
        let [requests, cycles] = load.events();
        let [waited, _] = stalls.events();
        let what = [shareable, hits, requests, waited, cycles];
        let m = measure(&mut pmu, what, || traffic(&device))?;
        let [shareable, hits, ..] = m.counts;
        let (rate, load, stalls) =
            (m.metric(&rate).figure(), m.metric(&load).figure(), m.metric(&stalls).figure());
        println!("{source:<9} {shareable:>13} {hits:>13} {rate:>9.1} {load:>14} {stalls:>11.1}");
    }
    Ok(())
}

/// A big cluster on S4, a small one on S3, a GPU on S2, nothing on S1, a quiet port on S0.
fn traffic(device: &Cci400) {
    let ports = [(4, 40_000, 22), (3, 12_000, 35), (2, 90_000, 4), (0, 150, 0)];
    for (source, reads, hit_percent) in ports {
        let signal = |event: SlaveEvent, times| {
            device.signal(source, event.code() as u8, Security::NonSecure, times);
        };
        signal(SlaveEvent::ReadRequestAny, reads + reads / 10);
        signal(SlaveEvent::ReadRequestShareable, reads);
        signal(SlaveEvent::ReadDataSnoopHit, reads / 100 * hit_percent);
        signal(SlaveEvent::ReadDataStall, reads / 8);
    }
    device.clock(1_000_000);
}

//! Snoop hit rate and load of each slave interface.
//!
//! Each interface uses all four event counters, and the cycle counter is the time base. The example
//! runs on a simulated CCI-400 with made-up traffic:
//!
//! ```text
//! cargo run -p cci400 --example interfaces
//! ```
//!
//! On a device, only the bus differs: `Pmu::probe(unsafe { Mmio::new(base) })`.

use std::error::Error;

use arm_pmu_sim::{Cci400, Security};
use cci400::arm_pmu_core::report::{Report, Row, Section};
use cci400::events::SlaveSource;
use cci400::metrics::{ReadDataStallShare, ReadRequestsPerCycle, SnoopHitRate};
use cci400::{Pmu, SlaveEvent, measure};

fn main() -> Result<(), Box<dyn Error>> {
    let device = Cci400::new();
    device.set_spniden(true);
    let mut pmu = Pmu::probe(device.bus()).map_err(|error| error.kind())?;
    // Runs the same work for each interface.
    for source in SlaveSource::ALL {
        let (rate, load, stalls) =
            (SnoopHitRate(source), ReadRequestsPerCycle(source), ReadDataStallShare(source));
        let ([hits, shareable], [requests, cycles], [waited, _]) =
            (rate.events(), load.events(), stalls.events());
        let events = [requests, shareable, hits, waited, cycles];
        let measured = measure(&mut pmu, events, || traffic(&device))?;
        let figures = [
            Row::metric(&"of the shareable reads hit", measured.metric(&rate)),
            Row::metric(&"reads per cycle", measured.metric(&load)),
            Row::metric(&"of the cycles, read data waited", measured.metric(&stalls)),
        ];
        let sections = [Section { title: &source, rows: &(measured, figures) }];
        println!("{}", Report::new(&sections).bars(20));
    }
    Ok(())
}

/// Signals the traffic of a big cluster on S4, a small one on S3, a GPU on S2, nothing on S1, and a
/// quiet port on S0.
fn traffic(device: &Cci400) {
    let ports = [
        (SlaveSource::S4, 40_000, 22),
        (SlaveSource::S3, 12_000, 35),
        (SlaveSource::S2, 90_000, 4),
        (SlaveSource::S0, 150, 0),
    ];
    for (source, reads, hit_percent) in ports {
        let signal = |event: SlaveEvent, times| {
            device.signal(source.event(event), Security::NonSecure, times);
        };
        signal(SlaveEvent::ReadRequestAny, reads + reads / 10);
        signal(SlaveEvent::ReadRequestShareable, reads);
        signal(SlaveEvent::ReadDataSnoopHit, reads / 100 * hit_percent);
        signal(SlaveEvent::ReadDataStall, reads / 8);
    }
    device.clock(1_000_000);
}

//! How often reads of each slave interface are served by another cache, and how busy each is.
//!
//! Each interface takes two counters, so that the four make two interfaces at a time; the cycle
//! counter is the time base. It runs on a simulated CCI-400 with made-up traffic:
//!
//! ```text
//! cargo run -p cci400 --example interfaces
//! ```
//!
//! On a device, only the bus is another one: `Pmu::probe(unsafe { Mmio::new(base) })`.

use arm_pmu_sim::{Cci400, Security};
use cci400::{Count, Divider, Percent, Pmu, Reason, Report, Row, Section, SlaveEvent, SlaveSource};

/// What was measured of one interface.
struct Interface {
    source: SlaveSource,
    reads: Count,
    hits: Count,
    cycles: Count,
}

fn main() -> Result<(), Reason> {
    let device = Cci400::new();
    device.set_spniden(true);
    let mut pmu = Pmu::probe(device.bus()).map_err(|refused| refused.reason)?;
    let mut interfaces = Vec::new();
    // The same work for each pair of interfaces; the fifth is alone.
    for pair in SlaveSource::ALL.chunks(2) {
        let [a, b, c, d] = pmu.counters();
        a.count(pair[0].event(SlaveEvent::ReadRequestShareable));
        b.count(pair[0].event(SlaveEvent::ReadDataSnoopHit));
        match pair.get(1) {
            Some(second) => {
                c.count(second.event(SlaveEvent::ReadRequestShareable));
                d.count(second.event(SlaveEvent::ReadDataSnoopHit));
            }
            None => {
                c.off();
                d.off();
            }
        }
        pmu.cycle_counter().count(Divider::By1);
        let running = pmu.start();
        traffic(&device);
        pmu = running.stop();
        let (counts, cycles) = (pmu.counts(), pmu.cycles());
        for (source, counts) in pair.iter().zip(counts.chunks(2)) {
            interfaces.push(Interface {
                source: *source,
                reads: counts[0],
                hits: counts[1],
                cycles,
            });
        }
    }
    for interface in interfaces {
        println!("{}", interface.report());
    }
    Ok(())
}

impl Interface {
    /// How often its reads hit, and what share of the cycles it asks for something to read.
    fn report(&self) -> String {
        let [reads, hits, cycles] = [self.reads, self.hits, self.cycles].map(Into::into);
        let rows = [
            Row::events(&"reads", reads),
            Row::events(&"snoop hits", hits),
            Row::events(&"cycles", cycles),
            Row::percent(&"of the reads hit", Percent { part: hits, whole: reads }),
            Row::percent(&"reads for each cycle", Percent { part: reads, whole: cycles }),
        ];
        Report::new(&[Section { title: &self.source, rows: &rows }]).bars(20).to_string()
    }
}

/// A big cluster on S4, a small one on S3, a GPU on S2, nothing on S1, a quiet port on S0.
fn traffic(device: &Cci400) {
    let ports = [(4, 40_000, 22), (3, 12_000, 35), (2, 90_000, 4), (0, 150, 0)];
    for (source, reads, hit_percent) in ports {
        let hits = reads / 100 * hit_percent;
        device.signal(
            source,
            SlaveEvent::ReadRequestShareable.code() as u8,
            Security::NonSecure,
            reads,
        );
        device.signal(source, SlaveEvent::ReadDataSnoopHit.code() as u8, Security::NonSecure, hits);
    }
    device.clock(1_000_000);
}

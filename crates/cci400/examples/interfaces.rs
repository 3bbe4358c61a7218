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
use cci400::{Count, Divider, Inexact, Pmu, Reason, SlaveEvent, SlaveSource};

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
    println!(
        "{:<9} {:>13} {:>13} {:>13} {:>9} {:>15}",
        "interface", "reads", "snoop hits", "cycles", "hit rate", "reads / 1000 cy"
    );
    for Interface { source, reads, hits, cycles } in interfaces {
        let (rate, load) = (percent(hits, reads), per_thousand(reads, cycles));
        println!("{source:<9} {reads:>13} {hits:>13} {cycles:>13} {rate:>9} {load:>15}");
    }
    Ok(())
}

/// A share, if both counts can be believed.
fn percent(part: Count, whole: Count) -> String {
    ratio(part, whole).map_or_else(
        |why| why.to_string(),
        |ratio| match ratio {
            Some(ratio) => format!("{:.1} %", 100.0 * ratio),
            None => "-".to_owned(),
        },
    )
}

/// Events per thousand cycles, if both counts can be believed.
fn per_thousand(events: Count, cycles: Count) -> String {
    ratio(events, cycles).map_or_else(
        |why| why.to_string(),
        |ratio| match ratio {
            Some(ratio) => format!("{:.1}", 1_000.0 * ratio),
            None => "-".to_owned(),
        },
    )
}

/// `None` if there is nothing to divide by.
fn ratio(part: Count, whole: Count) -> Result<Option<f64>, Inexact> {
    let (part, whole) = (f64::from(part.exact()?), f64::from(whole.exact()?));
    Ok((whole != 0.0).then(|| part / whole))
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

//! Measures memory reads and the snoop filter miss ratio. A high ratio shows that the snoop filter
//! has too little RAM.
//!
//! The example runs on a simulated CCI-500 with made-up traffic:
//!
//! ```text
//! cargo run -p cci500 --example snoop_filter
//! ```
//!
//! On a device, only the bus differs: `Pmu::probe(unsafe { Mmio::new(base) })`.

use std::error::Error;

use arm_pmu_sim::{Cci500, Security};
use cci500::arm_pmu_core::report::{Report, Row, Section};
use cci500::metrics::{SnoopFilterMissRatioBank0Or1, SnoopFilterMissRatioBank2Or3};
use cci500::{GlobalEvent, MI0, MasterEvent, Pmu, Selection, measure};

fn main() -> Result<(), Box<dyn Error>> {
    let device = Cci500::new();
    let mut pmu = Pmu::probe(device.bus()).map_err(|error| error.kind())?;
    let measured = measure(&mut pmu, events(), || traffic(&device))?;
    let figures = [
        Row::metric(
            &"of the accesses to bank 0 or 1 miss",
            measured.metric(&SnoopFilterMissRatioBank0Or1),
        ),
        Row::metric(
            &"of the accesses to bank 2 or 3 miss",
            measured.metric(&SnoopFilterMissRatioBank2Or3),
        ),
    ];
    let sections = [Section { title: &"CCI-500", rows: &(measured, figures) }];
    print!("{}", Report::new(&sections).bars(20));
    Ok(())
}

/// Returns the events: accesses and misses of a snoop filter with four banks, back-invalidations (caused by some
/// misses), and beats of read data from memory at master interface 0.
fn events() -> [Selection; 6] {
    let [miss0, access0] = SnoopFilterMissRatioBank0Or1.events();
    let [miss2, access2] = SnoopFilterMissRatioBank2Or3.events();
    let back_invalidation = GlobalEvent::SnoopFilterBackInvalidation.into();
    [access0, access2, miss0, miss2, back_invalidation, MI0.event(MasterEvent::ReadDataBeat)]
}

/// Signals reads of four masters. One read in seven misses, and some misses evict an older entry.
fn traffic(device: &Cci500) {
    let signal = |what: Selection, times| {
        device.signal(what, Security::NonSecure, times);
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

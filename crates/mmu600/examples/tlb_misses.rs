//! TLB misses of one device in a TBU, and the resulting table walks of the TCU.
//!
//! The TBU counts only the StreamIDs of the device, and the TCU counts all streams. The example
//! runs on a simulated MMU-600 with made-up traffic:
//!
//! ```text
//! cargo run -p mmu600 --example tlb_misses
//! ```
//!
//! On hardware, only the regions differ: `unsafe { tcu::Region::new(base) }`. For an MMU-700, replace `mmu600` by
//! `mmu700` and `Mmu600` by `Mmu700`.

use std::error::Error;

use arm_pmu_sim::{Mmu600, Stream};
use mmu600::arm_pmu_core::report::{Report, Row, Section};
use mmu600::tbu::metrics::{MainTlbMissRatio, MicroTlbMissRatio};
use mmu600::tcu::metrics::{Stage1Level2WalkCacheMissRatio, Stage1Level3WalkCacheMissRatio};
use mmu600::{StreamFilter, TbuEvent, TcuEvent, measure, tbu, tcu};

/// StreamIDs of the measured device.
const DEVICE: std::ops::Range<u32> = 0x40..0x44;

fn main() -> Result<(), Box<dyn Error>> {
    let (walks, buffer) = (Mmu600::tcu(), Mmu600::tbu());
    let region = buffer.region();
    let mut tbu = tbu::Pmu::probe_at(region).map_err(|error| error.kind())?;
    let region = walks.region();
    let mut tcu = tcu::Pmu::probe_at(region).map_err(|error| error.kind())?;

    let filter = StreamFilter::span(DEVICE)?;
    tbu.filter_streams(filter);
    let (micro, main) = (MicroTlbMissRatio, MainTlbMissRatio);
    let ([micro_misses, micro_lookups], [main_misses, main_lookups]) =
        (micro.events(), main.events());
    let of_tbu = [micro_lookups, micro_misses, main_lookups, main_misses];
    let (level2, level3) = (Stage1Level2WalkCacheMissRatio, Stage1Level3WalkCacheMissRatio);
    let ([misses2, lookups2], [misses3, lookups3]) = (level2.events(), level3.events());
    let of_tcu = [lookups2, misses2, lookups3, misses3];

    // To measure two PMUs at once, pass one measurement as the work of the other.
    let near =
        measure(&mut tbu, of_tbu, || measure(&mut tcu, of_tcu, || traffic(&buffer, &walks)))?;
    let far = near.output?;

    let of_tbu = [
        Row::metric(&"of the lookups in the micro TLB miss", near.metric(&micro)),
        Row::metric(&"of the lookups in the Main TLB miss", near.metric(&main)),
    ];
    let of_tcu = [
        Row::metric(&"of the level 2 walk cache lookups miss", far.metric(&level2)),
        Row::metric(&"of the level 3 walk cache lookups miss", far.metric(&level3)),
    ];
    let (tbu, tcu) = (format!("TBU, {filter}"), format!("TCU, {}", StreamFilter::ALL));
    let sections = [
        Section { title: &tbu, rows: &(near, of_tbu) },
        Section { title: &tcu, rows: &(far, of_tcu) },
    ];
    print!("{}", Report::new(&sections).bars(20));
    Ok(())
}

/// Signals the traffic of a network interface with few pages in use, and of a display that reads a
/// large frame.
fn traffic(buffer: &Mmu600, walks: &Mmu600) {
    let devices = [(0x41, 40_000, 3, 1), (0x10, 90_000, 60, 45)];
    for (stream, transactions, micro_percent, main_percent) in devices {
        let stream = Stream::non_secure(stream);
        let share = |percent: u32| transactions / 100 * percent;
        let tbu = |event: TbuEvent, times| buffer.signal(event, stream, times);
        tbu(TbuEvent::Transaction, transactions);
        tbu(TbuEvent::MicroTlbLookup, transactions);
        tbu(TbuEvent::MicroTlbMiss, share(micro_percent));
        tbu(TbuEvent::MainTlbLookup, share(micro_percent));
        tbu(TbuEvent::MainTlbMiss, share(main_percent));
        let tcu = |event: TcuEvent, times| walks.signal(event, stream, times);
        tcu(TcuEvent::Transaction, share(main_percent));
        tcu(TcuEvent::Stage1Level3WalkCacheLookup, share(main_percent));
        tcu(TcuEvent::Stage1Level3WalkCacheMiss, share(main_percent) / 4);
        tcu(TcuEvent::Stage1Level2WalkCacheLookup, share(main_percent) / 4);
        tcu(TcuEvent::Stage1Level2WalkCacheMiss, share(main_percent) / 100);
    }
}

//! How often one device's translations miss in a TBU, and where the TCU then has to walk.
//!
//! The TBU is measured for one range of StreamIDs, that of the device; the TCU for all. It runs on a
//! simulated MMU-600 with made-up traffic:
//!
//! ```text
//! cargo run -p mmu600 --example tlb_misses
//! ```
//!
//! On hardware, only the buses are others: `tcu::Pmu::at(unsafe { tcu::Region::new(base) })`.

use std::error::Error;

use arm_pmu_sim::{Mmu600, Stream};
use mmu600::{Count, Percent, Report, Row, Section, StreamFilter, TbuEvent, TcuEvent, tbu, tcu};

/// The StreamIDs of the device that is looked at.
const DEVICE: std::ops::Range<u32> = 0x40..0x44;

fn main() -> Result<(), Box<dyn Error>> {
    let (walks, buffer) = (Mmu600::tcu(), Mmu600::tbu());
    let mut tbu =
        tbu::Pmu::probe(buffer.page0(), buffer.page1()).map_err(|refused| refused.reason)?;
    let mut tcu =
        tcu::Pmu::probe(walks.page0(), walks.page1()).map_err(|refused| refused.reason)?;

    let filter = StreamFilter::span(DEVICE)?;
    tbu.filter_streams(filter);
    let [main_lookups, main_misses, micro_lookups, micro_misses] = tbu.counters();
    main_lookups.count(TbuEvent::MainTlbLookup);
    main_misses.count(TbuEvent::MainTlbMiss);
    micro_lookups.count(TbuEvent::MicroTlbLookup);
    micro_misses.count(TbuEvent::MicroTlbMiss);

    let [lookups2, misses2, lookups3, misses3] = tcu.counters();
    lookups2.count(TcuEvent::Stage1Level2WalkCacheLookup);
    misses2.count(TcuEvent::Stage1Level2WalkCacheMiss);
    lookups3.count(TcuEvent::Stage1Level3WalkCacheLookup);
    misses3.count(TcuEvent::Stage1Level3WalkCacheMiss);

    let (running_tbu, running_tcu) = (tbu.start(), tcu.start());
    traffic(&buffer, &walks);
    let (tbu, tcu) = (running_tbu.stop(), running_tcu.stop());

    let [main_lookups, main_misses, micro_lookups, micro_misses] = tbu.counts();
    let of_tbu = [
        cache(&["micro TLB lookups", "micro TLB misses"], micro_lookups, micro_misses),
        cache(&["main TLB lookups", "main TLB misses"], main_lookups, main_misses),
    ];
    let [lookups2, misses2, lookups3, misses3] = tcu.counts();
    let of_tcu = [
        cache(&["level 2 walk cache lookups", "level 2 walk cache misses"], lookups2, misses2),
        cache(&["level 3 walk cache lookups", "level 3 walk cache misses"], lookups3, misses3),
    ];
    let sections = [
        Section { title: &format_args!("TBU, {filter}"), rows: &of_tbu },
        Section { title: &format_args!("TCU, {}, stage 1", StreamFilter::ALL), rows: &of_tcu },
    ];
    print!("{}", Report::new(&sections).bars(20));
    Ok(())
}

/// What is known of a cache.
fn cache<'n>(names: &'n [&'n str; 2], lookups: Count, misses: Count) -> [Row<'n>; 3] {
    let (part, whole) = (misses.into(), lookups.into());
    [
        Row::events(&names[0], whole),
        Row::events(&names[1], part),
        Row::percent(&"of them miss", Percent { part, whole }),
    ]
}

/// A network interface with few pages in use, and a display that reads through a large frame.
fn traffic(buffer: &Mmu600, walks: &Mmu600) {
    let devices = [(0x41, 40_000, 3, 1), (0x10, 90_000, 60, 45)];
    for (stream, transactions, micro_percent, main_percent) in devices {
        let stream = Stream::non_secure(stream);
        let share = |percent: u32| transactions / 100 * percent;
        let tbu = |event: TbuEvent, times| buffer.signal(event.code(), stream, times);
        tbu(TbuEvent::Transaction, transactions);
        tbu(TbuEvent::MicroTlbLookup, transactions);
        tbu(TbuEvent::MicroTlbMiss, share(micro_percent));
        tbu(TbuEvent::MainTlbLookup, share(micro_percent));
        tbu(TbuEvent::MainTlbMiss, share(main_percent));
        let tcu = |event: TcuEvent, times| walks.signal(event.code(), stream, times);
        tcu(TcuEvent::Transaction, share(main_percent));
        tcu(TcuEvent::Stage1Level3WalkCacheLookup, share(main_percent));
        tcu(TcuEvent::Stage1Level3WalkCacheMiss, share(main_percent) / 4);
        tcu(TcuEvent::Stage1Level2WalkCacheLookup, share(main_percent) / 4);
        tcu(TcuEvent::Stage1Level2WalkCacheMiss, share(main_percent) / 100);
    }
}

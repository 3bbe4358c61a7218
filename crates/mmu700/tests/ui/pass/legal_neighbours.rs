//! Correct versions of the cases that fail.

use arm_pmu_sim::Mmu700;
use mmu700::{StreamFilter, TbuEvent, TcuEvent, tbu, tcu};

fn take_over(page0: tbu::Page0, page1: tbu::Page1) -> tbu::Pmu {
    tbu::Pmu::new(page0, page1)
}

fn main() {
    let (walks, buffer) = (Mmu700::tcu(), Mmu700::tbu());
    walks.set_counters(32);
    let mut tcu = tcu::Pmu::probe_counters::<31>(walks.page0(), walks.page1()).unwrap();
    let [first, .., last] = tcu.counters();
    first.count(TcuEvent::WalkCacheRead);
    last.off();
    let mut tbu = tbu::Pmu::new(buffer.page0(), buffer.page1());
    tbu.filter_streams(StreamFilter::ALL);
    let [first, _, _, _] = tbu.counters();
    first.count(TbuEvent::Transaction);
    let (tcu, tbu) = (tcu.start().stop(), tbu.start().stop());
    assert_eq!((tcu.counts()[0].exact(), tbu.counts()[0].exact()), (Ok(0), Ok(0)));
    let _ = take_over as fn(_, _) -> _;
}

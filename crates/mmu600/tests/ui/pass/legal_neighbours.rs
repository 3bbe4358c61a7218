//! Correct versions of the cases that fail.

use arm_pmu_sim::Mmu600;
use mmu600::{StreamFilter, TbuEvent, TcuEvent, tbu, tcu};

fn tbu_of(region: tbu::Region) -> tbu::Pmu {
    tbu::Pmu::at(region)
}

fn tcu_of(region: tcu::Region) -> tcu::Pmu {
    tcu::Pmu::at(region)
}

fn main() {
    let (walks, buffer) = (Mmu600::tcu(), Mmu600::tbu());
    let mut tcu = tcu::Pmu::new(walks.page0(), walks.page1());
    let [first, .., last] = tcu.counters();
    first.count(TcuEvent::WalkCacheRead);
    last.off();
    let mut tbu = tbu::Pmu::new(buffer.page0(), buffer.page1());
    tbu.filter_streams(StreamFilter::ALL);
    let [first, ..] = tbu.counters();
    first.count(TbuEvent::Transaction);
    let (page0, page1) = tbu.registers();
    let _ = page0.cfgr().read();
    page1.capr().write(|w| w.capture().set_bit());
    let (tcu, tbu) = (tcu.start().stop(), tbu.start().stop());
    assert_eq!((tcu.counts()[0].exact(), tbu.counts()[0].exact()), (Ok(0), Ok(0)));
    let _ = (tbu_of as fn(_) -> _, tcu_of as fn(_) -> _);
}

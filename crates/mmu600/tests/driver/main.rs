//! The drivers on a simulated MMU-600: measurements and failures.

mod capture;
mod counting;
mod filter;
mod interference;
mod interrupts;
mod order;
mod registers;

use arm_pmu_sim::{MemoryBus, Mmu600, Noise, PageOrder, Stream, Strict};
use mmu600::TbuEvent;
use mmu600::registers::{Page0, Page1};
use mmu600::tbu::Pmu;

type TbuPmu<'d> = Pmu<MemoryBus<'d, Page0>, MemoryBus<'d, Page1>>;

const LOOKUP: TbuEvent = TbuEvent::MainTlbLookup;
const MISS: TbuEvent = TbuEvent::MainTlbMiss;

/// An event because of a stream that nothing tells from others.
fn signal(device: &Mmu600, what: TbuEvent, times: u32) {
    device.signal(what, Stream::non_secure(0x42), times);
}

fn pmu(device: &Mmu600) -> TbuPmu<'_> {
    Pmu::new(device.page0(), device.page1())
}

/// The offset of a counter in the region of a TBU.
fn evcntr(counter: usize) -> usize {
    0x12000 + 4 * counter
}

/// Calls `test` with TBUs in several states, whose drivers count lookups on counter 0 and misses on
/// counter 3.
fn on_every_device(test: impl Fn(&Mmu600, TbuPmu<'_>)) {
    let noises = [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2), Noise::Seeded(3)];
    for noise in noises {
        for order in [PageOrder::Issued, PageOrder::Page0First, PageOrder::Page1First] {
            for posted in [false, true] {
                let device = Strict::new(Mmu600::tbu());
                device.set_posted_stores(posted);
                device.set_page_order(order);
                device.power_up_with(noise);
                let mut pmu = pmu(&device);
                let [lookups, _, _, misses] = pmu.counters();
                lookups.count(LOOKUP);
                misses.count(MISS);
                test(&device, pmu);
            }
        }
    }
}

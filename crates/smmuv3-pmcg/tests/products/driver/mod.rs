//! Tests the driver on the simulated device of the enclosing module.

mod capture;
mod filter;
mod interference;
mod interrupts;

use super::{Device, product};
use arm_pmu_sim::{MemoryBus, Noise, PageOrder, Stream, Strict};
use product::TbuEvent;
use product::registers::{Page0, Page1};
use product::tbu::Pmu;

type TbuPmu<'d> = Pmu<MemoryBus<'d, Page0>, MemoryBus<'d, Page1>>;

const LOOKUP: TbuEvent = TbuEvent::MainTlbLookup;
const MISS: TbuEvent = TbuEvent::MainTlbMiss;

/// Signals an event of one fixed stream.
fn signal(device: &Device, what: TbuEvent, times: u32) {
    device.signal(what, Stream::non_secure(0x42), times);
}

fn pmu(device: &Device) -> TbuPmu<'_> {
    Pmu::new(device.page0(), device.page1())
}

/// Returns the offset of a counter in the region of a TBU.
fn evcntr(counter: usize) -> usize {
    0x12000 + 4 * counter
}

/// Calls `test` with TBUs in several states. Each driver counts lookups on counter 0 and misses on
/// counter 3.
fn on_every_device(test: impl Fn(&Device, TbuPmu<'_>)) {
    let noises = [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2), Noise::Seeded(3)];
    for noise in noises {
        for order in [PageOrder::Issued, PageOrder::Page0First, PageOrder::Page1First] {
            for posted in [false, true] {
                let device = Strict::new(Device::tbu());
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

//! The CCI-550 driver makes accesses that an AArch64 core can make, where they belong.
//!
//! No QEMU machine has a CCI-550, so RAM stands for it, and nothing is counted.

use cci550::{MI0, MasterEvent, Mmio, Pmu, SI3, SlaveEvent};
use firmware::Checks;

use crate::block::as_device;

const PMCR: usize = 0x100;

/// The registers of counter `n` are at `COUNTERS + n * STRIDE`.
const COUNTERS: usize = 0x1_0000;
const STRIDE: usize = 0x1_0000;
const EVENT_SELECT: usize = 0x0;
const EVENT_COUNT: usize = 0x4;
const COUNT_CONTROL: usize = 0x8;
const OVERFLOW_STATUS: usize = 0xC;

/// What every register holds at first: no register is written so.
const BEFORE: u32 = u32::MAX;

pub fn all(checks: &mut Checks) {
    let words = as_device(BEFORE, count_two_events);
    let counter = |number, register| words.at(COUNTERS + number * STRIDE + register);

    checks.equal("EVENT_SELECT 0: SI3, code 0x08", counter(0, EVENT_SELECT), 0x3 << 5 | 0x08);
    checks.equal("EVENT_SELECT 1: MI0, code 0x01", counter(1, EVENT_SELECT), 0x8 << 5 | 0x01);
    let enables = [0, 1, 2, 3, 4, 5, 6, 7].map(|number| counter(number, COUNT_CONTROL));
    checks.equal("COUNT_CONTROL: the two in use", enables, [1, 1, 0, 0, 0, 0, 0, 0]);
    checks.equal("EVENT_COUNT 1: where it starts", counter(1, EVENT_COUNT), 1000);
    checks.equal("PMCR.CEN: stopped", words.at(PMCR) & 1, 0);

    let elsewhere = words.all().find(|&(offset, value)| value != BEFORE && !is_of_the_pmu(offset));
    checks.equal("no other register is written", elsewhere, None);
}

fn count_two_events(bus: Mmio) {
    let mut pmu = Pmu::new(bus);
    let [first, second, ..] = pmu.counters();
    first.count(SI3.event(SlaveEvent::ReadDataBeat));
    second.count_from(MI0.event(MasterEvent::WriteDataBeat), 1000);
    let running = pmu.start();
    let _ = running.counts();
    let _ = running.stop();
}

fn is_of_the_pmu(offset: usize) -> bool {
    let of_a_counter =
        (COUNTERS..COUNTERS + 8 * STRIDE).contains(&offset) && offset % STRIDE <= OVERFLOW_STATUS;
    offset == PMCR || of_a_counter
}

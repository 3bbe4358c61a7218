//! Events, captures, pages and settings of an MMU-600.

mod counting;
mod knobs;
mod overflow;
mod pages;
mod registers;
mod violations;

use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{AnyOffset, MemoryBus, Mmu600, Stream};

const fn evtyper(counter: usize) -> usize {
    0x400 + 4 * counter
}
const SMR0: usize = 0xA00;
const CNTENSET: usize = 0xC00;
const INTENSET: usize = 0xC40;
const SCR: usize = 0xDF8;
const CFGR: usize = 0xE00;
const CR: usize = 0xE04;
const IRQ_CTRL: usize = 0xE50;
const IRQ_CTRLACK: usize = 0xE54;

// In page 1.
const fn evcntr(counter: usize) -> usize {
    4 * counter
}
const fn svr(counter: usize) -> usize {
    0x600 + 4 * counter
}
const OVSCLR: usize = 0xC80;
const OVSSET: usize = 0xCC0;
const CAPR: usize = 0xD88;

const OVFCAP: u32 = 1 << 31;
const SEC_SID: u32 = 1 << 30;
const SPAN: u32 = 1 << 29;

/// An event that both units have, and that can be filtered.
const EVENT: u16 = 0x2;
const STREAM: Stream = Stream::non_secure(0x42);

/// Runs a test on both units.
fn each(test: impl Fn(&Mmu600)) {
    test(&Mmu600::tcu());
    test(&Mmu600::tbu());
}

/// Register accesses without a bus, by page.
trait Inside {
    fn get(&self, page: usize, offset: usize) -> u32;
    fn set(&self, page: usize, offset: usize, value: u32);

    fn counts(&self) -> [u32; 4] {
        [0, 1, 2, 3].map(|counter| self.get(1, evcntr(counter)))
    }

    fn shadows(&self) -> [u32; 4] {
        [0, 1, 2, 3].map(|counter| self.get(1, svr(counter)))
    }

    /// Zeroes all state that is unknown after reset, counts all streams, and enables all counters.
    fn prepare(&self) {
        for counter in 0..4 {
            self.set(0, evtyper(counter), 0);
            self.set(1, evcntr(counter), 0);
            self.set(1, svr(counter), 0);
        }
        self.set(0, evtyper(0), SPAN);
        self.set(0, SMR0, 0x00FF_FFFF);
        self.set(0, CNTENSET, 0xF);
        self.set(0, INTENSET, 0);
        self.set(1, OVSSET, 0);
        self.set(0, CR, 1);
    }

    /// Selects the event of one counter and keeps its filter.
    fn select(&self, counter: usize, event: u16) {
        let filter = self.get(0, evtyper(counter)) & !0xFFFF;
        self.set(0, evtyper(counter), filter | u32::from(event));
    }
}

impl Inside for Mmu600 {
    fn get(&self, page: usize, offset: usize) -> u32 {
        self.peek(self.at(page, offset))
    }

    fn set(&self, page: usize, offset: usize, value: u32) {
        self.poke(self.at(page, offset), value);
    }
}

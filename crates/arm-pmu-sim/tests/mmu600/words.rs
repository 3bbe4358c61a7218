//! Registers by number, and shared test setup.

use arm_pmu_sim::{Mmu600, Stream};

pub(crate) use crate::support::Words32;

pub(crate) const fn evtyper(counter: usize) -> usize {
    0x400 + 4 * counter
}
pub(crate) const SMR0: usize = 0xA00;
pub(crate) const CNTENSET: usize = 0xC00;
pub(crate) const CNTENCLR: usize = 0xC20;
pub(crate) const INTENSET: usize = 0xC40;
pub(crate) const SCR: usize = 0xDF8;
pub(crate) const CFGR: usize = 0xE00;
pub(crate) const CR: usize = 0xE04;
pub(crate) const IRQ_CTRL: usize = 0xE50;
pub(crate) const IRQ_CTRLACK: usize = 0xE54;

// In page 1.
pub(crate) const fn evcntr(counter: usize) -> usize {
    4 * counter
}
pub(crate) const fn svr(counter: usize) -> usize {
    0x600 + 4 * counter
}
pub(crate) const OVSCLR: usize = 0xC80;
pub(crate) const OVSSET: usize = 0xCC0;
pub(crate) const CAPR: usize = 0xD88;

pub(crate) const OVFCAP: u32 = 1 << 31;
pub(crate) const SEC_SID: u32 = 1 << 30;
pub(crate) const SPAN: u32 = 1 << 29;

/// An event that both units have and that can be filtered.
pub(crate) const EVENT: u16 = 0x2;
pub(crate) const STREAM: Stream = Stream::non_secure(0x42);

/// Runs a test on both units.
pub(crate) fn each(test: impl Fn(&Mmu600)) {
    test(&Mmu600::tcu());
    test(&Mmu600::tbu());
}

/// Accesses without a bus, page by page.
pub(crate) trait Inside {
    fn get(&self, page: usize, offset: usize) -> u32;
    fn set(&self, page: usize, offset: usize, value: u32);

    fn counts(&self) -> [u32; 4] {
        [0, 1, 2, 3].map(|counter| self.get(1, evcntr(counter)))
    }

    fn shadows(&self) -> [u32; 4] {
        [0, 1, 2, 3].map(|counter| self.get(1, svr(counter)))
    }

    /// All that is unknown after reset zeroed, all streams counted, and all counters enabled.
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

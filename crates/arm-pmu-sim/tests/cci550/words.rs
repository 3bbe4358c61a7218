//! Registers by number, and what many tests do first.

use arm_pmu_core::{Bus, Located, Memory};
use arm_pmu_sim::Cci550;

pub(crate) type Region = Memory<{ Cci550::LENGTH }>;

pub(crate) const SECURE_ACCESS: usize = 0x8;
pub(crate) const PMCR: usize = 0x100;
pub(crate) const CEN: u32 = 1;
pub(crate) const RST: u32 = 2;

pub(crate) const fn select(counter: usize) -> usize {
    0x10000 * (counter + 1)
}
pub(crate) const fn count(counter: usize) -> usize {
    select(counter) + 0x4
}
pub(crate) const fn control(counter: usize) -> usize {
    select(counter) + 0x8
}
pub(crate) const fn overflow(counter: usize) -> usize {
    select(counter) + 0xC
}

/// An event that is easy to tell from others, and its number.
pub(crate) const SOURCE: u8 = 0x3;
pub(crate) const CODE: u8 = 0x0A;
pub(crate) const ID: u32 = 0x6A;

/// All words of the region, as if they were one register: the offset is a number at run time.
enum Words {}

impl Located for Words {
    type Space = Region;
    const KEY: usize = 0;
    const COUNT: usize = Cci550::LENGTH / 4;
    const STRIDE: usize = 4;
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

/// Accesses by offset.
pub(crate) trait Words32 {
    fn read(&self, offset: usize) -> u32;
    fn write(&self, offset: usize, value: u32);
}

impl<B: Bus<Space = Region>> Words32 for B {
    fn read(&self, offset: usize) -> u32 {
        assert_eq!(offset % 4, 0);
        self.load::<Words>(offset / 4)
    }

    fn write(&self, offset: usize, value: u32) {
        assert_eq!(offset % 4, 0);
        self.store::<Words>(offset / 4, value);
    }
}

/// Lets `counter` count `id` from where it is.
pub(crate) fn run(bus: &impl Bus<Space = Region>, counter: usize, id: u32) {
    bus.write(select(counter), id);
    bus.write(control(counter), 1);
    bus.write(PMCR, CEN);
    bus.synchronize();
}

//! Registers by number, and shared test setup.

use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{AnyOffset, MemoryBus};

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

/// Lets `counter` count `id` from where it is.
pub(crate) fn run(bus: &MemoryBus<'_, AnyOffset>, counter: usize, id: u32) {
    bus.write(select(counter), id);
    bus.write(control(counter), 1);
    bus.write(PMCR, CEN);
    bus.synchronize();
}

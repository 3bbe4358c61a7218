//! Registers by number, and shared test setup.

use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{AnyOffset, MemoryBus};

pub(crate) const SECURE_ACCESS: usize = 0x8;
pub(crate) const PMCR: usize = 0x100;
pub(crate) const CEN: u32 = 1;
pub(crate) const RST: u32 = 1 << 1;
pub(crate) const CCR: u32 = 1 << 2;
pub(crate) const CCD: u32 = 1 << 3;
pub(crate) const EX: u32 = 1 << 4;
pub(crate) const DP: u32 = 1 << 5;

pub(crate) const CYCLES: usize = 0x9004;
pub(crate) const CYCLES_CONTROL: usize = 0x9008;
pub(crate) const CYCLES_OVERFLOW: usize = 0x900C;

pub(crate) const fn select(counter: usize) -> usize {
    0xA000 + 0x1000 * counter
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

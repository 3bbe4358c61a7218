//! Registers by operands, and shared test setup.

use arm_pmu_core::bus::{Bus, Operands};
use arm_pmu_sim::{AnyOperands, CortexA8, Cp15Bus};

const fn c9(crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 9, crm, opc2 }
}

pub(crate) const PMCR: Operands = c9(12, 0);
pub(crate) const PMCNTENSET: Operands = c9(12, 1);
pub(crate) const PMCNTENCLR: Operands = c9(12, 2);
pub(crate) const PMOVSR: Operands = c9(12, 3);
pub(crate) const PMSWINC: Operands = c9(12, 4);
pub(crate) const PMSELR: Operands = c9(12, 5);
pub(crate) const PMCCNTR: Operands = c9(13, 0);
pub(crate) const PMXEVTYPER: Operands = c9(13, 1);
pub(crate) const PMXEVCNTR: Operands = c9(13, 2);
pub(crate) const PMUSERENR: Operands = c9(14, 0);
pub(crate) const PMINTENSET: Operands = c9(14, 1);
pub(crate) const PMINTENCLR: Operands = c9(14, 2);

pub(crate) const E: u32 = 1;
pub(crate) const P: u32 = 1 << 1;
pub(crate) const C: u32 = 1 << 2;
pub(crate) const D: u32 = 1 << 3;
pub(crate) const DP: u32 = 1 << 5;
/// PMCR after a reset.
pub(crate) const RESET: u32 = 0x4100_2000;
/// The bits of all counters.
pub(crate) const EACH: u32 = 0x8000_000F;
pub(crate) const CYCLES: u32 = 1 << 31;

/// An event.
pub(crate) const EXCEPTION: u8 = 0x09;

/// A device with nothing enabled, all counters at zero, and the software increment selected.
pub(crate) fn quiet() -> CortexA8 {
    let device = CortexA8::new();
    make_quiet(&device);
    device
}

pub(crate) fn make_quiet(device: &CortexA8) {
    for operands in [PMCNTENSET, PMOVSR, PMINTENSET, PMSELR, PMCCNTR, PMCR, PMUSERENR] {
        device.poke(operands, 0);
    }
    device.poke(PMCR, RESET);
    for counter in 0..4 {
        device.poke_counter(counter, 0);
        device.poke_event(counter, 0);
    }
}

/// All counters enabled, with these events in the event counters.
pub(crate) fn running(events: [u8; 4]) -> CortexA8 {
    let device = quiet();
    for (counter, event) in events.into_iter().enumerate() {
        device.poke_event(counter, event);
    }
    device.poke(PMCNTENSET, EACH);
    device.poke(PMCR, RESET | E);
    device
}

/// The event counters.
pub(crate) fn counts(device: &CortexA8) -> [u32; 4] {
    [0, 1, 2, 3].map(|counter| device.peek_counter(counter))
}

/// Selects a counter as the manual has it done.
pub(crate) fn select(bus: &Cp15Bus<'_, AnyOperands>, counter: u32) {
    bus.mcr(PMSELR, counter);
    bus.synchronize();
}

/// Writes a register and lets that take effect.
pub(crate) fn write(bus: &Cp15Bus<'_, AnyOperands>, operands: Operands, value: u32) {
    bus.mcr(operands, value);
    bus.synchronize();
}

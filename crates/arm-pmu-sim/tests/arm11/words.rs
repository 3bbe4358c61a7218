//! Registers by operands, and shared test setup.

use arm_pmu_core::bus::Operands;
use arm_pmu_sim::Arm11;

const fn c15(crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 15, crm, opc2 }
}

pub(crate) const CONTROL: Operands = c15(12, 0);
pub(crate) const CYCLES: Operands = c15(12, 1);
pub(crate) const COUNT: [Operands; 2] = [c15(12, 2), c15(12, 3)];
pub(crate) const VALIDATION: Operands = c15(9, 0);

pub(crate) const E: u32 = 1;
pub(crate) const P: u32 = 1 << 1;
pub(crate) const C: u32 = 1 << 2;
pub(crate) const D: u32 = 1 << 3;
/// Interrupt enables, flags and FIQ enables of counter 0, counter 1 and the cycle counter.
pub(crate) const INTERRUPT: [u32; 3] = [1 << 4, 1 << 5, 1 << 6];
pub(crate) const FLAG: [u32; 3] = [1 << 8, 1 << 9, 1 << 10];
pub(crate) const FAST: [u32; 3] = [1 << 28, 1 << 29, 1 << 30];
pub(crate) const FLAGS: u32 = 0x700;

/// The control register with these events.
pub(crate) const fn selecting(first: u8, second: u8) -> u32 {
    (first as u32) << 20 | (second as u32) << 12
}

/// Two events that all cores have.
pub(crate) const INSTRUCTION: u8 = 0x07;
pub(crate) const BRANCH: u8 = 0x05;

/// Runs a test on all cores.
pub(crate) fn each(test: impl Fn(&Arm11)) {
    for device in [Arm11::arm1136(), Arm11::arm1156(), Arm11::arm1176()] {
        test(&device);
    }
}

/// All counters at zero, with these bits in the control register.
pub(crate) fn set_up(device: &Arm11, control: u32) {
    for operands in [CYCLES, COUNT[0], COUNT[1]] {
        device.poke(operands, 0);
    }
    device.poke(CONTROL, control);
}

/// All counters at zero and running, for two events that all cores have.
pub(crate) fn run(device: &Arm11) {
    set_up(device, selecting(INSTRUCTION, BRANCH) | E);
}

/// Counter 0, counter 1, the cycle counter.
pub(crate) fn counts(device: &Arm11) -> [u32; 3] {
    [COUNT[0], COUNT[1], CYCLES].map(|operands| device.peek(operands))
}

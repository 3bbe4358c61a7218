//! The QEMU machine as a [`World`]. QEMU runs one instruction in one cycle (`-icount shift=0`), so the
//! numbers of instructions and cycles are exact.

use cortex_a8::Cp15;

use super::{in_user_mode, spin, undefined};
use crate::armv7::World;

/// A QEMU machine whose core has an ARMv7 PMU. QEMU counts instructions as event 0x08 on all of these cores.
#[derive(Debug)]
pub struct Machine;

impl World for Machine {
    type Bus = Cp15;

    fn main_id(&self) -> u32 {
        self.bus().main_id()
    }

    fn instruction(&self) -> u16 {
        0x08
    }

    fn bus(&self) -> Cp15 {
        #[allow(unsafe_code)]
        // SAFETY: the image runs on one core. A check creates a second bus to interfere. In User
        // mode, the checks expect undefined instructions.
        unsafe {
            Cp15::new()
        }
    }

    fn work(&self, instructions: u32) {
        spin(instructions / 2);
    }

    fn in_user_mode<R>(&self, work: impl FnOnce(Cp15) -> R) -> R {
        in_user_mode(|| work(self.bus()))
    }

    fn access_in_user_mode<R>(&self, access: impl FnOnce(&mut Cp15) -> R) -> Option<R> {
        in_user_mode(|| undefined(|| access(&mut self.bus())))
    }
}

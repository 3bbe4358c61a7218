//! The registers of the interrupted program, as the signal handler finds them.
#![allow(unsafe_code)]

use libc::ucontext_t;

use crate::decode::{self, Access};

/// The interrupted program.
pub struct Processor<'a>(pub &'a mut ucontext_t);

impl Processor<'_> {
    /// The address that an access goes to.
    pub fn address(&self, access: &Access) -> usize {
        (self.register(access.base) as usize).wrapping_add_signed(access.displacement as isize)
    }

    /// The value that a store writes.
    pub fn stored(&self, access: &Access) -> u32 {
        self.register(access.data) as u32
    }

    /// Continues after the instruction.
    pub fn skip(&mut self) {
        self.set_program_counter(self.program_counter() + 4);
    }
}

#[cfg(target_arch = "aarch64")]
impl Processor<'_> {
    /// The access of the interrupted instruction; else, why it is none.
    pub fn access(&self) -> Result<Access, String> {
        // SAFETY: the instruction was fetched from there.
        let word = unsafe { (self.program_counter() as *const u32).read() };
        decode::aarch64(word)
    }

    /// Number 31 is the register that is always 0: `Mmio` never takes its address from the stack pointer.
    fn register(&self, number: usize) -> u64 {
        self.0.uc_mcontext.regs.get(number).copied().unwrap_or(0)
    }

    pub fn set_register(&mut self, number: usize, value: u64) {
        if let Some(register) = self.0.uc_mcontext.regs.get_mut(number) {
            *register = value;
        }
    }

    pub fn program_counter(&self) -> usize {
        self.0.uc_mcontext.pc as usize
    }

    fn set_program_counter(&mut self, address: usize) {
        self.0.uc_mcontext.pc = address as u64;
    }
}

#[cfg(target_arch = "arm")]
impl Processor<'_> {
    /// The access of the interrupted instruction; else, why it is none.
    pub fn access(&self) -> Result<Access, String> {
        const THUMB: libc::c_ulong = 1 << 5;
        if self.0.uc_mcontext.arm_cpsr & THUMB != 0 {
            return Err("Thumb code is not decoded".to_owned());
        }
        // SAFETY: the instruction was fetched from there.
        let word = unsafe { (self.program_counter() as *const u32).read() };
        decode::arm(word)
    }

    /// The context has R0 to R15 in this order.
    const R0: usize = core::mem::offset_of!(libc::mcontext_t, arm_r0);

    fn register(&self, number: usize) -> u64 {
        let registers = (&raw const self.0.uc_mcontext).wrapping_byte_add(Self::R0);
        // SAFETY: the context has sixteen words there.
        let value = unsafe { (*registers.cast::<[libc::c_ulong; 16]>())[number] };
        // As an address, the program counter points to the instruction after the next.
        u64::from(if number == 15 { value + 8 } else { value })
    }

    pub fn set_register(&mut self, number: usize, value: u64) {
        let registers = (&raw mut self.0.uc_mcontext).wrapping_byte_add(Self::R0);
        // SAFETY: as in `register`.
        unsafe { (*registers.cast::<[libc::c_ulong; 16]>())[number] = value as libc::c_ulong };
    }

    pub fn program_counter(&self) -> usize {
        self.0.uc_mcontext.arm_pc as usize
    }

    fn set_program_counter(&mut self, address: usize) {
        self.0.uc_mcontext.arm_pc = address as libc::c_ulong;
    }
}

//! The registers of the interrupted program, as the signal handler finds them.
#![allow(unsafe_code)]

use libc::ucontext_t;

use crate::decode::{self, Access, Direction};

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

    /// Ends a load.
    pub fn loaded(&mut self, access: &Access, value: u32) {
        let value = match access.direction {
            Direction::LoadSigned => value as i32 as u64,
            Direction::Load | Direction::Store => u64::from(value),
        };
        self.set_register(access.data, value);
    }

    /// Continues after an instruction of this length in bytes.
    pub fn skip(&mut self, length: usize) {
        self.set_program_counter(self.program_counter() + length);
    }
}

#[cfg(target_arch = "aarch64")]
impl Processor<'_> {
    /// The access of the interrupted instruction; else, its length and its text.
    pub fn access(&self) -> Result<Access, (usize, String)> {
        // SAFETY: the instruction was fetched from there.
        let word = unsafe { (self.program_counter() as *const u32).read() };
        decode::aarch64(word).map_err(|problem| (4, problem))
    }

    /// Number 31 is the register that is always 0: `Mmio` never takes its address from the stack pointer.
    fn register(&self, number: usize) -> u64 {
        self.0.uc_mcontext.regs.get(number).copied().unwrap_or(0)
    }

    fn set_register(&mut self, number: usize, value: u64) {
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
    /// The access of the interrupted instruction; else, its length and its text.
    pub fn access(&self) -> Result<Access, (usize, String)> {
        const THUMB: libc::c_ulong = 1 << 5;
        if self.0.uc_mcontext.arm_cpsr & THUMB != 0 {
            return Err((4, "Thumb code is not decoded".to_owned()));
        }
        // SAFETY: the instruction was fetched from there.
        let word = unsafe { (self.program_counter() as *const u32).read() };
        decode::arm(word).map_err(|problem| (4, problem))
    }

    fn registers(&mut self) -> [&mut libc::c_ulong; 16] {
        let m = &mut self.0.uc_mcontext;
        [
            &mut m.arm_r0,
            &mut m.arm_r1,
            &mut m.arm_r2,
            &mut m.arm_r3,
            &mut m.arm_r4,
            &mut m.arm_r5,
            &mut m.arm_r6,
            &mut m.arm_r7,
            &mut m.arm_r8,
            &mut m.arm_r9,
            &mut m.arm_r10,
            &mut m.arm_fp,
            &mut m.arm_ip,
            &mut m.arm_sp,
            &mut m.arm_lr,
            &mut m.arm_pc,
        ]
    }

    fn register(&self, number: usize) -> u64 {
        let m = &self.0.uc_mcontext;
        let registers = [
            m.arm_r0,
            m.arm_r1,
            m.arm_r2,
            m.arm_r3,
            m.arm_r4,
            m.arm_r5,
            m.arm_r6,
            m.arm_r7,
            m.arm_r8,
            m.arm_r9,
            m.arm_r10,
            m.arm_fp,
            m.arm_ip,
            m.arm_sp,
            m.arm_lr,
            // As an address, the program counter is that of the instruction after the next.
            m.arm_pc + 8,
        ];
        u64::from(registers[number])
    }

    fn set_register(&mut self, number: usize, value: u64) {
        *self.registers()[number] = value as libc::c_ulong;
    }

    pub fn program_counter(&self) -> usize {
        self.0.uc_mcontext.arm_pc as usize
    }

    fn set_program_counter(&mut self, address: usize) {
        self.0.uc_mcontext.arm_pc = address as libc::c_ulong;
    }
}

#[cfg(target_arch = "riscv64")]
impl Processor<'_> {
    /// The access of the interrupted instruction; else, its length and its text.
    pub fn access(&self) -> Result<Access, (usize, String)> {
        let address = self.program_counter() as *const u16;
        // SAFETY: the instruction was fetched from there.
        let low = u32::from(unsafe { address.read() });
        if low & 0b11 != 0b11 {
            return decode::riscv64(low).map_err(|problem| (2, problem));
        }
        // SAFETY: the instruction is one of 32 bits.
        let high = u32::from(unsafe { address.add(1).read() });
        decode::riscv64(high << 16 | low).map_err(|problem| (4, problem))
    }

    /// The place of register 0, which is always 0, has the program counter.
    fn register(&self, number: usize) -> u64 {
        if number == 0 { 0 } else { self.0.uc_mcontext.__gregs[number] }
    }

    fn set_register(&mut self, number: usize, value: u64) {
        if number != 0 {
            self.0.uc_mcontext.__gregs[number] = value;
        }
    }

    pub fn program_counter(&self) -> usize {
        self.0.uc_mcontext.__gregs[0] as usize
    }

    fn set_program_counter(&mut self, address: usize) {
        self.0.uc_mcontext.__gregs[0] = address as u64;
    }
}

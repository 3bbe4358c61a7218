//! The accesses of the versions by hand: as `arm-pmu-core` makes them, without its types.
#![allow(unsafe_code)]

/// The bits of an offset that have room in a load or store, of any core.
const LOW: usize = match () {
    () if cfg!(target_arch = "aarch64") => 0xFFC,
    () if cfg!(target_arch = "arm") => 0x7C,
    () => 0,
};

/// One 32-bit read, with part of the offset in the instruction, as compilers do it.
///
/// # Safety
///
/// At that offset from `base` is a register, mapped for reads.
#[inline(always)]
pub unsafe fn read<const OFFSET: usize>(base: usize) -> u32 {
    let address = base + (OFFSET & !LOW);
    #[cfg(target_arch = "aarch64")]
    {
        let value: u32;
        // A plain load, as hypervisors demand.
        // SAFETY: guaranteed by the caller.
        unsafe {
            core::arch::asm!("ldr {value:w}, [{address}, {low}]", address = in(reg) address,
                low = const OFFSET & LOW, value = out(reg) value,
                options(nostack, preserves_flags, readonly));
        }
        value
    }
    #[cfg(target_arch = "arm")]
    {
        let value: u32;
        // SAFETY: guaranteed by the caller.
        unsafe {
            core::arch::asm!("ldr {value}, [{address}, {low}]", address = in(reg) address,
                low = const OFFSET & LOW, value = out(reg) value,
                options(nostack, preserves_flags, readonly));
        }
        value
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
    // SAFETY: guaranteed by the caller.
    unsafe {
        (address as *const u32).read_volatile()
    }
}

/// One 32-bit write, with part of the offset in the instruction.
///
/// # Safety
///
/// At that offset from `base` is a register, mapped for writes.
#[inline(always)]
pub unsafe fn write<const OFFSET: usize>(base: usize, value: u32) {
    let address = base + (OFFSET & !LOW);
    #[cfg(target_arch = "aarch64")]
    // SAFETY: guaranteed by the caller.
    unsafe {
        core::arch::asm!("str {value:w}, [{address}, {low}]", address = in(reg) address,
            low = const OFFSET & LOW, value = in(reg) value, options(nostack, preserves_flags));
    }
    #[cfg(target_arch = "arm")]
    // SAFETY: guaranteed by the caller.
    unsafe {
        core::arch::asm!("str {value}, [{address}, {low}]", address = in(reg) address,
            low = const OFFSET & LOW, value = in(reg) value, options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
    // SAFETY: guaranteed by the caller.
    unsafe {
        (address as *mut u32).write_volatile(value);
    }
}

/// What was accessed before is complete before what follows.
#[inline(always)]
pub fn barrier() {
    #[cfg(target_arch = "aarch64")]
    // SAFETY: barriers only.
    unsafe {
        core::arch::asm!("dsb sy", "isb", options(nostack, preserves_flags));
    }
    #[cfg(target_arch = "arm")]
    // SAFETY: the operations that are barriers on ARMv6 and later; the written value is ignored.
    unsafe {
        core::arch::asm!(".inst 0xEE073F9A", ".inst 0xEE073F95", in("r3") 0,
            options(nostack, preserves_flags));
    }
    #[cfg(target_arch = "riscv64")]
    // SAFETY: a barrier only, of main memory and of devices.
    unsafe {
        core::arch::asm!("fence iorw, iorw", options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm", target_arch = "riscv64")))]
    core::sync::atomic::fence(core::sync::atomic::Ordering::SeqCst);
}

/// The registers of a device, by the offset of a block and of the register in it: mapped, or simulated in a test.
pub trait Memory {
    fn read<const REGISTER: usize>(&self, block: usize) -> u32;
    fn write<const REGISTER: usize>(&self, block: usize, value: u32);
    fn barrier(&self);
}

/// Registers that are mapped, from this address on.
pub struct Mapped(usize);

impl Memory for Mapped {
    #[inline(always)]
    fn read<const REGISTER: usize>(&self, block: usize) -> u32 {
        // SAFETY: only the code that maps the device makes one.
        unsafe { read::<REGISTER>(self.0 + block) }
    }

    #[inline(always)]
    fn write<const REGISTER: usize>(&self, block: usize, value: u32) {
        // SAFETY: as in `read`.
        unsafe { write::<REGISTER>(self.0 + block, value) }
    }

    #[inline(always)]
    fn barrier(&self) {
        barrier();
    }
}

/// Reads a CP15 register: `mrc!("0, {}, c9, c12, 0")`.
#[cfg(target_arch = "arm")]
macro_rules! mrc {
    ($register:literal) => {{
        let value: u32;
        // SAFETY: a performance monitor register, which cannot break memory safety.
        unsafe {
            core::arch::asm!(concat!("mrc p15, ", $register), out(reg) value,
                options(nostack, preserves_flags));
        }
        value
    }};
}

/// Writes a CP15 register: `mcr!("0, {}, c9, c12, 0", value)`.
#[cfg(target_arch = "arm")]
macro_rules! mcr {
    ($register:literal, $value:expr) => {{
        let value: u32 = $value;
        // SAFETY: a performance monitor register, which cannot break memory safety.
        unsafe {
            core::arch::asm!(concat!("mcr p15, ", $register), in(reg) value,
                options(nostack, preserves_flags));
        }
    }};
}
#[cfg(target_arch = "arm")]
pub(crate) use {mcr, mrc};

//! The accesses of the versions by hand: what `arm-pmu-core` promises, without its types.
#![allow(unsafe_code)]

/// One 32-bit read.
///
/// # Safety
///
/// `address` is that of a register, mapped for reads.
#[inline(always)]
pub unsafe fn read(address: usize) -> u32 {
    #[cfg(target_arch = "aarch64")]
    {
        let value: u32;
        // A plain load, as hypervisors demand.
        // SAFETY: the caller's promise.
        unsafe {
            core::arch::asm!("ldr {value:w}, [{address}]", address = in(reg) address,
                value = out(reg) value, options(nostack, preserves_flags, readonly));
        }
        value
    }
    #[cfg(target_arch = "arm")]
    {
        let value: u32;
        // SAFETY: the caller's promise.
        unsafe {
            core::arch::asm!("ldr {value}, [{address}]", address = in(reg) address,
                value = out(reg) value, options(nostack, preserves_flags, readonly));
        }
        value
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
    // SAFETY: the caller's promise.
    unsafe {
        (address as *const u32).read_volatile()
    }
}

/// One 32-bit write.
///
/// # Safety
///
/// `address` is that of a register, mapped for writes.
#[inline(always)]
pub unsafe fn write(address: usize, value: u32) {
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the caller's promise.
    unsafe {
        core::arch::asm!("str {value:w}, [{address}]", address = in(reg) address,
            value = in(reg) value, options(nostack, preserves_flags));
    }
    #[cfg(target_arch = "arm")]
    // SAFETY: the caller's promise.
    unsafe {
        core::arch::asm!("str {value}, [{address}]", address = in(reg) address, value = in(reg) value,
            options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
    // SAFETY: the caller's promise.
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
        core::arch::asm!(".inst 0xEE070F9A", ".inst 0xEE070F95", in("r0") 0,
            options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
    core::sync::atomic::fence(core::sync::atomic::Ordering::SeqCst);
}

/// The registers of a device, by their offsets: those that are mapped, or those of a test.
pub trait Memory {
    fn read(&self, offset: usize) -> u32;
    fn write(&self, offset: usize, value: u32);
    fn barrier(&self);
}

/// Registers that are mapped, from this address on.
pub struct Mapped(usize);

impl Memory for Mapped {
    #[inline(always)]
    fn read(&self, offset: usize) -> u32 {
        // SAFETY: never made but by who maps the device.
        unsafe { read(self.0 + offset) }
    }

    #[inline(always)]
    fn write(&self, offset: usize, value: u32) {
        // SAFETY: as in `read`.
        unsafe { write(self.0 + offset, value) }
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

//! Accesses for the hand-written functions, as in `arm-pmu-core` but without its types.
#![allow(unsafe_code)]

/// Bits of an offset that a load or store instruction can encode on every core of the target.
const LOW: usize = match () {
    () if cfg!(target_arch = "aarch64") => 0xFFC,
    () if cfg!(target_arch = "arm") => 0x7C,
    () => 0,
};

/// A load or store, with the register for its value.
#[cfg(target_arch = "aarch64")]
macro_rules! access {
    ($instruction:literal) => {
        // Without write-back, because a hypervisor cannot emulate write-back.
        concat!($instruction, " {value:w}, [{address}, {low}]")
    };
}
#[cfg(target_arch = "arm")]
macro_rules! access {
    ($instruction:literal) => {
        concat!($instruction, " {value}, [{address}, {low}]")
    };
}

/// Earlier accesses complete before later accesses.
#[inline(always)]
pub fn barrier() {
    #[cfg(target_arch = "aarch64")]
    // SAFETY: barriers change neither registers nor memory.
    unsafe {
        core::arch::asm!("dsb sy", "isb", options(nostack, preserves_flags));
    }
    #[cfg(target_arch = "arm")]
    // SAFETY: these CP15 writes are barriers on ARMv6 and later, and ignore the value.
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

/// Base address of mapped registers. Only code that maps the device creates a `Mapped`.
pub struct Mapped(usize);

impl Mapped {
    /// As in compiled code, the load or store instruction encodes a part of the offset.
    #[inline(always)]
    pub fn read<const REGISTER: usize>(&self, block: usize) -> u32 {
        let address = self.0 + block + (REGISTER & !LOW);
        #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
        {
            let value: u32;
            // SAFETY: a register of the device, mapped for reads.
            unsafe {
                core::arch::asm!(access!("ldr"), address = in(reg) address,
                    low = const REGISTER & LOW, value = out(reg) value,
                    options(nostack, preserves_flags, readonly));
            }
            value
        }
        #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
        // SAFETY: as above.
        unsafe {
            (address as *const u32).read_volatile()
        }
    }

    #[inline(always)]
    pub fn write<const REGISTER: usize>(&self, block: usize, value: u32) {
        let address = self.0 + block + (REGISTER & !LOW);
        #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
        // SAFETY: a register of the device, mapped for writes.
        unsafe {
            core::arch::asm!(access!("str"), address = in(reg) address,
                low = const REGISTER & LOW, value = in(reg) value,
                options(nostack, preserves_flags));
        }
        #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
        // SAFETY: as above.
        unsafe {
            (address as *mut u32).write_volatile(value);
        }
    }
}

/// The performance monitor registers in CP15 with this CRn, on the core itself. Accesses cannot
/// break memory safety.
#[cfg(target_arch = "arm")]
pub struct Cp15<const CRN: u8>(());

#[cfg(target_arch = "arm")]
impl<const CRN: u8> Cp15<CRN> {
    #[inline(always)]
    pub fn read<const CRM: u8, const OPC2: u8>(&self) -> u32 {
        let value: u32;
        // SAFETY: the functions here read only performance monitor registers, which are no memory.
        unsafe {
            core::arch::asm!("mrc p15, 0, {}, c{}, c{}, {}", out(reg) value, const CRN, const CRM,
                const OPC2, options(nostack, preserves_flags));
        }
        value
    }

    #[inline(always)]
    pub fn write<const CRM: u8, const OPC2: u8>(&self, value: u32) {
        // SAFETY: the functions here write only performance monitor registers, which are no memory.
        unsafe {
            core::arch::asm!("mcr p15, 0, {}, c{}, c{}, {}", in(reg) value, const CRN, const CRM,
                const OPC2, options(nostack, preserves_flags));
        }
    }
}

/// The performance monitor registers among the system registers, on the core itself. Accesses
/// cannot break memory safety.
#[cfg(target_arch = "aarch64")]
pub struct System(());

#[cfg(target_arch = "aarch64")]
impl System {
    #[inline(always)]
    pub fn read<const OP1: u8, const CRN: u8, const CRM: u8, const OP2: u8>(&self) -> u64 {
        let value: u64;
        // SAFETY: the functions here read only performance monitor registers, which are no memory.
        unsafe {
            core::arch::asm!("mrs {}, S3_{}_C{}_C{}_{}", out(reg) value, const OP1, const CRN,
                const CRM, const OP2, options(nostack, preserves_flags));
        }
        value
    }

    #[inline(always)]
    pub fn write<const OP1: u8, const CRN: u8, const CRM: u8, const OP2: u8>(&self, value: u64) {
        // SAFETY: the functions here write only performance monitor registers, which are no memory.
        unsafe {
            core::arch::asm!("msr S3_{}_C{}_C{}_{}, {}", const OP1, const CRN, const CRM,
                const OP2, in(reg) value, options(nostack, preserves_flags));
        }
    }
}

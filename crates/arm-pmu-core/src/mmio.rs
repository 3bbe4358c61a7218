//! Memory-mapped registers.
#![allow(unsafe_code)]

use core::fmt;
use core::marker::PhantomData;

use crate::{Bus, Memory, RegisterSpec};

/// Sole owner of `LENGTH` bytes of memory-mapped registers.
///
/// The registers are 32 bits wide and little-endian. On AArch64 and 32-bit Arm each access is one
/// plain `ldr` or `str`, which a hypervisor can emulate; elsewhere it is a volatile access, which is
/// one `lw` or `sw` on RISC-V.
///
/// An `Mmio` can be moved to another thread or core, and be kept in a `static` behind a mutex, but
/// it can be neither copied nor shared.
///
/// # What it needs from the platform
///
/// **Memory type.** Two accesses to registers are not separated by a barrier, so the memory type has
/// to keep them in program order, and must neither merge, repeat nor invent accesses.
///
/// | processor | memory type | barrier of [`synchronize`](Bus::synchronize) |
/// |---|---|---|
/// | AArch64 | Device-nGnRnE or Device-nGnRE; not nGRE or GRE | `dsb sy`, `isb` |
/// | ARMv6, ARMv7, AArch32 | Strongly-ordered or Device, execute never | the same, or their CP15 operations |
/// | RISC-V | I/O by its PMA (`PBMT` in the page table: PMA or IO), strongly ordered | `fence iorw, iorw` |
///
/// The two pages of an MMU-600 have to be of one type. With the MMU off, Arm processors access data as
/// Strongly-ordered or Device-nGnRnE. Linux relies on strongly ordered I/O of RISC-V too
/// (`readl_relaxed` in `arch/riscv/include/asm/mmio.h`); an I/O region with relaxed ordering would
/// need a fence between any two accesses, which this bus does not make.
///
/// **Arrival.** With Device-nGnRE and with RISC-V's I/O a write can be acknowledged before it has
/// reached the device. The barrier does not wait for it then. To be sure that a write arrived, read a
/// register of the same device back and call [`synchronize`](Bus::synchronize).
///
/// **What the barrier orders.** On Arm no later instruction executes before the barrier is complete. On
/// RISC-V the fence orders accesses, not execution: every load, store, device access and CSR read
/// (`rdcycle`) after it comes after every register access before it, so events that the measured
/// code's accesses cause are counted from the first one on. Instructions without an access, and
/// instruction fetches, may execute earlier. On both, speculative fetches and prefetches are not
/// ordered.
///
/// **Alignment.** `base` is a multiple of 4; each register is aligned to its size.
///
/// **Endianness.** The device is little-endian. On a processor that runs big-endian (`BE8` on Arm) the
/// values are converted; a bus that swaps bytes itself is not supported.
///
/// **Width.** The interconnect passes 32-bit accesses as they are. A bridge that splits them, or widens
/// reads, is not supported.
///
/// **Other users.** Nothing else may access the region: no other driver (Linux's `arm-cci` or
/// `arm_smmuv3_pmu`), firmware service or debugger, and no other core unless the `Mmio` was
/// moved there. Registers outside `base..base + LENGTH` are not touched. Secure firmware may have to
/// open the registers first: see the documentation of the IP's crate.
pub struct Mmio<const LENGTH: usize, const PAGE: usize = 0> {
    base: usize,
    /// Not `Sync`: two cores that read, modify and write one register lose updates.
    not_sync: PhantomData<*mut u32>,
}

// SAFETY: the registers belong to the device, not to a thread, and `new` demands that nobody else
// uses them; which core does is of no account.
unsafe impl<const LENGTH: usize, const PAGE: usize> Send for Mmio<LENGTH, PAGE> {}

impl<const LENGTH: usize, const PAGE: usize> Mmio<LENGTH, PAGE> {
    /// Takes over the registers that start at the virtual address `base`.
    ///
    /// # Safety
    ///
    /// As long as the bus is in use:
    ///
    /// - `base..base + LENGTH` is mapped for reads and writes, as device memory (or, for tests, is
    ///   ordinary memory of which the program has exposed the address);
    /// - `base` is a multiple of 4;
    /// - nothing else accesses those addresses;
    /// - a 32-bit access of any value anywhere in the region cannot break memory safety. None of
    ///   the PMUs of this family can: they are not bus masters. Whether the device *is* that PMU
    ///   is for the caller to know.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn new(base: usize) -> Self {
        Self { base, not_sync: PhantomData }
    }

    /// The address that was given to [`new`](Self::new).
    #[inline(always)]
    #[must_use]
    pub const fn base(&self) -> usize {
        self.base
    }
}

impl<const LENGTH: usize> Mmio<LENGTH> {
    /// Divides a region that holds two pages of one device into those pages: `BYTES` from the offset
    /// `FIRST` and as many from the offset `SECOND`. What lies around them is given up.
    ///
    /// That the pages are aligned, apart and inside the region is checked when the program is
    /// compiled.
    #[inline(always)]
    #[must_use]
    pub const fn into_pages<const BYTES: usize, const FIRST: usize, const SECOND: usize>(
        self,
    ) -> (Mmio<BYTES, 0>, Mmio<BYTES, 1>) {
        const {
            assert!(
                are_pages(LENGTH, BYTES, FIRST, SECOND),
                "the pages overlap, lie outside the region or are not aligned"
            )
        }
        // SAFETY: the caller of `new` gave the whole region to `self`, which ends here. The pages are
        // two parts of it that have nothing in common, at multiples of 4 from its base.
        unsafe { (Mmio::new(self.base + FIRST), Mmio::new(self.base + SECOND)) }
    }
}

/// A bus to a region that holds two pages of one device, `BYTES` from the offset `FIRST` and as many from
/// the offset `SECOND`: a driver whose device has its pages there needs one base only.
pub trait IntoPages<const BYTES: usize, const FIRST: usize, const SECOND: usize> {
    /// The bus to the first page.
    type First: Bus<Space = Memory<BYTES, 0>>;
    /// The bus to the second page.
    type Second: Bus<Space = Memory<BYTES, 1>>;

    /// Divides the region into the two pages. What lies around them is given up.
    fn divide(self) -> (Self::First, Self::Second);
}

impl<const LENGTH: usize, const BYTES: usize, const FIRST: usize, const SECOND: usize>
    IntoPages<BYTES, FIRST, SECOND> for Mmio<LENGTH>
{
    type First = Mmio<BYTES, 0>;
    type Second = Mmio<BYTES, 1>;

    #[inline(always)]
    fn divide(self) -> (Self::First, Self::Second) {
        self.into_pages::<BYTES, FIRST, SECOND>()
    }
}

/// Whether two pages of so many bytes at these offsets are parts of a region, and apart.
const fn are_pages(length: usize, bytes: usize, first: usize, second: usize) -> bool {
    if first % 4 != 0 || second % 4 != 0 {
        return false;
    }
    let (Some(end_of_first), Some(end_of_second)) =
        (first.checked_add(bytes), second.checked_add(bytes))
    else {
        return false;
    };
    end_of_first <= length
        && end_of_second <= length
        && (end_of_first <= second || end_of_second <= first)
}

impl<const LENGTH: usize, const PAGE: usize> Bus for Mmio<LENGTH, PAGE> {
    type Space = Memory<LENGTH, PAGE>;

    #[inline(always)]
    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> u32 {
        let address = self.base + Memory::offset::<S>(index);
        // SAFETY: `offset` is a multiple of 4 and leaves four bytes before `LENGTH`; `new` promises
        // that they are mapped, aligned and ours.
        u32::from_le(unsafe { read::<S, LENGTH, PAGE>(address) })
    }

    #[inline(always)]
    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: u32) {
        let address = self.base + Memory::offset::<S>(index);
        // SAFETY: as in `load`.
        unsafe { write::<S, LENGTH, PAGE>(address, value.to_le()) }
    }

    #[inline(always)]
    fn synchronize(&self) {
        crate::bus::barrier();
    }
}

/// A plain load or store of 32 bits, as assembly.
///
/// A volatile access may be compiled to one with write-back, which does not give a hypervisor the
/// syndrome that it needs to emulate the access.
#[cfg(target_arch = "aarch64")]
macro_rules! plain {
    ($instruction:literal) => {
        concat!($instruction, " {value:w}, [{base}, {low}]")
    };
}
#[cfg(target_arch = "arm")]
macro_rules! plain {
    ($instruction:literal) => {
        concat!($instruction, " {value}, [{base}, {low}]")
    };
}

/// The bits of an offset that are part of the instruction, so that accesses to registers that lie close
/// together share a computed address: as many as every load and store of 32 bits has room for.
const LOW: usize = match () {
    () if cfg!(target_arch = "aarch64") => 0xFFC,
    () if cfg!(target_arch = "arm") => 0x7C,
    () => 0,
};

/// One 32-bit read of an element of `S`.
///
/// # Safety
///
/// `address` is that of the element, and valid for a volatile read.
#[inline(always)]
unsafe fn read<S, const LENGTH: usize, const PAGE: usize>(address: usize) -> u32
where
    S: RegisterSpec<Space = Memory<LENGTH, PAGE>>,
{
    let base = core::ptr::with_exposed_provenance::<u32>(address - (S::KEY & LOW));
    #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
    {
        let value: u32;
        // SAFETY: the caller's promise. The asm reads memory, so it is not marked `nomem`.
        unsafe {
            core::arch::asm!(plain!("ldr"), base = in(reg) base, low = const S::KEY & LOW,
                value = out(reg) value, options(nostack, preserves_flags, readonly));
        }
        value
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
    // SAFETY: the caller's promise.
    unsafe {
        base.read_volatile()
    }
}

/// One 32-bit write of an element of `S`.
///
/// # Safety
///
/// `address` is that of the element, and valid for a volatile write.
#[inline(always)]
unsafe fn write<S, const LENGTH: usize, const PAGE: usize>(address: usize, value: u32)
where
    S: RegisterSpec<Space = Memory<LENGTH, PAGE>>,
{
    let base = core::ptr::with_exposed_provenance_mut::<u32>(address - (S::KEY & LOW));
    #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
    // SAFETY: the caller's promise.
    unsafe {
        core::arch::asm!(plain!("str"), base = in(reg) base, low = const S::KEY & LOW,
            value = in(reg) value, options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
    // SAFETY: the caller's promise.
    unsafe {
        base.write_volatile(value);
    }
}

impl<const LENGTH: usize, const PAGE: usize> fmt::Debug for Mmio<LENGTH, PAGE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mmio({:#x}, {LENGTH:#x} bytes)", self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Second;
    impl RegisterSpec for Second {
        type Space = Memory<16>;
        const KEY: usize = 4;
        const COUNT: usize = 2;
        const STRIDE: usize = 8;
        const INITIAL: u32 = 0;
        const KEEP: u32 = 0;
    }

    #[test]
    fn accesses_go_to_the_word_of_the_register_and_nowhere_else() {
        let mut memory = [0_u32; 4];
        let base = memory.as_mut_ptr().expose_provenance();
        // SAFETY: 16 bytes of this function's own, used through the bus alone until it is dropped.
        let bus = unsafe { Mmio::<16>::new(base) };
        bus.store::<Second>(0, 0x1122_3344);
        bus.store::<Second>(1, 0xAABB_CCDD);
        bus.synchronize();
        assert_eq!(bus.load::<Second>(0), 0x1122_3344);
        assert_eq!(bus.load::<Second>(1), 0xAABB_CCDD);
        assert_eq!(bus.base(), base);
        assert_eq!(bus.error(), None);
        assert_eq!(memory, [0, 0x1122_3344_u32.to_le(), 0, 0xAABB_CCDD_u32.to_le()]);
    }

    #[test]
    fn a_bus_can_live_in_a_static_behind_a_mutex() {
        fn send<T: Send>() {}
        send::<Mmio<16>>();
        // SAFETY: never accessed.
        const _: Mmio<16> = unsafe { Mmio::new(0x1000) };
    }

    struct OnPage<const PAGE: usize>;
    impl<const PAGE: usize> RegisterSpec for OnPage<PAGE> {
        type Space = Memory<8, PAGE>;
        const KEY: usize = 4;
        const INITIAL: u32 = 0;
        const KEEP: u32 = 0;
    }

    #[test]
    fn pages_are_parts_of_the_region() {
        let mut memory = [0_u32; 8];
        let base = memory.as_mut_ptr().expose_provenance();
        // SAFETY: 32 bytes of this function's own, used through the buses alone until they are dropped.
        let region = unsafe { Mmio::<32>::new(base) };
        let (page0, page1) = region.into_pages::<8, 16, 4>();
        page0.store::<OnPage<0>>(0, 10);
        page1.store::<OnPage<1>>(0, 11);
        assert_eq!((page0.base() - base, page1.base() - base), (16, 4));
        assert_eq!((page0.load::<OnPage<0>>(0), page1.load::<OnPage<1>>(0)), (10, 11));
        assert_eq!(memory, [0, 0, 11, 0, 0, 10, 0, 0]);
    }

    #[test]
    fn pages_are_aligned_apart_and_inside() {
        assert!(are_pages(32, 8, 0, 8) && are_pages(32, 8, 24, 0) && are_pages(16, 8, 8, 0));
        assert!(!are_pages(32, 8, 0, 4) && !are_pages(32, 8, 4, 0), "they overlap");
        assert!(!are_pages(32, 8, 8, 8), "the same twice");
        assert!(!are_pages(32, 8, 0, 28) && !are_pages(32, 8, 28, 0), "one ends outside");
        assert!(!are_pages(32, 8, 2, 16) && !are_pages(32, 8, 16, 2), "not aligned");
        assert!(!are_pages(32, 8, usize::MAX - 3, 0) && !are_pages(32, 8, 0, usize::MAX - 3));
    }
}

//! The bus to memory-mapped registers.
#![allow(unsafe_code)]

use core::fmt;
use core::marker::PhantomData;

use super::bus::Bus;
use super::space::{MemorySpace, RegisterSpec, TwoPages, Word};

/// Sole owner of the memory-mapped registers of one device.
///
/// `S` is the space of the registers. The crate of each IP has a type alias with the same name for its space.
///
/// The registers are 32 bits wide and little-endian. On AArch64 and 32-bit Arm each access is one plain
/// `ldr` or `str`, which a hypervisor can emulate. On other targets, each access is a volatile access: one
/// `lw` or `sw` on RISC-V.
///
/// An `Mmio` can be moved to another thread or core, and stored in a `static` mutex. An `Mmio` can be
/// neither copied nor shared.
///
/// # Requirements on the platform
///
/// **Memory type.** No barrier separates two register accesses. Therefore the memory type must keep
/// accesses in program order, and must not merge, repeat or invent accesses.
///
/// | processor | memory type | barrier of [`synchronize`](Bus::synchronize) |
/// |---|---|---|
/// | AArch64 | Device-nGnRnE or Device-nGnRE; not nGRE or GRE | `dsb sy`, `isb` |
/// | ARMv6, ARMv7, AArch32 | Strongly-ordered or Device, execute never | the same, or their CP15 operations |
/// | RISC-V | I/O by its PMA (`PBMT` in the page table: PMA or IO), strongly ordered | `fence iorw, iorw` |
///
/// Both pages of an MMU-600 need the same memory type. With the MMU off, Arm processors access data as
/// Strongly-ordered or Device-nGnRnE. Linux also relies on strongly ordered I/O of RISC-V
/// (`readl_relaxed` in `arch/riscv/include/asm/mmio.h`). An I/O region with relaxed ordering would
/// need a fence between two accesses; this bus issues none.
///
/// **Arrival of writes.** With Device-nGnRE, and with RISC-V's I/O, a write can be acknowledged before it reaches the
/// device, and the barrier does not wait for the write to arrive. To be sure that a write has arrived, read back a
/// register of the same device and call [`synchronize`](Bus::synchronize).
///
/// **Scope of the barrier.** On Arm, no later instruction executes before the barrier is complete. On
/// RISC-V, the fence orders accesses, not execution: register accesses before it precede all loads, stores,
/// device accesses and CSR reads (`rdcycle`) after it. Therefore events caused by accesses of the measured
/// code are counted from the first access on. Instructions that access nothing, and instruction fetches,
/// may execute before the fence. Neither architecture orders speculative fetches and prefetches.
///
/// **Alignment.** `base` is a multiple of 4. Each register is aligned to its size.
///
/// **Endianness.** The device is little-endian. A big-endian processor (`BE8` on Arm) is supported, because the bus
/// converts the values. A bridge that swaps bytes is not supported.
///
/// **Width.** The interconnect passes 32-bit accesses unchanged. A bridge that splits accesses or widens
/// reads is not supported.
///
/// **Other users.** Nothing else may access the region: no other driver (Linux's `arm-cci` or
/// `arm_smmuv3_pmu`), no firmware service or debugger, and no other core unless the `Mmio` was moved there.
/// This bus does not access addresses outside `base..base + LENGTH`. Secure firmware may have to permit
/// access to the registers first: see the documentation of the IP's crate.
pub struct Mmio<S> {
    base: usize,
    space: PhantomData<fn() -> S>,
    /// `Mmio` is not `Sync`: if two cores read, modify and write one register, updates are lost.
    not_sync: PhantomData<*mut u32>,
}

// SAFETY: the registers belong to a device, not to a thread. The caller of `new` promises that nothing else uses the
// registers. Any core may access the registers.
unsafe impl<S> Send for Mmio<S> {}

impl<S: MemorySpace> Mmio<S> {
    /// Takes over the registers at the virtual address `base`.
    ///
    /// # Safety
    ///
    /// While the bus is in use:
    ///
    /// - `base..base + S::LENGTH` is mapped for reads and writes, as device memory (or, for tests, is
    ///   ordinary memory whose address the program has exposed);
    /// - `base` is a multiple of 4;
    /// - nothing else accesses those addresses;
    /// - the registers of `S` are at `base`, and no access to these registers breaks memory safety, whatever value is
    ///   written. If `S` [divides into pages](TwoPages), this condition applies to the registers of its pages.
    ///
    /// Safe code can access only registers of `S` that the crate of `S` describes. In the crates of this family, no
    /// such register makes a device access memory. The caller has to check that the device at `base` is the IP: at
    /// these addresses, another device may have registers that start DMA.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn new(base: usize) -> Self {
        Self { base, space: PhantomData, not_sync: PhantomData }
    }

    /// Returns the address that was passed to [`new`](Self::new).
    #[inline(always)]
    #[must_use]
    pub const fn base(&self) -> usize {
        self.base
    }
}

impl<S: TwoPages> Mmio<S> {
    /// Splits a region into the two pages of registers in it.
    ///
    /// The rest of the region becomes unreachable. The compiler checks that the pages are aligned, do not
    /// overlap and lie inside the region.
    #[inline(always)]
    #[must_use]
    pub const fn into_pages(self) -> (Mmio<S::Page0>, Mmio<S::Page1>) {
        const {
            assert!(
                are_pages(
                    S::LENGTH,
                    (S::PAGE0, <S::Page0 as MemorySpace>::LENGTH),
                    (S::PAGE1, <S::Page1 as MemorySpace>::LENGTH),
                ),
                "the pages overlap, lie outside the region or are not aligned"
            )
        }
        // SAFETY: the caller of `new` gave the whole region to `self`, which is consumed here, and promised that
        // the registers of the pages are in it. The pages are disjoint parts of the region, at multiples of 4
        // from its base.
        unsafe { (Mmio::new(self.base + S::PAGE0), Mmio::new(self.base + S::PAGE1)) }
    }
}

/// A bus that can be split into the two pages of one device.
///
/// With such a bus, a driver needs only one base address.
pub trait IntoPages: Bus<Space: TwoPages> {
    /// Bus to the first page.
    type Page0: Bus<Space = <Self::Space as TwoPages>::Page0>;
    /// Bus to the second page.
    type Page1: Bus<Space = <Self::Space as TwoPages>::Page1>;

    /// Splits the region into the two pages. The rest of the region becomes unreachable.
    fn into_pages(self) -> (Self::Page0, Self::Page1);
}

impl<S: TwoPages> IntoPages for Mmio<S> {
    type Page0 = Mmio<S::Page0>;
    type Page1 = Mmio<S::Page1>;

    #[inline(always)]
    fn into_pages(self) -> (Self::Page0, Self::Page1) {
        self.into_pages()
    }
}

/// Returns whether two pages, each an offset and a length, lie inside a region and do not overlap.
///
/// Offsets, lengths and the `length` of the region are in bytes. Offsets have to be multiples of 4.
const fn are_pages(length: usize, first: (usize, usize), second: (usize, usize)) -> bool {
    if (first.0 | second.0) & 3 != 0 {
        return false;
    }
    let (Some(end_of_first), Some(end_of_second)) =
        (first.0.checked_add(first.1), second.0.checked_add(second.1))
    else {
        return false;
    };
    end_of_first <= length
        && end_of_second <= length
        && (end_of_first <= second.0 || end_of_second <= first.0)
}

impl<S: MemorySpace> Bus for Mmio<S> {
    type Space = S;

    #[inline(always)]
    fn load<R: RegisterSpec<Space = S>>(&self, index: usize) -> R::Ux {
        const { assert!(R::Ux::BYTES == 4, "accesses of 32 bits only") }
        let address = self.base + const { R::LOCATION }.offset(index);
        // SAFETY: a location is aligned and lies inside `S::LENGTH`. The caller of `new` guaranteed that these
        // bytes are mapped, aligned and not used otherwise.
        R::Ux::truncate(u32::from_le(unsafe { read::<S, R>(address) }).into())
    }

    #[inline(always)]
    fn store<R: RegisterSpec<Space = S>>(&self, index: usize, value: R::Ux) {
        const { assert!(R::Ux::BYTES == 4, "accesses of 32 bits only") }
        let address = self.base + const { R::LOCATION }.offset(index);
        let value: u64 = value.into();
        // SAFETY: as in `load`.
        unsafe { write::<S, R>(address, (value as u32).to_le()) }
    }

    #[inline(always)]
    fn synchronize(&self) {
        super::bus::barrier();
    }
}

/// A plain 32-bit load or store in assembly.
///
/// The compiler may turn a volatile access into an instruction with write-back. A hypervisor cannot emulate such an
/// instruction, because the exception syndrome does not describe the access.
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

/// Offset bits that are encoded in the load or store instruction.
///
/// Therefore accesses to neighbouring registers share one computed address. These bits fit in the offset field of every
/// 32-bit load and store instruction.
const LOW: usize = match () {
    () if cfg!(target_arch = "aarch64") => 0xFFC,
    () if cfg!(target_arch = "arm") => 0x7C,
    () => 0,
};

/// Reads 32 bits of an element of `R`.
///
/// # Safety
///
/// `address` must be the address of the element, and valid for a volatile read.
#[inline(always)]
unsafe fn read<S: MemorySpace, R: RegisterSpec<Space = S>>(address: usize) -> u32 {
    let base =
        core::ptr::with_exposed_provenance::<u32>(address - const { R::LOCATION.key() & LOW });
    #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
    {
        let value: u32;
        // SAFETY: `address` is valid by the contract of this function. The asm reads memory, so it is not marked `nomem`.
        unsafe {
            core::arch::asm!(plain!("ldr"), base = in(reg) base, low = const R::LOCATION.key() & LOW,
                value = out(reg) value, options(nostack, preserves_flags, readonly));
        }
        value
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
    // SAFETY: `address` is valid by the contract of this function.
    unsafe {
        base.read_volatile()
    }
}

/// Writes 32 bits of an element of `R`.
///
/// # Safety
///
/// `address` must be the address of the element, and valid for a volatile write.
#[inline(always)]
unsafe fn write<S: MemorySpace, R: RegisterSpec<Space = S>>(address: usize, value: u32) {
    let base =
        core::ptr::with_exposed_provenance_mut::<u32>(address - const { R::LOCATION.key() & LOW });
    #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
    // SAFETY: `address` is valid by the contract of this function.
    unsafe {
        core::arch::asm!(plain!("str"), base = in(reg) base, low = const R::LOCATION.key() & LOW,
            value = in(reg) value, options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
    // SAFETY: `address` is valid by the contract of this function.
    unsafe {
        base.write_volatile(value);
    }
}

impl<S: MemorySpace> fmt::Debug for Mmio<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mmio({:#x}, {:#x} bytes)", self.base, S::LENGTH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::{Location, Space};

    enum Region<const LENGTH: usize> {}
    impl<const LENGTH: usize> Space for Region<LENGTH> {
        type Key = usize;
        type Permit = ();
    }
    impl<const LENGTH: usize> MemorySpace for Region<LENGTH> {
        const LENGTH: usize = LENGTH;
    }

    struct Second;
    impl RegisterSpec for Second {
        type Space = Region<16>;
        type Ux = u32;
        const LOCATION: Location<Self::Space> = Location::array((), 4, 2, 8);
        const INITIAL: u32 = 0;
        const KEEP: u32 = 0;
    }

    #[test]
    fn accesses_reach_only_their_own_word() {
        let mut memory = [0_u32; 4];
        let base = memory.as_mut_ptr().expose_provenance();
        // SAFETY: the 16 bytes belong to this function, and only the bus uses them until it is
        // dropped.
        let bus = unsafe { Mmio::<Region<16>>::new(base) };
        bus.store::<Second>(0, 0x1122_3344);
        bus.store::<Second>(1, 0xAABB_CCDD);
        bus.synchronize();
        assert_eq!(bus.load::<Second>(0), 0x1122_3344);
        assert_eq!(bus.load::<Second>(1), 0xAABB_CCDD);
        assert_eq!(bus.base(), base);
        assert_eq!(bus.error(), None);
        assert_eq!(memory, [0, 0x1122_3344_u32.to_le(), 0, 0xAABB_CCDD_u32.to_le()]);
    }

    impl TwoPages for Region<32> {
        type Page0 = Region<8>;
        type Page1 = Region<12>;
        const PAGE0: usize = 20;
        const PAGE1: usize = 4;
    }

    struct OnPage<S>(S);
    impl<S: MemorySpace<Permit = ()>> RegisterSpec for OnPage<S> {
        type Space = S;
        type Ux = u32;
        const LOCATION: Location<S> = Location::at((), 4);
        const INITIAL: u32 = 0;
        const KEEP: u32 = 0;
    }

    #[test]
    fn pages_are_parts_of_the_region() {
        let mut memory = [0_u32; 8];
        let base = memory.as_mut_ptr().expose_provenance();
        // SAFETY: the 32 bytes belong to this function, and only the buses use them until they are
        // dropped.
        let region = unsafe { Mmio::<Region<32>>::new(base) };
        let (page0, page1) = region.into_pages();
        page0.store::<OnPage<Region<8>>>(0, 10);
        page1.store::<OnPage<Region<12>>>(0, 11);
        assert_eq!((page0.base() - base, page1.base() - base), (20, 4));
        assert_eq!(
            (page0.load::<OnPage<Region<8>>>(0), page1.load::<OnPage<Region<12>>>(0)),
            (10, 11)
        );
        assert_eq!(memory, [0, 0, 11, 0, 0, 0, 10, 0]);
    }

    #[test]
    fn page_check_rejects_overlap_and_misalignment() {
        assert!(are_pages(32, (0, 8), (8, 8)) && are_pages(32, (24, 8), (0, 8)));
        assert!(are_pages(16, (8, 8), (0, 8)) && are_pages(32, (0, 4), (4, 28)));
        assert!(!are_pages(32, (0, 8), (4, 8)) && !are_pages(32, (4, 8), (0, 8)), "they overlap");
        assert!(!are_pages(32, (8, 8), (8, 8)), "the same twice");
        assert!(!are_pages(32, (0, 8), (28, 8)) && !are_pages(32, (28, 8), (0, 8)), "outside");
        assert!(!are_pages(32, (2, 8), (16, 8)) && !are_pages(32, (16, 8), (2, 8)), "not aligned");
        let far = usize::MAX - 3;
        assert!(!are_pages(32, (far, 8), (0, 8)) && !are_pages(32, (0, 8), (far, 8)));
    }
}

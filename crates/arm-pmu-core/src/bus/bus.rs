//! The way to the registers.

use core::fmt;

use super::space::{RegisterSpec, Space};

/// Reads and writes the registers of one [`Space`].
///
/// A bus is owned by the driver of one PMU and never copied: two owners of one device could
/// reprogram each other's counters, so the buses of this crate are neither `Clone` nor `Sync`.
///
/// Accesses are infallible because on target they are. A transport that can fail (a debug probe)
/// remembers its first error, answers 0 from then on, and reports it from [`error`](Self::error); whatever
/// returns a `Result` in this family asks there.
pub trait Bus {
    /// The space that this bus reaches.
    type Space: Space;

    /// Reads element `index` of the register `S`.
    ///
    /// # Panics
    ///
    /// In debug builds, if `index` is not less than the [count](crate::bus::Location::count) of its location.
    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> S::Ux;

    /// Writes element `index` of the register `S`.
    ///
    /// # Panics
    ///
    /// In debug builds, if `index` is not less than the [count](crate::bus::Location::count) of its location.
    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: S::Ux);

    /// Waits until all earlier accesses are complete as far as this core can tell, and keeps the code
    /// that follows from starting before that.
    ///
    /// Volatile accesses are ordered among themselves only: without this the measured code may run
    /// before the counters do. A write may still be under way if the memory type allows an early
    /// acknowledgement; who has to be sure that it arrived reads something back first.
    fn synchronize(&self);

    /// The same, no weaker, in the shortest way that processors have which have the register `S`.
    #[inline(always)]
    fn synchronize_after<S: RegisterSpec<Space = Self::Space>>(&self) {
        self.synchronize();
    }

    /// The first access that failed, if any did. `None` on every bus that cannot fail.
    fn error(&self) -> Option<BusError> {
        None
    }
}

/// A register access did not reach the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BusError;

impl BusError {
    /// What a [`Bus`] that can fail tells once it did.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl fmt::Display for BusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a register access failed: the device is not there, not powered, or not open to this software")
    }
}

impl core::error::Error for BusError {}

/// Assembly of two instructions, for Thumb code and for Arm code.
///
/// Thumb code is ARMv7's at least, as Thumb code before that cannot reach CP15 (that of an ARM1156T2 can, but
/// has no `dsb`: for that core this assembles as Arm code only). Whether this is Thumb code is told by the
/// size of an instruction.
#[cfg(target_arch = "arm")]
macro_rules! in_thumb_or_arm_code {
    ($thumb:literal, $then_thumb:literal, $arm:literal, $then_arm:literal $(,)?) => {
        concat!(
            ".pushsection .discard.arm_pmu_core, \"\", %progbits\n",
            "771: nop\n",
            "772:\n",
            ".popsection\n",
            ".if 772b - 771b == 2\n",
            $thumb,
            "\n",
            $then_thumb,
            "\n",
            ".else\n",
            $arm,
            "\n",
            $then_arm,
            "\n",
            ".endif",
        )
    };
}

/// As [`barrier`], where the processor is known to be an ARMv7 at least. As words, because the target
/// that this is compiled for may be an older one.
#[cfg(target_arch = "arm")]
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn barrier_of_armv7() {
    // SAFETY: barriers only.
    unsafe {
        core::arch::asm!(
            in_thumb_or_arm_code!(
                "dsb",
                "isb",
                ".inst 0xF57FF04F", // dsb sy
                ".inst 0xF57FF06F", // isb sy
            ),
            options(nostack, preserves_flags),
        );
    }
}

/// Completes all earlier memory accesses, and fetches what follows afresh.
///
/// Not `nomem`: the compiler must not move the measured code's loads and stores across it.
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn barrier() {
    #[cfg(target_arch = "aarch64")]
    // SAFETY: barriers only.
    unsafe {
        core::arch::asm!("dsb sy", "isb", options(nostack, preserves_flags));
    }
    // No stable `cfg` tells ARMv6, which has the c7 operations, from ARMv7, which has instructions of
    // its own and understands the operations too. (ARMv8 in AArch32 state needs SCTLR.CP15BEN = 1, its
    // reset value.) As mnemonics the operations make the assembler warn on ARMv7; as words they do not.
    // Of the registers that all Thumb code has, drivers use this one least: the zero stays there for the
    // next barrier.
    #[cfg(target_arch = "arm")]
    // SAFETY: data synchronization barrier, then prefetch flush; the written value is ignored.
    unsafe {
        core::arch::asm!(
            in_thumb_or_arm_code!(
                "dsb",
                "isb",
                ".inst 0xEE073F9A", // mcr p15, 0, r3, c7, c10, 4
                ".inst 0xEE073F95", // mcr p15, 0, r3, c7, c5, 4
            ),
            in("r3") 0, options(nostack, preserves_flags),
        );
    }
    // `fence(SeqCst)` is `fence rw, rw` here, which orders main memory only: device accesses are I/O.
    // The sets name what has to be ordered: device reads (i) and writes (o), and reads (r) and writes
    // (w) of main memory. Linux's `mb()` is the same. No `fence.i`: it makes earlier stores visible to
    // instruction fetches and orders no device access.
    #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
    // SAFETY: a barrier only.
    unsafe {
        core::arch::asm!("fence iorw, iorw", options(nostack, preserves_flags));
    }
    #[cfg(not(any(
        target_arch = "aarch64",
        target_arch = "arm",
        target_arch = "riscv32",
        target_arch = "riscv64"
    )))]
    core::sync::atomic::fence(core::sync::atomic::Ordering::SeqCst);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::{Location, MemorySpace, Word as _};
    use core::cell::Cell;

    enum Region {}
    impl Space for Region {
        type Key = usize;
        type Permit = ();
    }
    impl MemorySpace for Region {
        const LENGTH: usize = 4;
    }

    /// A register, of which accesses that wait for earlier ones are counted.
    struct Word {
        value: Cell<u32>,
        synchronized: Cell<u32>,
    }

    impl RegisterSpec for Word {
        type Space = Region;
        type Ux = u32;
        const LOCATION: Location<Region> = Location::at((), 0);
        const INITIAL: u32 = 0;
        const KEEP: u32 = 0;
    }

    impl Bus for Word {
        type Space = Region;

        fn load<S: RegisterSpec<Space = Self::Space>>(&self, _: usize) -> S::Ux {
            S::Ux::truncate(self.value.get().into())
        }

        fn store<S: RegisterSpec<Space = Self::Space>>(&self, _: usize, value: S::Ux) {
            let value: u64 = value.into();
            self.value.set(value as u32);
        }

        fn synchronize(&self) {
            self.synchronized.set(self.synchronized.get() + 1);
        }
    }

    #[test]
    fn a_bus_that_says_no_more_waits_as_ever_and_cannot_fail() {
        let bus = Word { value: Cell::new(0), synchronized: Cell::new(0) };
        bus.store::<Word>(0, 7);
        bus.synchronize_after::<Word>();
        assert_eq!((bus.load::<Word>(0), bus.synchronized.get()), (7, 1));
        assert_eq!(bus.error(), None);
    }
}

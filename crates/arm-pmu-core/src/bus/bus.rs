//! The trait of all buses, and the barriers.

use core::fmt;

use super::control::ControlRegister;
use super::space::{RegisterSpec, Space};

/// Reads and writes the registers of one [`Space`].
///
/// The driver of one PMU owns its bus. Two owners of one device could reprogram each other's counters, so the
/// buses of this crate are neither `Clone` nor `Sync`.
///
/// [`load`](Self::load) and [`store`](Self::store) return no error, because accesses on the target cannot
/// fail. A transport that can fail, such as a debug probe, records its first error, reads as 0 from then
/// on, and returns the error from [`error`](Self::error). Functions of this family that return a `Result`
/// check `error`.
///
/// Example of a bus that wraps another bus and prints the accesses:
///
/// ```
/// use arm_pmu_core::bus::{Bus, BusError, ControlRegister, RegisterSpec};
///
/// struct Printing<B>(B);
///
/// impl<B: Bus> Bus for Printing<B> {
///     type Space = B::Space;
///
///     fn load<S: RegisterSpec<Space = B::Space>>(&self, index: usize) -> S::Ux {
///         let value = self.0.load::<S>(index);
///         println!("{} [{index}] is {value:?}", core::any::type_name::<S>());
///         value
///     }
///
///     fn store<S: RegisterSpec<Space = B::Space>>(&self, index: usize, value: S::Ux) {
///         println!("{} [{index}] = {value:?}", core::any::type_name::<S>());
///         self.0.store::<S>(index, value);
///     }
///
///     fn synchronize(&self) {
///         self.0.synchronize();
///     }
///
///     fn read_control(&self, register: ControlRegister) -> Option<u64> {
///         self.0.read_control(register)
///     }
///
///     fn error(&self) -> Option<BusError> {
///         self.0.error()
///     }
/// }
/// ```
pub trait Bus {
    /// Space of the registers that this bus can access.
    type Space: Space;

    /// Reads element `index` of the register `S`.
    ///
    /// # Panics
    ///
    /// Panics in debug builds if `index` is not less than the [count](crate::bus::Location::count)
    /// of the register's location.
    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> S::Ux;

    /// Writes element `index` of the register `S`.
    ///
    /// # Panics
    ///
    /// Panics in debug builds if `index` is not less than the [count](crate::bus::Location::count)
    /// of the register's location.
    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: S::Ux);

    /// Waits until this core has completed all earlier accesses.
    ///
    /// Later code does not start before the earlier accesses are complete. Volatile accesses are ordered only among
    /// themselves, so without this barrier the measured code may run before the counters start.
    ///
    /// A write may still be on its way if the memory type allows an early acknowledgement. To be sure that a write
    /// has arrived, first read back a register of the device.
    fn synchronize(&self);

    /// Like [`synchronize`](Self::synchronize), but with fewer instructions where possible.
    ///
    /// The implementation may use any barrier that all processors with the register `S` have.
    #[inline(always)]
    fn synchronize_after<S: RegisterSpec<Space = Self::Space>>(&self) {
        self.synchronize();
    }

    /// Reads a register of EL2 or EL3 that limits the PMU of a core; `None` if the bus cannot read it.
    ///
    /// Only [`Sysreg`](crate::bus::Sysreg) and the buses of simulated AArch64 cores can read these registers. At an
    /// Exception level that cannot read the register, the read causes an exception.
    #[inline(always)]
    fn read_control(&self, _register: ControlRegister) -> Option<u64> {
        None
    }

    /// Returns the first bus error; `None` if every access succeeded.
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
    /// Creates a bus error, for implementations of [`Bus`].
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

/// Assembles two instructions, as Thumb code or as Arm code.
///
/// The Thumb instructions need ARMv7. Before ARMv7, this macro works only in Arm code, because Thumb code cannot access
/// CP15 or (on an ARM1156T2) has no `dsb`. The size of a `nop` tells the assembler whether it assembles Thumb code.
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

/// The [`barrier`] of ARMv7 and later processors.
///
/// The Arm instructions are written as words, because the compiler's target may be an older processor.
#[cfg(target_arch = "arm")]
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn barrier_of_armv7() {
    // SAFETY: barriers change neither registers nor memory.
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

/// Completes all earlier memory accesses, then flushes the instruction pipeline.
///
/// The asm is not `nomem`, because the compiler must not move loads and stores of the measured code
/// across the barrier.
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn barrier() {
    #[cfg(target_arch = "aarch64")]
    // SAFETY: barriers change neither registers nor memory.
    unsafe {
        core::arch::asm!("dsb sy", "isb", options(nostack, preserves_flags));
    }
    // ARMv6 has the c7 operations. ARMv7 has barrier instructions as well as the c7 operations. No stable `cfg`
    // distinguishes ARMv6 from ARMv7. (ARMv8 in AArch32 state needs SCTLR.CP15BEN = 1, its reset value.) The c7
    // operations are written as words, because as mnemonics they cause assembler warnings on ARMv7. Of the low
    // registers, drivers use r3 least, so r3 often still holds zero at the next barrier.
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
    // On RISC-V, `fence(SeqCst)` is `fence rw, rw`, which orders only main memory; device accesses are I/O.
    // This fence orders device reads (i), device writes (o), and reads (r) and writes (w) of main memory,
    // like Linux's `mb()`. A `fence.i` is not needed, because it makes stores visible to instruction fetches and orders
    // no device access.
    #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
    // SAFETY: a barrier changes neither registers nor memory.
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

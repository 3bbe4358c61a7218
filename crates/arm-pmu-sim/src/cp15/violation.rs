//! Violations of the rules for CP15 registers.

use arm_pmu_core::bus::Operands;

/// A software access that the manual forbids, or whose result it does not define.
///
/// As in a real device, execution continues; unpredictable bits become noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Violation {
    /// Reserved bits were written neither as zero nor, where that is allowed, with the value last
    /// read.
    ReservedBits {
        /// The register.
        operands: Operands,
        /// Those bits.
        bits: u32,
    },
    /// Software selected an event that this core does not have.
    ReservedEvent {
        /// The event counter.
        counter: usize,
        /// The number of the event.
        event: u8,
    },
    /// The cycle counter was written while it was enabled.
    WrittenWhileEnabled {
        /// The register.
        operands: Operands,
    },
    /// The selector of a Cortex-A8 was written with, or used with, the number of a missing counter.
    ReservedSelector {
        /// Value of PMNXSEL.
        selector: u8,
    },
    /// A register behind the selector of a Cortex-A8 was accessed before a write of the selector was
    /// certain to have taken effect.
    SelectorNotSynchronized {
        /// The register.
        operands: Operands,
    },
    /// Software incremented a counter that does not count software increments.
    NotForSoftware {
        /// The event counter.
        counter: usize,
    },
}

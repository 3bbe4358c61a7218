//! Violations of the rules for system registers.

use arm_pmu_core::bus::SystemRegister;

/// A software access that the architecture forbids, or whose result it does not define.
///
/// As in a real device, execution continues; unpredictable bits become noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SysregViolation {
    /// Reserved bits were written as 1.
    ReservedBits {
        /// The register.
        register: SystemRegister,
        /// Those bits.
        bits: u64,
    },
    /// A counter at PMCR_EL0.N or above was accessed.
    CounterOfOthers {
        /// The register.
        register: SystemRegister,
    },
    /// A register of the selected counter was accessed before the write of the selector was synchronized.
    SelectorNotSynchronized {
        /// The register.
        register: SystemRegister,
    },
    /// Software selected an event that this PMU does not have.
    ReservedEvent {
        /// The event counter.
        counter: usize,
        /// The number of the event.
        event: u16,
    },
    /// Software incremented a counter that does not count software increments.
    NotForSoftware {
        /// The event counter.
        counter: usize,
    },
}

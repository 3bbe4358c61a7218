//! The performance monitor of the Cortex-A8.
//!
//! Source of the events: the Cortex-A8 manual (DDI 0344), table 3.97.

crate::armv7::armv7_core! {
    /// The simulated performance monitor of a Cortex-A8 core.
    ///
    /// Bits of event counters that do not exist read as noise, and should be written as zero or as read.
    ///
    /// ```
    /// use arm_pmu_core::bus::{Bus, Operands};
    /// use arm_pmu_sim::{CortexA8, Violation};
    ///
    /// const PMSELR: Operands = Operands { opc1: 0, crn: 9, crm: 12, opc2: 5 };
    /// const PMXEVTYPER: Operands = Operands { opc1: 0, crn: 9, crm: 13, opc2: 1 };
    ///
    /// let device = CortexA8::new();
    /// let bus = device.bus();
    /// bus.mcr(PMSELR, 2);
    /// bus.synchronize();
    /// bus.mcr(PMXEVTYPER, 0x43); // L2 cache accesses
    /// bus.synchronize();
    /// assert_eq!(device.peek_event(2), 0x43);
    ///
    /// bus.mcr(PMSELR, 3);
    /// bus.mcr(PMXEVTYPER, 0x44); // too early: this reaches counter 2
    /// bus.synchronize();
    /// assert_eq!(device.peek_event(2), 0x44);
    /// assert_eq!(device.violations(), [Violation::SelectorNotSynchronized { operands: PMXEVTYPER }]);
    ///
    /// // User mode has no access yet: an undefined instruction.
    /// let user = device.user_bus();
    /// assert_eq!(user.mrc(PMXEVTYPER), 0);
    /// assert!(user.error().is_some());
    /// ```
    CortexA8 = "cortex-a8";
    counters: 4, registers: version_1(0x00, map::Missing::Noise),
    midr of "r3": 0x413F_C080,
    events: [
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E,
        0x0F, 0x10, 0x11, 0x12, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A,
        0x4B, 0x4C, 0x4D, 0x4E, 0x4F, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
        0x5A, 0x70, 0x71, 0x72,
    ],
}

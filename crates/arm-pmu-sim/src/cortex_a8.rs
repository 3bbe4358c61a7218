//! The performance monitor of the Cortex-A8.
//!
//! Source of the events: the Cortex-A8 manual (DDI 0344), table 3.97.

crate::armv7::armv7_core! {
    /// The simulated performance monitor of a Cortex-A8 core.
    ///
    /// Bits of missing event counters read as noise, and should be written as zero or as read.
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
    /// // User mode has no access yet, so this read causes an Undefined Instruction exception.
    /// let user = device.user_bus();
    /// assert_eq!(user.mrc(PMXEVTYPER), 0);
    /// assert!(user.error().is_some());
    /// ```
    CortexA8 = "cortex-a8";
    counters: 4, registers: version_1(0x00, map::Missing::Noise),
    midr of "r3": 0x413F_C080,
    events: [
        0x00..=0x12, 0x40..=0x5A, 0x70..=0x72,
    ],
}

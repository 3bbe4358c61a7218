//! Where the registers of the Cortex-A8's PMU are: MRC and MCR p15, 0, Rt, c9, CRm, opc2.

use arm_pmu_core::{Cp15, Located, Operands};

macro_rules! registers {
    ($($(#[$doc:meta])* $name:ident: c $crm:literal, $opc2:literal;)*) => {$(
        $(#[$doc])*
        pub struct $name;
        impl Located for $name {
            type Space = Cp15;
            const KEY: Operands = Operands { opc1: 0, crn: 9, crm: $crm, opc2: $opc2 };
            // The checks write whole registers.
            const INITIAL: u32 = 0;
            const KEEP: u32 = 0;
        }
    )*};
}

registers! {
    /// Performance Monitor Control
    Pmnc: c 12, 0;
    /// Count Enable Set
    Cntens: c 12, 1;
    /// Count Enable Clear
    Cntenc: c 12, 2;
    /// Overflow Flag Status
    Flag: c 12, 3;
    /// Software Increment
    Swincr: c 12, 4;
    /// Performance Counter Selection
    Pmnxsel: c 12, 5;
    /// Cycle Count
    Ccnt: c 13, 0;
    /// Event Selection, of the selected counter
    Evtsel: c 13, 1;
    /// Performance Monitor Count, of the selected counter
    Pmcnt: c 13, 2;
    /// User Enable
    Useren: c 14, 0;
    /// Interrupt Enable Set
    Intens: c 14, 1;
    /// Interrupt Enable Clear
    Intenc: c 14, 2;
}

// Bits of PMNC.
pub const ENABLE: u32 = 1 << 0;
pub const RESET_EVENT_COUNTERS: u32 = 1 << 1;
pub const RESET_CYCLE_COUNTER: u32 = 1 << 2;
pub const DIVIDE_BY_64: u32 = 1 << 3;

/// The cycle counter, in the registers with one bit for each counter.
pub const CYCLE_COUNTER: u32 = 1 << 31;
pub const ALL_COUNTERS: u32 = CYCLE_COUNTER | 0b1111;

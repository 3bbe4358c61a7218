//! The differences between products with a PMCG, and the accesses to their registers.

use arm_pmu_core::bus::{Bus, Space};
use arm_pmu_core::diagnose::Finding as FindingOf;
use arm_pmu_core::event::Event;

/// A unit of a product that has a PMCG with two pages.
///
/// Each product has its own typed registers. The procedures call these functions for register accesses. A set of
/// counters is a word, where bit `n` is counter `n`.
pub trait Implementation {
    /// Selection of a counter, convertible to an event number.
    type Selection: Copy + PartialEq + Into<u16>;

    /// Event that the manual lists.
    type Event: Event;

    /// Finding of a diagnosis, with its texts.
    type Finding: FindingOf + From<Finding>;

    /// Register space of page 0, for typed accesses.
    type Page0: Space;

    /// Register space of page 1, for typed accesses.
    type Page1: Space;

    /// Selection of the clock cycles of the unit.
    const CYCLES: Self::Selection;

    /// Part numbers of the unit in PIDR0 and PIDR1, most likely first.
    const PARTS: &'static [u16];

    /// Value of PMDEVARCH.
    const ARCHITECTURE: u32;

    /// Value of CFGR, with the number of counters in NCTR.
    const CONFIGURATION: u32;

    /// Bits of CFGR that hold NCTR, if the number of counters differs between devices; otherwise 0.
    const VARIABLE_COUNTERS: u32;

    /// Returns the event of a selection if the manual lists it.
    fn listed(selection: Self::Selection) -> Option<Self::Event>;

    /// Reads the registers that identify the unit.
    fn identification<B: Bus<Space = Self::Page0>>(page0: &B) -> Identification;

    /// Reads CFGR.NCTR, which is one less than the number of counters.
    fn last_counter<B: Bus<Space = Self::Page0>>(page0: &B) -> u8;

    /// Writes CR.E.
    fn enable<B: Bus<Space = Self::Page0>>(page0: &B, enabled: bool);

    /// Reads CR as a whole.
    fn control<B: Bus<Space = Self::Page0>>(page0: &B) -> u32;

    /// Enables counters by CNTENSET0.
    fn enable_counters<B: Bus<Space = Self::Page0>>(page0: &B, counters: u32);

    /// Disables counters by CNTENCLR0.
    fn disable_counters<B: Bus<Space = Self::Page0>>(page0: &B, counters: u32);

    /// Reads the enabled counters from CNTENSET0, including its reserved bits, because all ones is not a valid value.
    fn enabled_counters<B: Bus<Space = Self::Page0>>(page0: &B) -> u32;

    /// Enables overflow interrupts, through INTENSET0.
    fn enable_interrupts<B: Bus<Space = Self::Page0>>(page0: &B, counters: u32);

    /// Disables overflow interrupts, through INTENCLR0.
    fn disable_interrupts<B: Bus<Space = Self::Page0>>(page0: &B, counters: u32);

    /// Reads from INTENSET0 the counters whose overflow may raise the interrupt.
    fn enabled_interrupts<B: Bus<Space = Self::Page0>>(page0: &B) -> u32;

    /// Writes the EVTYPER of a counter.
    fn set_event_type<B: Bus<Space = Self::Page0>>(page0: &B, counter: usize, value: EventType);

    /// Reads the EVTYPER of a counter: its fields, and the whole word.
    fn event_type<B: Bus<Space = Self::Page0>>(page0: &B, counter: usize) -> (EventType, u32);

    /// Writes SMR0.
    fn set_streams<B: Bus<Space = Self::Page0>>(page0: &B, code: u32);

    /// Reads SMR0.
    fn streams<B: Bus<Space = Self::Page0>>(page0: &B) -> u32;

    /// Reads SCR.SO; `None` if SCR cannot be read.
    fn secure_observation<B: Bus<Space = Self::Page0>>(page0: &B) -> Option<bool>;

    /// Writes IRQ_CTRL.IRQEN.
    fn enable_interrupt<B: Bus<Space = Self::Page0>>(page0: &B, enabled: bool);

    /// Reads IRQ_CTRL.IRQEN.
    fn interrupt_enable<B: Bus<Space = Self::Page0>>(page0: &B) -> bool;

    /// Reads IRQ_CTRLACK.IRQEN.
    fn acknowledged_enable<B: Bus<Space = Self::Page0>>(page0: &B) -> bool;

    /// Reads the word of CEID0 or CEID1 that reports the 32 events from number `32 * word` on.
    ///
    /// Returns `None` if the word does not exist.
    fn common_events<B: Bus<Space = Self::Page0>>(page0: &B, word: u16) -> Option<u32>;

    /// Reads the EVCNTR of a counter.
    fn value<B: Bus<Space = Self::Page1>>(page1: &B, counter: usize) -> u32;

    /// Writes the EVCNTR of a counter.
    fn set_value<B: Bus<Space = Self::Page1>>(page1: &B, counter: usize, value: u32);

    /// Reads the SVR of a counter.
    fn shadow<B: Bus<Space = Self::Page1>>(page1: &B, counter: usize) -> u32;

    /// Reads the overflow flags from OVSSET0.
    fn flags<B: Bus<Space = Self::Page1>>(page1: &B) -> u32;

    /// Clears overflow flags, through OVSCLR0.
    fn clear_flags<B: Bus<Space = Self::Page1>>(page1: &B, counters: u32);

    /// Captures all counters, through CAPR.
    fn capture<B: Bus<Space = Self::Page1>>(page1: &B);

    /// Reads the whole low words of OVSSET0, OVSCLR0 and CAPR.
    ///
    /// CAPR reads as zero.
    fn page1_words<B: Bus<Space = Self::Page1>>(page1: &B) -> [u32; 3];
}

/// Fields of EVTYPER.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventType {
    /// EVENT.
    pub event: u16,
    /// OVFCAP.
    pub capture: bool,
    /// FILTER_SID_SPAN, in EVTYPER0 only.
    pub span: bool,
    /// FILTER_SEC_SID, in EVTYPER0 only.
    pub secure: bool,
}

/// Identification registers of a unit.
#[derive(Clone, Copy, Debug)]
pub struct Identification {
    /// PIDR0 and PIDR1.
    pub pidr: [u32; 2],
    /// CFGR.
    pub configuration: u32,
    /// CFGR.NCTR.
    pub last_counter: u8,
    /// PMDEVARCH.
    pub architecture: u32,
}

/// Finding of the diagnosis of a PMCG.
///
/// Each implementation has its own texts for the causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the texts are in findings.yaml of each implementation")]
pub enum Finding {
    BusError,
    ReadsAsZero,
    ReadsAsOnes,
    WritesIgnored,
    EnableLost,
    Interference,
    AnotherProduct,
    NotAPmu,
    Configuration,
    Page1Elsewhere,
    IrqNotAcknowledged,
    ClockStandsStill,
    EventAbsent,
    SecureNotObserved,
    SecureObservationUnknown,
    FilterNotTaken,
    FilterPassesNothing,
    ExpectedEventNotCounted,
}

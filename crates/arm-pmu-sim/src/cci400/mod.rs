//! CoreLink CCI-400 Cache Coherent Interconnect.
//!
//! Sources: DDI 0470I 2.4.1 (events and security of r1); DDI 0470D (PMCR, the events of r0, and, as in DDI 0470I, the
//! effects of NIDEN, DP and EX); the Kirin 950 register header, UG1087 (ZynqMP) and the Linux arm-cci driver for the
//! counter blocks; Trusted Firmware-A and the Kirin 950 header for identification and Secure Access; the ZynqMP
//! wrapper registers for the order of the interrupts.

mod map;
mod state;

use std::cell::RefCell;

use crate::access::Response;
use crate::cci::{pid0, pid1};
use crate::port::Port;
use crate::register::Register;

use map::{
    COUNT_CONTROL, CYCLE_COUNT, CYCLE_COUNT_CONTROL, CYCLE_OVERFLOW_STATUS, EVENT_COUNT,
    EVENT_SELECT, OVERFLOW_STATUS, PART_NUMBER, PID2, PMCR, SECURE_ACCESS,
};
use state::State;

/// A simulated CoreLink CCI-400.
///
/// A new device is an r1p1 with its reset values. NIDEN is HIGH, SPNIDEN is LOW, and stores are
/// posted. All methods take `&self`, so a test can change every setting, signal events and run the
/// clock while a driver owns a bus.
///
/// # What counts
///
/// An [event](Self::signal) increments each event counter that selects it, if the counter's enable
/// and PMCR.CEN are 1, NIDEN is HIGH and the event's security state is counted. Events that are not listed for the
/// [revision](Self::set_revision) never happen.
///
/// The cycle counter counts [clock cycles](Self::clock), or every 64th cycle if PMCR.CCD is 1, while its enable and
/// PMCR.CEN are 1, and NIDEN is HIGH or PMCR.DP is 0.
///
/// # What is reset
///
/// PMCR.RST zeroes the event counters, and PMCR.CCR zeroes the cycle counter, whether the counters run or not; the
/// overflow flags do not change. Counts can be written at any time, unless a test selects
/// [otherwise](Self::set_counts_writable).
#[derive(Debug)]
pub struct Cci400 {
    port: RefCell<Port<State>>,
}

/// Condition for writing the counts of a [`Cci400`].
///
/// The manual states only that counts can be written. Linux (arm-cci.c) writes counts while
/// PMCR.CEN is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CountsWritable {
    /// At any time.
    #[default]
    Always,
    /// While the counter is off: its enable or PMCR.CEN is 0.
    CounterOff,
    /// While PMCR.CEN is 0.
    Stopped,
}

impl Cci400 {
    /// Length of the register region in bytes.
    pub const LENGTH: usize = 0xE000;

    /// All registers of the device. Other offsets read zero and ignore writes.
    ///
    /// The control page has only the registers that concern the PMU. The registers for control
    /// override, speculation control, status and imprecise errors are omitted, and so are the pages
    /// of the slave interfaces.
    pub const REGISTERS: &'static [Register] = &[
        SECURE_ACCESS,
        PMCR,
        Register::constant("PID4", 0xFD0, 0xFF, 0x44),
        Register::constant("PID5", 0xFD4, 0x00, 0x00),
        Register::constant("PID6", 0xFD8, 0x00, 0x00),
        Register::constant("PID7", 0xFDC, 0x00, 0x00),
        pid0(PART_NUMBER),
        pid1(PART_NUMBER),
        PID2,
        Register::constant("PID3", 0xFEC, 0xFF, 0x00),
        Register::constant("CID0", 0xFF0, 0xFF, 0x0D),
        Register::constant("CID1", 0xFF4, 0xFF, 0xF0),
        Register::constant("CID2", 0xFF8, 0xFF, 0x05),
        Register::constant("CID3", 0xFFC, 0xFF, 0xB1),
        CYCLE_COUNT,
        CYCLE_COUNT_CONTROL,
        CYCLE_OVERFLOW_STATUS,
        EVENT_SELECT,
        EVENT_COUNT,
        COUNT_CONTROL,
        OVERFLOW_STATUS,
    ];

    /// Returns a device of revision 1 after a reset.
    #[must_use]
    pub fn new() -> Self {
        Self { port: RefCell::new(Port::new(State::new())) }
    }

    /// Returns a device of revision 1, as [`new`](Self::new) does.
    #[must_use]
    pub fn r1() -> Self {
        Self::new()
    }

    /// Returns a device of revision 0: r0p4.
    #[must_use]
    pub fn r0() -> Self {
        let device = Self::new();
        device.set_revision(4);
        device
    }

    /// Returns the overflow outputs nEVNTCNTOVERFLOW\[4:0\]; a 1 is an asserted (LOW) output. Bits
    /// 0 to 3 are the event counters, and bit 4 is the cycle counter.
    ///
    /// No available document states the order of the outputs. This is the order in the interrupt
    /// registers of ZynqMP; device trees list the cycle counter first.
    #[must_use]
    pub fn overflow_lines(&self) -> u8 {
        let port = self.port.borrow();
        let flags = OVERFLOW_STATUS.elements().chain([CYCLE_OVERFLOW_STATUS.offset]);
        let lines = flags.map(|flag| port.device.registers.load(flag) as u8 & 1);
        lines.enumerate().fold(0, |lines, (counter, line)| lines | line << counter)
    }

    /// Selects whether a Non-secure access fails if the Secure Access register forbids it.
    ///
    /// By default, such loads return zero and such stores are ignored. No available document states
    /// which behaviour is correct.
    pub fn set_refusals_fail(&self, fail: bool) {
        let refusal = if fail { Response::Error } else { Response::Zero };
        self.state(|state| state.refusal = refusal);
    }

    /// Selects whether PMCR.CCR also resets the divider by 64.
    ///
    /// After such a reset, the first count takes a full 64 cycles. The manual does not state whether CCR resets the
    /// divider. By default, this is off.
    pub fn set_reset_reaches_divider(&self, reaches: bool) {
        self.state(|state| state.reset_reaches_divider = reaches);
    }

    /// Selects when counts can be written: [`CountsWritable::Always`] by default.
    pub fn set_counts_writable(&self, when: CountsWritable) {
        self.state(|state| state.counts_writable = when);
    }

    /// Sets the revision code in PID2\[7:4\]; 6 by default.
    ///
    /// 0 to 4 are r0p0 to r0p4, 5 to 10 are r1p0 to r1p5.
    ///
    /// A device with a code below 5 has the events of r0: 0x00 to 0x13 at slave interfaces and 0x14
    /// to 0x1A at master interfaces, where stall events have no security indicator. Every other
    /// device has the events of r1.
    ///
    /// # Panics
    ///
    /// If `code` has more than four bits.
    pub fn set_revision(&self, code: u8) {
        assert!(code <= 0xF, "revision code {code:#x} has more than four bits");
        self.state(|state| state.registers.identify(PID2.offset, 0xF0, u32::from(code) << 4));
    }

    /// Another owner clears the enable of the cycle counter. The change takes effect at once and is not in the
    /// journal.
    pub fn other_owner_disables_cycles(&self) {
        self.poke(CYCLE_COUNT_CONTROL.offset, 0);
    }
}

crate::handle::clock_methods!(Cci400);
crate::cci::cci_methods!(Cci400, "cci400", source: 3 "three", u8);

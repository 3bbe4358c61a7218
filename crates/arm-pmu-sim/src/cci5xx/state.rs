//! Counting and register behaviour of a CCI-500 or CCI-550.

use crate::access::Security;
use crate::cci::{CEN, RST, add, code_range, codes};
use crate::noise::Noise;
use crate::port::Device;
use crate::register_file::RegisterFile;
use crate::violation::MemoryViolation;

use super::Product;
use super::map::{
    ALL_TO_NON_SECURE, COUNT_CONTROL, COUNTERS, EVENT_COUNT, EVENT_SELECT, IMCR,
    MONITORS_TO_SECURE_ONLY, OBSERVE_SECURE, OVERFLOW_STATUS, PMCR, SECURE_ACCESS, SLAVE_MONITOR,
    interface_monitor, observes_performance,
};

/// 100282_0100_00_en table 2-3: all codes except 0x11 (WriteEvict), which does not fire.
const SLAVE_EVENTS: u32 = !codes([0x11]);
const SLAVE_SECURE_EXEMPT: u32 = codes([0x08, 0x09, 0x12, 0x16, 0x18, 0x1A, 0x1B, 0x1D]);
/// 100282_0100_00_en table 2-4.
const MASTER_EVENTS: u32 = code_range(0x00, 0x06);
const MASTER_SECURE_EXEMPT: u32 = codes([0x00, 0x01, 0x03, 0x05, 0x06]);
/// 100282_0100_00_en table 2-5.
const GLOBAL_EVENTS: u32 = code_range(0x00, 0x0F);
const GLOBAL_SECURE_EXEMPT: u32 = codes([0x09, 0x0C, 0x0E, 0x0F]);

/// Returns the event codes of a source, and its codes without a security classification.
const fn events_of(source: u8) -> (u32, u32) {
    match source {
        0x0..=0x6 => (SLAVE_EVENTS, SLAVE_SECURE_EXEMPT),
        0x8..=0xE => (MASTER_EVENTS, MASTER_SECURE_EXEMPT),
        0xF => (GLOBAL_EVENTS, GLOBAL_SECURE_EXEMPT),
        // Source 0x7 is reserved, and so is 0xE in a CCI-500.
        _ => (0, 0),
    }
}

/// Registers, input signals, and settings for behaviour that the manual leaves open.
#[derive(Debug)]
pub(crate) struct State {
    product: &'static Product,
    pub(crate) registers: RegisterFile,
    pub(crate) niden: bool,
    pub(crate) spniden: bool,
    /// DBGEN and SPIDEN.
    pub(crate) secure_debug: bool,
    /// One bit for each source.
    pub(crate) built: u16,
    pub(crate) reset_reaches_gated: bool,
    pub(crate) clock_stopped: bool,
    pub(crate) flags_clear_while_counting: bool,
    pub(crate) flags_need_clock: bool,
}

impl State {
    pub(crate) fn new(product: &'static Product) -> Self {
        Self {
            product,
            registers: RegisterFile::new(product.registers, Noise::Zeros),
            niden: true,
            spniden: false,
            secure_debug: false,
            built: u16::MAX,
            reset_reaches_gated: false,
            clock_stopped: false,
            flags_clear_while_counting: true,
            flags_need_clock: false,
        }
    }

    pub(crate) fn power_up(&mut self) {
        self.registers.reset();
    }

    pub(crate) fn scramble(&mut self, noise: &mut Noise) {
        let rows = [PMCR, EVENT_SELECT, EVENT_COUNT, COUNT_CONTROL, OVERFLOW_STATUS];
        self.registers.scramble(&rows, noise);
    }

    /// Returns whether the clock of a counter runs.
    fn clocked(&self, counter: usize) -> bool {
        let enabled = self.registers.load(COUNT_CONTROL.element(counter)) & 1 == 1;
        enabled && self.registers.load(PMCR.offset) & CEN != 0 && !self.clock_stopped
    }

    /// Returns whether a write clears the overflow flag of a counter now.
    fn flag_clears(&self, counter: usize) -> bool {
        let counting = self.registers.load(PMCR.offset) & CEN != 0;
        (self.flags_clear_while_counting || !counting)
            && (!self.flags_need_clock || self.clocked(counter))
    }

    /// Returns whether the PMU sees transactions of this security state.
    fn observes(&self, security: Security) -> bool {
        security == Security::NonSecure
            || self.spniden
            || self.secure_debug
            || self.registers.load(SECURE_ACCESS) & OBSERVE_SECURE != 0
    }

    pub(crate) fn signal(&mut self, source: u8, code: u8, security: Security, times: u32) {
        let (listed, exempt) = events_of(source);
        let among = |set: u32| set >> code & 1 == 1;
        let happens = among(listed) && self.product.sources & self.built & 1 << source != 0;
        if !happens || !self.niden || !(self.observes(security) || among(exempt)) {
            return;
        }
        let id = u32::from(source) << 5 | u32::from(code);
        for counter in 0..COUNTERS {
            if self.clocked(counter) && self.registers.load(EVENT_SELECT.element(counter)) == id {
                let (count, flag) =
                    (EVENT_COUNT.element(counter), OVERFLOW_STATUS.element(counter));
                add(&mut self.registers, count, flag, u64::from(times));
            }
        }
    }

    /// Zeroes all interface monitors, which stay zero while they are disabled.
    fn hold_monitors(&mut self) {
        for monitor in SLAVE_MONITOR.elements().chain(self.product.master_monitor.elements()) {
            self.registers.poke(monitor, 0);
        }
    }
}

impl Device for State {
    /// Without access, a register reads as zero and ignores writes, without an error
    /// (100282_0100_00_en, 2.4.6).
    fn admits(&self, offset: usize, security: Security, _: bool) -> bool {
        let access = self.registers.load(SECURE_ACCESS);
        match security {
            Security::Secure => true,
            // Otherwise, Non-secure software could keep an access that Secure software granted.
            Security::NonSecure if offset == SECURE_ACCESS => false,
            Security::NonSecure => {
                access & ALL_TO_NON_SECURE != 0
                    || access & MONITORS_TO_SECURE_ONLY == 0 && observes_performance(offset)
            }
        }
    }

    fn other_width(&mut self, offset: usize, bytes: usize) {
        self.registers.record(MemoryViolation::Width { offset, bytes });
    }

    fn load(&mut self, offset: usize) -> u32 {
        let value = self.registers.read(offset);
        let is_held = interface_monitor(offset) && self.registers.load(IMCR.offset) == 0;
        if is_held { 0 } else { value }
    }

    fn store(&mut self, offset: usize, value: u32) {
        self.registers.check_store(offset, value);
        let keeps_flag =
            OVERFLOW_STATUS.index_of(offset).is_some_and(|counter| !self.flag_clears(counter));
        let gated = EVENT_COUNT.index_of(offset).is_some_and(|counter| !self.clocked(counter));
        if gated || keeps_flag {
            return;
        }
        // Whether each counter has a clock before this write, which can start or stop the clocks.
        let clocked: [bool; COUNTERS] = std::array::from_fn(|counter| self.clocked(counter));
        let acts = self.registers.store(offset, value);
        if offset == IMCR.offset && self.registers.load(offset) == 0 {
            self.hold_monitors();
        }
        if offset == PMCR.offset && acts & RST != 0 {
            for counter in (0..COUNTERS).filter(|n| clocked[*n] || self.reset_reaches_gated) {
                self.registers.poke(EVENT_COUNT.element(counter), 0);
            }
        }
    }
}

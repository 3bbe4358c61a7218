//! Counting and register behaviour of a CCI-400.

use crate::access::{Response, Security};
use crate::cci::{CEN, RST, add, code_range, codes};
use crate::divider::Divider;
use crate::noise::Noise;
use crate::port::Device;
use crate::register::Register;
use crate::register_file::RegisterFile;
use crate::violation::MemoryViolation;

use super::map::{
    CCD, CCR, COUNT_CONTROL, COUNTERS, CYCLE_COUNT, CYCLE_COUNT_CONTROL, CYCLE_OVERFLOW_STATUS, DP,
    EVENT_COUNT, EVENT_SELECT, OVERFLOW_STATUS, PID2, PMCR, R1P0, SECURE_ACCESS,
};
use super::{Cci400, CountsWritable};

/// Event codes of one kind of interface.
struct Events {
    /// Those that happen.
    listed: u32,
    /// Events without a security indicator.
    exempt: u32,
}

/// DDI 0470I tables 2.2 and 2.3.
const R1_SLAVE: Events = Events { listed: code_range(0x00, 0x14), exempt: 0 };
const R1_MASTER: Events =
    Events { listed: code_range(0x00, 0x11), exempt: codes([0x02]) | code_range(0x09, 0x10) };
/// DDI 0470D lists slave and master events in one table, and states that stall events have no
/// security indicator; only the names show which events are stall events.
const R0_SLAVE: Events =
    Events { listed: code_range(0x00, 0x13), exempt: codes([0x09, 0x0B, 0x13]) };
const R0_MASTER: Events = Events { listed: code_range(0x14, 0x1A), exempt: code_range(0x15, 0x1A) };

/// Registers, input signals, and settings for behaviour that the manual leaves open.
#[derive(Debug)]
pub(super) struct State {
    pub(super) registers: RegisterFile,
    /// Used with PMCR.CCD.
    pub(super) divider: Divider,
    pub(super) niden: bool,
    pub(super) spniden: bool,
    pub(super) refusal: Response,
    pub(super) reset_reaches_divider: bool,
    pub(super) flags_clear_while_counting: bool,
    pub(super) counts_writable: CountsWritable,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            registers: RegisterFile::new(Cci400::REGISTERS, Noise::Zeros),
            divider: Divider::new(0),
            niden: true,
            spniden: false,
            refusal: Response::Zero,
            reset_reaches_divider: false,
            flags_clear_while_counting: true,
            counts_writable: CountsWritable::Always,
        }
    }

    pub(super) fn power_up(&mut self) {
        self.registers.reset();
        self.divider = Divider::new(0);
    }

    /// Writes noise to all bits that a previous owner can have programmed.
    pub(super) fn scramble(&mut self, noise: &mut Noise) {
        let rows = Cci400::REGISTERS.iter().filter(|row| row.offset != SECURE_ACCESS.offset);
        self.registers.scramble(rows, noise);
        self.divider = Divider::new(u64::from(noise.draw()));
    }

    fn events_of(&self, source: u8) -> Events {
        match (source, self.registers.load(PID2.offset) >> 4) {
            (0x0..=0x4, R1P0..) => R1_SLAVE,
            (0x0..=0x4, _) => R0_SLAVE,
            (_, R1P0..) => R1_MASTER,
            _ => R0_MASTER,
        }
    }

    pub(super) fn signal(&mut self, source: u8, code: u8, security: Security, times: u32) {
        let events = self.events_of(source);
        let among = |set: u32| set >> code & 1 == 1;
        let observed = security == Security::NonSecure || self.spniden || among(events.exempt);
        let enabled = self.niden && self.registers.load(PMCR.offset) & CEN != 0;
        if !(among(events.listed) && observed && enabled) {
            return;
        }
        let id = u32::from(source) << 5 | u32::from(code);
        for counter in 0..COUNTERS {
            let holds = |register: Register| self.registers.load(register.element(counter));
            if holds(COUNT_CONTROL) == 1 && holds(EVENT_SELECT) == id {
                let (count, flag) =
                    (EVENT_COUNT.element(counter), OVERFLOW_STATUS.element(counter));
                add(&mut self.registers, count, flag, u64::from(times));
            }
        }
    }
}

/// Returns the offset of the register that enables a counter. `offset` is the offset of the register with the counter's
/// value: an element of `count`, or `cycles`.
fn control_of(offset: usize, count: Register, cycles: Register) -> Option<usize> {
    let of_event = count.index_of(offset).map(|counter| COUNT_CONTROL.element(counter));
    of_event.or((offset == cycles.offset).then_some(CYCLE_COUNT_CONTROL.offset))
}

impl State {
    /// Returns whether a register of a counter accepts a write now.
    fn takes(&self, offset: usize) -> bool {
        let counting = self.registers.load(PMCR.offset) & CEN != 0;
        if control_of(offset, OVERFLOW_STATUS, CYCLE_OVERFLOW_STATUS).is_some() {
            return self.flags_clear_while_counting || !counting;
        }
        let Some(control) = control_of(offset, EVENT_COUNT, CYCLE_COUNT) else { return true };
        match self.counts_writable {
            CountsWritable::Always => true,
            CountsWritable::CounterOff => !counting || self.registers.load(control) == 0,
            CountsWritable::Stopped => !counting,
        }
    }
}

impl Device for State {
    fn admits(&self, offset: usize, security: Security, _: bool) -> bool {
        match security {
            Security::Secure => true,
            // Otherwise, Non-secure software could keep an access that Secure software granted.
            Security::NonSecure if offset == SECURE_ACCESS.offset => false,
            // The PMU is open to both security states (DDI 0470J 2.5.4); PMCR is treated as a part
            // of the PMU.
            Security::NonSecure if offset == PMCR.offset || offset >= CYCLE_COUNT.offset => true,
            Security::NonSecure => self.registers.load(SECURE_ACCESS.offset) == 1,
        }
    }

    fn refusal(&self) -> Response {
        self.refusal
    }

    fn clock(&mut self, cycles: u64) {
        let pmcr = self.registers.load(PMCR.offset);
        let enabled = pmcr & CEN != 0 && self.registers.load(CYCLE_COUNT_CONTROL.offset) == 1;
        if !enabled || !self.niden && pmcr & DP != 0 {
            return;
        }
        let counted = if pmcr & CCD == 0 { cycles } else { self.divider.divide(cycles) };
        let (count, flag) = (CYCLE_COUNT.offset, CYCLE_OVERFLOW_STATUS.offset);
        add(&mut self.registers, count, flag, counted);
    }

    fn other_width(&mut self, offset: usize, bytes: usize) {
        self.registers.record(MemoryViolation::Width { offset, bytes });
    }

    fn load(&mut self, offset: usize) -> u32 {
        self.registers.read(offset)
    }

    fn store(&mut self, offset: usize, value: u32) {
        self.registers.check_store(offset, value);
        if !self.takes(offset) {
            return;
        }
        let acts = self.registers.store(offset, value);
        if offset != PMCR.offset {
            return;
        }
        if acts & RST != 0 {
            for count in EVENT_COUNT.elements() {
                self.registers.poke(count, 0);
            }
        }
        if acts & CCR != 0 {
            self.registers.poke(CYCLE_COUNT.offset, 0);
            if self.reset_reaches_divider {
                self.divider = Divider::new(0);
            }
        }
    }
}

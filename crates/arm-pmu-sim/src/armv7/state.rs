//! State of the performance monitor of an ARMv7 core.

use arm_pmu_core::bus::Operands;

use super::map::*;
use super::{Core, ExecutionMode, StaleSelector};
use crate::access::{Mode, UserAccess};
use crate::cp15::{Cp15Register, Violation};
use crate::divider::Divider;
use crate::noise::Noise;
use crate::port::Device;
use crate::register_file::RegisterFile;

/// The number of the event that only software causes.
const SOFTWARE_INCREMENT: u8 = 0x00;
/// Number of the event that occurs in every cycle.
const EVERY_CYCLE: u8 = 0x11;

/// Registers, input signals, and settings for behaviour that the manual leaves open.
#[derive(Debug)]
pub(crate) struct State {
    core: &'static Core,
    pub(crate) registers: RegisterFile<Cp15Register>,
    /// Value of PMSELR at the last synchronization.
    settled_selector: u32,
    /// Whether PMSELR was written after the last synchronization.
    selector_unsettled: bool,
    pub(crate) stale_selector: StaleSelector,
    /// Number of accesses before an interrupt, and the value that its handler leaves in PMSELR.
    pub(crate) interrupt: Option<(usize, u8)>,
    /// PMXEVTYPER of the cycle counter, in version 2.
    pub(crate) filter_of_cycles: u32,
    /// Mode of the core.
    pub(crate) mode: ExecutionMode,
    /// Used with PMCR.D.
    divider: Divider,
    pub(crate) niden: bool,
    pub(crate) running_cycles_spoil: bool,
    pub(crate) reset_reaches_divider: bool,
}

impl State {
    pub(crate) fn new(core: &'static Core) -> Self {
        let mut state = Self {
            core,
            registers: RegisterFile::new(core.registers, Noise::Seeded(8)),
            settled_selector: 0,
            selector_unsettled: false,
            stale_selector: StaleSelector::Old,
            interrupt: None,
            filter_of_cycles: 0,
            mode: ExecutionMode::NonSecurePrivileged,
            divider: Divider::new(0),
            niden: true,
            running_cycles_spoil: true,
            reset_reaches_divider: false,
        };
        state.settle_selector();
        state.forget_filter_of_cycles();
        state
    }

    pub(crate) fn power_up(&mut self) {
        self.registers.reset();
        self.divider = Divider::new(0);
        self.settle_selector();
        self.forget_filter_of_cycles();
    }

    fn has_filter(&self) -> bool {
        self.registers.row(PMXEVTYPER).is_some_and(|row| row.read_write & FILTER != 0)
    }

    /// Makes the filter of the cycle counter unknown, as after a reset.
    fn forget_filter_of_cycles(&mut self) {
        if self.has_filter() {
            self.filter_of_cycles = self.registers.draw() & FILTER;
        }
    }

    /// Returns whether a counter with this PMXEVTYPER counts in the current mode of the core.
    fn passes(&self, of_type: u32) -> bool {
        let bit = |number: u32| of_type >> number & 1 == 1;
        let (p, u, nsk, nsu, nsh) = (bit(31), bit(30), bit(29), bit(28), bit(27));
        !self.has_filter()
            || match self.mode {
                ExecutionMode::SecurePrivileged => !p,
                ExecutionMode::SecureUser => !u,
                ExecutionMode::NonSecurePrivileged => nsk == p,
                ExecutionMode::NonSecureUser => nsu == u,
                ExecutionMode::Hyp => nsh,
            }
    }

    /// Returns whether an access to these operands reaches the filter of the cycle counter.
    fn is_filter_of_cycles(&self, operands: Operands, selector: usize) -> bool {
        operands == PMXEVTYPER && selector == CYCLES && self.has_filter()
    }

    pub(crate) fn scramble(&mut self, noise: &mut Noise) {
        self.registers.scramble(self.core.registers, noise);
        self.divider = Divider::new(u64::from(noise.draw()));
        if self.has_filter() {
            self.filter_of_cycles = noise.draw() & FILTER;
        }
        self.settle_selector();
    }

    /// Returns the value of a register that the selector does not affect.
    pub(crate) fn get(&self, operands: Operands) -> u32 {
        self.registers.load((operands, 0))
    }

    /// Sets the value of a register that the selector does not affect.
    pub(crate) fn set(&mut self, operands: Operands, value: u32) {
        self.registers.poke((operands, 0), value);
    }

    /// Sets PMSELR, as another owner does.
    pub(crate) fn select(&mut self, selector: u8) {
        self.set(PMSELR, selector.into());
        self.settle_selector();
    }

    fn settle_selector(&mut self) {
        self.settled_selector = self.get(PMSELR);
        self.selector_unsettled = false;
    }

    /// Returns whether these operands access a register that each counter has.
    fn is_selected(&self, operands: Operands) -> bool {
        self.registers.row(operands).is_some_and(|row| row.count > 1)
    }

    /// Returns the cell for [`peek`](Self::peek) and [`poke`](Self::poke).
    #[track_caller]
    fn inside(&self, operands: Operands) -> (Operands, usize) {
        let selector = self.get(PMSELR) as usize;
        match self.is_selected(operands) {
            true => {
                assert!(
                    selector < self.core.counters,
                    "PMSELR selects {selector}, which is not a counter"
                );
                (operands, selector)
            }
            false => (operands, 0),
        }
    }

    #[track_caller]
    pub(crate) fn peek(&self, operands: Operands) -> u32 {
        self.registers.peek(self.inside(operands))
    }

    #[track_caller]
    pub(crate) fn poke(&mut self, operands: Operands, value: u32) {
        self.registers.poke(self.inside(operands), value);
        if operands == PMSELR {
            self.settle_selector();
        }
    }

    /// Returns the cell that an access reaches, if any.
    fn reached(&mut self, operands: Operands) -> Option<(Operands, usize)> {
        if !self.is_selected(operands) {
            return Some((operands, 0));
        }
        let mut selector = self.get(PMSELR);
        if self.selector_unsettled {
            self.registers.record(Violation::SelectorNotSynchronized { operands });
            selector = match self.stale_selector {
                StaleSelector::Old => self.settled_selector,
                StaleSelector::Random => self.registers.draw() % self.core.counters as u32,
                StaleSelector::New => selector,
            };
        }
        let is_filter = self.is_filter_of_cycles(operands, selector as usize);
        if selector as usize >= self.core.counters && !is_filter {
            self.registers.record(Violation::ReservedSelector { selector: selector as u8 });
            return None;
        }
        Some((operands, selector as usize))
    }

    /// Whether all enables of the counter with this bit number are 1.
    fn enabled(&self, counter: usize) -> bool {
        self.get(PMCR) & E != 0 && self.get(PMCNTENSET) >> counter & 1 == 1
    }

    fn event(&self, counter: usize) -> u8 {
        self.registers.load((PMXEVTYPER, counter)) as u8
    }

    pub(crate) fn interrupt_line(&self) -> bool {
        self.get(PMOVSR) & self.get(PMINTENSET) != 0
    }

    pub(crate) fn signal(&mut self, event: u8, times: u32) {
        match event {
            SOFTWARE_INCREMENT => {}
            EVERY_CYCLE => self.clock(times.into()),
            _ if self.core.events.contains(&event) => self.happen(event, times.into()),
            _ => {}
        }
    }

    /// Adds to all event counters that run and count this event.
    fn happen(&mut self, event: u8, times: u64) {
        for counter in 0..self.core.counters {
            if self.event(counter) == event {
                self.count(counter, times);
            }
        }
    }

    fn count(&mut self, counter: usize, times: u64) {
        let is_in_mode = self.passes(self.registers.load((PMXEVTYPER, counter)));
        if self.niden && self.enabled(counter) && is_in_mode {
            self.add((PMXEVCNTR, counter), counter, times);
        }
    }

    /// Adds to a counter, and sets its flag if the counter wraps.
    fn add(&mut self, count: (Operands, usize), flag: usize, times: u64) {
        if self.registers.add(count, times) {
            self.set(PMOVSR, self.get(PMOVSR) | 1 << flag);
        }
    }

    fn increment_by_software(&mut self, counters: u32) {
        for counter in (0..self.core.counters).filter(|counter| counters >> counter & 1 == 1) {
            let times = match self.event(counter) {
                SOFTWARE_INCREMENT => 1,
                _ => {
                    self.registers.record(Violation::NotForSoftware { counter });
                    u64::from(self.registers.draw())
                }
            };
            self.count(counter, times);
        }
    }

    /// Returns the value of PMCCNTR after a write: noise if the write is forbidden.
    fn written_cycles(&mut self, value: u32) -> u32 {
        if !self.running_cycles_spoil || !self.enabled(CYCLES) {
            return value;
        }
        self.registers.record(Violation::WrittenWhileEnabled { operands: PMCCNTR });
        self.registers.draw()
    }
}

impl Device<Cp15Register> for State {
    fn admits(&self, operands: Operands, mode: Mode, is_store: bool) -> bool {
        let Some(row) = self.registers.row(operands) else { return false };
        mode == Mode::Privileged
            || match row.user {
                UserAccess::Enabled => self.get(PMUSERENR) == EN,
                UserAccess::Read => !is_store,
                UserAccess::Never => false,
            }
    }

    fn interrupts(&mut self) -> bool {
        match &mut self.interrupt {
            None => false,
            Some((0, _)) => true,
            Some((accesses, _)) => {
                *accesses -= 1;
                false
            }
        }
    }

    fn handle_interrupt(&mut self) {
        if let Some((_, selector)) = self.interrupt.take() {
            self.select(selector);
        }
    }

    fn clock(&mut self, cycles: u64) {
        self.happen(EVERY_CYCLE, cycles);
        let pmcr = self.get(PMCR);
        let is_permitted = self.niden || pmcr & DP == 0;
        if !self.enabled(CYCLES) || !is_permitted || !self.passes(self.filter_of_cycles) {
            return;
        }
        let counted = if pmcr & D == 0 { cycles } else { self.divider.divide(cycles) };
        self.add((PMCCNTR, 0), CYCLES, counted);
    }

    fn load(&mut self, operands: Operands) -> u32 {
        match self.reached(operands) {
            Some((_, selector)) if self.is_filter_of_cycles(operands, selector) => {
                self.filter_of_cycles
            }
            Some(cell) => self.registers.read(cell),
            None => self.registers.draw(),
        }
    }

    fn store(&mut self, operands: Operands, value: u32) {
        let Some((_, counter)) = self.reached(operands) else { return };
        if self.is_filter_of_cycles(operands, counter) {
            self.registers.check_reserved(operands, value);
            self.filter_of_cycles = value & FILTER;
            return;
        }
        let value = match operands {
            PMCCNTR => self.written_cycles(value),
            // Writing 1 for a missing counter clears nothing, and is no violation.
            PMOVSR | PMCNTENCLR | PMINTENCLR => {
                value & self.registers.row(operands).map_or(0, |row| row.write_one_to_clear)
            }
            _ => value,
        };
        let acts = self.registers.write((operands, counter), value);
        match operands {
            PMCR => {
                if acts & P != 0 {
                    for counter in 0..self.core.counters {
                        self.registers.poke((PMXEVCNTR, counter), 0);
                    }
                }
                if acts & C != 0 {
                    self.set(PMCCNTR, 0);
                    if self.reset_reaches_divider {
                        self.divider = Divider::new(0);
                    }
                }
            }
            PMSWINC => self.increment_by_software(acts),
            PMSELR => {
                self.selector_unsettled = true;
                let selector = self.get(PMSELR) as u8;
                let is_filter = self.is_filter_of_cycles(PMXEVTYPER, selector.into());
                if usize::from(selector) >= self.core.counters && !is_filter {
                    self.registers.record(Violation::ReservedSelector { selector });
                }
            }
            PMXEVTYPER => {
                let event = self.event(counter);
                if !self.core.events.contains(&event) {
                    self.registers.record(Violation::ReservedEvent { counter, event });
                }
            }
            _ => {}
        }
    }

    fn synchronize(&mut self) {
        self.settle_selector();
    }
}

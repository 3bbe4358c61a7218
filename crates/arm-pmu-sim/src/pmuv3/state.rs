//! State of the performance monitor of a core with PMUv3.

use arm_pmu_core::bus::SystemRegister;

use super::map::*;
use super::{Core, ExceptionLevel};
use crate::access::{Mode, UserAccess};
use crate::divider::Divider;
use crate::noise::Noise;
use crate::port::Device;
use crate::register::Elements;
use crate::register_file::RegisterFile;
use crate::sysreg::{CURRENT_EL, ID_AA64PFR0, MDCR_EL2, MDCR_EL3, SysregRegister, SysregViolation};

/// The number of the event that only software causes.
const SOFTWARE_INCREMENT: u16 = 0x00;
/// Number of the event that occurs in every cycle.
const EVERY_CYCLE: u16 = 0x11;
/// Number of the event CHAIN, which happens when the even counter below overflows.
const CHAIN: u16 = 0x1E;

/// Registers, input signals, and settings for behaviour that the documents leave open.
#[derive(Debug)]
pub(crate) struct State {
    core: &'static Core,
    /// The registers of the PMU, then the registers of EL2 and EL3.
    pub(crate) registers: RegisterFile<SysregRegister>,
    /// The level at which the core runs.
    level: ExceptionLevel,
    /// The values of MDCR_EL2 and MDCR_EL3, cached because almost every step reads them.
    mdcr: [u64; 2],
    /// Whether the pins of the core permit event counting.
    pub(crate) is_permitted: bool,
    /// Filter bits of Exception levels that the core lacks.
    pub(crate) missing_levels: u64,
    number_of_counters: u8,
    divider: Divider,
}

impl State {
    pub(crate) fn new(core: &'static Core) -> Self {
        let registers =
            RegisterFile::new(core.registers.iter().chain(core.controls), Noise::Seeded(53));
        let mut state = Self {
            core,
            registers,
            level: ExceptionLevel::NonSecureEl1,
            mdcr: [0; 2],
            is_permitted: true,
            missing_levels: 0,
            number_of_counters: core.counters as u8,
            divider: Divider::new(0),
        };
        state.identify();
        state
    }

    pub(crate) fn power_up(&mut self) {
        self.registers.reset();
        self.divider = Divider::new(0);
        self.identify();
    }

    /// Writes noise to all bits that software at EL1 or the device can change.
    pub(crate) fn scramble(&mut self, noise: &mut Noise) {
        self.registers.scramble(self.core.registers, noise);
        self.divider = Divider::new(u64::from(noise.draw()));
    }

    /// Changes the level at which the core runs.
    pub(crate) fn set_level(&mut self, level: ExceptionLevel) {
        self.level = level;
        self.identify();
    }

    /// Replaces the core with another core. A register that exists in both cores keeps its value, limited to the bits
    /// that the new core implements.
    pub(crate) fn set_core(&mut self, core: &'static Core) {
        let rows = core.registers.iter().chain(core.controls);
        let mut registers = RegisterFile::new(rows.clone(), Noise::Zeros);
        for cell in
            rows.flat_map(Elements::cells).filter(|cell| self.registers.find(*cell).is_some())
        {
            registers.poke(cell, self.registers.load(cell));
        }
        registers.noise = self.registers.noise;
        (self.registers, self.core) = (registers, core);
        self.identify();
    }

    /// Changes the number of event counters.
    pub(crate) fn set_number_of_counters(&mut self, counters: u8) {
        self.number_of_counters = counters;
        self.identify();
    }

    /// Puts the level and the number of counters into the registers that show them.
    fn identify(&mut self) {
        self.mdcr = [self.get(MDCR_EL2), self.get(MDCR_EL3)];
        self.set(CURRENT_EL, self.software_level() << 2);
        let rest = self.get(PMCR) & !(0x1F << N);
        self.set(PMCR, rest | self.available() << N);
    }

    /// The Exception level of software that is not at EL0.
    fn software_level(&self) -> u64 {
        match self.level {
            ExceptionLevel::El3 => 3,
            ExceptionLevel::El2 => 2,
            _ => 1,
        }
    }

    fn is_below_el2(&self) -> bool {
        matches!(self.level, ExceptionLevel::NonSecureEl0 | ExceptionLevel::NonSecureEl1)
    }

    /// The number of event counters available to software at this level. The simulated cores have no Secure EL2.
    fn available(&self) -> u64 {
        let all = self.number_of_counters.into();
        if self.is_below_el2() { (self.mdcr[0] & HPMN).min(all) } else { all }
    }

    /// Whether an event counter belongs to EL2.
    fn is_of_el2(&self, counter: usize) -> bool {
        counter != CYCLES && counter as u64 >= self.mdcr[0] & HPMN
    }

    /// Whether event counting is prohibited for a counter at this level. The pins of the core permit counting in all
    /// states or in none.
    fn is_prohibited(&self, counter: usize) -> bool {
        let [el2, el3] = self.mdcr;
        let by_control = match self.level {
            ExceptionLevel::El3 => el3 & SPME == 0 || el3 & MPMX != 0 && !self.is_of_el2(counter),
            ExceptionLevel::SecureEl0 | ExceptionLevel::SecureEl1 => el3 & (SPME | MPMX) == 0,
            ExceptionLevel::El2 => el2 & HPMD != 0 && !self.is_of_el2(counter),
            ExceptionLevel::NonSecureEl0 | ExceptionLevel::NonSecureEl1 => false,
        };
        by_control || !self.is_permitted
    }

    /// Whether EL2 or EL3 stops the cycle counter at this level, whatever PMCR.DP is.
    fn stops_cycles(&self) -> bool {
        let [el2, el3] = self.mdcr;
        match self.level {
            ExceptionLevel::El3 => el3 & (SCCD | MCCD) != 0,
            ExceptionLevel::SecureEl0 | ExceptionLevel::SecureEl1 => el3 & SCCD != 0,
            ExceptionLevel::El2 => el2 & HCCD != 0,
            ExceptionLevel::NonSecureEl0 | ExceptionLevel::NonSecureEl1 => false,
        }
    }

    /// Whether EL2 or EL3 traps accesses to a register of the PMU.
    fn is_trapped(&self, register: SystemRegister) -> bool {
        let traps = if register == PMCR { TPM | TPMCR } else { TPM };
        let by_el2 = self.is_below_el2() && self.mdcr[0] & traps != 0;
        by_el2 || self.level != ExceptionLevel::El3 && self.mdcr[1] & TPM != 0
    }

    /// Whether software in this mode can access a register in `Core::controls`; `None` for registers of the PMU.
    fn has_control(&self, register: SystemRegister, mode: Mode) -> Option<bool> {
        let from = match register {
            CURRENT_EL | ID_AA64PFR0 => 1,
            MDCR_EL2 => 2,
            MDCR_EL3 => 3,
            _ => return None,
        };
        Some(mode == Mode::Privileged && self.software_level() >= from)
    }

    /// Returns the value of a register; 0 if there is none.
    pub(crate) fn get(&self, register: SystemRegister) -> u64 {
        self.registers.load(register) & !self.missing_bits(register)
    }

    /// Sets the implemented bits of a register.
    pub(crate) fn set(&mut self, register: SystemRegister, value: u64) {
        self.registers.poke(register, value);
        if matches!(register, MDCR_EL2 | MDCR_EL3) {
            self.identify();
        }
    }

    /// The bits of PMEVTYPER and PMCCFILTR that this core lacks: bits of the threshold, and filter bits of missing
    /// levels.
    fn missing_bits(&self, register: SystemRegister) -> u64 {
        let of_threshold = match register {
            PMCCFILTR => 0,
            SystemRegister { op1: 3, crn: 14, crm: 12.., .. } => {
                match self.get(PMMIR) >> THWIDTH & 0xF {
                    0 => 0xFFF << TH | 0b111 << TC,
                    width => (0xFFF << width & 0xFFF) << TH,
                }
            }
            _ => return 0,
        };
        of_threshold | self.missing_levels
    }

    #[track_caller]
    pub(crate) fn peek(&self, register: SystemRegister) -> u64 {
        self.registers.peek(register) & !self.missing_bits(register)
    }

    #[track_caller]
    pub(crate) fn poke(&mut self, register: SystemRegister, value: u64) {
        self.set(register, value);
    }

    /// Whether a counter with this filter counts at the core's current exception level.
    fn passes(&self, of_type: u64) -> bool {
        let bit = |number: u32| of_type >> number & 1 == 1;
        let (p, u, nsk, nsu, nsh, m) = (bit(31), bit(30), bit(29), bit(28), bit(27), bit(26));
        match self.level {
            ExceptionLevel::SecureEl1 => !p,
            ExceptionLevel::SecureEl0 => !u,
            ExceptionLevel::NonSecureEl1 => nsk == p,
            ExceptionLevel::NonSecureEl0 => nsu == u,
            ExceptionLevel::El2 => nsh,
            ExceptionLevel::El3 => m == p,
        }
    }

    /// Whether all enables of the counter with this bit number are 1.
    fn enabled(&self, counter: usize) -> bool {
        self.all_enabled(counter) && self.get(PMCNTENSET) >> counter & 1 == 1
    }

    /// Whether the enable that this counter shares with others is 1. For counters of EL2, this is
    /// HPME; for all other counters, PMCR.E.
    fn all_enabled(&self, counter: usize) -> bool {
        if self.is_of_el2(counter) { self.mdcr[0] & HPME != 0 } else { self.get(PMCR) & E != 0 }
    }

    pub(crate) fn interrupt_line(&self) -> bool {
        let asserting = self.get(PMOVSCLR) & self.get(PMINTENSET);
        let mut counters = (0..usize::from(self.number_of_counters)).chain([CYCLES]);
        counters.any(|counter| asserting >> counter & 1 == 1 && self.all_enabled(counter))
    }

    pub(crate) fn signal(&mut self, event: u16, times: u32) {
        match event {
            SOFTWARE_INCREMENT | CHAIN => {}
            EVERY_CYCLE => self.clock(times.into()),
            _ if self.core.events.contains(&event) => self.happen(event, times.into()),
            _ => {}
        }
    }

    /// Adds one cycle with `times` occurrences of this event to all event counters that run and count this event.
    fn happen(&mut self, event: u16, times: u64) {
        for counter in 0..self.core.counters {
            if self.event(counter) == event {
                self.count(counter, self.added(counter, times));
            }
        }
    }

    /// Applies the threshold of a counter to the events of one cycle, and returns the increment.
    fn added(&self, counter: usize, events: u64) -> u64 {
        let of_type = self.get(PMEVTYPER0.plus(counter));
        let (th, tc) = (of_type >> TH & 0xFFF, of_type >> TC);
        let meets = [events != th, events == th, events >= th, events < th][tc as usize >> 1];
        let added = if tc & 1 == 0 { events } else { 1 };
        if meets { added } else { 0 }
    }

    fn event(&self, counter: usize) -> u16 {
        (self.get(PMEVTYPER0.plus(counter)) & EVENT) as u16
    }

    /// Adds to an event counter, if it runs. If the next counter has an odd number and the event CHAIN, that counter
    /// counts the overflows.
    ///
    /// As in Arm's pseudocode (IncrementEventCounter), a counter that overflows at 2^64 causes no CHAIN.
    fn count(&mut self, counter: usize, times: u64) {
        let is_at_level = self.passes(self.get(PMEVTYPER0.plus(counter)));
        let is_stopped = self.is_prohibited(counter) || self.is_frozen(self.is_of_el2(counter));
        if is_stopped || !self.enabled(counter) || !is_at_level {
            return;
        }
        let before = u128::from(self.get(PMEVCNTR0.plus(counter)));
        let after = before + u128::from(times);
        self.set(PMEVCNTR0.plus(counter), after as u64);
        let is_long = self.is_long(counter);
        let width = if is_long { 64 } else { 32 };
        let overflows = (after >> width) - (before >> width);
        if overflows == 0 {
            return;
        }
        self.flag(counter);
        let above = counter + 1;
        let is_pair = above % 2 == 1 && above < self.number_of_counters.into();
        if is_pair && !is_long && self.event(above) == CHAIN {
            self.count(above, overflows as u64);
        }
    }

    /// Whether an overflow froze the event counters of EL2 or, if `of_el2` is false, the other event counters. The
    /// control bits exist from PMUv3p7 on.
    fn is_frozen(&self, of_el2: bool) -> bool {
        let freezes = if of_el2 { self.mdcr[0] & HPMFZO != 0 } else { self.get(PMCR) & FZO != 0 };
        let overflowed = |counter| self.get(PMOVSCLR) >> counter & 1 == 1;
        freezes
            && (0..self.core.counters)
                .any(|counter| self.is_of_el2(counter) == of_el2 && overflowed(counter))
    }

    /// Whether an event counter overflows at 2^64. The control bits exist from PMUv3p5 on.
    fn is_long(&self, counter: usize) -> bool {
        if self.is_of_el2(counter) { self.mdcr[0] & HLP != 0 } else { self.get(PMCR) & LP != 0 }
    }

    fn flag(&mut self, counter: usize) {
        self.set(PMOVSCLR, self.get(PMOVSCLR) | 1 << counter);
    }

    fn increment_by_software(&mut self, counters: u64) {
        for counter in (0..self.core.counters).filter(|counter| counters >> counter & 1 == 1) {
            let times = match self.event(counter) {
                SOFTWARE_INCREMENT => 1,
                _ => {
                    self.registers.record(SysregViolation::NotForSoftware { counter });
                    u64::from(self.registers.draw())
                }
            };
            self.count(counter, times);
        }
    }

    /// Whether a register belongs to a counter that is not available to this software.
    fn is_of_others(&self, register: SystemRegister) -> bool {
        let Some((nth, element)) = self.registers.locate(register) else { return false };
        self.registers.rows[nth].count > 1 && element as u64 >= self.available()
    }

    /// Bits of event counters that are missing or not available to this software: RAZ/WI.
    fn missing_counters(&self) -> u64 {
        EVENT_COUNTERS & !((1 << self.available()) - 1)
    }
}

impl Device<SysregRegister> for State {
    fn admits(&self, register: SystemRegister, mode: Mode, is_store: bool) -> bool {
        if let Some(has_control) = self.has_control(register, mode) {
            return has_control;
        }
        let Some(row) = self.registers.find(register) else { return false };
        let permits = |bit: u64| self.get(PMUSERENR) & bit != 0;
        let is_open = mode == Mode::Privileged
            || match row.user {
                UserAccess::Enabled if is_store => {
                    permits(EN) || register == PMSWINC && permits(SW)
                }
                UserAccess::Enabled => {
                    let is_counter = row.register == PMEVCNTR0;
                    permits(EN) || register == PMCCNTR && permits(CR) || is_counter && permits(ER)
                }
                UserAccess::Read => !is_store,
                UserAccess::Never => false,
            };
        is_open && !self.is_trapped(register)
    }

    fn clock(&mut self, cycles: u64) {
        for counter in 0..self.core.counters {
            // A cycle without an event can also meet the condition of a threshold.
            let events = u64::from(self.event(counter) == EVERY_CYCLE);
            let added = self.added(counter, events);
            if added != 0 {
                self.count(counter, added * cycles);
            }
        }
        let pmcr = self.get(PMCR);
        let events_stand_still = self.is_prohibited(CYCLES) || self.is_frozen(false);
        let is_prohibited = events_stand_still && pmcr & DP != 0 || self.stops_cycles();
        if !self.enabled(CYCLES) || is_prohibited || !self.passes(self.get(PMCCFILTR)) {
            return;
        }
        let is_long = pmcr & LC != 0;
        let is_divided = pmcr & D != 0 && !is_long;
        let counted = if is_divided { self.divider.divide(cycles) } else { cycles };
        let before = self.get(PMCCNTR);
        let after = before.wrapping_add(counted);
        self.set(PMCCNTR, after);
        // The counter also wraps if more than 2^32 cycles are added at once.
        let wraps = if is_long { after < before } else { after >> 32 != before >> 32 };
        if wraps {
            self.flag(CYCLES);
        }
    }

    fn load(&mut self, register: SystemRegister) -> u64 {
        if self.is_of_others(register) {
            self.registers.record(SysregViolation::CounterOfOthers { register });
            return self.registers.draw().into();
        }
        let Some(row) = self.registers.find(register) else { return 0 };
        let is_set_of_counters = row.write_one_to_set | row.write_one_to_clear != 0;
        let hidden = if is_set_of_counters { self.missing_counters() } else { 0 };
        self.get(register) & row.readable() & !hidden
    }

    fn store(&mut self, register: SystemRegister, value: u64) {
        if self.is_of_others(register) {
            self.registers.record(SysregViolation::CounterOfOthers { register });
            return;
        }
        let Some(row) = self.registers.find(register) else { return };
        let is_set_of_counters =
            row.write_one_to_set | row.write_one_to_clear != 0 || register == PMSWINC;
        let ignored = match register {
            // Software may set the event bits when it writes the filter of the cycle counter, as
            // Linux does; they are ignored.
            PMCCFILTR => EVENT,
            _ if is_set_of_counters => self.missing_counters(),
            _ => 0,
        };
        let value = value & !ignored;
        self.registers.check_reserved(register, value);
        let acts = self.registers.store(register, value);
        if matches!(register, MDCR_EL2 | MDCR_EL3) {
            self.identify();
        }
        match register {
            PMCR => {
                if acts & P != 0 {
                    for counter in 0..self.available() as usize {
                        self.set(PMEVCNTR0.plus(counter), 0);
                    }
                }
                if acts & C != 0 {
                    self.set(PMCCNTR, 0);
                }
            }
            PMSWINC => self.increment_by_software(acts),
            _ => {
                let counter = (0..self.core.counters).find(|n| PMEVTYPER0.plus(*n) == register);
                let selected = counter.map(|counter| (counter, self.event(counter)));
                let is_unknown = |(_, event): &(usize, u16)| !self.core.events.contains(event);
                if let Some((counter, event)) = selected.filter(is_unknown) {
                    self.registers.record(SysregViolation::ReservedEvent { counter, event });
                }
            }
        }
    }

    fn synchronize(&mut self) {}
}

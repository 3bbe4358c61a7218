//! State of the performance monitor of an ARM11.

use arm_pmu_core::bus::Operands;

use super::FlagsClear;
use super::map::*;
use crate::access::{Mode, UserAccess};
use crate::cp15::{Cp15Register, Violation};
use crate::divider::Divider;
use crate::noise::Noise;
use crate::port::Device;
use crate::register_file::RegisterFile;

/// Registers, activity of the core, and settings for behaviour that the manuals leave open.
#[derive(Debug)]
pub(super) struct State {
    pub(super) core: &'static Core,
    pub(super) registers: RegisterFile<Cp15Register>,
    /// Used with D.
    divider: Divider,
    /// Number of cycles until newly enabled counters start.
    starts_in: u64,
    pub(super) start_delay: u64,
    /// Whether User mode has access. Used only on cores that have no register for this.
    user_access: bool,
    pub(super) debug_state: bool,
    pub(super) secure: bool,
    pub(super) secure_observed: bool,
    pub(super) secure_stops_cycles: bool,
    pub(super) reset_reaches_divider: bool,
    pub(super) flags_clear: FlagsClear,
    pub(super) resets_read_zero: bool,
}

impl State {
    pub(super) fn new(core: &'static Core) -> Self {
        Self {
            core,
            registers: RegisterFile::new(core.registers, Noise::Seeded(11)),
            divider: Divider::new(0),
            starts_in: 0,
            start_delay: 0,
            user_access: false,
            debug_state: false,
            secure: false,
            secure_observed: false,
            secure_stops_cycles: false,
            reset_reaches_divider: false,
            flags_clear: FlagsClear::IfEnabledThroughout,
            resets_read_zero: false,
        }
    }

    pub(super) fn power_up(&mut self) {
        self.registers.reset();
        self.divider = Divider::new(0);
        self.starts_in = 0;
    }

    pub(super) fn scramble(&mut self, noise: &mut Noise) {
        self.registers.scramble(self.core.registers, noise);
        self.divider = Divider::new(u64::from(noise.draw()));
    }

    #[track_caller]
    pub(super) fn peek(&self, operands: Operands) -> u32 {
        self.registers.peek((operands, 0))
    }

    #[track_caller]
    pub(super) fn poke(&mut self, operands: Operands, value: u32) {
        self.registers.poke((operands, 0), value);
    }

    pub(super) fn control(&self) -> u32 {
        self.registers.load((CONTROL, 0))
    }

    /// Whether the core has the register with the V bit. Only the ARM1176 has this register, and only the ARM1176 has
    /// a Secure state.
    pub(super) fn has_validation(&self) -> bool {
        self.registers.row(VALIDATION).is_some()
    }

    fn user_access(&self) -> bool {
        self.user_access || self.registers.load((VALIDATION, 0)) & V != 0
    }

    pub(super) fn set_user_access(&mut self, open: bool) {
        match self.has_validation() {
            true => self.registers.poke((VALIDATION, 0), u32::from(open)),
            false => self.user_access = open,
        }
    }

    /// Returns whether any flag and its enable are both 1; the enables start at bit `enables` of the control
    /// register.
    pub(super) fn reports(&self, enables: u32) -> bool {
        let control = self.control();
        control >> FLAGS & control >> enables & EACH != 0
    }

    fn enabled(&self) -> bool {
        self.control() & E != 0 && !self.debug_state
    }

    fn observed(&self) -> bool {
        !self.secure || self.secure_observed
    }

    pub(super) fn signal(&mut self, event: u8, times: u32) {
        match self.core.kind(event) {
            Kind::Event => {
                self.happen(|selected| if selected == event { times.into() } else { 0 });
            }
            Kind::Cycles => self.clock(times.into()),
            Kind::Unused | Kind::Reserved => {}
        }
    }

    /// Holds the ETMEXTOUT lines HIGH for `cycles` cycles.
    pub(super) fn etmextout(&mut self, lines: [bool; 2], cycles: u32) {
        let [first, second] = lines.map(|line| if line { u64::from(cycles) } else { 0 });
        self.happen(|selected| match ETMEXTOUT.iter().position(|event| *event == selected) {
            Some(0) => first,
            Some(1) => second,
            Some(_) => first + second,
            None => 0,
        });
    }

    /// Adds events to the event counters; `times` returns how often the event with this number
    /// occurred. A counter with a reserved number counts noise.
    fn happen(&mut self, times: impl Fn(u8) -> u64) {
        if !self.enabled() || self.starts_in > 0 || !self.observed() {
            return;
        }
        for (counter, operands) in COUNTS.into_iter().enumerate() {
            let selected = (self.control() >> EVENTS[counter]) as u8;
            let times = match self.core.kind(selected) {
                Kind::Reserved => u64::from(self.registers.draw()),
                Kind::Event | Kind::Cycles | Kind::Unused => times(selected),
            };
            self.add(operands, counter, times);
        }
    }

    /// Adds to a counter, and sets its flag if the counter wraps.
    fn add(&mut self, operands: Operands, flag: usize, times: u64) {
        if self.registers.add((operands, 0), times) {
            let control = self.control() | 1 << FLAGS << flag;
            self.registers.poke((CONTROL, 0), control);
        }
    }

    fn store_control(&mut self, value: u32) {
        for (counter, shift) in EVENTS.into_iter().enumerate() {
            let event = (value >> shift) as u8;
            if self.core.kind(event) == Kind::Reserved {
                self.registers.record(Violation::ReservedEvent { counter, event });
            }
        }
        let (before, after) = (self.control() & E != 0, value & E != 0);
        let clears = match self.flags_clear {
            FlagsClear::IfEnabledThroughout => before && after,
            FlagsClear::IfEnabledBefore => before,
            FlagsClear::IfEnabledByWrite => after,
        };
        let effective = if clears { value } else { value & !(EACH << FLAGS) };
        let acts = self.registers.write((CONTROL, 0), effective);
        if acts & C != 0 {
            self.registers.poke((CYCLE_COUNT, 0), 0);
            if self.reset_reaches_divider {
                self.divider = Divider::new(0);
            }
        }
        if acts & P != 0 {
            for count in COUNTS {
                self.registers.poke((count, 0), 0);
            }
        }
        if after && !before {
            self.starts_in = self.start_delay;
        }
    }
}

impl Device<Cp15Register> for State {
    fn admits(&self, operands: Operands, mode: Mode, _: bool) -> bool {
        let Some(row) = self.registers.row(operands) else { return false };
        mode == Mode::Privileged || row.user == UserAccess::Enabled && self.user_access()
    }

    fn clock(&mut self, cycles: u64) {
        if !self.enabled() {
            return;
        }
        let waited = cycles.min(self.starts_in);
        self.starts_in -= waited;
        let cycles = cycles - waited;
        if cycles == 0 {
            return;
        }
        self.happen(|selected| if selected == EVERY_CYCLE { cycles } else { 0 });
        if self.observed() || !self.secure_stops_cycles {
            let counted = match self.control() & D {
                0 => cycles,
                _ => self.divider.divide(cycles),
            };
            self.add(CYCLE_COUNT, CYCLES, counted);
        }
    }

    fn load(&mut self, operands: Operands) -> u32 {
        let value = self.registers.read((operands, 0));
        if self.resets_read_zero && operands == CONTROL { value & !(C | P) } else { value }
    }

    fn store(&mut self, operands: Operands, value: u32) {
        if operands == CONTROL {
            self.store_control(value);
        } else {
            self.registers.write((operands, 0), value);
        }
    }
}

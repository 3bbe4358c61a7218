//! Performance monitors of the ARM11 cores.
//!
//! Sources: AN195 (DAI 0195B) for the control register, the events and the interrupts; the ARM1176
//! manual (DDI 0301H) for counters, resets, the V bit, Debug state and Secure events; the ARM1136
//! manual, issues H and K (DDI 0211), for its resets and its two rules of User access; Genode and
//! FreeBSD for the operands of the register with the V bit; the Linux CPU table for the MIDR. No
//! ARM1156 manual was available.

mod map;
mod state;

use std::cell::RefCell;

use crate::cp15::Cp15Register;
use crate::port::Port;

use map::{CONTROL, COUNTERS, Core, E, EVENTS, FAST_INTERRUPT_ENABLES, INTERRUPT_ENABLES};
use state::State;

/// The simulated performance monitor of an [ARM1136](Self::arm1136), [ARM1156](Self::arm1156) or
/// [ARM1176](Self::arm1176) core.
///
/// A new device is in its reset state: bits without a documented reset value, including the event numbers, contain
/// noise. Software runs in Non-secure state, the core is not in Debug state, User mode has no access, and stores are
/// posted. All methods take `&self`, so a test can change every setting, signal events and run the clock while a
/// driver owns a bus.
///
/// # What counts
///
/// While E is 1 and the core is not in Debug state, an [event](Self::signal) increments each event counter that
/// selects it, and the cycle counter counts [clock cycles](Self::clock), or every 64th cycle if D is 1. A counter
/// with a reserved number counts noise; a counter with a number that AN195 calls unused counts nothing.
///
/// # What an overflow does
///
/// A counter that wraps continues from zero, and its flag is set. Each interrupt output is LOW
/// (asserted) while a flag and its enable for that output are 1, whatever E is. Writing 1 clears a
/// flag while E is 1. For a write that changes E, the behaviour is
/// [configurable](Self::set_flags_clear).
///
/// # What is reset
///
/// Writing 1 to C zeroes the cycle counter, and writing 1 to P zeroes both event counters, running or not; the flags do
/// not change. C and P read as noise [by default](Self::set_resets_read_zero), like the reserved bits. Counts can be
/// written at any time.
///
/// Not simulated: EVNTBUS, the identification registers of the core, and the System Validation
/// counters, which share the flip-flops of the counters.
#[derive(Debug)]
pub struct Arm11 {
    port: RefCell<Port<State, Cp15Register>>,
}

/// Condition for clearing an overflow flag of an [`Arm11`] by writing 1.
///
/// E must be 1. No document states whether E must be 1 before or after the write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FlagsClear {
    /// E is 1 before and after the write.
    #[default]
    IfEnabledThroughout,
    /// E is 1 before the write.
    IfEnabledBefore,
    /// E is 1 after the write.
    IfEnabledByWrite,
}

impl Arm11 {
    /// All CP15 registers of the performance monitor of an ARM1136.
    ///
    /// An access to any other register is an Undefined Instruction exception.
    pub const ARM1136_REGISTERS: &'static [Cp15Register] = map::ARM1136.registers;
    /// All CP15 registers of the performance monitor of an ARM1156. See
    /// [`ARM1136_REGISTERS`](Self::ARM1136_REGISTERS).
    pub const ARM1156_REGISTERS: &'static [Cp15Register] = map::ARM1156.registers;
    /// All CP15 registers of the performance monitor of an ARM1176, including its V bit.
    ///
    /// See [`ARM1136_REGISTERS`](Self::ARM1136_REGISTERS).
    pub const ARM1176_REGISTERS: &'static [Cp15Register] = map::ARM1176.registers;

    /// The performance monitor of an ARM1136 after a reset.
    #[must_use]
    pub fn arm1136() -> Self {
        Self::new(&map::ARM1136)
    }

    /// The performance monitor of an ARM1156 after a reset.
    #[must_use]
    pub fn arm1156() -> Self {
        Self::new(&map::ARM1156)
    }

    /// The performance monitor of an ARM1176 after a reset.
    #[must_use]
    pub fn arm1176() -> Self {
        Self::new(&map::ARM1176)
    }

    fn new(core: &'static Core) -> Self {
        Self { port: RefCell::new(Port::new(State::new(core))) }
    }

    fn core(&self) -> &'static Core {
        self.port.borrow().device.core
    }

    /// Returns the registers of this core, for example
    /// [`ARM1176_REGISTERS`](Self::ARM1176_REGISTERS).
    #[must_use]
    pub fn registers(&self) -> &'static [Cp15Register] {
        self.core().registers
    }

    /// Returns all event numbers of this core, in ascending order.
    #[must_use]
    pub fn events(&self) -> &'static [u8] {
        self.core().events
    }

    /// Returns the Main ID Register of this core; the buses do not reach this register. The implementer and
    /// the part number are known; revision and variant are 0, and the architecture code is not confirmed by a source.
    #[must_use]
    pub fn midr(&self) -> u32 {
        self.core().midr
    }

    /// Signals an event of this core `times` times, for example `Arm1176Event::DataCacheMiss`.
    ///
    /// An event that is not listed has no effect. Stores that have not taken effect yet do not
    /// influence the count. For the ETMEXTOUT events, see [`signal_raw`](Self::signal_raw).
    ///
    /// # Panics
    ///
    /// If the event belongs to another core.
    #[track_caller]
    pub fn signal(&self, event: impl arm_pmu_core::event::Selectable, times: u32) {
        self.signal_raw(crate::selected::id(event, self.core().pmu) as u8, times);
    }

    /// Signals only the event with this number, `times` times.
    ///
    /// An ETMEXTOUT event, 0x20 to 0x22, is signalled alone; [`etmextout`](Self::etmextout) signals all events of the
    /// asserted lines. 0xFF is a [clock cycle](Self::clock).
    ///
    /// Nothing happens if the core does not have the event. Stores that have not taken effect yet
    /// do not influence the count.
    pub fn signal_raw(&self, event: u8, times: u32) {
        if times > 0 {
            self.state(|state| state.signal(event, times));
        }
    }

    /// Asserts ETMEXTOUT\[0\], ETMEXTOUT\[1\] or both for this many cycles.
    ///
    /// Event 0x20 counts the first line, 0x21 the second, and 0x22 both, so a cycle with both lines
    /// asserted counts as two. Only [`clock`](Self::clock) runs the clock.
    pub fn etmextout(&self, lines: [bool; 2], cycles: u32) {
        if cycles > 0 {
            self.state(|state| state.etmextout(lines, cycles));
        }
    }

    /// Returns whether nPMUIRQ is asserted.
    #[must_use]
    pub fn interrupt(&self) -> bool {
        self.port.borrow().device.reports(INTERRUPT_ENABLES)
    }

    /// Returns whether nPMUFIQ is asserted; only an ARM1156 has this output.
    ///
    /// A counter with both enables set asserts both outputs, because no document states a
    /// precedence.
    #[must_use]
    pub fn fast_interrupt(&self) -> bool {
        self.port.borrow().device.reports(FAST_INTERRUPT_ENABLES)
    }

    /// Selects when a write clears a flag: [`FlagsClear::IfEnabledThroughout`] by default.
    ///
    /// A driver that works under the default condition also works under all other conditions.
    pub fn set_flags_clear(&self, when: FlagsClear) {
        self.state(|state| state.flags_clear = when);
    }

    /// Selects whether User mode can access the registers. Off by default.
    ///
    /// On an ARM1176, this setting is the V bit, which privileged software can also set. On the other cores, software
    /// cannot change the access, and whether User mode has access is unknown: issue H of the ARM1136 manual permits it
    /// and issue K does not. AN195 permits User mode access on all cores.
    pub fn set_user_access(&self, open: bool) {
        self.state(|state| state.set_user_access(open));
    }

    /// Selects whether the core is in Debug state, halted by a debugger.
    ///
    /// In Debug state, no counter counts, as in an ARM1136 since r1p0. For an ARM1156, this is
    /// inferred from the other cores.
    pub fn set_debug_state(&self, debug: bool) {
        self.state(|state| state.debug_state = debug);
    }

    /// Selects whether software runs in Secure state from now on.
    ///
    /// # Panics
    ///
    /// If this core is not an ARM1176. The other cores have no Secure state.
    #[track_caller]
    pub fn set_secure(&self, secure: bool) {
        self.check_secure();
        self.state(|state| state.secure = secure);
    }

    /// Selects whether events in Secure state are counted. Off by default.
    ///
    /// SPNIDEN permits counting, and in User mode SUNIDEN does too.
    ///
    /// # Panics
    ///
    /// If this is not an ARM1176.
    #[track_caller]
    pub fn set_secure_observed(&self, observed: bool) {
        self.check_secure();
        self.state(|state| state.secure_observed = observed);
    }

    /// Selects whether the cycle counter also stops in Secure state while events in that state are not counted.
    ///
    /// The manual says this only about events, not about the cycle counter. By default, this is
    /// off.
    ///
    /// # Panics
    ///
    /// If this is not an ARM1176.
    #[track_caller]
    pub fn set_secure_stops_cycles(&self, stops: bool) {
        self.check_secure();
        self.state(|state| state.secure_stops_cycles = stops);
    }

    #[track_caller]
    fn check_secure(&self) {
        let has_secure_state = self.port.borrow().device.has_validation();
        assert!(has_secure_state, "only an ARM1176 has a Secure state");
    }

    /// Sets the number of cycles between a write that sets E and the first count; 0 by default.
    ///
    /// During the delay, events are not counted either. The ARM1176 manual states about three
    /// cycles. The setting applies to the next write that sets E.
    pub fn set_start_delay(&self, cycles: u64) {
        self.state(|state| state.start_delay = cycles);
    }

    /// Selects whether C and P read as zero. By default, C and P read as noise.
    ///
    /// AN195 describes them as unpredictable when read.
    ///
    /// Linux (arm_v6_pmu.c) needs zeros, because it writes the control register back as read, with
    /// one bit changed. If C or P read as one, this would reset counters.
    pub fn set_resets_read_zero(&self, zero: bool) {
        self.state(|state| state.resets_read_zero = zero);
    }

    /// Selects whether C also resets the divider by 64.
    ///
    /// After such a reset, the first count takes a full 64 cycles. No document states whether C resets the divider.
    /// By default, this is off.
    pub fn set_reset_reaches_divider(&self, reaches: bool) {
        self.state(|state| state.reset_reaches_divider = reaches);
    }

    /// Another owner (firmware, idle code, a debugger, a second driver) clears E. The change takes effect at
    /// once and is not in the journal.
    pub fn other_owner_disables_all(&self) {
        self.state(|state| state.registers.poke((CONTROL, 0), state.control() & !E));
    }

    /// Another owner selects another event on one event counter. The change takes effect at once and is not
    /// in the journal.
    ///
    /// # Panics
    ///
    /// If `counter` is not less than 2.
    #[track_caller]
    pub fn other_owner_selects(&self, counter: usize, event: u8) {
        crate::handle::check(COUNTERS, counter);
        let shift = EVENTS[counter];
        self.state(|state| {
            let control = state.control() & !(0xFF << shift) | u32::from(event) << shift;
            state.registers.poke((CONTROL, 0), control);
        });
    }
}

crate::handle::core_methods!(
    Arm11, Cp15Bus<Cp15Space>, Cp15Access, Violation, Operands => u32,
    noise in: "every bit that software or the device can change, including V on an ARM1176"
);

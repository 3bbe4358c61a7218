//! The performance monitors of the ARM11 cores.
//!
//! Sources: AN195 (DAI 0195B) for the control register, the events and the interrupts; the ARM1176
//! manual (DDI 0301H) for counters, resets, the V bit, Debug state and Secure events; the ARM1136
//! manual, issues H and K (DDI 0211), for its resets and its two rules of User access; Genode and
//! FreeBSD for the operands of the register with the V bit; the Linux CPU table for the MIDR. No
//! ARM1156 manual was available.

mod events;
mod map;
mod state;

use std::cell::RefCell;

use crate::cp15::Coprocessor;
use crate::cp15::Cp15Register;
use crate::noise::Noise;
use crate::port::Port;

use map::{CONTROL, COUNTERS, E, EVENTS, FAST_INTERRUPT_ENABLES, INTERRUPT_ENABLES};
use state::State;

/// The simulated performance monitor of an [ARM1136](Self::arm1136), [ARM1156](Self::arm1156) or
/// [ARM1176](Self::arm1176) core.
///
/// A new device is in its reset state: bits without a value in any manual, including the event
/// numbers, hold noise. Its software runs in the Non-secure state and not in Debug state, User mode
/// has no access, and stores are posted. All methods take `&self`: a test can change every setting,
/// signal events and let the clock run while a driver owns a bus.
///
/// # What counts
///
/// While E is 1 and the core is not in Debug state, an [event](Self::signal) adds one to each event
/// counter whose event number names it, and the cycle counter counts [clock cycles](Self::clock), with
/// D every 64th. A counter with a reserved number counts noise; one with a number that AN195 calls
/// unused counts nothing.
///
/// # What an overflow does
///
/// The counter continues from zero and its flag is set. Each interrupt output is LOW (asserted)
/// while a flag and its enable for that output are 1, whatever E is. A write of one clears a flag
/// while E is 1. For a write that changes E, the behaviour can be [set](Self::set_flags_clear).
///
/// # What is reset
///
/// Writing one to C zeroes the cycle counter, to P both event counters, running or not; neither touches
/// a flag. Both bits read as noise, [as a rule](Self::set_resets_read_zero), as do the reserved bits. Counts can be written at any time.
///
/// Not simulated are EVNTBUS, the System Validation counters, which share the flip-flops of the
/// counters, and the identification registers of the core.
#[derive(Debug)]
pub struct Arm11 {
    port: RefCell<Port<State, Coprocessor>>,
}

/// Condition under which a write of one clears an overflow flag of an [`Arm11`].
///
/// E has to be 1. No document says whether before the write or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FlagsClear {
    /// If E is 1 and is written as 1.
    #[default]
    IfEnabledThroughout,
    /// If E is 1 before the write.
    IfEnabledBefore,
    /// If E is written as 1.
    IfEnabledByWrite,
}

/// The simulated core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Core {
    Arm1136,
    Arm1156,
    Arm1176,
}

impl Core {
    const fn registers(self) -> &'static [Cp15Register] {
        match self {
            Self::Arm1136 => map::ARM1136,
            Self::Arm1156 => map::ARM1156,
            Self::Arm1176 => map::ARM1176,
        }
    }

    /// The path of the events of this core.
    const fn pmu(self) -> &'static str {
        match self {
            Self::Arm1136 => "arm11::arm1136",
            Self::Arm1156 => "arm11::arm1156",
            Self::Arm1176 => "arm11::arm1176",
        }
    }

    const fn midr(self) -> u32 {
        match self {
            Self::Arm1136 => 0x4107_B360,
            Self::Arm1156 => 0x410F_B560,
            Self::Arm1176 => 0x410F_B760,
        }
    }
}

impl Arm11 {
    /// All CP15 registers of the performance monitor of an ARM1136.
    ///
    /// Here, an access to any other register is an Undefined Instruction exception.
    pub const ARM1136_REGISTERS: &'static [Cp15Register] = map::ARM1136;
    /// All such registers of an ARM1156. See [`ARM1136_REGISTERS`](Self::ARM1136_REGISTERS).
    pub const ARM1156_REGISTERS: &'static [Cp15Register] = map::ARM1156;
    /// All such registers of an ARM1176, with its V bit.
    ///
    /// See [`ARM1136_REGISTERS`](Self::ARM1136_REGISTERS).
    pub const ARM1176_REGISTERS: &'static [Cp15Register] = map::ARM1176;

    /// The performance monitor of an ARM1136 after a reset.
    #[must_use]
    pub fn arm1136() -> Self {
        Self::new(Core::Arm1136)
    }

    /// The performance monitor of an ARM1156 after a reset.
    #[must_use]
    pub fn arm1156() -> Self {
        Self::new(Core::Arm1156)
    }

    /// The performance monitor of an ARM1176 after a reset.
    #[must_use]
    pub fn arm1176() -> Self {
        Self::new(Core::Arm1176)
    }

    fn new(core: Core) -> Self {
        Self { port: RefCell::new(Port::new(State::new(core))) }
    }

    fn core(&self) -> Core {
        self.port.borrow().device.core
    }

    /// The registers of this core, such as [`ARM1176_REGISTERS`](Self::ARM1176_REGISTERS).
    #[must_use]
    pub fn registers(&self) -> &'static [Cp15Register] {
        self.core().registers()
    }

    /// The numbers of all events of this core, in ascending order.
    #[must_use]
    pub fn events(&self) -> &'static [u8] {
        self.core().events()
    }

    /// The Main ID Register of this core, which is not on the buses. The implementer and the part
    /// number are known; revision and variant are 0, and the architecture code is from memory.
    #[must_use]
    pub fn midr(&self) -> u32 {
        self.core().midr()
    }

    /// Signals an event of this core, such as `Arm1176Event::DataCacheMiss`, `times` times.
    ///
    /// It has no effect if the event is not listed. Stores that have not taken effect yet have no
    /// effect on the count. For the ETMEXTOUT events, see [`signal_raw`](Self::signal_raw).
    ///
    /// # Panics
    ///
    /// If it is an event of another core.
    #[track_caller]
    pub fn signal(&self, event: impl arm_pmu_core::event::Selectable, times: u32) {
        self.signal_raw(crate::selected::id(event, self.core().pmu()) as u8, times);
    }

    /// Signals only the event with this number, `times` times.
    ///
    /// It signals a single ETMEXTOUT event, 0x20 to 0x22, unlike [`etmextout`](Self::etmextout),
    /// which signals all that apply. 0xFF is a [clock cycle](Self::clock).
    ///
    /// It has no effect if the core has no such event. Stores that have not taken effect yet have
    /// no effect on the count.
    pub fn signal_raw(&self, event: u8, times: u32) {
        if times > 0 {
            self.state(|state| state.signal(event, times));
        }
    }

    /// Asserts ETMEXTOUT\[0\], ETMEXTOUT\[1\] or both for this many cycles.
    ///
    /// Event 0x20 counts the first, 0x21 the second, and 0x22 both: two for a cycle with both. Only
    /// [`clock`](Self::clock) runs the clock.
    pub fn etmextout(&self, lines: [bool; 2], cycles: u32) {
        if cycles > 0 {
            self.state(|state| state.etmextout(lines, cycles));
        }
    }

    /// Runs the clock for this many cycles. Stores that have not taken effect yet have no effect on
    /// the count.
    pub fn clock(&self, cycles: u64) {
        self.state(|state| state.clock(cycles));
    }

    /// Returns whether nPMUIRQ is asserted.
    #[must_use]
    pub fn interrupt(&self) -> bool {
        self.port.borrow().device.reports(INTERRUPT_ENABLES)
    }

    /// Returns whether nPMUFIQ is asserted, which only an ARM1156 has.
    ///
    /// A counter with both enables set asserts both outputs: no document says that one takes
    /// precedence.
    #[must_use]
    pub fn fast_interrupt(&self) -> bool {
        self.core() == Core::Arm1156 && self.port.borrow().device.reports(FAST_INTERRUPT_ENABLES)
    }

    /// Sets when a write to a flag clears it: [`FlagsClear::IfEnabledThroughout`] by default.
    ///
    /// A driver that works under that condition works under the others too.
    pub fn set_flags_clear(&self, when: FlagsClear) {
        self.state(|state| state.flags_clear = when);
    }

    /// Sets whether User mode can access the registers. Off by default.
    ///
    /// On an ARM1176 that is the V bit, which privileged software can set too. On the other cores
    /// it is fixed but not known: issue H of the ARM1136 manual permits access and issue K does
    /// not. AN195 permits it on all cores.
    pub fn set_user_access(&self, open: bool) {
        self.state(|state| state.set_user_access(open));
    }

    /// Sets whether the core is in Debug state, halted by a debugger.
    ///
    /// All counters then stand still, as in an ARM1136 since r1p0. For an ARM1156 this is inferred
    /// from the other cores.
    pub fn set_debug_state(&self, debug: bool) {
        self.state(|state| state.debug_state = debug);
    }

    /// Sets whether software runs in the Secure state from now on.
    ///
    /// # Panics
    ///
    /// If this is not an ARM1176: the others have no Secure state.
    #[track_caller]
    pub fn set_secure(&self, secure: bool) {
        self.check_secure();
        self.state(|state| state.secure = secure);
    }

    /// Sets whether events of the Secure state are counted. Off by default.
    ///
    /// SPNIDEN permits it, and SUNIDEN in User mode too.
    ///
    /// # Panics
    ///
    /// If this is not an ARM1176.
    #[track_caller]
    pub fn set_secure_observed(&self, observed: bool) {
        self.check_secure();
        self.state(|state| state.secure_observed = observed);
    }

    /// Sets whether the cycle counter also stops where Secure events are not counted.
    ///
    /// The manual mentions only events. By default, it does not.
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
        assert!(self.core() == Core::Arm1176, "only an ARM1176 has a Secure state");
    }

    /// Sets the number of cycles between a write that sets E and the first count. 0 by default.
    ///
    /// Until then, no event is counted either. The ARM1176 manual says about three. It applies to
    /// the next such write.
    pub fn set_start_delay(&self, cycles: u64) {
        self.state(|state| state.start_delay = cycles);
    }

    /// Sets whether C and P read as zero. By default, they read as noise.
    ///
    /// AN195 calls them unpredictable when read.
    ///
    /// Linux (arm_v6_pmu.c) needs this: it writes the control register back as it read it, with one bit
    /// changed, and would reset counters if it read ones.
    pub fn set_resets_read_zero(&self, zero: bool) {
        self.state(|state| state.resets_read_zero = zero);
    }

    /// Sets whether C also resets the divider by 64.
    ///
    /// Then the first count comes after a full 64 cycles. No document says. By default, it does not.
    pub fn set_reset_reaches_divider(&self, reaches: bool) {
        self.state(|state| state.reset_reaches_divider = reaches);
    }

    /// Powers up with noise in every bit that software or the device can change.
    ///
    /// That includes V on an ARM1176. A previous owner left the bits so. See
    /// [`power_up`](Self::power_up).
    pub fn power_up_with(&self, mut noise: Noise) {
        self.power_up();
        self.state(|state| state.scramble(&mut noise));
    }

    /// Another owner (firmware, idle code, a debugger, a second driver) clears E. It takes effect at
    /// once and is not in the journal.
    pub fn other_owner_disables_all(&self) {
        self.state(|state| state.registers.poke((CONTROL, 0), state.control() & !E));
    }

    /// Another owner selects another event on one event counter. It takes effect at once and is not
    /// in the journal.
    ///
    /// # Panics
    ///
    /// If `counter` is not less than 2.
    #[track_caller]
    pub fn other_owner_selects(&self, counter: usize, event: u8) {
        assert!(counter < COUNTERS, "there is no counter {counter}");
        let shift = EVENTS[counter];
        self.state(|state| {
            let control = state.control() & !(0xFF << shift) | u32::from(event) << shift;
            state.registers.poke((CONTROL, 0), control);
        });
    }
}

crate::handle::core_methods!(
    Arm11, Cp15Bus<Cp15Space>, Cp15Access, Violation, Operands => u32, log: registers
);

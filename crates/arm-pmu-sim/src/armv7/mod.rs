//! The performance monitor of the Cortex-A8.
//!
//! Sources: the Cortex-A8 manual (DDI 0344) for PMXEVTYPER with the events, PMCR, PMCCNTR, PMOVSR and PMINTENCLR and
//! who may access them; Linux and the manual of the Cortex-R4 (DDI 0363) for the other registers.

mod events;
mod map;
mod state;

use std::cell::RefCell;

use crate::cp15::Cp15Register;
use crate::cp15::{Coprocessor, cp15_methods};
use crate::noise::Noise;
use crate::port::Port;

use map::{COUNTERS, CYCLES, E, EN, PMCNTENSET, PMCR, PMUSERENR, PMXEVCNTR, PMXEVTYPER, SEL};
use state::State;

/// The simulated performance monitor of a Cortex-A8 core.
///
/// A new device is in its reset state: counters, event selections, enables, flags and the selector,
/// for which no document gives a value, hold noise. Non-invasive debug is permitted, User mode has
/// no access, and stores are posted. All methods take `&self`: a test can change every setting,
/// signal events and let the clock run while a driver owns a bus.
///
/// # What counts
///
/// An [event](Self::signal) adds one to each event counter whose event selection names it, whose bit
/// of PMCNTENSET and PMCR.E are 1, if non-invasive debug is permitted. Event 0x00 is a write of one to the
/// counter's bit of PMSWINC. A counter with a reserved number counts nothing.
///
/// The cycle counter counts [clock cycles](Self::clock), with PMCR.D every 64th, while its bit of
/// PMCNTENSET and PMCR.E are 1 and non-invasive debug is permitted or PMCR.DP is 0.
///
/// # The selector
///
/// PMXEVTYPER and PMXEVCNTR access the counter that PMSELR selects. After a write of PMSELR, they
/// may access [another one](Self::set_stale_selector) until software synchronizes. With a selector
/// above 3 they read as noise and ignore writes.
///
/// # What an overflow does
///
/// The counter continues from zero and its bit of PMOVSR is set until it is written as one. nPMUIRQ
/// is LOW (asserted) while a bit of PMOVSR and the same bit of PMINTENSET are 1, whether or not the
/// counter is enabled.
///
/// # What is reset, and what can be written
///
/// PMCR.P zeroes the event counters, PMCR.C the cycle counter, running or not; neither touches a
/// flag. A write of PMCCNTR while it is enabled leaves noise in it, unless that is [switched
/// off](Self::set_running_cycles_spoil). So does a write of
/// [PMXEVCNTR](Self::set_running_counts_spoil).
///
/// Not simulated are the ETM, and the identification registers of the core.
///
/// ```
/// use arm_pmu_core::bus::{Bus, Operands};
/// use arm_pmu_sim::{CortexA8, Violation};
///
/// const PMSELR: Operands = Operands { opc1: 0, crn: 9, crm: 12, opc2: 5 };
/// const PMXEVTYPER: Operands = Operands { opc1: 0, crn: 9, crm: 13, opc2: 1 };
///
/// let device = CortexA8::new();
/// let bus = device.bus();
/// bus.mcr(PMSELR, 2);
/// bus.synchronize();
/// bus.mcr(PMXEVTYPER, 0x43); // L2 cache accesses
/// bus.synchronize();
/// assert_eq!(device.peek_event(2), 0x43);
///
/// bus.mcr(PMSELR, 3);
/// bus.mcr(PMXEVTYPER, 0x44); // too early: this reaches counter 2
/// bus.synchronize();
/// assert_eq!(device.peek_event(2), 0x44);
/// assert_eq!(device.violations(), [Violation::SelectorNotSynchronized { operands: PMXEVTYPER }]);
///
/// // User mode has no access yet: an undefined instruction.
/// let user = device.user_bus();
/// assert_eq!(user.mrc(PMXEVTYPER), 0);
/// assert!(user.error().is_some());
/// ```
#[derive(Debug)]
pub struct CortexA8 {
    port: RefCell<Port<State, Coprocessor>>,
}

/// Counter that PMXEVTYPER and PMXEVCNTR access between a write of PMSELR and a synchronization.
///
/// It is a setting of a [`CortexA8`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum StaleSelector {
    /// The one that was selected when software last synchronized.
    #[default]
    Old,
    /// Any of the four, drawn at each access.
    Random,
    /// The one that PMSELR names now.
    New,
}

impl CortexA8 {
    /// All CP15 registers of the performance monitor.
    ///
    /// Here, an access to any other register is an Undefined Instruction exception.
    pub const REGISTERS: &'static [Cp15Register] = map::REGISTERS;
    /// The numbers of all events, in ascending order.
    pub const EVENTS: &'static [u8] = events::EVENTS;
    /// The Main ID Register of an r3 core, which is not behind the buses.
    pub const MIDR: u32 = 0x413F_C080;

    /// The performance monitor after a reset.
    #[must_use]
    pub fn new() -> Self {
        Self { port: RefCell::new(Port::new(State::new())) }
    }

    /// Returns the count of an event counter, without an access, whatever is selected.
    ///
    /// # Panics
    ///
    /// If `counter` is not less than 4.
    #[must_use]
    #[track_caller]
    pub fn peek_counter(&self, counter: usize) -> u32 {
        check(counter);
        self.port.borrow().device.registers.get((PMXEVCNTR, counter))
    }

    /// Changes the count of an event counter, without an access, whatever is selected.
    ///
    /// # Panics
    ///
    /// If `counter` is not less than 4.
    #[track_caller]
    pub fn poke_counter(&self, counter: usize, value: u32) {
        check(counter);
        self.state(|state| state.registers.poke((PMXEVCNTR, counter), value));
    }

    /// Returns the event number of an event counter, without an access, whatever is selected.
    ///
    /// # Panics
    ///
    /// If `counter` is not less than 4.
    #[must_use]
    #[track_caller]
    pub fn peek_event(&self, counter: usize) -> u8 {
        check(counter);
        self.port.borrow().device.registers.get((PMXEVTYPER, counter)) as u8
    }

    /// Changes the event of an event counter, without an access, whatever is selected.
    ///
    /// # Panics
    ///
    /// If `counter` is not less than 4.
    #[track_caller]
    pub fn poke_event(&self, counter: usize, event: u8) {
        check(counter);
        self.state(|state| state.registers.poke((PMXEVTYPER, counter), event.into()));
    }

    /// Signals an event, such as `CortexA8Event::InstructionExecuted`, `times` times.
    ///
    /// Nothing happens if it is not listed, or if only software causes it. Stores that have not
    /// taken effect yet have no effect on the count.
    ///
    /// # Panics
    ///
    /// If it is an event of another core.
    #[track_caller]
    pub fn signal(&self, event: impl arm_pmu_core::event::Selectable, times: u32) {
        self.signal_raw(crate::selected::id(event, "cortex-a8") as u8, times);
    }

    /// Signals an event by its number, also one that the manual does not list. 0x11 is a [clock
    /// cycle](Self::clock).
    ///
    /// Nothing happens if there is no such event, or if it is 0x00, which only software causes.
    /// Stores that have not taken effect yet have no effect on the count.
    pub fn signal_raw(&self, event: u8, times: u32) {
        self.state(|state| state.signal(event, times));
    }

    /// Runs the clock for this many cycles. Stores that have not taken effect yet have no effect on
    /// the count.
    pub fn clock(&self, cycles: u64) {
        self.state(|state| state.clock(cycles));
    }

    /// Returns whether nPMUIRQ is asserted.
    #[must_use]
    pub fn interrupt(&self) -> bool {
        self.port.borrow().device.interrupt_line()
    }

    /// Sets whether non-invasive debug is permitted.
    ///
    /// The inputs are NIDEN, and in the Secure state SPNIDEN or SUNIDEN. Without permission, event
    /// counters stand still, and with PMCR.DP the cycle counter too. It has no effect on register
    /// accesses.
    pub fn set_niden(&self, high: bool) {
        self.state(|state| state.niden = high);
    }

    /// Sets PMUSERENR.EN, by which privileged software permits access in User mode. 0 at first.
    pub fn set_user_access(&self, open: bool) {
        self.state(|state| state.set(PMUSERENR, if open { EN } else { 0 }));
    }

    /// Sets which counter is accessed before a write of PMSELR takes effect. The old one at first.
    pub fn set_stale_selector(&self, reached: StaleSelector) {
        self.state(|state| state.stale_selector = reached);
    }

    /// Causes an interrupt, after this many accesses, whose handler moves the selector.
    ///
    /// Loads and stores of any bus count. With 0, it comes before the next access. The handler does
    /// not restore the selector. It runs once, takes effect at once and is not in the journal.
    ///
    /// # Panics
    ///
    /// If `selector` has more than five bits.
    #[track_caller]
    pub fn interrupt_moves_selector_after(&self, accesses: usize, selector: u8) {
        check_selector(selector);
        self.state(|state| state.interrupt = Some((accesses, selector)));
    }

    /// Sets whether a write of PMXEVCNTR while the counter is enabled leaves noise in it.
    ///
    /// No document at hand says. At first it does, as for PMCCNTR.
    pub fn set_running_counts_spoil(&self, spoil: bool) {
        self.state(|state| state.running_counts_spoil = spoil);
    }

    /// Sets whether a write of PMCCNTR while the cycle counter is enabled leaves noise in it.
    ///
    /// The manual warns of that. At first it does.
    ///
    /// The overflow handlers of Linux (`armv7pmu_handle_irq`, by `armpmu_event_set_period` and
    /// `armv7pmu_write_counter`) and of FreeBSD (hwpmc_armv7.c, `armv7_intr`, by `armv7_write_pmc`)
    /// write it like that. With `false`, this works.
    pub fn set_running_cycles_spoil(&self, spoil: bool) {
        self.state(|state| state.running_cycles_spoil = spoil);
    }

    /// Sets whether PMCR.C also resets the divider by 64.
    ///
    /// Then the first count comes after a full 64 cycles. No document at hand says. At first it
    /// does not.
    pub fn set_reset_reaches_divider(&self, reaches: bool) {
        self.state(|state| state.reset_reaches_divider = reaches);
    }

    /// Sets PMCR.N, to simulate another product or a hypervisor that reserves counters. 4 at first.
    ///
    /// All four event counters exist whatever its value.
    ///
    /// # Panics
    ///
    /// If `counters` has more than five bits.
    #[track_caller]
    pub fn set_number_of_counters(&self, counters: u8) {
        assert!(counters <= 0x1F, "PMCR.N {counters:#x} has more than five bits");
        self.state(|state| {
            state.number_of_counters = counters;
            state.identify();
        });
    }

    /// Powers up with noise in every bit that software or the device can change.
    ///
    /// That includes the selector, PMCR and PMUSERENR.EN. A previous owner left the bits so. See
    /// [`power_up`](Self::power_up).
    pub fn power_up_with(&self, mut noise: Noise) {
        self.power_up();
        self.state(|state| state.scramble(&mut noise));
    }

    /// Another owner (firmware, idle code, a debugger, a second driver) clears the enable of one event
    /// counter. It takes effect at once and is not in the journal.
    ///
    /// # Panics
    ///
    /// If `counter` is not less than 4.
    #[track_caller]
    pub fn other_owner_disables(&self, counter: usize) {
        check(counter);
        self.disable(counter);
    }

    /// Another owner clears the enable of the cycle counter. It takes effect at once and is not in the
    /// journal.
    pub fn other_owner_disables_cycles(&self) {
        self.disable(CYCLES);
    }

    fn disable(&self, counter: usize) {
        self.state(|state| state.set(PMCNTENSET, state.get(PMCNTENSET) & !(1 << counter)));
    }

    /// Another owner clears PMCR.E. It takes effect at once and is not in the journal.
    pub fn other_owner_disables_all(&self) {
        self.state(|state| state.set(PMCR, state.get(PMCR) & !E));
    }

    /// Another owner selects another event on one event counter, and restores the selector. It
    /// takes effect at once and is not in the journal.
    ///
    /// # Panics
    ///
    /// If `counter` is not less than 4.
    #[track_caller]
    pub fn other_owner_selects(&self, counter: usize, event: u8) {
        self.poke_event(counter, event);
    }

    /// Another owner leaves another value in PMSELR. It takes effect at once and is not in the
    /// journal.
    ///
    /// # Panics
    ///
    /// If `selector` has more than five bits.
    #[track_caller]
    pub fn other_owner_moves_selector(&self, selector: u8) {
        check_selector(selector);
        self.state(|state| state.select(selector));
    }
}

cp15_methods!(CortexA8);

impl Default for CortexA8 {
    fn default() -> Self {
        Self::new()
    }
}

#[track_caller]
fn check(counter: usize) {
    assert!(counter < COUNTERS, "there is no counter {counter}");
}

#[track_caller]
fn check_selector(selector: u8) {
    assert!(u32::from(selector) <= SEL, "PMSELR {selector:#x} has more than five bits");
}

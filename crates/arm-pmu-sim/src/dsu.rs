//! Cluster PMU of a DynamIQ Shared Unit.
//!
//! Sources: the manual of the DSU-120AE (107721_0001) for registers, fields, resets, access rights and events; Linux
//! (`drivers/perf/arm_dsu_pmu.c`) for the cycle counter and the widths of the other products.

use std::cell::RefCell;

use arm_pmu_core::bus::SystemRegister;
use arm_pmu_core::event::Selectable;

use crate::access::{Mode, UserAccess};
use crate::armv7::StaleSelector;
use crate::noise::Noise;
use crate::pmuv3::ExceptionLevel;
use crate::port::{Device, Port};
use crate::register_file::RegisterFile;
use crate::sysreg::{SysregRegister, SysregViolation};

const COUNTERS: usize = 6;
const EVENT_COUNTERS: u64 = (1 << COUNTERS) - 1;
const CYCLES: u64 = 1 << 31;
/// Number of the event that occurs in every cycle.
const EVERY_CYCLE: u16 = 0x11;

/// CLUSTERPMCR\[0\]: enables all counters.
const E: u64 = 1 << 0;
/// CLUSTERPMCR\[9\]: stops the event counters after an overflow.
const FZO: u64 = 1 << 9;
/// CLUSTERPMMDCR\[0\]: counts Secure traffic.
const SPME: u64 = 1 << 0;

const fn el1(crm: u8, op2: u8) -> SystemRegister {
    SystemRegister { op0: 3, op1: 0, crn: 15, crm, op2 }
}

const PMCR: SystemRegister = el1(5, 0);
const CNTENSET: SystemRegister = el1(5, 1);
const CNTENCLR: SystemRegister = el1(5, 2);
const OVSSET: SystemRegister = el1(5, 3);
const OVSCLR: SystemRegister = el1(5, 4);
const SELR: SystemRegister = el1(5, 5);
const INTENSET: SystemRegister = el1(5, 6);
const INTENCLR: SystemRegister = el1(5, 7);
const CCNTR: SystemRegister = el1(6, 0);
const XEVTYPER: SystemRegister = el1(6, 1);
const XEVCNTR: SystemRegister = el1(6, 2);
const MDCR_EL3: SystemRegister = SystemRegister { op1: 6, ..el1(6, 3) };
const CEID0: SystemRegister = el1(6, 4);
const CEID1: SystemRegister = el1(6, 5);

const fn row(name: &'static str, register: SystemRegister) -> SysregRegister {
    SysregRegister { user: UserAccess::Never, ..SysregRegister::new(name, register) }
}

const fn sets(name: &'static str, register: SystemRegister) -> SysregRegister {
    let all = EVENT_COUNTERS | CYCLES;
    SysregRegister { write_one_to_set: all, unknown: all, ..row(name, register) }
}

const fn clears(
    name: &'static str,
    register: SystemRegister,
    held_at: SystemRegister,
) -> SysregRegister {
    let all = EVENT_COUNTERS | CYCLES;
    SysregRegister { write_one_to_clear: all, unknown: all, held_at, ..row(name, register) }
}

const fn holds(name: &'static str, register: SystemRegister, bits: u64) -> SysregRegister {
    SysregRegister { read_write: bits, unknown: bits, ..row(name, register) }
}

/// Differences between the products.
#[derive(Clone, Copy, Debug)]
struct Product {
    /// The bits of an event counter.
    count: u64,
    has_cycle_counter: bool,
    ceid: [u64; 2],
}

/// Simulated cluster PMU of a DynamIQ Shared Unit.
///
/// [`new`](Self::new) is a DSU-110, which has 64-bit event counters and a cycle counter; [`first`](Self::first) and
/// [`dsu120`](Self::dsu120) are other products. Writing 1 to the bits of a missing counter has no effect.
///
/// Software on [`bus`](Self::bus) runs at EL3, where every access is allowed, until [`set_level`](Self::set_level)
/// changes the level. Each access by software at EL0 is trapped. Pairs of counters (CHAIN) are not simulated.
#[derive(Debug)]
pub struct Dsu {
    port: RefCell<Port<State, SysregRegister>>,
}

impl Dsu {
    /// All registers. An access to any other register is a trap.
    ///
    /// XEVTYPER and XEVCNTR belong to the selected counter.
    pub const REGISTERS: &'static [SysregRegister] = &[
        // [31:24] IMP, [23:16] IDCODE, [15:11] N, [9] FZO, [0] E.
        SysregRegister {
            read_only: 0xFFFF_F800,
            read_write: FZO | E,
            reset: (COUNTERS as u64) << 11,
            ..row("CLUSTERPMCR_EL1", PMCR)
        },
        sets("CLUSTERPMCNTENSET_EL1", CNTENSET),
        clears("CLUSTERPMCNTENCLR_EL1", CNTENCLR, CNTENSET),
        sets("CLUSTERPMOVSSET_EL1", OVSSET),
        clears("CLUSTERPMOVSCLR_EL1", OVSCLR, OVSSET),
        holds("CLUSTERPMSELR_EL1", SELR, 0x1F),
        sets("CLUSTERPMINTENSET_EL1", INTENSET),
        clears("CLUSTERPMINTENCLR_EL1", INTENCLR, INTENSET),
        holds("CLUSTERPMCCNTR_EL1", CCNTR, u64::MAX),
        holds("CLUSTERPMXEVTYPER_EL1", XEVTYPER, 0xFFFF),
        holds("CLUSTERPMXEVCNTR_EL1", XEVCNTR, u64::MAX),
        SysregRegister { read_write: 0b11, ..row("CLUSTERPMMDCR_EL3", MDCR_EL3) },
        SysregRegister {
            read_only: u64::MAX,
            reset: 0x0000_1E00_2602_0000,
            ..row("CLUSTERPMCEID0_EL1", CEID0)
        },
        SysregRegister { read_only: 0xFFFF_FFFF, ..row("CLUSTERPMCEID1_EL1", CEID1) },
    ];

    /// The numbers of all events, in ascending order.
    pub const EVENTS: &'static [u16] = crate::selected::events!(
        u16: 0x11, 0x19, 0x1A, 0x1D, 0x1E, 0x29..=0x2C, 0x60..=0x65, 0xA0..=0xA3, 0xC0..=0xC2,
             0xD0, 0xF3..=0xF5, 0x119, 0x11D, 0x160, 0x161, 0x219, 0x21D, 0x260, 0x261,
             0x500..=0x504, 0x510..=0x515, 0x520..=0x524
    );

    /// Returns the PMU of a DSU-110 after a reset: event counters of 64 bits, and a cycle counter.
    #[must_use]
    pub fn new() -> Self {
        let product = Product { has_cycle_counter: true, ..DSU_120AE };
        Self { port: RefCell::new(Port::new(State::new(product))) }
    }

    /// Returns the PMU of an original DSU after a reset: event counters of 32 bits, and a cycle counter.
    ///
    /// CLUSTERPMCEID1_EL1 reports the events from 0x20 on.
    #[must_use]
    pub fn first() -> Self {
        let product =
            Product { count: 0xFFFF_FFFF, has_cycle_counter: true, ceid: [0x2602_0000, 0x1E00] };
        Self { port: RefCell::new(Port::new(State::new(product))) }
    }

    /// Returns the PMU of a DSU-120 or DSU-120AE after a reset: event counters of 64 bits, and no cycle counter.
    #[must_use]
    pub fn dsu120() -> Self {
        Self { port: RefCell::new(Port::new(State::new(DSU_120AE))) }
    }

    /// Sets the level of software on [`bus`](Self::bus). This bus stands for privileged software, so EL0 has the same
    /// effect as EL1.
    pub fn set_level(&self, level: ExceptionLevel) {
        self.state(|state| state.level = level);
    }

    /// Sets the CLUSTERPMUEN bits of ACTLR_EL2 and ACTLR_EL3, which are 0 after a reset.
    ///
    /// While the bit of ACTLR_EL3 is 0, writes below EL3 are trapped. While the bit of ACTLR_EL2 is 0, writes below
    /// EL2 are trapped.
    pub fn set_clusterpmuen(&self, el2: bool, el3: bool) {
        self.state(|state| state.clusterpmuen = [el2, el3]);
    }

    /// Signals an event of Non-secure traffic `times` times.
    ///
    /// Stores that have not taken effect yet do not influence the count.
    ///
    /// # Panics
    ///
    /// If the event belongs to another PMU.
    #[track_caller]
    pub fn signal(&self, event: impl Selectable, times: u32) {
        self.signal_raw(crate::selected::id(event, "dsu"), times);
    }

    /// Signals an event of Secure traffic; the event is counted only while CLUSTERPMMDCR_EL3.SPME is 1.
    ///
    /// # Panics
    ///
    /// As for [`signal`](Self::signal).
    #[track_caller]
    pub fn signal_secure(&self, event: impl Selectable, times: u32) {
        let code = crate::selected::id(event, "dsu");
        self.state(|state| {
            if state.get(MDCR_EL3) & SPME != 0 {
                state.happen(code, times.into());
            }
        });
    }

    /// Signals an event by its number. 0x11 is a [clock cycle](Self::clock); an overflow never causes 0x1E (CHAIN).
    pub fn signal_raw(&self, event: u16, times: u32) {
        self.state(|state| match event {
            EVERY_CYCLE => state.clock(times.into()),
            _ => state.happen(event, times.into()),
        });
    }

    /// Selects whether the clock of the cluster unit is stopped.
    pub fn set_clock_gated(&self, gated: bool) {
        self.state(|state| state.is_gated = gated);
    }

    /// Selects the counter that is accessed while a write of SELR has not taken effect yet. By default, this is the
    /// previously selected counter.
    pub fn set_stale_selector(&self, reached: StaleSelector) {
        self.state(|state| state.stale_selector = reached);
    }

    /// Returns the count of an event counter, without an access.
    #[must_use]
    #[track_caller]
    pub fn peek_counter(&self, counter: usize) -> u32 {
        crate::handle::check(COUNTERS, counter);
        self.port.borrow().device.counts[counter] as u32
    }

    /// Changes the count of an event counter, without an access.
    #[track_caller]
    pub fn poke_counter(&self, counter: usize, value: u32) {
        crate::handle::check(COUNTERS, counter);
        self.state(|state| state.counts[counter] = value.into());
    }

    /// Returns the event number of an event counter, without an access.
    #[must_use]
    #[track_caller]
    pub fn peek_event(&self, counter: usize) -> u16 {
        crate::handle::check(COUNTERS, counter);
        self.port.borrow().device.events[counter]
    }

    /// Another owner selects another event on one event counter, and restores the selector. The change takes effect at
    /// once and, like all changes by another owner, is not in the journal.
    #[track_caller]
    pub fn other_owner_selects(&self, counter: usize, event: u16) {
        crate::handle::check(COUNTERS, counter);
        self.state(|state| state.events[counter] = event);
    }

    /// Another owner leaves another value in SELR.
    ///
    /// # Panics
    ///
    /// If `selector` has more than five bits.
    #[track_caller]
    pub fn other_owner_moves_selector(&self, selector: u8) {
        crate::armv7::check_selector(selector);
        self.poke(SELR, selector.into());
    }
}

crate::handle::core_methods!(
    Dsu, SysregBus<SysregSpace>, SysregAccess, SysregViolation, SystemRegister => u64,
    noise in: "every bit that software or the device can change"
);
crate::handle::counter_methods!(Dsu, enables: CNTENSET, control: PMCR);

/// According to the table and the reset value in the manual of the DSU-120AE, CLUSTERPMCEID0\[63:32\] reports the
/// events from 0x20 on.
const DSU_120AE: Product =
    Product { count: u64::MAX, has_cycle_counter: false, ceid: [0x0000_1E00_2602_0000, 0] };

/// Registers, and settings for behaviour that the documents leave open.
#[derive(Debug)]
struct State {
    product: Product,
    /// All registers except XEVTYPER and XEVCNTR, which belong to the selected counter.
    registers: RegisterFile<SysregRegister>,
    events: [u16; COUNTERS],
    counts: [u64; COUNTERS],
    /// SELR at the last synchronization.
    settled_selector: u64,
    stale_selector: StaleSelector,
    level: ExceptionLevel,
    /// The bits of ACTLR_EL2 and ACTLR_EL3.
    clusterpmuen: [bool; 2],
    is_gated: bool,
}

impl State {
    fn new(product: Product) -> Self {
        let mut state = Self {
            product,
            registers: RegisterFile::new(Dsu::REGISTERS, Noise::Seeded(110)),
            events: [0; COUNTERS],
            counts: [0; COUNTERS],
            settled_selector: 0,
            stale_selector: StaleSelector::Old,
            level: ExceptionLevel::El3,
            clusterpmuen: [false; 2],
            is_gated: false,
        };
        state.complete_reset();
        state
    }

    fn power_up(&mut self) {
        self.registers.reset();
        self.complete_reset();
    }

    fn complete_reset(&mut self) {
        let mut noise = self.registers.noise;
        self.draw_counters(&mut noise);
        self.registers.noise = noise;
        let [first, second] = self.product.ceid;
        self.set(CEID0, first);
        self.set(CEID1, second);
        self.synchronize();
    }

    /// Writes noise to all bits that software can change.
    fn scramble(&mut self, noise: &mut Noise) {
        let is_view = |row: &&SysregRegister| row.register != row.held_at;
        let rows = Dsu::REGISTERS.iter().filter(|row| !is_view(row));
        self.registers.scramble(rows, noise);
        self.draw_counters(noise);
        self.synchronize();
    }

    fn draw_counters(&mut self, noise: &mut Noise) {
        self.events = [(); COUNTERS].map(|()| noise.draw() as u16);
        self.counts = [(); COUNTERS].map(|()| noise.draw_word::<u64>() & self.product.count);
    }

    /// The counter that SELR selects, if there is one.
    fn selected(&self) -> Option<usize> {
        usize::try_from(self.get(SELR)).ok().filter(|counter| *counter < COUNTERS)
    }

    /// The counter that an access to XEVTYPER or XEVCNTR reaches.
    fn reached(&mut self, register: SystemRegister) -> Option<usize> {
        if self.get(SELR) != self.settled_selector {
            self.registers.record(SysregViolation::SelectorNotSynchronized { register });
            match self.stale_selector {
                StaleSelector::New => {}
                StaleSelector::Old => {
                    let old = self.settled_selector as usize;
                    return (old < COUNTERS).then_some(old);
                }
                StaleSelector::Random => return Some(self.registers.draw() as usize % COUNTERS),
            }
        }
        self.selected()
    }

    /// Returns the bits of a register that exist in this product.
    fn mask(&self, register: SystemRegister) -> u64 {
        match register {
            _ if self.product.has_cycle_counter => u64::MAX,
            CCNTR => 0,
            CNTENSET | CNTENCLR | OVSSET | OVSCLR | INTENSET | INTENCLR => EVENT_COUNTERS,
            _ => u64::MAX,
        }
    }

    fn get(&self, register: SystemRegister) -> u64 {
        self.registers.load(register) & self.mask(register)
    }

    fn set(&mut self, register: SystemRegister, value: u64) {
        self.registers.poke(register, value);
    }

    #[track_caller]
    fn peek(&self, register: SystemRegister) -> u64 {
        match (register, self.selected()) {
            (XEVTYPER, selected) => selected.map_or(0, |counter| self.events[counter].into()),
            (XEVCNTR, selected) => selected.map_or(0, |counter| self.counts[counter]),
            _ => self.registers.peek(register) & self.mask(register),
        }
    }

    #[track_caller]
    fn poke(&mut self, register: SystemRegister, value: u64) {
        match (register, self.selected()) {
            (XEVTYPER, Some(counter)) => self.events[counter] = value as u16,
            (XEVCNTR, Some(counter)) => self.counts[counter] = value & self.product.count,
            _ => self.set(register, value),
        }
        if register == SELR {
            self.synchronize();
        }
    }

    fn interrupt_line(&self) -> bool {
        self.get(OVSSET) & self.get(INTENSET) != 0
    }

    fn is_enabled(&self, bit: u64) -> bool {
        self.get(PMCR) & E != 0 && self.get(CNTENSET) & bit != 0 && !self.is_gated
    }

    fn flag(&mut self, bit: u64) {
        self.set(OVSSET, self.get(OVSSET) | bit);
    }

    /// Adds to all event counters that run and count this event.
    fn happen(&mut self, event: u16, times: u64) {
        for counter in 0..COUNTERS {
            let is_frozen = self.get(PMCR) & FZO != 0 && self.get(OVSSET) & EVENT_COUNTERS != 0;
            if self.events[counter] != event || !self.is_enabled(1 << counter) || is_frozen {
                continue;
            }
            let after = u128::from(self.counts[counter]) + u128::from(times);
            self.counts[counter] = after as u64 & self.product.count;
            if after > self.product.count.into() {
                self.flag(1 << counter);
            }
        }
    }
}

impl Device<SysregRegister> for State {
    fn admits(&self, register: SystemRegister, mode: Mode, is_store: bool) -> bool {
        let [el2, el3] = self.clusterpmuen;
        let is_open = match self.level {
            ExceptionLevel::El3 => true,
            _ if register == MDCR_EL3 => false,
            ExceptionLevel::El2 => !is_store || el3,
            _ => !is_store || el2 && el3,
        };
        mode == Mode::Privileged && is_open && self.registers.find(register).is_some()
    }

    fn clock(&mut self, cycles: u64) {
        self.happen(EVERY_CYCLE, cycles);
        if self.is_enabled(CYCLES) && self.registers.add(CCNTR, cycles) {
            self.flag(CYCLES);
        }
    }

    fn load(&mut self, register: SystemRegister) -> u64 {
        match register {
            XEVTYPER => self.reached(register).map_or(0, |counter| self.events[counter].into()),
            XEVCNTR => self.reached(register).map_or(0, |counter| self.counts[counter]),
            _ => self.get(register),
        }
    }

    fn store(&mut self, register: SystemRegister, value: u64) {
        self.registers.check_reserved(register, value);
        match register {
            XEVTYPER => {
                let Some(counter) = self.reached(register) else { return };
                let event = value as u16;
                self.events[counter] = event;
                if !Dsu::EVENTS.contains(&event) {
                    self.registers.record(SysregViolation::ReservedEvent { counter, event });
                }
            }
            XEVCNTR => {
                let Some(counter) = self.reached(register) else { return };
                self.counts[counter] = value & self.product.count;
            }
            _ => _ = self.registers.store(register, value),
        }
    }

    fn synchronize(&mut self) {
        self.settled_selector = self.get(SELR);
    }
}

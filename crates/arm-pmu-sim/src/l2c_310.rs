//! Event counters of the L2C-310.
//!
//! Sources: the manual (DDI 0246A 3.3.6, 3.3.7), NuttX and the register header of the Zynq-7000.

use std::cell::RefCell;

use crate::access::Security;
use crate::bus::{MemoryBus, assert_reaches};
use crate::handle::memory_methods;
use crate::noise::Noise;
use crate::port::{Connection, Device, Port};
use crate::register::Register;
use crate::register_file::RegisterFile;

/// A simulated L2C-310: its two event counters, and its interrupt registers.
///
/// An [event](Self::signal) increments each counter that selects it, while the counters are
/// enabled. A counter stops at 2^32 - 1. A store to a counter whose source is not 0 is lost, unless
/// a test makes it [writable](Self::set_counts_writable). Stores are posted. The device accepts
/// accesses of both security states.
#[derive(Debug)]
pub struct L2c310 {
    port: RefCell<Port<State>>,
}

impl L2c310 {
    /// Length of the register region in bytes.
    pub const LENGTH: usize = 0x1000;

    /// All registers of the device. Other offsets read zero and ignore writes.
    pub const REGISTERS: &'static [Register] = &[
        Register::constant("REG0_CACHE_ID", 0x000, 0xFF00_FFFF, 0x4100_00C8),
        CTRL,
        cfg("REG2_EV_COUNTER1_CFG", 0x204),
        cfg("REG2_EV_COUNTER0_CFG", 0x208),
        value("REG2_EV_COUNTER1", 0x20C),
        value("REG2_EV_COUNTER0", 0x210),
        MASK,
        STATUS,
        RAW,
        CLEAR,
    ];

    /// Codes of all events.
    pub const EVENTS: core::ops::RangeInclusive<u8> = 0x01..=0x0F;

    /// Returns the device after a reset.
    #[must_use]
    pub fn new() -> Self {
        let registers = RegisterFile::new(Self::REGISTERS, Noise::Zeros);
        let state =
            State { registers, only_beyond: false, secure_is_counted: true, is_writable: false };
        Self { port: RefCell::new(Port::new(state)) }
    }

    /// Returns a bus to the device.
    #[must_use]
    pub fn bus<S: arm_pmu_core::bus::MemorySpace>(&self) -> MemoryBus<'_, S> {
        const { assert_reaches::<S>(Self::LENGTH, 0) }
        MemoryBus::new(Connection::new(&self.port, Security::Secure), 0, Self::LENGTH)
    }

    /// Signals an event of Non-secure accesses `times` times. Stores that have not arrived yet do not
    /// influence the count.
    ///
    /// # Panics
    ///
    /// If the event belongs to another IP.
    #[track_caller]
    pub fn signal(&self, event: impl arm_pmu_core::event::Selectable, times: u32) {
        let code = crate::selected::id(event, "l2c-310") as u8;
        self.signal_raw(code, Security::NonSecure, times);
    }

    /// Signals an event of Secure accesses `times` times. While SPNIDEN is LOW, the event is not
    /// counted.
    ///
    /// # Panics
    ///
    /// If the event belongs to another IP.
    #[track_caller]
    pub fn signal_secure(&self, event: impl arm_pmu_core::event::Selectable, times: u32) {
        let code = crate::selected::id(event, "l2c-310") as u8;
        self.signal_raw(code, Security::Secure, times);
    }

    /// Signals an event by its code, including codes that the manual does not list.
    ///
    /// Nothing happens if there is no such event. Stores that have not arrived yet do not influence
    /// the count.
    pub fn signal_raw(&self, code: u8, security: Security, times: u32) {
        self.state(|state| {
            let is_counted = security == Security::NonSecure || state.secure_is_counted;
            if is_counted && Self::EVENTS.contains(&code) {
                state.signal(code, times);
            }
        });
    }

    /// Selects whether a counter accepts a store while its source is not 0. By default, the store is
    /// lost.
    ///
    /// The manual requires that software sets the source of a counter to 0 before it writes the counter. But the timer
    /// handler of Linux (cache-l2x0-pmu.c) stores zero to counters whose source is not 0.
    pub fn set_counts_writable(&self, always: bool) {
        self.state(|state| state.is_writable = always);
    }

    /// Sets the input SPNIDEN. The input is HIGH by default.
    pub fn set_spniden(&self, high: bool) {
        self.state(|state| state.secure_is_counted = high);
    }

    /// Selects whether the overflow interrupt is asserted at the first lost event.
    ///
    /// By default, the interrupt is asserted when the counter becomes full. No document states which behaviour is
    /// correct.
    pub fn set_interrupt_beyond(&self, yes: bool) {
        self.state(|state| state.only_beyond = yes);
    }

    /// Returns whether the interrupt output is asserted.
    #[must_use]
    pub fn interrupt(&self) -> bool {
        self.state(|state| state.registers.load(STATUS.offset) != 0)
    }
}

memory_methods!(L2c310, noise in: "every bit that software or the device can change");

impl Default for L2c310 {
    fn default() -> Self {
        Self::new()
    }
}

const COUNTERS: usize = 2;

/// Registers of counter 0, then of counter 1.
const CFG: [usize; COUNTERS] = [0x208, 0x204];
const VALUE: [usize; COUNTERS] = [0x210, 0x20C];

// [2] reset of counter 1, [1] reset of counter 0, [0] enable.
const CTRL: Register = Register {
    read_write: ENABLE,
    write_one_to_act: 0b110,
    ..Register::new("REG2_EV_COUNTER_CTRL", 0x200)
};
const ENABLE: u32 = 1 << 0;

// [5:2] source, [1:0] interrupt.
const fn cfg(name: &'static str, offset: usize) -> Register {
    Register { read_write: 0x3F, ..Register::new(name, offset) }
}

const fn value(name: &'static str, offset: usize) -> Register {
    Register { read_write: u32::MAX, ..Register::new(name, offset) }
}

/// [8:1] errors of the cache, [0] ECNTR.
const INTERRUPTS: u32 = 0x1FF;
const ECNTR: u32 = 1 << 0;

const MASK: Register = Register { read_write: INTERRUPTS, ..Register::new("REG2_INT_MASK", 0x214) };
const STATUS: Register =
    Register { read_only: INTERRUPTS, ..Register::new("REG2_INT_MASK_STATUS", 0x218) };
const RAW: Register =
    Register { read_only: INTERRUPTS, ..Register::new("REG2_INT_RAW_STATUS", 0x21C) };
const CLEAR: Register =
    Register { write_one_to_act: INTERRUPTS, ..Register::new("REG2_INT_CLEAR", 0x220) };

#[derive(Debug)]
struct State {
    registers: RegisterFile,
    only_beyond: bool,
    secure_is_counted: bool,
    /// Whether a counter accepts a store while its source is not 0.
    is_writable: bool,
}

impl State {
    fn power_up(&mut self) {
        self.registers.reset();
    }

    fn scramble(&mut self, noise: &mut Noise) {
        self.registers.scramble(L2c310::REGISTERS, noise);
    }

    /// Updates REG2_INT_MASK_STATUS, which shows the interrupts that are set and enabled.
    fn show_interrupts(&mut self) {
        let shown = self.registers.load(RAW.offset) & self.registers.load(MASK.offset);
        self.registers.poke(STATUS.offset, shown);
    }

    fn signal(&mut self, code: u8, times: u32) {
        if self.registers.load(CTRL.offset) & ENABLE == 0 || times == 0 {
            return;
        }
        for counter in 0..COUNTERS {
            let setting = self.registers.load(CFG[counter]);
            if setting >> 2 != u32::from(code) {
                continue;
            }
            let before = self.registers.load(VALUE[counter]);
            let lost = before.checked_add(times).is_none();
            let after = before.saturating_add(times);
            self.registers.poke(VALUE[counter], after);
            let became_full = before != u32::MAX && after == u32::MAX;
            let overflowed = if self.only_beyond { lost } else { lost || became_full };
            match setting & 0b11 {
                1 => self.raise(),
                2 if overflowed => self.raise(),
                _ => {}
            }
        }
    }

    fn raise(&mut self) {
        let raw = self.registers.load(RAW.offset);
        self.registers.poke(RAW.offset, raw | ECNTR);
        self.show_interrupts();
    }
}

impl Device for State {
    fn admits(&self, _: usize, _: Security, _: bool) -> bool {
        true
    }

    fn load(&mut self, offset: usize) -> u32 {
        self.registers.load(offset)
    }

    fn store(&mut self, offset: usize, value: u32) {
        let of_value = VALUE.iter().position(|place| *place == offset);
        let has_source = |counter: usize| self.registers.load(CFG[counter]) >> 2 != 0;
        if !self.is_writable && of_value.is_some_and(has_source) {
            return;
        }
        let acts = self.registers.store(offset, value);
        if offset == CTRL.offset {
            for (counter, value) in VALUE.into_iter().enumerate() {
                if acts >> (counter + 1) & 1 == 1 {
                    self.registers.poke(value, 0);
                }
            }
        }
        if offset == CLEAR.offset {
            let raw = self.registers.load(RAW.offset);
            self.registers.poke(RAW.offset, raw & !acts);
        }
        if offset == CLEAR.offset || offset == MASK.offset {
            self.show_interrupts();
        }
    }
}

//! SKELETON IP.
//!
//! Type the register map and the behaviour from the manual, not from the spec: tests compare the
//! two.

use std::cell::RefCell;

use crate::access::Security;
use crate::bus::{MemoryBus, assert_reaches};
use crate::handle::memory_methods;
use crate::noise::Noise;
use crate::port::{Connection, Device, Port};
use crate::register::Register;
use crate::register_file::RegisterFile;

/// A simulated SKELETON IP.
///
/// An [event](Self::signal) adds one to each counter that selects it, while the enables of the counter
/// and of CONTROL are 1. Stores are posted.
#[derive(Debug)]
pub struct SkeletonIp {
    port: RefCell<Port<State>>,
}

impl SkeletonIp {
    /// Length of the register region in bytes.
    pub const LENGTH: usize = 0x3000;

    /// All registers of the device. Other offsets read zero and ignore writes.
    pub const REGISTERS: &'static [Register] = &[
        CONTROL,
        Register::constant("PID0", 0xFE0, 0xFF, 0x99),
        Register::constant("PID1", 0xFE4, 0xFF, 0xB9),
        EVENT_SELECT,
        EVENT_COUNT,
        COUNT_CONTROL,
        OVERFLOW_STATUS,
    ];

    /// Returns the device after a reset.
    #[must_use]
    pub fn new() -> Self {
        let registers = RegisterFile::new(Self::REGISTERS, Noise::Zeros);
        Self { port: RefCell::new(Port::new(State { registers })) }
    }

    /// Returns the bus through which software accesses the device.
    #[must_use]
    pub fn bus<S: arm_pmu_core::bus::MemorySpace>(&self) -> MemoryBus<'_, S> {
        const { assert_reaches::<S>(Self::LENGTH, 0) }
        MemoryBus::new(Connection::new(&self.port, Security::Secure), 0, Self::LENGTH)
    }

    /// Signals an event `times` times. Stores that have not arrived yet do not influence the count.
    ///
    /// # Panics
    ///
    /// If the event belongs to another IP.
    #[track_caller]
    pub fn signal(&self, event: impl arm_pmu_core::event::Selectable, times: u32) {
        let code = crate::selected::id(event, "skeleton-ip") as u8;
        self.state(|state| state.signal(code, times));
    }
}

memory_methods!(SkeletonIp, noise in: "every bit that software or the device can change");

impl Default for SkeletonIp {
    fn default() -> Self {
        Self::new()
    }
}

const COUNTERS: usize = 2;

const fn counter_block(name: &'static str, offset: usize) -> Register {
    Register { count: COUNTERS, stride: 0x1000, ..Register::new(name, offset) }
}

// [15:11] number of counters, [1] RESET, [0] ENABLE.
const CONTROL: Register = Register {
    read_only: 0x1F << 11,
    read_write: ENABLE,
    write_one_to_act: RESET,
    reset: (COUNTERS as u32) << 11,
    ..Register::new("CONTROL", 0x000)
};
const RESET: u32 = 1 << 1;
const ENABLE: u32 = 1 << 0;

const EVENT_SELECT: Register =
    Register { read_write: 0xFF, ..counter_block("EVENT_SELECT", 0x1000) };
const EVENT_COUNT: Register =
    Register { read_write: u32::MAX, ..counter_block("EVENT_COUNT", 0x1004) };
const COUNT_CONTROL: Register =
    Register { read_write: 1, ..counter_block("COUNT_CONTROL", 0x1008) };
const OVERFLOW_STATUS: Register =
    Register { write_one_to_clear: 1, ..counter_block("OVERFLOW_STATUS", 0x100C) };

#[derive(Debug)]
struct State {
    registers: RegisterFile,
}

impl State {
    fn power_up(&mut self) {
        self.registers.reset();
    }

    fn scramble(&mut self, noise: &mut Noise) {
        let rows = [CONTROL, EVENT_SELECT, EVENT_COUNT, COUNT_CONTROL, OVERFLOW_STATUS];
        self.registers.scramble(&rows, noise);
    }

    fn signal(&mut self, code: u8, times: u32) {
        for counter in 0..COUNTERS {
            let holds = |register: Register| self.registers.load(register.element(counter));
            let enabled = self.registers.load(CONTROL.offset) & ENABLE != 0;
            if enabled && holds(COUNT_CONTROL) == 1 && holds(EVENT_SELECT) == u32::from(code) {
                let wraps = self.registers.add(EVENT_COUNT.element(counter), times.into());
                if wraps {
                    self.registers.poke(OVERFLOW_STATUS.element(counter), 1);
                }
            }
        }
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
        let acts = self.registers.store(offset, value);
        if offset == CONTROL.offset && acts & RESET != 0 {
            for count in EVENT_COUNT.elements() {
                self.registers.poke(count, 0);
            }
        }
    }
}

//! Common parts of the CoreLink CCI-500 and CCI-550: all except a few registers.
//!
//! Sources: 100282_0100_00_en 2.4.4 (events, security, counting, clock gating of the CCI-550; the Linux
//! arm-cci driver and Arm's profiler treat the CCI-500 in the same way); the register references of SoCs with a
//! CCI-500 (RK3399 TRM, Kirin 950) for reset values, the interface monitors and Secure Access \[1:0\]; the Linux
//! arm-cci driver for the counter blocks and for writes to a count register.

mod map;
mod state;

use crate::register::Register;

pub(crate) use map::{
    COUNT_CONTROL, EVENT_SELECT, OVERFLOW_STATUS, PMCR, master_monitor, registers,
};
pub(crate) use state::State;

/// Differences between the products.
#[derive(Debug)]
pub(crate) struct Product {
    pub(crate) registers: &'static [Register],
    /// Sources that the product can have, one bit each.
    pub(crate) sources: u16,
    pub(crate) master_monitor: Register,
}

/// Defines a simulated product from the facts in its documents.
macro_rules! cci5xx_product {
    (
        $(#[$doc:meta])*
        $device:ident = $pmu:literal;
        part_number: $part:literal, secure_access: $secure_access:literal, masters: $masters:literal $(,)?
    ) => {
        $(#[$doc])*
        ///
        #[doc = include_str!("cci5xx/device.md")]
        #[derive(Debug)]
        pub struct $device {
            port: RefCell<Port<State>>,
        }

        use std::cell::RefCell;

        use $crate::cci5xx::{COUNT_CONTROL, EVENT_SELECT, OVERFLOW_STATUS, PMCR, State};
        use $crate::port::Port;

        impl $device {
            /// Length of the register region in bytes.
            pub const LENGTH: usize = 0x91000;

            /// Part number in PID0 and PID1.
            pub const PART_NUMBER: u16 = $part;

            /// All registers of the device. Other offsets read zero and ignore writes.
            ///
            /// The control page has only the registers that concern the PMU. Control override, status, imprecise error
            /// and QoS threshold are omitted.
            pub const REGISTERS: &'static [$crate::Register] =
                &$crate::cci5xx::registers($part, $secure_access, $masters);
        }

        $crate::cci::cci_methods!($device, $pmu, source: 4 "four", u16);

        impl $device {
            /// Returns the device after a reset.
            #[must_use]
            pub fn new() -> Self {
                Self { port: RefCell::new(Port::new(State::new(&PRODUCT))) }
            }

            /// Returns the overflow outputs nEVNTCNTOVERFLOW\[7:0\]; a 1 is an asserted (LOW)
            /// output.
            #[must_use]
            pub fn overflow_lines(&self) -> u8 {
                let port = self.port.borrow();
                let flags =
                    OVERFLOW_STATUS.elements().map(|flag| port.device.registers.load(flag) & 1);
                flags.enumerate().fold(0, |lines, (counter, flag)| lines | (flag as u8) << counter)
            }

            /// Sets both DBGEN and SPIDEN, which permit invasive debug of the Secure state.
            ///
            /// If both are HIGH, events of Secure transactions are counted, as if SPNIDEN were HIGH.
            pub fn set_secure_debug(&self, high: bool) {
                self.state(|state| state.secure_debug = high);
            }

            /// Selects whether the interface `source` is built.
            ///
            /// Events of an interface that is not built never happen.
            ///
            /// # Panics
            ///
            /// If `source` has more than four bits.
            pub fn set_built(&self, source: u8, built: bool) {
                Self::check_source(source);
                self.state(|state| {
                    state.built = state.built & !(1 << source) | u16::from(built) << source;
                });
            }

            /// Selects whether PMCR.RST also resets clock-gated counters.
            ///
            /// The manual does not state whether RST resets them, so a driver must work in both cases. By default,
            /// this is off.
            pub fn set_reset_reaches_gated(&self, reaches: bool) {
                self.state(|state| state.reset_reaches_gated = reaches);
            }

            /// Selects whether the clock of the counters is stopped to save power. Off by default.
            ///
            /// Without a clock, even enabled counters count nothing and ignore writes. The manual
            /// states that the clock can stop, but not the effect of register accesses meanwhile.
            /// In this device, the other registers remain accessible.
            pub fn set_clock_stopped(&self, stopped: bool) {
                self.state(|state| state.clock_stopped = stopped);
            }

            /// Selects whether a write clears an overflow flag only while its counter has a clock.
            ///
            /// No manual states whether a clock is needed. By default, no clock is needed. If a clear needs a clock,
            /// and has no effect [while counting](Self::set_flags_clear_while_counting), flags can never be cleared.
            pub fn set_flags_need_clock(&self, need: bool) {
                self.state(|state| state.flags_need_clock = need);
            }
        }

        const PRODUCT: $crate::cci5xx::Product = $crate::cci5xx::Product {
            registers: $device::REGISTERS,
            // Slave interfaces, master interfaces, global functions.
            sources: 0x7F | ((1 << $masters) - 1) << 8 | 1 << 0xF,
            master_monitor: $crate::cci5xx::master_monitor($masters),
        };
    };
}

pub(crate) use cci5xx_product;

//! Common parts of the CoreLink CCI-500 and CCI-550: all but a few registers.
//!
//! Sources: 100282_0100_00_en 2.4.4 (events, security, counting, clock gating of the CCI-550; the Linux
//! arm-cci driver and Arm's profiler treat the CCI-500 alike); the register references of SoCs with a
//! CCI-500 (RK3399 TRM, Kirin 950) for reset values, the interface monitors and Secure Access \[1:0\]; the
//! Linux arm-cci driver for the counter blocks and for writes to a count register.

mod map;
mod state;

use crate::register::Register;

pub(crate) use map::{
    COUNT_CONTROL, EVENT_COUNT, EVENT_SELECT, OVERFLOW_STATUS, PMCR, master_monitor, registers,
};
pub(crate) use state::State;

/// Differences between the products.
#[derive(Debug)]
pub(crate) struct Product {
    pub(crate) registers: &'static [Register],
    pub(crate) part_number: u16,
    /// The sources that it can have, one bit each.
    pub(crate) sources: u16,
    pub(crate) master_monitor: Register,
}

/// A simulated product, by the facts of its documents.
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

        use $crate::access::Security;
        use $crate::bus::MemoryBus;
        use $crate::cci::CEN;
        use $crate::cci5xx::{COUNT_CONTROL, EVENT_COUNT, EVENT_SELECT, OVERFLOW_STATUS, PMCR, State};
        use $crate::noise::Noise;
        use $crate::port::Port;

        impl $device {
            /// Length of the region of registers in bytes.
            pub const LENGTH: usize = 0x91000;

            /// Part number in PID0 and PID1.
            pub const PART_NUMBER: u16 = $part;

            /// All registers that the device has. Other offsets read zero and ignore writes.
            ///
            /// The control page has only the registers that concern the PMU, without control override,
            /// status, imprecise error and QoS threshold.
            pub const REGISTERS: &'static [$crate::Register] =
                &$crate::cci5xx::registers($part, $secure_access, $masters);
        }

        $crate::cci5xx::cci5xx_methods!($device, $pmu);

        const PRODUCT: $crate::cci5xx::Product = $crate::cci5xx::Product {
            registers: $device::REGISTERS,
            part_number: $part,
            // Slave interfaces, master interfaces, global functions.
            sources: 0x7F | ((1 << $masters) - 1) << 8 | 1 << 0xF,
            master_monitor: $crate::cci5xx::master_monitor($masters),
        };
    };
}

/// The methods of a simulated product.
macro_rules! cci5xx_methods {
    ($device:ident, $pmu:literal) => {
        $crate::handle::memory_methods!($device);

        impl $device {
            /// The device after a reset.
            #[must_use]
            pub fn new() -> Self {
                Self { port: RefCell::new(Port::new(State::new(&PRODUCT))) }
            }

            /// A bus of Secure software.
            #[must_use]
            pub fn bus<S: arm_pmu_core::bus::MemorySpace>(&self) -> MemoryBus<'_, S> {
                const { $crate::bus::assert_reaches::<S>(Self::LENGTH, 0) }
                self.connect(Security::Secure)
            }

            /// A bus of Non-secure software.
            ///
            /// The Secure Access register decides what it reaches: after reset, the PMU and the
            /// interface monitors. All other registers read zero and ignore writes.
            #[must_use]
            pub fn non_secure_bus<S: arm_pmu_core::bus::MemorySpace>(&self) -> MemoryBus<'_, S> {
                const { $crate::bus::assert_reaches::<S>(Self::LENGTH, 0) }
                self.connect(Security::NonSecure)
            }

            fn connect<S: arm_pmu_core::bus::MemorySpace>(
                &self,
                security: Security,
            ) -> MemoryBus<'_, S> {
                let master = self.port.borrow_mut().connect(security);
                MemoryBus::new(&self.port, master, 0, Self::LENGTH)
            }

            /// Signals an event `times` times, caused by Secure or Non-secure transactions.
            ///
            /// The event is one of a source, such as `SI3.event(SlaveEvent::ReadRequestAny)`.
            ///
            /// Nothing happens if the device has no such event. Stores that have not arrived yet
            /// have no effect.
            ///
            /// # Panics
            ///
            /// If it is an event of another IP.
            #[track_caller]
            pub fn signal(
                &self,
                event: impl arm_pmu_core::event::Selectable,
                security: Security,
                times: u32,
            ) {
                let [high, low] = $crate::selected::id(event, $pmu).to_be_bytes();
                self.signal_raw(high << 3 | low >> 5, low & 0x1F, security, times);
            }

            /// Signals an event by its numbers, also one that the manual does not list.
            ///
            /// `source` is the identifier of an interface or 0xF for the global events, `code` the
            /// number of the event there. Nothing happens if the interface is not built or has no
            /// such event. Stores that have not arrived yet have no effect.
            ///
            /// # Panics
            ///
            /// If `source` has more than four bits or `code` more than five.
            pub fn signal_raw(&self, source: u8, code: u8, security: Security, times: u32) {
                assert!(source <= 0xF, "event source {source:#x} has more than four bits");
                assert!(code <= 0x1F, "event code {code:#x} has more than five bits");
                self.state(|state| state.signal(source, code, security, times));
            }

            /// Returns the overflow outputs, nEVNTCNTOVERFLOW\[7:0\]: 1 for an asserted output
            /// (LOW).
            #[must_use]
            pub fn overflow_lines(&self) -> u8 {
                let port = self.port.borrow();
                let flags =
                    OVERFLOW_STATUS.elements().map(|flag| port.device.registers.load(flag) & 1);
                flags.enumerate().fold(0, |lines, (counter, flag)| lines | (flag as u8) << counter)
            }

            /// Sets NIDEN, which must be HIGH to count events.
            ///
            /// In a SoC it is a fuse, or a bit that Secure firmware sets. It has no effect on
            /// register accesses.
            pub fn set_niden(&self, high: bool) {
                self.state(|state| state.niden = high);
            }

            /// Sets SPNIDEN, which must be HIGH to count events of Secure transactions.
            ///
            /// In a SoC it is a fuse, or a bit that Secure firmware sets.
            pub fn set_spniden(&self, high: bool) {
                self.state(|state| state.spniden = high);
            }

            /// Sets both DBGEN and SPIDEN: invasive debug of the Secure state.
            ///
            /// Both HIGH have the effect of SPNIDEN.
            pub fn set_secure_debug(&self, high: bool) {
                self.state(|state| state.secure_debug = high);
            }

            /// Sets whether the interface `source` was built.
            ///
            /// The events of an interface that was not built never happen.
            ///
            /// # Panics
            ///
            /// If `source` has more than four bits.
            pub fn set_built(&self, source: u8, built: bool) {
                assert!(source <= 0xF, "event source {source:#x} has more than four bits");
                self.state(|state| {
                    state.built = state.built & !(1 << source) | u16::from(built) << source;
                });
            }

            /// Sets whether PMCR.RST also resets clock-gated counters.
            ///
            /// The manual does not say, so a driver must work either way. At first it does not.
            pub fn set_reset_reaches_gated(&self, reaches: bool) {
                self.state(|state| state.reset_reaches_gated = reaches);
            }

            /// Sets whether the clock of the counters is stopped to save power. Not at first.
            ///
            /// Then even enabled counters count nothing and ignore writes. The manual says that the
            /// clock can stop, but not what a register access does meanwhile. Here, the other
            /// registers can still be accessed.
            pub fn set_clock_stopped(&self, stopped: bool) {
                self.state(|state| state.clock_stopped = stopped);
            }

            /// Sets whether a write also clears an overflow flag while PMCR.CEN is 1.
            ///
            /// No manual says. Linux (arm-cci.c, `pmu_handle_irq`) clears CEN before. At first it
            /// does.
            pub fn set_flags_clear_while_counting(&self, clear: bool) {
                self.state(|state| state.flags_clear_while_counting = clear);
            }

            /// Sets whether a write clears an overflow flag only while its counter has a clock.
            ///
            /// No manual says. At first it does not need one. With this, and while flags do not
            /// clear [while counting](Self::set_flags_clear_while_counting), no write clears a
            /// flag.
            pub fn set_flags_need_clock(&self, need: bool) {
                self.state(|state| state.flags_need_clock = need);
            }

            /// Sets the part number in PID0 and PID1, to simulate another product.
            ///
            /// # Panics
            ///
            /// If `part` has more than twelve bits.
            pub fn set_part_number(&self, part: u16) {
                assert!(part <= 0xFFF, "part number {part:#x} has more than twelve bits");
                self.state(|state| {
                    state.part_number = part;
                    state.identify();
                });
            }

            /// Sets PMCR.PMU_CNT_NUM, to simulate another product. 8 at first.
            ///
            /// All eight counters exist whatever its value.
            ///
            /// # Panics
            ///
            /// If `counters` has more than five bits.
            pub fn set_number_of_counters(&self, counters: u8) {
                assert!(counters <= 0x1F, "PMU_CNT_NUM {counters:#x} has more than five bits");
                self.state(|state| {
                    state.number_of_counters = counters;
                    state.identify();
                });
            }

            /// Powers up with noise in PMCR and the counter blocks.
            ///
            /// It is [`power_up`](Self::power_up), but noise is in every bit of them that software
            /// or the device can change: a previous owner left them so, or a reset does not reach
            /// them.
            pub fn power_up_with(&self, mut noise: Noise) {
                self.power_up();
                self.state(|state| {
                    for register in
                        [PMCR, EVENT_SELECT, EVENT_COUNT, COUNT_CONTROL, OVERFLOW_STATUS]
                    {
                        state.registers.scramble(&register, &mut noise);
                    }
                });
            }

            /// Another owner (firmware, idle code, a debugger, a second driver) clears the enable of one
            /// counter. It takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If `counter` is not less than 8.
            #[track_caller]
            pub fn other_owner_disables(&self, counter: usize) {
                self.poke(COUNT_CONTROL.element(counter), 0);
            }

            /// Another owner clears PMCR.CEN. It takes effect at once and is not in the journal.
            pub fn other_owner_disables_all(&self) {
                self.poke(PMCR.offset, self.peek(PMCR.offset) & !CEN);
            }

            /// Another owner selects another event on one counter: `id` is {source\[8:5\],
            /// code\[4:0\]}. It takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If `counter` is not less than 8.
            #[track_caller]
            pub fn other_owner_selects(&self, counter: usize, id: u16) {
                self.poke(EVENT_SELECT.element(counter), u32::from(id));
            }
        }

        impl Default for $device {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

pub(crate) use {cci5xx_methods, cci5xx_product};

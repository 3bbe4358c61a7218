//! The ARMv7 PMU: shared code of its simulated cores.
//!
//! Sources: the Cortex-A8 manual (DDI 0344) for PMXEVTYPER, PMCR, PMCCNTR, PMOVSR, PMINTENCLR and their access
//! rights; Linux and the manual of the Cortex-R4 (DDI 0363) for the other registers.

pub(crate) mod map;
mod state;

pub(crate) use state::State;

/// Counter that PMXEVTYPER and PMXEVCNTR access until a write of PMSELR is synchronized.
///
/// Each core with an ARMv7 PMU, such as a [`CortexA8`](crate::CortexA8), has this setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum StaleSelector {
    /// The counter that was selected at the last synchronization.
    #[default]
    Old,
    /// A counter that is chosen at random for each access.
    Random,
    /// The counter that PMSELR selects now.
    New,
}

/// Mode of a core whose PMU has a filter.
///
/// The mode decides whether a [`CortexA7`](crate::CortexA7) counts signalled events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExecutionMode {
    /// User mode in Secure state.
    SecureUser,
    /// A privileged mode in Secure state.
    SecurePrivileged,
    /// User mode in Non-secure state.
    NonSecureUser,
    /// A privileged mode in Non-secure state, other than Hyp mode.
    NonSecurePrivileged,
    /// Hyp mode.
    Hyp,
}

/// A core, as its manual describes it.
#[derive(Debug)]
pub(crate) struct Core {
    pub registers: &'static [crate::Cp15Register],
    /// The numbers of all events.
    pub events: &'static [u8],
    pub counters: usize,
}

/// Defines a simulated core with an ARMv7 PMU from the facts in its documents. The registers are `version_1(IDCODE,
/// Missing)` or `version_2(IDCODE)`.
macro_rules! armv7_core {
    (
        $(#[$doc:meta])*
        $device:ident = $pmu:literal;
        counters: $counters:literal, registers: $version:ident($($identity:expr),+),
        midr of $revision:literal: $midr:literal,
        events: [$($events:tt)*] $(,)?
    ) => {
        $(#[$doc])*
        ///
        #[doc = include_str!("armv7/device.md")]
        #[derive(Debug)]
        pub struct $device {
            port: std::cell::RefCell<$crate::port::Port<State, $crate::Cp15Register>>,
        }

        use $crate::armv7::{Core, State, map};

        impl $device {
            /// All CP15 registers of the performance monitor.
            ///
            /// An access to any other register is an Undefined Instruction exception.
            pub const REGISTERS: &'static [$crate::Cp15Register] = &map::$version(COUNTERS, $($identity),+);
            /// The numbers of all events, in ascending order.
            pub const EVENTS: &'static [u8] = $crate::selected::events!(u8: $($events)*);
            #[doc = concat!("The Main ID Register of an ", $revision, " core. The buses do not reach this register.")]
            pub const MIDR: u32 = $midr;
        }

        $crate::handle::core_methods!(
            $device, Cp15Bus<Cp15Space>, Cp15Access, Violation, Operands => u32,
            noise in: "every bit that software or the device can change, including the selector, PMCR and PMUSERENR"
        );
        $crate::handle::architecture_methods!($device, $pmu, armv7, u8);

        impl $device {
            /// Returns the count of an event counter, whatever the selector contains. This is not
            /// an access to the device.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[must_use]
            #[track_caller]
            pub fn peek_counter(&self, counter: usize) -> u32 {
                $crate::handle::check(COUNTERS, counter);
                self.port.borrow().device.registers.load(($crate::armv7::map::PMXEVCNTR, counter))
            }

            /// Changes the count of an event counter without an access, independent of the
            /// selector.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn poke_counter(&self, counter: usize, value: u32) {
                $crate::handle::check(COUNTERS, counter);
                self.state(|state| {
                    state.registers.poke(($crate::armv7::map::PMXEVCNTR, counter), value)
                });
            }

            /// Returns the event number of an event counter without an access, independent of the
            /// selector.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[must_use]
            #[track_caller]
            pub fn peek_event(&self, counter: usize) -> u8 {
                $crate::handle::check(COUNTERS, counter);
                self.port.borrow().device.registers.load(($crate::armv7::map::PMXEVTYPER, counter))
                    as u8
            }

            /// Changes the event of an event counter without an access, independent of the
            /// selector.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn poke_event(&self, counter: usize, event: u8) {
                $crate::handle::check(COUNTERS, counter);
                self.state(|state| {
                    state.registers.poke(($crate::armv7::map::PMXEVTYPER, counter), event.into())
                });
            }

            /// Selects whether non-invasive debug is permitted.
            ///
            /// The inputs are NIDEN, and in Secure state SPNIDEN or SUNIDEN. Without permission, event
            /// counters stop; if PMCR.DP is 1, the cycle counter also stops. The inputs have no
            /// effect on register accesses.
            pub fn set_niden(&self, high: bool) {
                self.state(|state| state.niden = high);
            }

            /// Selects which counter an access reaches while a write of PMSELR has not taken effect yet. By default,
            /// this is the previously selected counter.
            pub fn set_stale_selector(&self, reached: $crate::StaleSelector) {
                self.state(|state| state.stale_selector = reached);
            }

            /// Causes an interrupt after this number of accesses; its handler changes the selector.
            ///
            /// Loads and stores on any bus count as accesses. With 0, the interrupt occurs before
            /// the next access. The handler does not restore the selector. The handler runs once,
            /// takes effect immediately and is not in the journal.
            ///
            /// # Panics
            ///
            /// If `selector` has more than five bits.
            #[track_caller]
            pub fn interrupt_moves_selector_after(&self, accesses: usize, selector: u8) {
                $crate::armv7::check_selector(selector);
                self.state(|state| state.interrupt = Some((accesses, selector)));
            }

            /// Selects whether PMCCNTR contains noise after a write while the cycle counter is enabled.
            ///
            /// The manual warns against such writes. By default, this is on.
            ///
            /// The overflow handlers of Linux (`armv7pmu_handle_irq`, through `armpmu_event_set_period` and
            /// `armv7pmu_write_counter`) and of FreeBSD (hwpmc_armv7.c, `armv7_intr`, through `armv7_write_pmc`)
            /// write PMCCNTR while the cycle counter is enabled. With `false`, such writes work.
            pub fn set_running_cycles_spoil(&self, spoil: bool) {
                self.state(|state| state.running_cycles_spoil = spoil);
            }

            /// Selects whether PMCR.C also resets the divider by 64.
            ///
            /// After such a reset, the first count takes a full 64 cycles. No available document states whether
            /// PMCR.C resets the divider. By default, this is off.
            pub fn set_reset_reaches_divider(&self, reaches: bool) {
                self.state(|state| state.reset_reaches_divider = reaches);
            }

            /// Sets PMCR.N, to simulate another product or a hypervisor that reserves counters.
            ///
            /// All event counters of the core exist, whatever the value of PMCR.N.
            ///
            /// # Panics
            ///
            /// If `counters` has more than five bits.
            #[track_caller]
            pub fn set_number_of_counters(&self, counters: u8) {
                assert!(counters <= 0x1F, "PMCR.N {counters:#x} has more than five bits");
                let (pmcr, n) = ($crate::armv7::map::PMCR, $crate::armv7::map::N);
                let counters = u32::from(counters) << n;
                self.state(|state| state.registers.identify((pmcr, 0), 0x1F << n, counters));
            }

            /// Another owner selects another event on one event counter, and restores the selector. The change
            /// takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn other_owner_selects(&self, counter: usize, event: u8) {
                self.poke_event(counter, event);
            }

            /// Another owner leaves another value in PMSELR. The change takes effect at once and is not in the
            /// journal.
            ///
            /// # Panics
            ///
            /// If `selector` has more than five bits.
            #[track_caller]
            pub fn other_owner_moves_selector(&self, selector: u8) {
                $crate::armv7::check_selector(selector);
                self.state(|state| state.select(selector));
            }
        }
        $crate::armv7::$version!($device);

        const COUNTERS: usize = $counters;
        const CORE: Core = Core {
            registers: $device::REGISTERS,
            events: $device::EVENTS,
            counters: COUNTERS,
        };
    };
}

/// A core with version 1 of the PMU has no additional methods.
macro_rules! version_1 {
    ($device:ident) => {};
}

/// Methods of a core with version 2 of the PMU, which has a filter.
macro_rules! version_2 {
    ($device:ident) => {
        impl $device {
            /// Sets the mode of the core. A new core is in a privileged mode in Non-secure state.
            ///
            /// The mode has no effect on register accesses.
            pub fn set_mode(&self, mode: $crate::ExecutionMode) {
                self.state(|state| state.mode = mode);
            }

            /// Returns the value of PMXEVTYPER for an event counter, including the filter, without
            /// a register access.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[must_use]
            #[track_caller]
            pub fn peek_type(&self, counter: usize) -> u32 {
                $crate::handle::check(COUNTERS, counter);
                self.port.borrow().device.registers.load(($crate::armv7::map::PMXEVTYPER, counter))
            }

            /// Returns the value of PMXEVTYPER for the cycle counter, without a register access.
            #[must_use]
            pub fn peek_type_of_cycles(&self) -> u32 {
                self.port.borrow().device.filter_of_cycles
            }

            /// Another owner writes PMXEVTYPER of the cycle counter. The change takes effect at once and is not in
            /// the journal.
            pub fn other_owner_filters_cycles(&self, of_type: u32) {
                self.state(|state| state.filter_of_cycles = of_type & $crate::armv7::map::FILTER);
            }

            /// Another owner writes PMXEVTYPER of an event counter. The change takes effect at once and is not in the
            /// journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn other_owner_filters(&self, counter: usize, of_type: u32) {
                $crate::handle::check(COUNTERS, counter);
                self.state(|state| {
                    state.registers.poke(($crate::armv7::map::PMXEVTYPER, counter), of_type)
                });
            }
        }
    };
}

pub(crate) use {armv7_core, version_1, version_2};

#[track_caller]
pub(crate) fn check_selector(selector: u8) {
    assert!(u32::from(selector) <= map::SEL, "PMSELR {selector:#x} has more than five bits");
}

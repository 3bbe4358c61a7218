//! The ARMv7 PMU: shared code of its simulated cores.
//!
//! Sources: the Cortex-A8 manual (DDI 0344) for PMXEVTYPER, PMCR, PMCCNTR, PMOVSR and PMINTENCLR and the access rights
//! to them; Linux and the manual of the Cortex-R4 (DDI 0363) for the other registers.

pub(crate) mod map;
mod state;

pub(crate) use state::State;

/// Counter that PMXEVTYPER and PMXEVCNTR access between a write of PMSELR and a synchronization.
///
/// It is a setting of each core with an ARMv7 PMU, such as a [`CortexA8`](crate::CortexA8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum StaleSelector {
    /// The one that was selected when software last synchronized.
    #[default]
    Old,
    /// Any of the counters, drawn at each access.
    Random,
    /// The one that PMSELR names now.
    New,
}

/// The mode that a core with a filter is in.
///
/// It decides whether a [`CortexA7`](crate::CortexA7) counts signalled events.
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
    /// Number of event counters.
    pub counters: usize,
    /// The seed of bits that are unknown after a reset.
    pub seed: u64,
}

/// The methods of every simulated core with an ARMv7 PMU. `COUNTERS` and `CORE` are constants beside the type.
macro_rules! armv7_methods {
    ($device:ident, $pmu:literal) => {
        $crate::cp15::cp15_methods!($device);

        impl $device {
            /// The performance monitor after a reset.
            #[must_use]
            pub fn new() -> Self {
                let state = $crate::armv7::State::new(&CORE);
                Self { port: std::cell::RefCell::new($crate::port::Port::new(state)) }
            }

            /// Returns the count of an event counter, without an access, whatever is selected.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[must_use]
            #[track_caller]
            pub fn peek_counter(&self, counter: usize) -> u32 {
                $crate::armv7::check(COUNTERS, counter);
                self.port.borrow().device.registers.get(($crate::armv7::map::PMXEVCNTR, counter))
            }

            /// Changes the count of an event counter, without an access, whatever is selected.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn poke_counter(&self, counter: usize, value: u32) {
                $crate::armv7::check(COUNTERS, counter);
                self.state(|state| {
                    state.registers.poke(($crate::armv7::map::PMXEVCNTR, counter), value)
                });
            }

            /// Returns the event number of an event counter, without an access, whatever is selected.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[must_use]
            #[track_caller]
            pub fn peek_event(&self, counter: usize) -> u8 {
                $crate::armv7::check(COUNTERS, counter);
                self.port.borrow().device.registers.get(($crate::armv7::map::PMXEVTYPER, counter))
                    as u8
            }

            /// Changes the event of an event counter, without an access, whatever is selected.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn poke_event(&self, counter: usize, event: u8) {
                $crate::armv7::check(COUNTERS, counter);
                self.state(|state| {
                    state.registers.poke(($crate::armv7::map::PMXEVTYPER, counter), event.into())
                });
            }

            /// Signals an event `times` times.
            ///
            /// Nothing happens if it is not listed, or if only software causes it. Stores that have not
            /// taken effect yet have no effect on the count.
            ///
            /// # Panics
            ///
            /// If it is an event of another core.
            #[track_caller]
            pub fn signal(&self, event: impl arm_pmu_core::event::Selectable, times: u32) {
                self.signal_raw(crate::selected::id(event, $pmu) as u8, times);
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

            /// Returns whether the interrupt is asserted.
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
                self.state(|state| state.permit_user_access(open));
            }

            /// Sets which counter is accessed before a write of PMSELR takes effect. The old one at first.
            pub fn set_stale_selector(&self, reached: $crate::StaleSelector) {
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
                $crate::armv7::check_selector(selector);
                self.state(|state| state.interrupt = Some((accesses, selector)));
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

            /// Sets PMCR.N, to simulate another product or a hypervisor that reserves counters.
            ///
            /// All event counters of the core exist whatever its value.
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
            pub fn power_up_with(&self, mut noise: $crate::Noise) {
                self.power_up();
                self.state(|state| state.scramble(&mut noise));
            }

            /// Another owner (firmware, idle code, a debugger, a second driver) clears the enable of one event
            /// counter. It takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn other_owner_disables(&self, counter: usize) {
                $crate::armv7::check(COUNTERS, counter);
                self.disable(counter);
            }

            /// Another owner clears the enable of the cycle counter. It takes effect at once and is not in the
            /// journal.
            pub fn other_owner_disables_cycles(&self) {
                self.disable($crate::armv7::map::CYCLES);
            }

            fn disable(&self, counter: usize) {
                self.state(|state| state.disable(counter));
            }

            /// Another owner clears PMCR.E. It takes effect at once and is not in the journal.
            pub fn other_owner_disables_all(&self) {
                self.state(|state| state.disable_all());
            }

            /// Another owner selects another event on one event counter, and restores the selector. It
            /// takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
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
                $crate::armv7::check_selector(selector);
                self.state(|state| state.select(selector));
            }
        }

        impl Default for $device {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}
pub(crate) use armv7_methods;

#[track_caller]
pub(crate) fn check(counters: usize, counter: usize) {
    assert!(counter < counters, "there is no counter {counter}");
}

#[track_caller]
pub(crate) fn check_selector(selector: u8) {
    assert!(u32::from(selector) <= map::SEL, "PMSELR {selector:#x} has more than five bits");
}

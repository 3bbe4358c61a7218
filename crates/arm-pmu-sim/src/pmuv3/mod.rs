//! PMUv3 in AArch64: shared code of its simulated cores.

pub(crate) mod map;
mod state;

pub(crate) use state::State;

/// The Exception level and security state at which a core runs.
///
/// It decides whether a core with PMUv3, such as a [`CortexA53`](crate::CortexA53), counts signalled events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExceptionLevel {
    /// EL0 in Secure state.
    SecureEl0,
    /// EL1 in Secure state.
    SecureEl1,
    /// EL0 in Non-secure state.
    NonSecureEl0,
    /// EL1 in Non-secure state.
    NonSecureEl1,
    /// EL2.
    El2,
    /// EL3.
    El3,
}

/// A core, as its manual describes it.
#[derive(Debug)]
pub(crate) struct Core {
    pub registers: &'static [crate::SysregRegister],
    /// CurrentEL, ID_AA64PFR0_EL1, MDCR_EL2 and MDCR_EL3.
    pub controls: &'static [crate::SysregRegister],
    /// The numbers of all events.
    pub events: &'static [u16],
    /// Number of event counters.
    pub counters: usize,
    /// The seed of bits that are unknown after a reset.
    pub seed: u64,
}

/// The methods of every simulated core with PMUv3. `COUNTERS` and `CORE` are constants beside the type.
macro_rules! pmuv3_methods {
    ($device:ident, $pmu:literal) => {
        $crate::handle::port_methods!($device, $crate::SysregAccess);

        impl $device {
            /// Registers that tell what EL2 and EL3 leave to the performance monitor, and are none of it.
            ///
            /// CurrentEL, ID_AA64PFR0_EL1, MDCR_EL2 and MDCR_EL3. MDCR_EL2 and MDCR_EL3 have the bits that concern
            /// the performance monitor. Each is there from [its level](Self::set_level) on. [`poke`](Self::poke)
            /// changes one, as software at EL2 or EL3 would.
            pub const CONTROLS: &'static [$crate::SysregRegister] = CORE.controls;

            /// The performance monitor after a reset.
            ///
            /// MDCR_EL2 and MDCR_EL3 are as firmware leaves them: all counters belong to EL1, and count at every
            /// level.
            #[must_use]
            pub fn new() -> Self {
                let state = $crate::pmuv3::State::new(&CORE);
                Self { port: std::cell::RefCell::new($crate::port::Port::new(state)) }
            }

            /// A bus of software at EL1 or above.
            #[must_use]
            pub fn bus<S: arm_pmu_core::bus::SysregSpace>(&self) -> $crate::SysregBus<'_, S> {
                $crate::SysregBus::new(&self.port, $crate::cp15::Mode::Privileged)
            }

            /// A bus of software at EL0.
            #[must_use]
            pub fn user_bus<S: arm_pmu_core::bus::SysregSpace>(&self) -> $crate::SysregBus<'_, S> {
                $crate::SysregBus::new(&self.port, $crate::cp15::Mode::User)
            }

            /// Returns the value of a register, without an access.
            ///
            /// The value does not include stores that have not taken effect.
            ///
            /// # Panics
            ///
            /// If there is no such register.
            #[must_use]
            #[track_caller]
            pub fn peek(&self, register: arm_pmu_core::bus::SystemRegister) -> u64 {
                self.port.borrow().device.peek(register)
            }

            /// Changes the value of a register, without an access.
            ///
            /// No access rule applies, and nothing else changes. Bits that hold no value stay zero.
            ///
            /// # Panics
            ///
            /// If there is no such register.
            #[track_caller]
            pub fn poke(&self, register: arm_pmu_core::bus::SystemRegister, value: u64) {
                self.port.borrow_mut().device.poke(register, value);
            }

            /// Sets the response to all further accesses.
            ///
            /// [`Response::Error`](crate::Response::Error) makes each a trap. Stores that were issued before
            /// still take effect.
            pub fn set_response(&self, response: $crate::Response) {
                self.respond_after(0, response);
            }

            /// Sets the response after this many more loads and stores.
            ///
            /// With it, a test can change the [response](Self::set_response) at each access of a driver in turn.
            pub fn respond_after(&self, accesses: usize, response: $crate::Response) {
                self.port.borrow_mut().respond(accesses, response);
            }

            /// Sets whether stores wait until the next load or synchronization.
            ///
            /// The architecture allows both. If not, stores take effect at once. So do waiting stores when this
            /// is switched off.
            pub fn set_posted_stores(&self, posted: bool) {
                self.port.borrow_mut().set_posted_stores(posted);
            }

            /// Sets the number of cycles that pass before every access takes effect. 0 at first.
            pub fn set_cycles_per_access(&self, cycles: u64) {
                self.state(|state| state.cycles_per_access = cycles);
            }

            /// Sets the noise for everything unpredictable. Seeded at first.
            ///
            /// That is bits that are unknown at the next [`power_up`](Self::power_up), and counters that this
            /// software does not have.
            pub fn set_noise(&self, noise: $crate::Noise) {
                self.state(|state| state.set_noise(noise));
            }

            /// Returns the violations since the [start of this list](Self::clear_violations).
            ///
            /// They are in the order in which they took effect.
            #[must_use]
            pub fn violations(&self) -> Vec<$crate::SysregViolation> {
                self.port.borrow().device.violations().to_vec()
            }

            /// Starts a new list of violations.
            pub fn clear_violations(&self) {
                self.state(|state| state.clear_violations());
            }

            /// Returns the count of an event counter, without an access.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[must_use]
            #[track_caller]
            pub fn peek_counter(&self, counter: usize) -> u32 {
                $crate::pmuv3::check(COUNTERS, counter);
                self.peek($crate::pmuv3::map::PMEVCNTR0.plus(counter)) as u32
            }

            /// Changes the count of an event counter, without an access.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn poke_counter(&self, counter: usize, value: u32) {
                $crate::pmuv3::check(COUNTERS, counter);
                self.poke($crate::pmuv3::map::PMEVCNTR0.plus(counter), value.into());
            }

            /// Returns PMEVTYPER of an event counter, without an access.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[must_use]
            #[track_caller]
            pub fn peek_type(&self, counter: usize) -> u32 {
                $crate::pmuv3::check(COUNTERS, counter);
                self.peek($crate::pmuv3::map::PMEVTYPER0.plus(counter)) as u32
            }

            /// Signals an event `times` times.
            ///
            /// Nothing happens if it is not listed, or if only software or another counter causes it. Stores that
            /// have not taken effect yet have no effect on the count.
            ///
            /// # Panics
            ///
            /// If it is an event of another core.
            #[track_caller]
            pub fn signal(&self, event: impl arm_pmu_core::event::Selectable, times: u32) {
                self.signal_raw($crate::selected::id(event, $pmu), times);
            }

            /// Signals an event by its number, also one that the manual does not list. 0x11 is a [clock
            /// cycle](Self::clock).
            ///
            /// Nothing happens if there is no such event, if it is 0x00, which only software causes, or if it is
            /// CHAIN (0x1E): an odd counter counts the overflows of the even one below. Stores that have not taken
            /// effect yet have no effect on the count.
            pub fn signal_raw(&self, event: u16, times: u32) {
                self.state(|state| state.signal(event, times));
            }

            /// Runs the clock for this many cycles. Stores that have not taken effect yet have no effect on the
            /// count.
            pub fn clock(&self, cycles: u64) {
                self.state(|state| state.clock(cycles));
            }

            /// Returns whether the interrupt is asserted.
            #[must_use]
            pub fn interrupt(&self) -> bool {
                self.port.borrow().device.interrupt_line()
            }

            /// Sets the level at which the core runs. A new core is at EL1 in Non-secure state.
            ///
            /// Software of [`bus`](Self::bus) runs there too, but at EL1 while the core is at EL0. The level decides
            /// which of the [`CONTROLS`](Self::CONTROLS) it has, and what they do.
            pub fn set_level(&self, level: $crate::ExceptionLevel) {
                self.state(|state| state.set_level(level));
            }

            /// Sets whether event counting is permitted where the core runs. At first it is.
            ///
            /// Pins of the core decide that, as do MDCR_EL2 and MDCR_EL3. Without permission, event counters stand
            /// still, and with PMCR_EL0.DP the cycle counter too. It has no effect on register accesses.
            pub fn set_counting_permitted(&self, permitted: bool) {
                self.state(|state| state.is_permitted = permitted);
            }

            /// Sets PMUSERENR_EL0.EN, by which privileged software permits access at EL0, and clears SW, CR and ER.
            ///
            /// The bits are unknown after a reset.
            pub fn set_user_access(&self, open: bool) {
                self.state(|state| state.permit_user_access(open));
            }

            /// Sets PMCR_EL0.N at all levels, to simulate a core or a virtual machine with fewer counters.
            ///
            /// Below EL2, PMCR_EL0.N is MDCR_EL2.HPMN if that is less. An access to a counter at this number or above
            /// is a violation. Its bits in registers with one bit for each counter read as zero and ignore writes.
            ///
            /// # Panics
            ///
            /// If the core has fewer counters.
            #[track_caller]
            pub fn set_number_of_counters(&self, counters: u8) {
                assert!(usize::from(counters) <= COUNTERS, "the core has {COUNTERS} counters");
                self.state(|state| state.set_number_of_counters(counters));
            }

            /// Powers up with noise in every bit that software or the device can change.
            ///
            /// A previous owner left the bits so. See [`power_up`](Self::power_up).
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
                $crate::pmuv3::check(COUNTERS, counter);
                self.disable(counter);
            }

            /// Another owner clears the enable of the cycle counter. It takes effect at once and is not in the
            /// journal.
            pub fn other_owner_disables_cycles(&self) {
                self.disable($crate::pmuv3::map::CYCLES);
            }

            fn disable(&self, counter: usize) {
                self.state(|state| state.disable(counter));
            }

            /// Another owner clears PMCR_EL0.E. It takes effect at once and is not in the journal.
            pub fn other_owner_disables_all(&self) {
                self.state(|state| state.disable_all());
            }

            /// Another owner selects another event on one event counter, and keeps its filter. It takes effect at
            /// once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn other_owner_selects(&self, counter: usize, event: u16) {
                let of_type = self.peek_type(counter);
                let filter = of_type & $crate::pmuv3::map::FILTER as u32;
                self.other_owner_filters(counter, filter | u32::from(event));
            }

            /// Another owner writes PMEVTYPER of an event counter. It takes effect at once and is not in the
            /// journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn other_owner_filters(&self, counter: usize, of_type: u32) {
                $crate::pmuv3::check(COUNTERS, counter);
                self.poke($crate::pmuv3::map::PMEVTYPER0.plus(counter), of_type.into());
            }

            /// Another owner writes PMCCFILTR. It takes effect at once and is not in the journal.
            pub fn other_owner_filters_cycles(&self, filter: u32) {
                self.poke($crate::pmuv3::map::PMCCFILTR, filter.into());
            }
        }

        impl Default for $device {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}
pub(crate) use pmuv3_methods;

#[track_caller]
pub(crate) fn check(counters: usize, counter: usize) {
    assert!(counter < counters, "there is no counter {counter}");
}

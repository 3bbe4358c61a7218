//! PMUv3 in AArch64: shared code of its simulated cores.

pub(crate) mod map;
mod state;

pub(crate) use state::State;

/// The Exception level and security state at which a core runs.
///
/// The level decides whether a core with PMUv3, such as a [`CortexA53`](crate::CortexA53), counts signalled events.
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
    pub counters: usize,
}

/// Defines a simulated core with PMUv3 from the facts in its documents.
///
/// Without `idcode`, PMCR.IMP and IDCODE read as zero, as they do from Armv9 on. `slots` is PMMIR.SLOTS, from V3p4 on.
/// Without `pmceid`, PMCEID0 and PMCEID1 list every common event that `events` contains. `own` has the other events.
macro_rules! pmuv3_core {
    (
        $(#[$doc:meta])*
        $device:ident = $pmu:literal;
        version: $version:ident, counters: $counters:literal, $(idcode: $idcode:literal,)? $(slots: $slots:literal,)?
        $(pmceid: $pmceid:expr,)?
        midr of $revision:literal: $midr:literal,
        events: [$($events:tt)*] $(, own: [$($own:tt)*])? $(,)?
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $device {
            port: std::cell::RefCell<$crate::port::Port<State, $crate::SysregRegister>>,
        }

        use $crate::pmuv3::{Core, State, map};

        impl $device {
            /// All registers of the performance monitor that are accessed without a selector.
            ///
            /// Here, an access to any other register is a trap.
            pub const REGISTERS: &'static [$crate::SysregRegister] =
                map::of_version(&ALL_REGISTERS, IDENTITY.version);
            /// The numbers of all events, in ascending order.
            pub const EVENTS: &'static [u16] =
                &map::merged::<{ COMMON.len() + Self::OWN_EVENTS.len() }>(COMMON, Self::OWN_EVENTS);
            /// The numbers and names of the events that only the core defines.
            pub const OWN_EVENTS: &'static [(u16, &'static str)] = &[$($($own)*)?];
            #[doc = concat!("MIDR_EL1 of an ", $revision, " core. The buses do not reach this register.")]
            pub const MIDR: u32 = $midr;
        }

        $crate::pmuv3::pmuv3_methods!($device, $pmu);

        const IDENTITY: map::Identity = map::Identity {
            idcode: [$(Some($idcode),)? None][0],
            slots: [$($slots,)? 0][0],
            ..map::Identity::new(
                map::Version::$version,
                COUNTERS,
                [$($pmceid,)? map::pmceid($device::EVENTS)][0],
            )
        };
        const ALL_REGISTERS: [$crate::SysregRegister; 16] = map::registers(&IDENTITY);
        const COMMON: &[u16] = $crate::selected::events!(u16: $($events)*);
        const COUNTERS: usize = $counters;
        const CORE: Core = Core {
            registers: $device::REGISTERS,
            controls: &map::controls(COUNTERS, IDENTITY.version),
            events: $device::EVENTS,
            counters: COUNTERS,
        };
    };
}

/// The methods of every simulated core with PMUv3. The constants `COUNTERS` and `CORE` must be in scope.
macro_rules! pmuv3_methods {
    ($device:ident, $pmu:literal) => {
        $crate::handle::core_methods!(
            $device, SysregBus<SysregSpace>, SysregAccess, SysregViolation, SystemRegister => u64,
            noise in: "every bit that software or the device can change, including PMCR and PMUSERENR"
        );
        $crate::handle::architecture_methods!($device, $pmu, pmuv3, u16);

        /// MDCR_EL2 and MDCR_EL3 of a new device are as firmware leaves them: all counters belong to EL1, and count at
        /// every level.
        impl $device {
            /// Registers of EL2 and EL3 that control access to the performance monitor, but are not
            /// part of it.
            ///
            /// CurrentEL, ID_AA64PFR0_EL1, MDCR_EL2 and MDCR_EL3. MDCR_EL2 and MDCR_EL3 have the bits that concern
            /// the performance monitor. Software can access each register at its own [level](Self::set_level) and
            /// above. [`poke`](Self::poke) changes a register as software at EL2 or EL3 would.
            pub const CONTROLS: &'static [$crate::SysregRegister] = CORE.controls;

            /// Returns the count of an event counter, without an access.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[must_use]
            #[track_caller]
            pub fn peek_counter(&self, counter: usize) -> u32 {
                $crate::handle::check(COUNTERS, counter);
                self.peek($crate::pmuv3::map::PMEVCNTR0.plus(counter)) as u32
            }

            /// Changes the count of an event counter, without an access.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn poke_counter(&self, counter: usize, value: u32) {
                $crate::handle::check(COUNTERS, counter);
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
                $crate::handle::check(COUNTERS, counter);
                self.peek($crate::pmuv3::map::PMEVTYPER0.plus(counter)) as u32
            }

            /// Sets the level at which the core runs. A new core is at EL1 in Non-secure state.
            ///
            /// Software on [`bus`](Self::bus) runs at this level, or at EL1 if the level is EL0. The level determines
            /// which [`CONTROLS`](Self::CONTROLS) software can access, and what effect they have.
            pub fn set_level(&self, level: $crate::ExceptionLevel) {
                self.state(|state| state.set_level(level));
            }

            /// Sets PMMIR_EL1.THWIDTH, the number of bits of a threshold; 0 by default.
            ///
            /// A call of [`signal`](Self::signal) signals the events of one cycle. In a cycle that
            /// [`clock`](Self::clock) adds, no event occurs except event 0x11.
            ///
            /// # Panics
            ///
            /// If the core has no PMMIR_EL1.
            #[track_caller]
            pub fn set_threshold_width(&self, bits: u8) {
                let rest = self.peek($crate::pmuv3::map::PMMIR) & !(0xF << $crate::pmuv3::map::THWIDTH);
                let width = u64::from(bits) << $crate::pmuv3::map::THWIDTH;
                self.poke($crate::pmuv3::map::PMMIR, rest | width);
            }

            /// Sets which of EL2 and EL3 the core has; both by default. A virtual machine usually has neither EL2 nor
            /// EL3.
            ///
            /// The filter bits of missing levels read as zero and ignore writes.
            pub fn set_higher_levels(&self, el2: bool, el3: bool) {
                let of_el2 = if el2 { 0 } else { $crate::pmuv3::map::FILTER_OF_EL2 };
                let of_el3 = if el3 { 0 } else { $crate::pmuv3::map::FILTER_OF_EL3 };
                self.state(|state| state.missing_levels = of_el2 | of_el3);
            }

            /// Sets whether the pins of the core permit event counting. By default, they do.
            ///
            /// As on a real core, MDCR_EL2 and MDCR_EL3 can also prohibit counting. Without permission, event
            /// counters stop; if PMCR_EL0.DP is 1, the cycle counter also stops. The setting has no effect on
            /// register accesses.
            pub fn set_counting_permitted(&self, permitted: bool) {
                self.state(|state| state.is_permitted = permitted);
            }

            /// Sets PMCR_EL0.N at all levels, to simulate a core or a virtual machine with fewer counters.
            ///
            /// Below EL2, PMCR_EL0.N is at most MDCR_EL2.HPMN. An access to a counter at PMCR_EL0.N or above is a
            /// violation. In registers with one bit for each counter, the bit of such a counter reads as zero and
            /// ignores writes.
            ///
            /// # Panics
            ///
            /// If the core has fewer counters.
            #[track_caller]
            pub fn set_number_of_counters(&self, counters: u8) {
                assert!(usize::from(counters) <= COUNTERS, "the core has {COUNTERS} counters");
                self.state(|state| state.set_number_of_counters(counters));
            }

            /// Another owner selects another event on one event counter, and keeps its filter. The change takes
            /// effect at once and is not in the journal.
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

            /// Another owner writes PMEVTYPER of an event counter. The change takes effect at once and is not in the
            /// journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn other_owner_filters(&self, counter: usize, of_type: u32) {
                $crate::handle::check(COUNTERS, counter);
                self.poke($crate::pmuv3::map::PMEVTYPER0.plus(counter), of_type.into());
            }

            /// Another owner writes PMCCFILTR. The change takes effect at once and is not in the journal.
            pub fn other_owner_filters_cycles(&self, filter: u32) {
                self.poke($crate::pmuv3::map::PMCCFILTR, filter.into());
            }
        }
    };
}
pub(crate) use {pmuv3_core, pmuv3_methods};

//! One interface to all simulated devices, for generic tests. `for_each_pmu` has the list of PMUs.

use std::array::from_fn;
use std::fmt::Debug;
use std::num::NonZeroU32;

use arm_pmu::count::Count;
use arm_pmu::diagnose::Diagnose;
use arm_pmu::driver::CounterSet;
use arm_pmu::event::EventOrCycles;
use arm_pmu::measure::{Interference, Monitor, Rearm, StartStop};
use arm_pmu_sim::{Cp15Bus, MemoryBus, Noise, Security, Stream, SysregBus};

pub(crate) use crate::registers::Device as Registers;
use crate::registers::{self, Entry, Place};

/// Number of events for each device. Some PMUs have fewer counters, and some have more.
pub const EVENTS: usize = 6;

/// A simulated device, its driver, and some of its events.
pub(crate) trait Device: Registers {
    /// Name of the PMU in the specs.
    const NAME: &'static str;
    /// Name of the architecture, or of the IP if its driver serves no other IP.
    const KIND: &'static str;
    /// Whether counters saturate.
    const SATURATES: bool;
    /// Whether event counters have 64 bits, so that counts beyond 2^32 are exact.
    const LONG: bool;
    /// Whether there is a cycle counter.
    const HAS_CYCLE_COUNTER: bool;

    type Simulated;
    type Selection: Copy + PartialEq + Debug;
    type Pmu<'d>: StartStop<Selection = Self::Selection, Running: Rearm + Debug> + Diagnose + Debug
    where
        Self: 'd;

    fn new() -> Self;
    fn simulated(&self) -> &Self::Simulated;
    fn pmu(&self) -> Self::Pmu<'_>;
    fn selections() -> [Self::Selection; EVENTS];
    /// The event with this id.
    fn event(id: u16) -> Self::Selection;
    /// Signals an event, or cycles, this many times.
    fn happens(&self, what: Self::Selection, times: u32);
    /// Signals the event this many times.
    fn signal(&self, nth: usize, times: u32);
    /// Advances the clock by this number of cycles.
    fn cycles(&self, cycles: u64);
    /// Fills unknown bits with this noise, now and later.
    fn set_unknown(&self, noise: Noise);
    /// Selects one of three behaviours that the documents permit.
    fn vary(&self, variant: usize);
    /// Values of registers that a selector switches.
    fn selected(&self) -> Vec<u32>;

    /// The control register, with the global enable in bit 0.
    fn control(&self) -> Place {
        let names =
            ["CONTROL", "PMCR", "PMCR_EL0", "CR", "REG2_EV_COUNTER_CTRL", "CLUSTERPMCR_EL1"];
        let row = self.rows().into_iter().find(|row| names.contains(&row.name));
        row.expect("a control register").at
    }

    /// Changes the global enable, as another owner might.
    fn other_owner_enables_all(&self, enabled: bool) {
        let value = self.get(self.control());
        self.set(self.control(), value & !1 | u64::from(enabled));
    }

    /// Flag registers, and their bits.
    fn flags(&self) -> Vec<(Place, u64)> {
        let bits = |name| match name {
            "CONTROL" => Some(0x700),
            "PMOVSR" | "PMOVSSET_EL0" | "CLUSTERPMOVSSET_EL1" | "OVSSET0" => Some(u64::MAX),
            "CYCLE_OVERFLOW_STATUS" | "OVERFLOW_STATUS" | "REG2_INT_RAW_STATUS" => Some(1),
            _ => None,
        };
        self.rows().iter().filter_map(|row| Some((row.at, bits(row.name)?))).collect()
    }

    /// Whether an overflow flag is set.
    fn is_flag_set(&self) -> bool {
        self.flags().into_iter().any(|(at, bits)| self.get(at) & bits != 0)
    }

    /// Values of all registers, read without an access.
    fn registers(&self) -> (Vec<(&'static str, u64)>, Vec<u32>) {
        (self.contents(), self.selected())
    }

    /// Number of accesses in the journal.
    fn accesses(&self) -> usize {
        self.journal().iter().filter(|entry| **entry != Entry::Synchronize).count()
    }

    /// Permits counting of Secure events, if the device needs this permission.
    fn observe_secure(&self);
    /// Changes the event of counter 0, as another owner might.
    fn other_owner_selects(&self) -> bool;
    /// Disables counter 0, as another owner might; `false` if the counter has no enable of its own.
    fn other_owner_disables(&self) -> bool;
    /// Whether the interrupt is asserted.
    fn is_interrupting(&self) -> bool;
    /// Stops all counting from outside the PMU, if possible: with an input, the clock or a debugger.
    fn prohibit_counting(&self) -> bool;

    /// Counts the event on this counter, starting from a value.
    fn count_from(pmu: &mut Self::Pmu<'_>, counter: usize, nth: usize, from: u32);
    fn overflow_after(pmu: &mut Self::Pmu<'_>, counter: usize, nth: usize, events: NonZeroU32);
    fn off(pmu: &mut Self::Pmu<'_>, counter: usize);
    fn resume(pmu: Self::Pmu<'_>) -> <Self::Pmu<'_> as StartStop>::Running;
    /// Counts of the event counters.
    fn counts(pmu: &Self::Pmu<'_>) -> Vec<Count>;
    fn interference(pmu: &Self::Pmu<'_>) -> Option<Interference>;
    fn acknowledge_all(pmu: &mut Self::Pmu<'_>);
    /// Selects the event counters that interrupt, one bit each; `false` if the driver has no interrupts.
    fn interrupts(pmu: &mut Self::Pmu<'_>, counters: u32) -> bool;
}

/// For each of these generic functions, generates a test on the first PMU of each driver. `accesses.rs` checks that
/// the other PMUs of a driver access their registers alike. The first token is `$`.
macro_rules! on_every_driver {
    ($d:tt $($test:ident)*) => {
        macro_rules! each_pmu {
            ($d($d pmu:ident { $d($d row:tt)* })*) => { $d(
                mod $d pmu { $(
                    #[test]
                    fn $test() {
                        super::$test::<crate::devices::$d pmu::Simulated>();
                    }
                )* }
            )* };
        }
        arm_pmu::for_each_pmu!(drivers => each_pmu);
    };
}

pub(crate) use on_every_driver;

/// Type of a driver on the bus of a simulated device.
macro_rules! driver {
    (memory $d:lifetime) => { driver::Pmu<MemoryBus<$d, krate::Space>> };
    (cp15 $d:lifetime) => { driver::Pmu<Cp15Bus<$d, krate::Space>> };
    (system $d:lifetime) => { driver::Pmu<SysregBus<$d, krate::Space>> };
    (pages $d:lifetime) => {
        driver::Pmu<
            MemoryBus<$d, krate::registers::Page0>,
            MemoryBus<$d, krate::registers::Page1>,
        >
    };
}

/// Creates a driver.
macro_rules! pmu {
    (pages $device:expr) => {
        driver::Pmu::new($device.page0(), $device.page1())
    };
    ($place:ident $device:expr) => {
        driver::Pmu::new($device.bus())
    };
}

/// Selection type of a driver with or without a cycle counter.
macro_rules! selection {
    (true) => { EventOrCycles<driver::Selection> };
    (false) => { driver::Selection };
}

/// Event of a driver with or without a cycle counter.
macro_rules! event {
    (true $event:expr) => {
        EventOrCycles::Event($event)
    };
    (false $event:expr) => {
        $event
    };
}

/// Signals an event or cycles.
macro_rules! happens {
    (true $device:expr, $what:expr, $times:expr) => {
        match $what {
            EventOrCycles::Event(event) => $device.signal_event(event, $times),
            EventOrCycles::Cycles => $device.cycles($times.into()),
        }
    };
    (false $device:expr, $what:expr, $times:expr) => {
        $device.signal_event($what, $times)
    };
}

/// Signals an event in this kind of device.
macro_rules! signal {
    (cci400 $device:expr, $event:expr, $times:expr) => {
        $device.signal($event, Security::NonSecure, $times)
    };
    (cci5xx $device:expr, $event:expr, $times:expr) => {
        $device.signal($event, Security::NonSecure, $times)
    };
    (smmuv3_pmcg $device:expr, $event:expr, $times:expr) => {
        $device.signal($event, Stream::non_secure(7), $times)
    };
    ($core:ident $device:expr, $event:expr, $times:expr) => {
        $device.signal($event, $times)
    };
}

/// Advances the clock of this kind of device, if there is one.
macro_rules! clock {
    (cci5xx $device:expr, $cycles:expr) => {{
        let _ = $cycles;
    }};
    (l2c_310 $device:expr, $cycles:expr) => {{
        let _ = $cycles;
    }};
    ($clocked:ident $device:expr, $cycles:expr) => {
        $device.clock($cycles)
    };
}

/// Sets the noise of unknown bits, including bits that the device draws later.
macro_rules! noise {
    (memory $device:expr, $noise:expr) => {
        $device.power_up_with($noise)
    };
    (pages $device:expr, $noise:expr) => {
        $device.power_up_with($noise)
    };
    ($core:ident $device:expr, $noise:expr) => {
        $device.set_noise($noise);
        $device.power_up_with($noise);
    };
}

/// Selects one of the behaviours that the documents permit for this kind of device.
macro_rules! vary {
    (arm11 $device:expr, $variant:expr) => {{
        use arm_pmu_sim::FlagsClear::*;
        let readings = [IfEnabledThroughout, IfEnabledBefore, IfEnabledByWrite];
        $device.set_flags_clear(readings[$variant]);
    }};
    (armv7_pmu $device:expr, $variant:expr) => {{
        use arm_pmu_sim::StaleSelector::*;
        $device.set_stale_selector([Old, Random, New][$variant]);
    }};
    (dsu $device:expr, $variant:expr) => {
        vary!(armv7_pmu $device, $variant)
    };
    (smmuv3_pmcg $device:expr, $variant:expr) => {{
        use arm_pmu_sim::PageOrder::*;
        $device.set_page_order([Issued, Page0First, Page1First][$variant]);
    }};
    (cci5xx $device:expr, $variant:expr) => {
        $device.set_reset_reaches_gated($variant == 1)
    };
    (l2c_310 $device:expr, $variant:expr) => {
        $device.set_interrupt_beyond($variant == 1)
    };
    ($other:ident $device:expr, $variant:expr) => {{
        let _ = $variant;
    }};
}

/// Stops all counting in this kind of device.
macro_rules! prohibit {
    (arm11 $device:expr) => {{
        $device.set_debug_state(true);
        true
    }};
    (arm_pmuv3 $device:expr) => {{
        $device.set_counting_permitted(false);
        true
    }};
    (l2c_310 $device:expr) => {
        false
    };
    (smmuv3_pmcg $device:expr) => {{
        $device.set_clock_gated(true);
        true
    }};
    (dsu $device:expr) => {
        prohibit!(smmuv3_pmcg $device)
    };
    ($niden:ident $device:expr) => {{
        $device.set_niden(false);
        true
    }};
}

/// Permits counting of Secure events in this kind of device.
macro_rules! observe_secure {
    (smmuv3_pmcg $device:expr) => {
        $device.set_secure_observation(true)
    };
    ($other:ident $device:expr) => {};
}

/// Changes the event of counter 0, or disables the counter.
macro_rules! other_owner {
    (selects l2c_310 $device:expr) => {{
        $device.poke(0x208, 0x02 << 2);
        true
    }};
    (selects $kind:ident $device:expr) => {{
        $device.other_owner_selects(0, 0x11);
        true
    }};
    (disables arm11 $device:expr) => {
        false
    };
    (disables l2c_310 $device:expr) => {
        false
    };
    (disables $kind:ident $device:expr) => {{
        $device.other_owner_disables(0);
        true
    }};
}

/// Selects the counters that interrupt.
macro_rules! interrupts {
    (cci400 $pmu:expr, $counters:expr) => {{
        let _ = ($pmu, $counters);
        false
    }};
    (cci5xx $pmu:expr, $counters:expr) => {
        interrupts!(cci400 $pmu, $counters)
    };
    (smmuv3_pmcg $pmu:expr, $counters:expr) => {
        $pmu.interrupts(from_fn(|n| $counters >> n & 1 == 1)).is_ok()
    };
    // The interrupt of an L2C-310 has a second mask: see the tests of its crate.
    (l2c_310 $pmu:expr, $counters:expr) => {
        interrupts!(cci400 $pmu, $counters)
    };
    ($core:ident $pmu:expr, $counters:expr) => {{
        $pmu.interrupts(CounterSet::from_bits($counters, false));
        true
    }};
}

/// Whether the interrupt of this kind of device is asserted.
macro_rules! is_interrupting {
    (cci400 $device:expr) => {
        false
    };
    (cci5xx $device:expr) => {
        false
    };
    // A pulse for each overflow.
    (smmuv3_pmcg $device:expr) => {
        $device.0.interrupts() != 0 && $device.is_flag_set()
    };
    ($level:ident $device:expr) => {
        $device.0.interrupt()
    };
}

/// Events and counts of event counters that a selector switches.
macro_rules! selected {
    (armv7_pmu $device:expr, $counters:expr) => {
        (0..$counters)
            .flat_map(|n| [$device.peek_event(n).into(), $device.peek_counter(n)])
            .collect()
    };
    (dsu $device:expr, $counters:expr) => {
        selected!(armv7_pmu $device, $counters)
    };
    ($other:ident $device:expr, $counters:expr) => {
        Vec::new()
    };
}

macro_rules! saturates {
    (l2c_310) => {
        true
    };
    ($wraps:ident) => {
        false
    };
}

macro_rules! is_long {
    (arm_pmuv3, $Device:ident) => {
        has_long_counters(arm_pmu_sim::$Device::REGISTERS)
    };
    (dsu, $Device:ident) => {
        true
    };
    ($other:ident, $Device:ident) => {
        false
    };
}

/// Only the event counters of PMUv3 are an array of registers with one field of 64 bits.
const fn has_long_counters(mut rows: &[arm_pmu_sim::SysregRegister]) -> bool {
    while let [row, rest @ ..] = rows {
        if row.count > 1 && row.read_write == u64::MAX {
            return true;
        }
        rows = rest;
    }
    false
}

macro_rules! devices {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident $(:: $unit:ident)?, registers: $registers:ident,
        events: [$($id:literal),*], $($rest:tt)*
    })*) => { $(
        #[allow(unused_imports, reason = "the bus depends on the device")]
        pub mod $pmu {
            use super::*;
            use $driver as driver;
            use $krate as krate;

            pub(crate) use registers::$pmu::Simulated;

            pub fn events() -> [driver::Selection; EVENTS] {
                [$($id),*].map(|id: u16| driver::Selection::from_id(id).expect("a listed event"))
            }

            impl Simulated {
                /// Signals an event of this PMU.
                pub fn signal_event(&self, event: driver::Selection, times: u32) {
                    signal!($kind self.0, event, times);
                }
            }

            impl Device for Simulated {
                const NAME: &'static str = $name;
                const KIND: &'static str = stringify!($kind);
                const SATURATES: bool = saturates!($kind);
                const LONG: bool = is_long!($kind, $Device);
                const HAS_CYCLE_COUNTER: bool = $cycles;

                type Simulated = arm_pmu_sim::$Device;
                type Selection = selection!($cycles);
                type Pmu<'d> = driver!($place 'd);

                fn new() -> Self {
                    Self::new()
                }

                fn simulated(&self) -> &Self::Simulated {
                    &self.0
                }

                fn pmu(&self) -> Self::Pmu<'_> {
                    pmu!($place self.0)
                }

                fn selections() -> [Self::Selection; EVENTS] {
                    events().map(Into::into)
                }

                fn event(id: u16) -> Self::Selection {
                    event!($cycles driver::Selection::from_id(id).expect("a listed event"))
                }

                fn happens(&self, what: Self::Selection, times: u32) {
                    happens!($cycles self, what, times);
                }

                fn signal(&self, nth: usize, times: u32) {
                    self.signal_event(events()[nth], times);
                }

                fn cycles(&self, cycles: u64) {
                    clock!($kind self.0, cycles);
                }

                fn set_unknown(&self, noise: Noise) {
                    noise!($place self.0, noise);
                }

                fn selected(&self) -> Vec<u32> {
                    selected!($kind self.0, <Self::Pmu<'_> as Monitor>::COUNTERS - 1)
                }

                fn vary(&self, variant: usize) {
                    vary!($kind self.0, variant);
                }

                fn prohibit_counting(&self) -> bool {
                    prohibit!($kind self.0)
                }

                fn other_owner_selects(&self) -> bool {
                    other_owner!(selects $kind self.0)
                }

                fn other_owner_disables(&self) -> bool {
                    other_owner!(disables $kind self.0)
                }

                fn is_interrupting(&self) -> bool {
                    is_interrupting!($kind self)
                }

                fn observe_secure(&self) {
                    observe_secure!($kind self.0);
                }

                fn count_from(pmu: &mut Self::Pmu<'_>, counter: usize, nth: usize, from: u32) {
                    pmu.counter(counter).expect("a counter").count_from(events()[nth], from);
                }

                fn overflow_after(pmu: &mut Self::Pmu<'_>, counter: usize, nth: usize, many: NonZeroU32) {
                    pmu.counter(counter).expect("a counter").overflow_after(events()[nth], many);
                }

                fn off(pmu: &mut Self::Pmu<'_>, counter: usize) {
                    pmu.counter(counter).expect("a counter").off();
                }

                fn resume(pmu: Self::Pmu<'_>) -> <Self::Pmu<'_> as StartStop>::Running {
                    pmu.resume()
                }

                fn counts(pmu: &Self::Pmu<'_>) -> Vec<Count> {
                    pmu.counts().to_vec()
                }

                fn interference(pmu: &Self::Pmu<'_>) -> Option<Interference> {
                    pmu.interference()
                }

                fn acknowledge_all(pmu: &mut Self::Pmu<'_>) {
                    pmu.acknowledge_all();
                }

                fn interrupts(pmu: &mut Self::Pmu<'_>, counters: u32) -> bool {
                    interrupts!($kind pmu, counters)
                }
            }
        }
    )* };
}

arm_pmu::for_each_pmu!(devices);

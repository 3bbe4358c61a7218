//! One interface to all simulated devices, for generic tests. `for_each_pmu` lists the PMUs.

use std::array::from_fn;
use std::fmt::{Debug, Display};
use std::num::NonZeroU32;

use arm_pmu::count::Count;
use arm_pmu::diagnose::Diagnose;
use arm_pmu::driver::{CounterSet, Divider};
use arm_pmu::event::{EventOrCycles, Selectable as _};
use arm_pmu::measure::{Interference, Monitor, Rearm, StartStop};
use arm_pmu_sim::{Cp15Bus, L2c310, MemoryBus, Noise, Response, Security, Stream, SysregBus};

use crate::random::banks::{self, Banks};
pub(crate) use crate::registers::Device as Registers;
use crate::registers::{self, Entry, Place, further_pmus};
pub(crate) use crate::traffic::EVENTS;
use crate::traffic::{BusyBus, CYCLES, Item, MOST_COUNTERS, OTHER_EVENT, Target, World};

/// A simulated device, its driver, and some of its events.
pub(crate) trait Device: Registers + Target {
    /// Name of the PMU in the specs.
    const NAME: &'static str;
    /// Name of the architecture, or of the IP if its driver serves no other IP.
    const KIND: &'static str;
    /// Whether counters saturate.
    const SATURATES: bool = matches!(Self::KIND.as_bytes(), b"l2c_310");
    /// Whether event counters have 64 bits, so that counts beyond 2^32 are exact.
    const LONG: bool;
    /// Whether there is a cycle counter.
    const HAS_CYCLE_COUNTER: bool;

    type Simulated;
    type Selection: Copy + PartialEq + Debug + Display;
    type Pmu<'d>: StartStop<Selection = Self::Selection, Running: Rearm + Debug> + Diagnose + Debug
    where
        Self: 'd;

    fn new() -> Self;
    fn simulated(&self) -> &Self::Simulated;
    fn pmu(&self) -> Self::Pmu<'_>;
    fn selections() -> [Self::Selection; EVENTS];
    /// The event with this id.
    fn event(id: u16) -> Self::Selection;
    /// Signals the event, or advances the clock by a cycle, this many times.
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

    /// Values of all registers; reading them here makes no access to the device.
    fn registers(&self) -> (Vec<(&'static str, u64)>, Vec<u32>) {
        (self.contents(), self.selected())
    }

    /// Number of accesses in the journal.
    fn accesses(&self) -> usize {
        self.journal().iter().filter(|entry| **entry != Entry::Synchronize).count()
    }

    /// Lets flags clear only while the PMU is disabled, if the documents of the device permit this.
    fn hold_flags(&self);
    /// Permits counting of Secure events, if the device needs this permission.
    fn observe_secure(&self);
    /// Whether the interrupt is asserted.
    fn is_interrupting(&self) -> bool;
    /// Stops all counting from outside the PMU, if possible: with an input, the clock or a debugger.
    fn prohibit_counting(&self) -> bool;

    /// Counts the event on this counter, starting from a value.
    fn count_from(pmu: &mut Self::Pmu<'_>, counter: usize, nth: usize, from: u32);
    fn overflow_after(pmu: &mut Self::Pmu<'_>, counter: usize, nth: usize, events: NonZeroU32);
    fn off(pmu: &mut Self::Pmu<'_>, counter: usize);
    /// Counts each cycle on the cycle counter, if there is one, starting from a value; `None` turns the counter off.
    fn set_cycles(pmu: &mut Self::Pmu<'_>, from: Option<u32>);
    fn resume(pmu: Self::Pmu<'_>) -> <Self::Pmu<'_> as StartStop>::Running;
    /// Counts of the event counters.
    fn counts(pmu: &Self::Pmu<'_>) -> Vec<Count>;
    /// Count of the cycle counter.
    fn count_of_cycles(pmu: &Self::Pmu<'_>) -> Count;
    /// Creates a bank for each list of selections. Returns the PMU if it has no banks.
    fn banks<'d>(
        pmu: Self::Pmu<'d>,
        lists: &[[Self::Selection; 2]],
    ) -> Result<Banks<'d, Self::Pmu<'d>>, Self::Pmu<'d>>;
    fn interference(pmu: &Self::Pmu<'_>) -> Option<Interference>;
    fn acknowledge_all(pmu: &mut Self::Pmu<'_>);
    /// Selects the event counters that interrupt, one bit each; `false` if the driver has no interrupts.
    fn interrupts(pmu: &mut Self::Pmu<'_>, counters: u32) -> bool;
}

/// For each of these generic functions, generates a test on the first PMU of each driver. `accesses.rs` checks that the
/// other PMUs of a driver access their registers in the same way. The first token is `$`.
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

/// Defaults for methods that some devices and drivers lack. The compiler prefers a method of `D` to a method of `&D`.
trait Lacking {
    fn other_owner_disables(&self, _counter: usize) {
        panic!("counters of this device cannot be disabled individually");
    }
    fn other_owner_disables_cycles(&self) {
        panic!("the cycle counter of this device cannot be disabled");
    }
    fn other_owner_moves_selector(&self, _selector: u8) {
        panic!("this device has no selector");
    }
    fn set_number_of_counters(&self, _counters: u8) {
        panic!("no hypervisor takes counters of this device away");
    }
    fn set_user_access(&self, _permitted: bool) {}
    fn set_noise(&self, _noise: Noise) {}
    fn set_secure_observation(&self, _observed: bool) {}
    fn set_flags_clear_while_counting(&self, _clear: bool) {}
    fn clock(&self, _cycles: u64) {}
    fn cycles(&self) -> Count {
        Count::NOT_COUNTED
    }
    /// Whether the interrupt is asserted.
    fn interrupt(&self) -> bool {
        false
    }
    /// Number of pulses of the interrupt.
    fn interrupts(&self) -> usize {
        0
    }
}

impl<D> Lacking for &D {}

/// Another owner of an L2C-310.
trait OtherOwner {
    fn other_owner_disables(&self, counter: usize);
    fn other_owner_selects(&self, counter: usize, source: u32);
}

impl OtherOwner for L2c310 {
    fn other_owner_disables(&self, counter: usize) {
        self.other_owner_selects(counter, 0);
    }

    fn other_owner_selects(&self, counter: usize, source: u32) {
        /// The configuration registers of counter 0 and of counter 1.
        const CFG: [usize; 2] = [0x208, 0x204];
        self.poke(CFG[counter], source << 2);
    }
}

/// Type of a driver on the bus of a simulated device.
macro_rules! driver {
    (memory $d:lifetime) => { driver::Pmu<BusyBus<$d, MemoryBus<$d, krate::Space>, Self>> };
    (cp15 $d:lifetime) => { driver::Pmu<BusyBus<$d, Cp15Bus<$d, krate::Space>, Self>> };
    (cp15_user $d:lifetime) => { driver::UserPmu<BusyBus<$d, Cp15Bus<$d, krate::Space>, Self>> };
    (system $d:lifetime) => { driver::Pmu<BusyBus<$d, SysregBus<$d, krate::Space>, Self>> };
    (system_user $d:lifetime) => {
        driver::UserPmu<BusyBus<$d, SysregBus<$d, krate::Space>, Self>>
    };
    (pages $d:lifetime) => {
        driver::Pmu<
            BusyBus<$d, MemoryBus<$d, krate::registers::Page0>, Self>,
            BusyBus<$d, MemoryBus<$d, krate::registers::Page1>, Self>,
        >
    };
}

/// Creates a driver.
macro_rules! pmu {
    (pages $device:expr) => {
        driver::Pmu::new(
            BusyBus::new($device.0.page0(), $device),
            BusyBus::new($device.0.page1(), $device),
        )
    };
    (cp15_user $device:expr) => {{
        $device.0.set_user_access(true);
        loop {
            // The driver checks that access is enabled, so the registers must answer.
            match driver::UserPmu::open(BusyBus::new($device.0.user_bus(), $device)) {
                Ok(pmu) => break pmu,
                Err(_) => $device.1.happen($device, Item::Answers),
            }
        }
    }};
    (system_user $device:expr) => {
        pmu!(cp15_user $device)
    };
    ($place:ident $device:expr) => {
        driver::Pmu::new(BusyBus::new($device.0.bus(), $device))
    };
}

/// Selection type of a driver with or without a cycle counter.
macro_rules! selection {
    (true) => { EventOrCycles<driver::Selection> };
    (false) => { driver::Selection };
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

/// Sets a cycle counter, if there is one, to count each cycle. The cycle counters of PMUv3 and of a DSU have no
/// divider.
macro_rules! set_cycles {
    (false $kind:ident $pmu:expr, $from:expr) => {
        let _ = ($pmu, $from);
    };
    (true arm_pmuv3 $pmu:expr, $from:expr) => {
        match $from {
            Some(from) => $pmu.cycle_counter().count_from(from),
            None => $pmu.cycle_counter().off(),
        }
    };
    (true dsu $pmu:expr, $from:expr) => {
        set_cycles!(true arm_pmuv3 $pmu, $from)
    };
    (true $divided:ident $pmu:expr, $from:expr) => {
        match $from {
            Some(from) => $pmu.cycle_counter().count_from(Divider::By1, from),
            None => $pmu.cycle_counter().off(),
        }
    };
}

/// Creates banks of a PMU with a cycle counter.
macro_rules! banks {
    (true $pmu:expr, $lists:expr) => {
        Ok(banks::create($pmu, $lists))
    };
    (false $pmu:expr, $lists:expr) => {{
        let _ = $lists;
        Err($pmu)
    }};
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

/// Selects the counters that interrupt.
macro_rules! interrupts {
    (cci400 $place:ident $pmu:expr, $counters:expr) => {{
        let _ = ($pmu, $counters);
        false
    }};
    (cci5xx $place:ident $pmu:expr, $counters:expr) => {
        interrupts!(cci400 $place $pmu, $counters)
    };
    ($kind:ident cp15_user $pmu:expr, $counters:expr) => {
        interrupts!(cci400 cp15_user $pmu, $counters)
    };
    ($kind:ident system_user $pmu:expr, $counters:expr) => {
        interrupts!(cci400 system_user $pmu, $counters)
    };
    (smmuv3_pmcg $place:ident $pmu:expr, $counters:expr) => {
        $pmu.interrupts(from_fn(|n| $counters >> n & 1 == 1)).is_ok()
    };
    // An L2C-310's interrupt has a second mask, which the tests of its crate cover.
    (l2c_310 $place:ident $pmu:expr, $counters:expr) => {
        interrupts!(cci400 $place $pmu, $counters)
    };
    ($core:ident $place:ident $pmu:expr, $counters:expr) => {{
        $pmu.interrupts(CounterSet::from_bits($counters, false));
        true
    }};
}

/// Events and counts of all event counters, on a PMU that accesses them through a selector.
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

macro_rules! is_long {
    (arm_pmuv3, $Device:ident) => {
        has_long_counters(arm_pmu_sim::$Device::REGISTERS)
    };
    (dsu, $Device:ident) => {
        true
    };
    ($other:ident, $Device:ident $($unit:ident)?) => {
        false
    };
}

/// In PMUv3, only the event counters are an array of registers that each have one field of 64 bits.
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

            impl Target for Simulated {
                fn world(&self) -> &World {
                    &self.1
                }

                fn apply(&self, item: Item) {
                    let device = &self.0;
                    match item {
                        Item::Event { event: CYCLES, times } => self.cycles(times.into()),
                        Item::Event { event, times } => self.signal(event.into(), times),
                        Item::Disable(counter) if usize::from(counter) == MOST_COUNTERS => {
                            device.other_owner_disables_cycles();
                        }
                        Item::Disable(counter) => device.other_owner_disables(counter.into()),
                        Item::DisableAll => self.other_owner_enables_all(false),
                        Item::Select(counter) => {
                            let other = events()[usize::from(OTHER_EVENT)].event_id();
                            let other = other.try_into().expect("the code fits the device's type");
                            device.other_owner_selects(counter.into(), other);
                        }
                        Item::MoveSelector(selector) => device.other_owner_moves_selector(selector),
                        Item::Leave(counters) => device.set_number_of_counters(counters),
                        Item::Zeros => device.set_response(Response::Zero),
                        Item::Ones => device.set_response(Response::Ones),
                        Item::Fails => device.set_response(Response::Error),
                        Item::Answers => device.set_response(Response::Registers),
                        Item::LosesPower => {
                            device.power_up();
                            device.set_user_access(true);
                        }
                        Item::IgnoresStores => {}
                    }
                }
            }

            impl Device for Simulated {
                const NAME: &'static str = $name;
                const KIND: &'static str = stringify!($kind);
                const LONG: bool = is_long!($kind, $Device $($unit)?);
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
                    pmu!($place self)
                }

                fn selections() -> [Self::Selection; EVENTS] {
                    events().map(Into::into)
                }

                fn event(id: u16) -> Self::Selection {
                    driver::Selection::from_id(id).expect("a listed event").into()
                }

                fn happens(&self, what: Self::Selection, times: u32) {
                    happens!($cycles self, what, times);
                }

                fn signal(&self, nth: usize, times: u32) {
                    self.signal_event(events()[nth], times);
                }

                fn cycles(&self, cycles: u64) {
                    (&self.0).clock(cycles);
                }

                fn set_unknown(&self, noise: Noise) {
                    (&self.0).set_noise(noise);
                    self.0.power_up_with(noise);
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

                fn is_interrupting(&self) -> bool {
                    let device = &self.0;
                    // An SMMU sends a pulse for each overflow.
                    device.interrupt() || device.interrupts() != 0 && self.is_flag_set()
                }

                fn hold_flags(&self) {
                    (&self.0).set_flags_clear_while_counting(false);
                }

                fn observe_secure(&self) {
                    (&self.0).set_secure_observation(true);
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

                fn set_cycles(pmu: &mut Self::Pmu<'_>, from: Option<u32>) {
                    set_cycles!($cycles $kind pmu, from);
                }

                fn resume(pmu: Self::Pmu<'_>) -> <Self::Pmu<'_> as StartStop>::Running {
                    pmu.resume()
                }

                fn counts(pmu: &Self::Pmu<'_>) -> Vec<Count> {
                    pmu.counts().to_vec()
                }

                fn count_of_cycles(pmu: &Self::Pmu<'_>) -> Count {
                    pmu.cycles()
                }

                fn banks<'d>(
                    pmu: Self::Pmu<'d>,
                    lists: &[[Self::Selection; 2]],
                ) -> Result<Banks<'d, Self::Pmu<'d>>, Self::Pmu<'d>> {
                    banks!($cycles pmu, lists)
                }

                fn interference(pmu: &Self::Pmu<'_>) -> Option<Interference> {
                    pmu.interference()
                }

                fn acknowledge_all(pmu: &mut Self::Pmu<'_>) {
                    pmu.acknowledge_all();
                }

                fn interrupts(pmu: &mut Self::Pmu<'_>, counters: u32) -> bool {
                    interrupts!($kind $place pmu, counters)
                }
            }
        }
    )* };
}

arm_pmu::for_each_pmu!(devices);
further_pmus!(devices);

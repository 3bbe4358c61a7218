//! All drivers with a diagnosis, and their devices, from the table of all PMUs.

use arm_pmu_core::count::Count;
use arm_pmu_core::driver::Divider;
use arm_pmu_core::event::{EventOrCycles, Selectable as _};
use arm_pmu_core::measure::Monitor;
use arm_pmu_sim::{Cp15Bus, L2c310, MemoryBus, Response, Security, Stream, SysregBus};

use crate::banks::{self, Banks};
use crate::oracle::Failure;
use crate::program::{CYCLES, DetectedBy, EVENTS, Item, OTHER_EVENT, Program, Shape};
use crate::run::{self, Done};
use crate::world::{BusyBus, Counts, MOST, Subject, World};

/// Features of a core. The number of counters is the driver's default.
const CORE: Shape = Shape {
    counters: 0,
    cycle_counter: true,
    clock: true,
    single_enables: true,
    selector: false,
    hypervisor: false,
    saturates: false,
    captures: false,
    power_loss: DetectedBy::None,
    accesses: 60,
};

/// Features of a memory-mapped device.
const DEVICE: Shape =
    Shape { cycle_counter: false, clock: false, power_loss: DetectedBy::Stop, ..CORE };

macro_rules! shape {
    (arm11) => {
        Shape { single_enables: false, power_loss: DetectedBy::Resume, accesses: 24, ..CORE }
    };
    (armv7_pmu) => {
        Shape { selector: true, ..CORE }
    };
    (arm_pmuv3) => {
        Shape { hypervisor: true, accesses: 70, ..CORE }
    };
    (dsu) => {
        Shape { selector: true, accesses: 80, ..CORE }
    };
    (cci400) => {
        Shape { power_loss: DetectedBy::Stop, accesses: 40, ..CORE }
    };
    (cci5xx) => {
        Shape { accesses: 70, ..DEVICE }
    };
    (l2c_310) => {
        Shape { saturates: true, accesses: 24, ..DEVICE }
    };
    (smmuv3_pmcg) => {
        Shape { clock: true, captures: true, accesses: 50, ..DEVICE }
    };
}

/// Methods that only some devices and drivers have. The compiler prefers a method of `D` to a method
/// of `&D`.
trait Lacking {
    fn other_owner_disables(&self, _counter: usize) {
        panic!("no single counter of this device can be disabled");
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
    /// Only cores use this method.
    fn set_user_access(&self, _permitted: bool) {}
    /// A device without this method does not depend on the clock.
    fn clock(&self, _cycles: u64) {}
    fn cycles(&self) -> Count {
        Count::NOT_COUNTED
    }
}

impl<D> Lacking for &D {}

/// Another owner of an L2C-310.
trait OtherOwner {
    fn other_owner_disables(&self, counter: usize);
    fn other_owner_disables_all(&self);
    fn other_owner_selects(&self, counter: usize, source: u32);
}

impl OtherOwner for L2c310 {
    fn other_owner_disables(&self, counter: usize) {
        self.other_owner_selects(counter, 0);
    }

    fn other_owner_disables_all(&self) {
        const CTRL: usize = 0x200;
        self.poke(CTRL, 0);
    }

    fn other_owner_selects(&self, counter: usize, source: u32) {
        /// The configuration registers of counter 0 and of counter 1.
        const CFG: [usize; 2] = [0x208, 0x204];
        self.poke(CFG[counter], source << 2);
    }
}

/// Combines the counts of the event counters and of the cycle counter in the order of their
/// numbers.
fn place<const COUNTERS: usize>(events: [Count; COUNTERS], cycles: Count) -> Counts {
    let mut counts = [Count::NOT_COUNTED; MOST];
    counts[..COUNTERS].copy_from_slice(&events);
    counts[COUNTERS] = cycles;
    counts
}

/// Sets a cycle counter, if there is one, to count each cycle.
macro_rules! set_cycles {
    (false $kind:ident $pmu:ident $from:ident) => {
        let _ = ($pmu, $from);
    };
    (true $kind:ident $pmu:ident $from:ident) => {
        match $from {
            Some(from) => count_cycles!($kind $pmu from),
            None => $pmu.cycle_counter().off(),
        }
    };
}

/// Counts each cycle. The cycle counters of PMUv3 and of a DSU have no divider.
macro_rules! count_cycles {
    (arm_pmuv3 $pmu:ident $from:ident) => {
        $pmu.cycle_counter().count_from($from)
    };
    (dsu $pmu:ident $from:ident) => {
        $pmu.cycle_counter().count_from($from)
    };
    ($divided:ident $pmu:ident $from:ident) => {
        $pmu.cycle_counter().count_from(Divider::By1, $from)
    };
}

/// Returns the selection of cycles. Among the PMUs without a cycle counter, SMMUs have an event for
/// cycles.
macro_rules! cycles {
    (true) => {
        EventOrCycles::Cycles
    };
    (false) => {
        driver::Selection::from_id(0).expect("the code of a clock cycle")
    };
}

/// Creates the banks of a PMU with a cycle counter.
macro_rules! banks {
    (true $pmu:ident $lists:ident) => {
        Ok(banks::create($pmu, $lists))
    };
    (false $pmu:ident $lists:ident) => {{
        let _ = $lists;
        Err($pmu)
    }};
}

macro_rules! selection {
    (true) => { EventOrCycles<driver::Selection> };
    (false) => { driver::Selection };
}

/// Creates a device after a reset: `Device::new()`, or the constructor of a unit.
macro_rules! device {
    ($Device:ident) => {
        arm_pmu_sim::$Device::new()
    };
    ($Device:ident $unit:ident) => {
        arm_pmu_sim::$Device::$unit()
    };
}

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
    ($kind:ident $device:expr, $event:expr, $times:expr) => {
        $device.signal($event, $times)
    };
}

/// A type of a driver on a bus of its simulated device.
macro_rules! on_bus {
    ($Type:ident cp15 $w:lifetime) => {
        driver::$Type<BusyBus<$w, Cp15Bus<$w, krate::Space>, Self>>
    };
    ($Type:ident system $w:lifetime) => {
        driver::$Type<BusyBus<$w, SysregBus<$w, krate::Space>, Self>>
    };
    ($Type:ident memory $w:lifetime) => {
        driver::$Type<BusyBus<$w, MemoryBus<$w, krate::Space>, Self>>
    };
    ($Type:ident pages $w:lifetime) => {
        driver::$Type<
            BusyBus<$w, MemoryBus<$w, krate::registers::Page0>, Self>,
            BusyBus<$w, MemoryBus<$w, krate::registers::Page1>, Self>,
        >
    };
}

macro_rules! pmu {
    (Pmu pages $world:ident) => {
        driver::Pmu::new(
            BusyBus::new($world.device.page0(), $world),
            BusyBus::new($world.device.page1(), $world),
        )
    };
    (Pmu $place:ident $world:ident) => {
        driver::Pmu::new(BusyBus::new($world.device.bus(), $world))
    };
    // The driver for User mode or EL0 checks that access is enabled, so the registers must answer.
    (UserPmu $place:ident $world:ident) => {
        loop {
            match driver::UserPmu::open(BusyBus::new($world.device.user_bus(), $world)) {
                Ok(pmu) => return pmu,
                Err(_) => $world.happen(Item::Answers),
            }
        }
    };
}

macro_rules! subject {
    (
        $module:ident $name:literal, $kind:ident $place:ident $cycles:ident, $krate:path, $driver:path,
        $Pmu:ident $Running:ident, $Device:ident $($unit:ident)?, [$($id:literal),*]
    ) => {
        mod $module {
            use $driver as driver;
            use $krate as krate;

            use super::*;

            /// The driver and its simulated device.
            #[derive(Debug)]
            pub enum Driven {}

            fn event(nth: u8) -> driver::Selection {
                let ids: [u16; EVENTS] = [$($id),*];
                driver::Selection::from_id(ids[usize::from(nth)]).expect("a listed event")
            }

            impl Subject for Driven {
                const SHAPE: Shape = {
                    let shape = shape!($kind);
                    let all = <<Self as Subject>::Pmu<'static> as Monitor>::COUNTERS;
                    Shape { counters: all as u8 - shape.cycle_counter as u8, ..shape }
                };
                type Device = arm_pmu_sim::$Device;

                fn device() -> Self::Device {
                    let device = device!($Device $($unit)?);
                    (&device).set_user_access(true);
                    device
                }

                fn signal(device: &Self::Device, nth: usize, times: u32) {
                    signal!($kind device, event(nth as u8), times);
                }

                fn clock(device: &Self::Device, cycles: u32) {
                    device.clock(cycles.into());
                }

                fn interfere(device: &Self::Device, item: Item) {
                    match item {
                        Item::Zeros => device.set_response(Response::Zero),
                        Item::Ones => device.set_response(Response::Ones),
                        Item::Fails => device.set_response(Response::Error),
                        Item::Answers => device.set_response(Response::Registers),
                        Item::Disable(counter) => device.other_owner_disables(counter.into()),
                        Item::DisableCycles => device.other_owner_disables_cycles(),
                        Item::DisableAll => device.other_owner_disables_all(),
                        Item::Select(counter) => {
                            let other = event(OTHER_EVENT).event_id();
                            let other = other.try_into().expect("a code of its width");
                            device.other_owner_selects(counter.into(), other);
                        }
                        Item::MoveSelector(selector) => device.other_owner_moves_selector(selector),
                        Item::Leave(counters) => device.set_number_of_counters(counters),
                        Item::LosesPower => {
                            device.power_up();
                            device.set_user_access(true);
                        }
                        Item::Event { .. } | Item::Cycles(_) | Item::IgnoresStores => {}
                    }
                }

                fn violations(device: &Self::Device) -> String {
                    let violations = device.violations();
                    if violations.is_empty() { String::new() } else { format!("{violations:?}") }
                }

                const NAME: &'static str = $name;
                const KIND: &'static str = concat!(stringify!($kind), " ", stringify!($Pmu));
                type Selection = selection!($cycles);
                type Pmu<'w> = on_bus!($Pmu $place 'w);
                type Running<'w> = on_bus!($Running $place 'w);

                fn pmu<'w>(world: &'w World<'w, Self>) -> Self::Pmu<'w> {
                    pmu!($Pmu $place world)
                }

                fn selection(kind: u8) -> Self::Selection {
                    if kind == CYCLES { cycles!($cycles) } else { event(kind).into() }
                }

                fn set(pmu: &mut Self::Pmu<'_>, counter: usize, what: Option<(u8, u32)>) {
                    let Some(counter) = pmu.counters().into_iter().nth(counter) else { return };
                    match what {
                        Some((kind, from)) => counter.count_from(event(kind), from),
                        None => counter.off(),
                    }
                }

                fn set_cycles(pmu: &mut Self::Pmu<'_>, from: Option<u32>) {
                    set_cycles!($cycles $kind pmu from);
                }

                fn resume(pmu: Self::Pmu<'_>) -> Self::Running<'_> {
                    pmu.resume()
                }

                fn counts(pmu: &Self::Pmu<'_>) -> Counts {
                    place(pmu.counts(), pmu.cycles())
                }

                fn acknowledge_all(pmu: &mut Self::Pmu<'_>) {
                    pmu.acknowledge_all();
                }

                fn banks<'w>(
                    pmu: Self::Pmu<'w>,
                    lists: &[[Self::Selection; 2]],
                ) -> Result<Banks<'w, Self::Pmu<'w>>, Self::Pmu<'w>> {
                    banks!($cycles pmu lists)
                }

                fn release(pmu: Self::Pmu<'_>) {
                    drop(pmu.release());
                }
            }
        }
    };
}

macro_rules! subjects {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident $(:: $unit:ident)?, registers: $registers:ident, events: $ids:tt,
        $($rest:tt)*
    })*) => {
        $( subject!(
            $pmu $name, $kind $place $cycles, $krate, $driver, Pmu Running, $Device $($unit)?, $ids
        ); )*

        /// All drivers.
        pub const ALL: &[Driver] = &[
            $( Driver::of::<$pmu::Driven>(), )*
            Driver::of::<armv7_in_user_mode::Driven>(),
            Driver::of::<pmuv3_at_el0::Driven>(),
            Driver::of::<dsu_of_32_bits::Driven>(),
        ];
    };
}

arm_pmu::for_each_pmu!(subjects);

subject!(
    armv7_in_user_mode "cortex-a8-user", armv7_pmu cp15 true, arm_pmu::cortex_a8, arm_pmu::cortex_a8,
    UserPmu UserRunning, CortexA8, [0x08, 0x03, 0x04, 0x43, 0x44, 0x01]
);
subject!(
    pmuv3_at_el0 "cortex-a53-user", arm_pmuv3 system true, arm_pmu::cortex_a53, arm_pmu::cortex_a53,
    UserPmu UserRunning, CortexA53, [0x08, 0x03, 0x04, 0x16, 0x17, 0x01]
);

subject!(
    dsu_of_32_bits "dsu-32", dsu system true, arm_pmu::dsu, arm_pmu::dsu,
    Pmu Running, Dsu first, [0x19, 0x1A, 0x29, 0x2A, 0x2B, 0x2C]
);

/// A subject as an entry of the list of [all](ALL) subjects.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    pub name: &'static str,
    pub kind: &'static str,
    pub shape: Shape,
    pub run: fn(&Program) -> Result<Done, Failure>,
}

impl Driver {
    pub(crate) const fn of<D: Subject>() -> Self {
        Self { name: D::NAME, kind: D::KIND, shape: D::SHAPE, run: run::run::<D> }
    }
}

/// Whether both drivers have the same procedures and the same number of counters.
pub fn are_alike(one: &Driver, other: &Driver) -> bool {
    (one.kind, one.shape) == (other.kind, other.shape)
}

/// Returns the first of all drivers that are [alike](are_alike).
pub fn of_each_kind() -> impl Iterator<Item = &'static Driver> {
    let is_first =
        |(nth, driver): &(usize, &Driver)| !ALL[..*nth].iter().any(|one| are_alike(one, driver));
    ALL.iter().enumerate().filter(is_first).map(|(_, driver)| driver)
}

/// Returns the driver with this name.
pub fn named(name: &str) -> Option<&'static Driver> {
    ALL.iter().find(|driver| driver.name == name)
}

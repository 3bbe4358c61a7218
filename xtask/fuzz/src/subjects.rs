//! All drivers with a diagnosis, and their devices, from the table of all PMUs.

use arm_pmu_core::count::Count;
use arm_pmu_core::driver::Divider;
use arm_pmu_core::event::{EventOrCycles, Selectable as _};
use arm_pmu_core::measure::Monitor;
use arm_pmu_sim::{Cp15Bus, MemoryBus, Response, Security, Stream, SysregBus};

use crate::device::Simulated;
use crate::drivers::Driver;
use crate::program::{CYCLES, DetectedBy, EVENTS, Item, MOST_COUNTERS, OTHER_EVENT, Shape};
use crate::subject::{Counts, Subject};
use crate::world::{BusyBus, World};

/// Traffic that is the same for all devices.
macro_rules! respond {
    ($device:ident, $item:ident) => {
        match $item {
            Item::Zeros => $device.set_response(Response::Zero),
            Item::Ones => $device.set_response(Response::Ones),
            Item::Fails => $device.set_response(Response::Error),
            Item::Answers => $device.set_response(Response::Registers),
            Item::DisableAll => $device.other_owner_disables_all(),
            Item::LosesPower => $device.power_up(),
            _ => {}
        }
    };
}

/// Puts the counts of the event counters, and of the cycle counter if there is one, into their places.
fn place<const COUNTERS: usize>(events: [Count; COUNTERS], cycles: Count) -> Counts {
    let mut counts = [Count::NOT_COUNTED; MOST_COUNTERS + 1];
    counts[..COUNTERS].copy_from_slice(&events);
    counts[MOST_COUNTERS] = cycles;
    counts
}

/// Methods that are the same with and without a cycle counter.
macro_rules! common {
    (cycles: $cycles:tt) => {
        fn set(pmu: &mut Self::Pmu<'_>, counter: usize, what: Option<(u8, u32)>) {
            let Some(counter) = pmu.counters().into_iter().nth(counter) else { return };
            match what {
                Some((kind, from)) => counter.count_from(event(kind), from),
                None => counter.off(),
            }
        }

        fn resume(pmu: Self::Pmu<'_>) -> Self::Running<'_> {
            pmu.resume()
        }

        fn acknowledge(running: &mut Self::Running<'_>) {
            let _ = running.acknowledge();
        }

        fn acknowledge_all(pmu: &mut Self::Pmu<'_>) {
            pmu.acknowledge_all();
        }

        fn release(pmu: Self::Pmu<'_>) {
            drop(pmu.release());
        }

        common!(@cycles $cycles);
    };
    (@cycles true) => {
        common!(@counted);

        fn set_cycles(pmu: &mut Self::Pmu<'_>, what: Option<(bool, u32)>) {
            let counter = pmu.cycle_counter();
            match what {
                Some((by_64, from)) => {
                    counter.count_from(if by_64 { Divider::By64 } else { Divider::By1 }, from);
                }
                None => counter.off(),
            }
        }
    };
    (@cycles undivided) => {
        common!(@counted);

        fn set_cycles(pmu: &mut Self::Pmu<'_>, what: Option<(bool, u32)>) {
            let counter = pmu.cycle_counter();
            match what {
                Some((_, from)) => counter.count_from(from),
                None => counter.off(),
            }
        }
    };
    (@counted) => {
        fn selection(kind: u8) -> Self::Selection {
            if kind == CYCLES { EventOrCycles::Cycles } else { event(kind).into() }
        }

        fn counts(pmu: &Self::Pmu<'_>) -> Counts {
            place(pmu.counts(), pmu.cycles())
        }

        fn running_counts(running: &Self::Running<'_>) -> Counts {
            place(running.counts(), running.cycles())
        }
    };
    (@cycles clock) => {
        common!(@uncounted);

        fn selection(kind: u8) -> Self::Selection {
            // The code of a clock cycle in every SMMUv3 PMCG.
            if kind == CYCLES {
                driver::Selection::from_id(0).expect("a listed event")
            } else {
                event(kind)
            }
        }
    };
    (@cycles false) => {
        common!(@uncounted);

        fn selection(kind: u8) -> Self::Selection {
            event(kind)
        }
    };
    (@uncounted) => {
        fn set_cycles(_: &mut Self::Pmu<'_>, _: Option<(bool, u32)>) {}

        fn counts(pmu: &Self::Pmu<'_>) -> Counts {
            place(pmu.counts(), Count::NOT_COUNTED)
        }

        fn running_counts(running: &Self::Running<'_>) -> Counts {
            place(running.counts(), Count::NOT_COUNTED)
        }
    };
}

/// Features of a core. The number of counters is the driver's.
const CORE: Shape = Shape {
    counters: 0,
    cycle_counter: true,
    clock: true,
    single_enables: true,
    selector: false,
    hypervisor: false,
    divider: true,
    saturates: false,
    captures: false,
    power_loss: DetectedBy::None,
    accesses: 60,
};

/// Features of a memory-mapped device.
const DEVICE: Shape = Shape {
    cycle_counter: false,
    clock: false,
    divider: false,
    power_loss: DetectedBy::Stop,
    ..CORE
};

macro_rules! shape {
    (arm11) => {
        Shape { single_enables: false, power_loss: DetectedBy::Resume, accesses: 24, ..CORE }
    };
    (armv7_pmu) => {
        Shape { selector: true, ..CORE }
    };
    (arm_pmuv3) => {
        Shape { hypervisor: true, divider: false, accesses: 70, ..CORE }
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

/// What counts cycles in a PMU of each kind.
macro_rules! with_cycles {
    (arm_pmuv3) => {
        common!(cycles: undivided);
    };
    (cci5xx) => {
        common!(cycles: false);
    };
    (l2c_310) => {
        common!(cycles: false);
    };
    (smmuv3_pmcg) => {
        common!(cycles: clock);
    };
    ($divided:ident) => {
        common!(cycles: true);
    };
}

macro_rules! selection {
    (true) => { EventOrCycles<driver::Selection> };
    (false) => { driver::Selection };
}

/// A device after a reset: `Device::new()`, or the constructor of a unit.
macro_rules! device {
    (armv7_pmu $Device:ident) => {
        permitted(arm_pmu_sim::$Device::new(), |device| device.set_user_access(true))
    };
    (arm_pmuv3 $Device:ident) => {
        permitted(arm_pmu_sim::$Device::new(), |device| device.set_user_access(true))
    };
    ($kind:ident $Device:ident) => {
        arm_pmu_sim::$Device::new()
    };
    ($kind:ident $Device:ident $unit:ident) => {
        arm_pmu_sim::$Device::$unit()
    };
}

fn permitted<D>(device: D, permit: impl Fn(&D)) -> D {
    permit(&device);
    device
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

macro_rules! clock {
    (cci5xx $device:ident, $cycles:ident) => {
        let _ = ($device, $cycles);
    };
    (l2c_310 $device:ident, $cycles:ident) => {
        let _ = ($device, $cycles);
    };
    ($clocked:ident $device:ident, $cycles:ident) => {
        $device.clock($cycles.into());
    };
}

/// Another owner of a device of each kind.
macro_rules! interfere {
    (arm11 $device:ident, $item:ident, $other:expr) => {
        match $item {
            Item::Select(counter) => $device.other_owner_selects(counter.into(), $other),
            _ => respond!($device, $item),
        }
    };
    (armv7_pmu $device:ident, $item:ident, $other:expr) => {
        match $item {
            Item::Select(counter) => $device.other_owner_selects(counter.into(), $other),
            Item::Disable(counter) => $device.other_owner_disables(counter.into()),
            Item::DisableCycles => $device.other_owner_disables_cycles(),
            Item::MoveSelector(selector) => $device.other_owner_moves_selector(selector),
            Item::LosesPower => {
                $device.power_up();
                $device.set_user_access(true);
            }
            _ => respond!($device, $item),
        }
    };
    (arm_pmuv3 $device:ident, $item:ident, $other:expr) => {
        match $item {
            Item::Select(counter) => $device.other_owner_selects(counter.into(), $other),
            Item::Disable(counter) => $device.other_owner_disables(counter.into()),
            Item::DisableCycles => $device.other_owner_disables_cycles(),
            Item::Leave(counters) => $device.set_number_of_counters(counters),
            Item::LosesPower => {
                $device.power_up();
                $device.set_user_access(true);
            }
            _ => respond!($device, $item),
        }
    };
    (cci400 $device:ident, $item:ident, $other:expr) => {
        match $item {
            Item::Select(counter) => $device.other_owner_selects(counter.into(), $other),
            Item::Disable(counter) => $device.other_owner_disables(counter.into()),
            Item::DisableCycles => $device.other_owner_disables_cycles(),
            _ => respond!($device, $item),
        }
    };
    (l2c_310 $device:ident, $item:ident, $other:expr) => {
        match $item {
            Item::Zeros => $device.set_response(Response::Zero),
            Item::Ones => $device.set_response(Response::Ones),
            Item::Fails => $device.set_response(Response::Error),
            Item::Answers => $device.set_response(Response::Registers),
            Item::DisableAll => $device.poke(L2C_310_CTRL, 0),
            Item::LosesPower => $device.power_up(),
            Item::Disable(counter) => $device.poke(L2C_310_CFG[usize::from(counter)], 0),
            Item::Select(counter) => {
                let source: u32 = $other;
                $device.poke(L2C_310_CFG[usize::from(counter)], source << 2);
            }
            _ => {}
        }
    };
    ($memory:ident $device:ident, $item:ident, $other:expr) => {
        match $item {
            Item::Select(counter) => $device.other_owner_selects(counter.into(), $other),
            Item::Disable(counter) => $device.other_owner_disables(counter.into()),
            _ => respond!($device, $item),
        }
    };
}

/// The configuration registers of counter 0 and of counter 1 of an L2C-310, and the control register.
const L2C_310_CFG: [usize; 2] = [0x208, 0x204];
const L2C_310_CTRL: usize = 0x200;

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
    // The driver for User mode or EL0 checks that access is enabled, so the registers have to answer.
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

            impl Simulated for Driven {
                const NAME: &'static str = $name;
                const SHAPE: Shape = {
                    let shape = shape!($kind);
                    let all = <<Self as Subject>::Pmu<'static> as Monitor>::COUNTERS;
                    Shape { counters: all as u8 - shape.cycle_counter as u8, ..shape }
                };
                type Device = arm_pmu_sim::$Device;

                fn device() -> Self::Device {
                    device!($kind $Device $($unit)?)
                }

                fn signal(device: &Self::Device, nth: usize, times: u32) {
                    signal!($kind device, event(nth as u8), times);
                }

                fn clock(device: &Self::Device, cycles: u32) {
                    clock!($kind device, cycles);
                }

                fn interfere(device: &Self::Device, item: Item) {
                    let other = event(OTHER_EVENT).event_id();
                    interfere!($kind device, item, other.try_into().expect("a code of its width"));
                }

                fn violations(device: &Self::Device) -> String {
                    let violations = device.violations();
                    if violations.is_empty() { String::new() } else { format!("{violations:?}") }
                }
            }

            impl Subject for Driven {
                type Selection = selection!($cycles);
                type Pmu<'w> = on_bus!($Pmu $place 'w);
                type Running<'w> = on_bus!($Running $place 'w);

                fn pmu<'w>(world: &'w World<'w, Self>) -> Self::Pmu<'w> {
                    pmu!($Pmu $place world)
                }

                with_cycles!($kind);
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

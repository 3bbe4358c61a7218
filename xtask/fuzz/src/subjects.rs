//! All drivers and their devices.

use arm_pmu_core::count::Count;
use arm_pmu_core::driver::Divider;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_sim::{
    Arm11, Cci400, Cci500, Cci550, CortexA7, CortexA8, CortexA9, CortexA53, CortexA55, CortexA72,
    Cp15Bus, L2c310, MemoryBus, Mmu600, Mmu700, Response, Security, Stream, SysregBus,
};

use crate::device::Simulated;
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

/// Violations of the manual, the same for all devices.
macro_rules! violations {
    () => {
        fn violations(device: &Self::Device) -> String {
            let violations = device.violations();
            if violations.is_empty() { String::new() } else { format!("{violations:?}") }
        }
    };
}

/// Methods that are the same with and without a cycle counter.
macro_rules! common {
    (cycles: $cycles:tt) => {
        fn set(pmu: &mut Self::Pmu<'_>, counter: usize, what: Option<(u8, u32)>) {
            let Some(counter) = pmu.counters().into_iter().nth(counter) else { return };
            match what {
                Some((event, from)) => counter.count_from(Self::event(event), from),
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
            if kind == CYCLES { EventOrCycles::Cycles } else { Self::event(kind).into() }
        }

        fn counts(pmu: &Self::Pmu<'_>) -> Counts {
            place(pmu.counts(), pmu.cycles())
        }

        fn running_counts(running: &Self::Running<'_>) -> Counts {
            place(running.counts(), running.cycles())
        }
    };
    (@cycles false) => {
        fn set_cycles(_: &mut Self::Pmu<'_>, _: Option<(bool, u32)>) {}

        fn counts(pmu: &Self::Pmu<'_>) -> Counts {
            place(pmu.counts(), Count::NOT_COUNTED)
        }

        fn running_counts(running: &Self::Running<'_>) -> Counts {
            place(running.counts(), Count::NOT_COUNTED)
        }
    };
}

macro_rules! arm11 {
    ($Subject:ident, $name:literal, $module:ident, $Event:ident, $new:ident) => {
        /// An ARM11 core.
        #[derive(Debug)]
        pub enum $Subject {}

        impl $Subject {
            const ALL: [arm11::$Event; EVENTS] = {
                use arm11::$Event::*;
                [
                    InstructionExecuted,
                    BranchExecuted,
                    BranchMispredicted,
                    DataCacheAccess,
                    DataCacheMiss,
                    InstructionCacheMiss,
                ]
            };

            fn event(nth: u8) -> arm11::$module::Selection {
                Self::ALL[usize::from(nth)].into()
            }
        }

        impl Simulated for $Subject {
            const NAME: &'static str = $name;
            const SHAPE: Shape = Shape {
                counters: 2,
                cycle_counter: true,
                clock: true,
                single_enables: false,
                selector: false,
                hypervisor: false,
                divider: true,
                saturates: false,
                captures: false,
                power_loss: DetectedBy::Resume,
                accesses: 24,
            };
            type Device = Arm11;

            fn device() -> Arm11 {
                Arm11::$new()
            }

            fn signal(device: &Arm11, event: usize, times: u32) {
                device.signal(Self::ALL[event], times);
            }

            fn clock(device: &Arm11, cycles: u32) {
                device.clock(cycles.into());
            }

            fn interfere(device: &Arm11, item: Item) {
                match item {
                    Item::Select(counter) => {
                        let event = Self::ALL[usize::from(OTHER_EVENT)].code() as u8;
                        device.other_owner_selects(counter.into(), event);
                    }
                    _ => respond!(device, item),
                }
            }

            violations!();
        }

        impl Subject for $Subject {
            type Selection = EventOrCycles<arm11::$module::Selection>;
            type Pmu<'w> = arm11::$module::Pmu<BusyBus<'w, Cp15Bus<'w, arm11::Space>, Self>>;
            type Running<'w> = arm11::$module::Running<BusyBus<'w, Cp15Bus<'w, arm11::Space>, Self>>;

            fn pmu<'w>(world: &'w World<'w, Self>) -> Self::Pmu<'w> {
                arm11::$module::Pmu::new(BusyBus::new(world.device.bus(), world))
            }

            common!(cycles: true);
        }
    };
}

arm11!(Arm1136Core, "arm1136", arm1136, Arm1136Event, arm1136);
arm11!(Arm1156Core, "arm1156", arm1156, Arm1156Event, arm1156);
arm11!(Arm1176Core, "arm1176", arm1176, Arm1176Event, arm1176);

macro_rules! armv7 {
    (
        $Subject:ident, $name:literal, $ip:ident, $Device:ident, $events:expr, $Pmu:ident, $Running:ident,
        |$device:ident, $world:ident| $pmu:expr
    ) => {
        /// A core with an ARMv7 PMU.
        #[derive(Debug)]
        pub enum $Subject {}

        impl $Subject {
            fn event(nth: u8) -> $ip::Selection {
                $events[usize::from(nth)].into()
            }
        }

        impl Simulated for $Subject {
            const NAME: &'static str = $name;
            const SHAPE: Shape = Shape {
                counters: $ip::events::COUNTERS as u8,
                cycle_counter: true,
                clock: true,
                single_enables: true,
                selector: true,
                hypervisor: false,
                divider: true,
                saturates: false,
                captures: false,
                power_loss: DetectedBy::None,
                accesses: 60,
            };
            type Device = $Device;

            fn device() -> $Device {
                let device = $Device::new();
                device.set_user_access(true);
                device
            }

            fn signal(device: &$Device, event: usize, times: u32) {
                device.signal($events[event], times);
            }

            fn clock(device: &$Device, cycles: u32) {
                device.clock(cycles.into());
            }

            fn interfere(device: &$Device, item: Item) {
                match item {
                    Item::Select(counter) => {
                        let event = $events[usize::from(OTHER_EVENT)].code() as u8;
                        device.other_owner_selects(counter.into(), event);
                    }
                    Item::Disable(counter) => device.other_owner_disables(counter.into()),
                    Item::DisableCycles => device.other_owner_disables_cycles(),
                    Item::MoveSelector(selector) => device.other_owner_moves_selector(selector),
                    Item::LosesPower => {
                        device.power_up();
                        device.set_user_access(true);
                    }
                    _ => respond!(device, item),
                }
            }

            violations!();
        }

        impl Subject for $Subject {
            type Selection = EventOrCycles<$ip::Selection>;
            type Pmu<'w> = $ip::$Pmu<BusyBus<'w, Cp15Bus<'w, $ip::Space>, Self>>;
            type Running<'w> = $ip::$Running<BusyBus<'w, Cp15Bus<'w, $ip::Space>, Self>>;

            fn pmu<'w>($world: &'w World<'w, Self>) -> Self::Pmu<'w> {
                let $device = $world.device;
                $pmu
            }

            common!(cycles: true);
        }
    };
}

const CORTEX_A8: [cortex_a8::CortexA8Event; EVENTS] = {
    use cortex_a8::CortexA8Event::*;
    [
        InstructionExecuted,
        DataCacheRefill,
        DataCacheAccess,
        L2CacheAccess,
        L2CacheMiss,
        InstructionCacheRefill,
    ]
};

armv7!(
    CortexA8Kernel,
    "cortex-a8",
    cortex_a8,
    CortexA8,
    CORTEX_A8,
    Pmu,
    Running,
    |device, world| cortex_a8::Pmu::new(BusyBus::new(device.bus(), world))
);

impl CortexA8UserMode {
    /// A driver for User mode. It checks that access is enabled, so the registers have to answer.
    fn open<'w>(world: &'w World<'w, Self>) -> <Self as Subject>::Pmu<'w> {
        loop {
            let bus = BusyBus::new(world.device.user_bus(), world);
            match cortex_a8::UserPmu::open(bus) {
                Ok(pmu) => return pmu,
                Err(_) => world.happen(Item::Answers),
            }
        }
    }
}

armv7!(
    CortexA8UserMode,
    "cortex-a8-user",
    cortex_a8,
    CortexA8,
    CORTEX_A8,
    UserPmu,
    UserRunning,
    |_device, world| Self::open(world)
);

const CORTEX_A7: [cortex_a7::CortexA7Event; EVENTS] = {
    use cortex_a7::CortexA7Event::*;
    [InstRetired, L1dCacheRefill, L1dCache, L2dCache, L2dCacheRefill, L1iCacheRefill]
};

armv7!(
    CortexA7Kernel,
    "cortex-a7",
    cortex_a7,
    CortexA7,
    CORTEX_A7,
    Pmu,
    Running,
    |device, world| cortex_a7::Pmu::new(BusyBus::new(device.bus(), world))
);

const CORTEX_A9: [cortex_a9::CortexA9Event; EVENTS] = {
    use cortex_a9::CortexA9Event::*;
    [InstRenamed, L1dCacheRefill, L1dCache, BrPred, BrMisPred, L1iCacheRefill]
};

armv7!(
    CortexA9Kernel,
    "cortex-a9",
    cortex_a9,
    CortexA9,
    CORTEX_A9,
    Pmu,
    Running,
    |device, world| cortex_a9::Pmu::new(BusyBus::new(device.bus(), world))
);

macro_rules! pmuv3 {
    (
        $Subject:ident, $name:literal, $ip:ident, $Device:ident, $events:expr, $Pmu:ident, $Running:ident,
        |$device:ident, $world:ident| $pmu:expr
    ) => {
        /// A core with PMUv3.
        #[derive(Debug)]
        pub enum $Subject {}

        impl $Subject {
            fn event(nth: u8) -> $ip::Selection {
                $events[usize::from(nth)].into()
            }
        }

        impl Simulated for $Subject {
            const NAME: &'static str = $name;
            const SHAPE: Shape = Shape {
                counters: $ip::events::COUNTERS as u8,
                cycle_counter: true,
                clock: true,
                single_enables: true,
                selector: false,
                hypervisor: true,
                divider: false,
                saturates: false,
                captures: false,
                power_loss: DetectedBy::None,
                accesses: 70,
            };
            type Device = $Device;

            fn device() -> $Device {
                let device = $Device::new();
                device.set_user_access(true);
                device
            }

            fn signal(device: &$Device, event: usize, times: u32) {
                device.signal($events[event], times);
            }

            fn clock(device: &$Device, cycles: u32) {
                device.clock(cycles.into());
            }

            fn interfere(device: &$Device, item: Item) {
                match item {
                    Item::Select(counter) => {
                        let event = $events[usize::from(OTHER_EVENT)].code();
                        device.other_owner_selects(counter.into(), event);
                    }
                    Item::Disable(counter) => device.other_owner_disables(counter.into()),
                    Item::DisableCycles => device.other_owner_disables_cycles(),
                    Item::Leave(counters) => device.set_number_of_counters(counters),
                    Item::LosesPower => {
                        device.power_up();
                        device.set_user_access(true);
                    }
                    _ => respond!(device, item),
                }
            }

            violations!();
        }

        impl Subject for $Subject {
            type Selection = EventOrCycles<$ip::Selection>;
            type Pmu<'w> = $ip::$Pmu<BusyBus<'w, SysregBus<'w, $ip::Space>, Self>>;
            type Running<'w> = $ip::$Running<BusyBus<'w, SysregBus<'w, $ip::Space>, Self>>;

            fn pmu<'w>($world: &'w World<'w, Self>) -> Self::Pmu<'w> {
                let $device = $world.device;
                $pmu
            }

            common!(cycles: undivided);
        }
    };
}

const CORTEX_A53: [cortex_a53::CortexA53Event; EVENTS] = {
    use cortex_a53::CortexA53Event::*;
    [InstRetired, L1dCacheRefill, L1dCache, L2dCache, L2dCacheRefill, L1iCacheRefill]
};

pmuv3!(
    CortexA53Kernel,
    "cortex-a53",
    cortex_a53,
    CortexA53,
    CORTEX_A53,
    Pmu,
    Running,
    |device, world| cortex_a53::Pmu::new(BusyBus::new(device.bus(), world))
);

impl CortexA53UserMode {
    /// A driver for EL0. It checks that access is enabled, so the registers have to answer.
    fn open<'w>(world: &'w World<'w, Self>) -> <Self as Subject>::Pmu<'w> {
        loop {
            let bus = BusyBus::new(world.device.user_bus(), world);
            match cortex_a53::UserPmu::open(bus) {
                Ok(pmu) => return pmu,
                Err(_) => world.happen(Item::Answers),
            }
        }
    }
}

pmuv3!(
    CortexA53UserMode,
    "cortex-a53-user",
    cortex_a53,
    CortexA53,
    CORTEX_A53,
    UserPmu,
    UserRunning,
    |_device, world| Self::open(world)
);

const CORTEX_A55: [cortex_a55::CortexA55Event; EVENTS] = {
    use cortex_a55::CortexA55Event::*;
    [InstRetired, L1dCacheRefill, L1dCache, L2dCache, L2dCacheRefill, L1iCacheRefill]
};

pmuv3!(
    CortexA55Kernel,
    "cortex-a55",
    cortex_a55,
    CortexA55,
    CORTEX_A55,
    Pmu,
    Running,
    |device, world| cortex_a55::Pmu::new(BusyBus::new(device.bus(), world))
);

const CORTEX_A72: [cortex_a72::CortexA72Event; EVENTS] = {
    use cortex_a72::CortexA72Event::*;
    [InstRetired, L1dCacheRefill, L1dCache, L2dCache, L2dCacheRefill, L1iCacheRefill]
};

pmuv3!(
    CortexA72Kernel,
    "cortex-a72",
    cortex_a72,
    CortexA72,
    CORTEX_A72,
    Pmu,
    Running,
    |device, world| cortex_a72::Pmu::new(BusyBus::new(device.bus(), world))
);

macro_rules! cci400 {
    ($Subject:ident, $name:literal, $revision:literal, $path:path) => {
        /// A CCI-400.
        #[derive(Debug)]
        pub enum $Subject {}

        const _: () = {
            use $path as revision;

            const ALL: [revision::SlaveEvent; EVENTS] = {
                use revision::SlaveEvent::*;
                [
                    ReadRequestAny,
                    ReadRequestDevice,
                    Evict,
                    WriteUnique,
                    ReadDataSnoopHit,
                    WriteRequestAny,
                ]
            };

            impl $Subject {
                fn event(nth: u8) -> revision::Selection {
                    revision::S1.event(ALL[usize::from(nth)])
                }
            }

            type Wire<'w> = BusyBus<'w, MemoryBus<'w, cci400::Space>, $Subject>;

            impl Simulated for $Subject {
                const NAME: &'static str = $name;
                const SHAPE: Shape = Shape {
                    counters: 4,
                    cycle_counter: true,
                    clock: true,
                    single_enables: true,
                    selector: false,
                    hypervisor: false,
                    divider: true,
                    saturates: false,
                    captures: false,
                    power_loss: DetectedBy::Stop,
                    accesses: 40,
                };
                type Device = Cci400;

                fn device() -> Cci400 {
                    let device = Cci400::new();
                    device.set_revision($revision);
                    device
                }

                fn signal(device: &Cci400, event: usize, times: u32) {
                    device.signal_raw(1, ALL[event].code() as u8, Security::NonSecure, times);
                }

                fn clock(device: &Cci400, cycles: u32) {
                    device.clock(cycles.into());
                }

                fn interfere(device: &Cci400, item: Item) {
                    match item {
                        Item::Select(counter) => {
                            let event = ALL[usize::from(OTHER_EVENT)].code() as u8;
                            device.other_owner_selects(counter.into(), 1 << 5 | event);
                        }
                        Item::Disable(counter) => device.other_owner_disables(counter.into()),
                        Item::DisableCycles => device.other_owner_disables_cycles(),
                        _ => respond!(device, item),
                    }
                }

                violations!();
            }

            impl Subject for $Subject {
                type Selection = EventOrCycles<revision::Selection>;
                type Pmu<'w> = revision::Pmu<Wire<'w>>;
                type Running<'w> = revision::Running<Wire<'w>>;

                fn pmu<'w>(world: &'w World<'w, Self>) -> Self::Pmu<'w> {
                    revision::Pmu::new(BusyBus::new(world.device.bus(), world))
                }

                common!(cycles: true);
            }
        };
    };
}

cci400!(Cci400R0, "cci400-r0", 4, cci400::r0);
cci400!(Cci400R1, "cci400", 6, cci400);

macro_rules! cci5xx {
    ($Subject:ident, $name:literal, $module:ident, $Device:ident) => {
        /// A CCI-500 or a CCI-550.
        #[derive(Debug)]
        pub enum $Subject {}

        const _: () = {
            const ALL: [$module::SlaveEvent; EVENTS] = {
                use $module::SlaveEvent::*;
                [
                    ReadRequestAny,
                    ReadRequestDevice,
                    Evict,
                    WriteUnique,
                    ReadDataSnoopHit,
                    WriteRequestAny,
                ]
            };

            impl $Subject {
                fn event(nth: u8) -> $module::Selection {
                    $module::SI1.event(ALL[usize::from(nth)])
                }
            }

            type Wire<'w> = BusyBus<'w, MemoryBus<'w, $module::Space>, $Subject>;

            impl Simulated for $Subject {
                const NAME: &'static str = $name;
                const SHAPE: Shape = Shape {
                    counters: 8,
                    cycle_counter: false,
                    clock: false,
                    single_enables: true,
                    selector: false,
                    hypervisor: false,
                    divider: false,
                    saturates: false,
                    captures: false,
                    power_loss: DetectedBy::Stop,
                    accesses: 70,
                };
                type Device = $Device;

                fn device() -> $Device {
                    $Device::new()
                }

                fn signal(device: &$Device, event: usize, times: u32) {
                    device.signal_raw(1, ALL[event].code() as u8, Security::NonSecure, times);
                }

                fn clock(_: &$Device, _: u32) {}

                fn interfere(device: &$Device, item: Item) {
                    match item {
                        Item::Select(counter) => {
                            let event = ALL[usize::from(OTHER_EVENT)].code();
                            device.other_owner_selects(counter.into(), 1 << 5 | event);
                        }
                        Item::Disable(counter) => device.other_owner_disables(counter.into()),
                        _ => respond!(device, item),
                    }
                }

                violations!();
            }

            impl Subject for $Subject {
                type Selection = $module::Selection;
                type Pmu<'w> = $module::Pmu<Wire<'w>>;
                type Running<'w> = $module::Running<Wire<'w>>;

                fn pmu<'w>(world: &'w World<'w, Self>) -> Self::Pmu<'w> {
                    $module::Pmu::new(BusyBus::new(world.device.bus(), world))
                }

                fn selection(kind: u8) -> Self::Selection {
                    Self::event(kind)
                }

                common!(cycles: false);
            }
        };
    };
}

cci5xx!(Cci500Interconnect, "cci500", cci500, Cci500);
cci5xx!(Cci550Interconnect, "cci550", cci550, Cci550);

/// An L2C-310.
#[derive(Debug)]
pub enum CacheController {}

const L2C_310: [l2c_310::L2c310Event; EVENTS] = {
    use l2c_310::L2c310Event::*;
    [DataReadRequest, DataReadHit, DataWriteRequest, DataWriteHit, InstructionReadRequest, Eviction]
};

/// The configuration registers of counter 0 and of counter 1, and the control register.
const L2C_310_CFG: [usize; 2] = [0x208, 0x204];
const L2C_310_CTRL: usize = 0x200;

impl CacheController {
    fn event(nth: u8) -> l2c_310::Selection {
        L2C_310[usize::from(nth)].into()
    }
}

impl Simulated for CacheController {
    const NAME: &'static str = "l2c-310";
    const SHAPE: Shape = Shape {
        counters: 2,
        cycle_counter: false,
        clock: false,
        single_enables: true,
        selector: false,
        hypervisor: false,
        divider: false,
        saturates: true,
        captures: false,
        power_loss: DetectedBy::Stop,
        accesses: 24,
    };
    type Device = L2c310;

    fn device() -> L2c310 {
        L2c310::new()
    }

    fn signal(device: &L2c310, event: usize, times: u32) {
        device.signal(L2C_310[event], times);
    }

    fn clock(_: &L2c310, _: u32) {}

    fn interfere(device: &L2c310, item: Item) {
        match item {
            Item::Zeros => device.set_response(Response::Zero),
            Item::Ones => device.set_response(Response::Ones),
            Item::Fails => device.set_response(Response::Error),
            Item::Answers => device.set_response(Response::Registers),
            Item::DisableAll => device.poke(L2C_310_CTRL, 0),
            Item::LosesPower => device.power_up(),
            Item::Disable(counter) => device.poke(L2C_310_CFG[usize::from(counter)], 0),
            Item::Select(counter) => {
                let source = u32::from(L2C_310[usize::from(OTHER_EVENT)].code()) << 2;
                device.poke(L2C_310_CFG[usize::from(counter)], source);
            }
            _ => {}
        }
    }

    violations!();
}

impl Subject for CacheController {
    type Selection = l2c_310::Selection;
    type Pmu<'w> = l2c_310::Pmu<BusyBus<'w, MemoryBus<'w, l2c_310::Space>, Self>>;
    type Running<'w> = l2c_310::Running<BusyBus<'w, MemoryBus<'w, l2c_310::Space>, Self>>;

    fn pmu<'w>(world: &'w World<'w, Self>) -> Self::Pmu<'w> {
        l2c_310::Pmu::new(BusyBus::new(world.device.bus(), world))
    }

    fn selection(kind: u8) -> Self::Selection {
        Self::event(kind)
    }

    common!(cycles: false);
}

/// One unit of each SMMU, whose events have the same names.
macro_rules! smmu {
    ($module:ident, $Event:ident, $events:tt, $($Subject:ident $name:literal $ip:ident $Device:ident),*) => {$(
        /// A unit of an SMMU.
        #[derive(Debug)]
        pub enum $Subject {}

        const _: () = {
            const ALL: [$ip::$module::$Event; EVENTS] = {
                use $ip::$module::$Event::*;
                $events
            };

            impl $Subject {
                fn event(nth: u8) -> $ip::$module::Selection {
                    ALL[usize::from(nth)].into()
                }
            }

            type Page<'w, Space> = BusyBus<'w, MemoryBus<'w, Space>, $Subject>;

            impl Simulated for $Subject {
                const NAME: &'static str = $name;
                const SHAPE: Shape = Shape {
                    counters: 4,
                    cycle_counter: false,
                    clock: true,
                    single_enables: true,
                    selector: false,
                    hypervisor: false,
                    divider: false,
                    saturates: false,
                    captures: true,
                    power_loss: DetectedBy::Stop,
                    accesses: 50,
                };
                type Device = $Device;

                fn device() -> $Device {
                    $Device::$module()
                }

                fn signal(device: &$Device, event: usize, times: u32) {
                    device.signal(ALL[event], Stream::non_secure(7), times);
                }

                fn clock(device: &$Device, cycles: u32) {
                    device.clock(cycles.into());
                }

                fn interfere(device: &$Device, item: Item) {
                    match item {
                        Item::Select(counter) => {
                            device.other_owner_selects(counter.into(), ALL[usize::from(OTHER_EVENT)].code());
                        }
                        Item::Disable(counter) => device.other_owner_disables(counter.into()),
                        _ => respond!(device, item),
                    }
                }

                violations!();
            }

            impl Subject for $Subject {
                type Selection = $ip::$module::Selection;
                type Pmu<'w> = $ip::$module::Pmu<Page<'w, $ip::registers::Page0>, Page<'w, $ip::registers::Page1>>;
                type Running<'w> = $ip::$module::Running<Page<'w, $ip::registers::Page0>, Page<'w, $ip::registers::Page1>>;

                fn pmu<'w>(world: &'w World<'w, Self>) -> Self::Pmu<'w> {
                    let (page0, page1) = (world.device.page0(), world.device.page1());
                    $ip::$module::Pmu::new(
                        BusyBus::new(page0, world),
                        BusyBus::new(page1, world),
                    )
                }

                fn selection(kind: u8) -> Self::Selection {
                    if kind == CYCLES {
                        $ip::$module::$Event::ClockCycle.into()
                    } else {
                        Self::event(kind)
                    }
                }

                common!(cycles: false);
            }
        };
    )*};
}

smmu!(
    tcu,
    TcuEvent,
    [
        Transaction,
        TlbMiss,
        WalkCacheRead,
        Stage1Level2WalkCacheLookup,
        Stage1Level2WalkCacheMiss,
        Stage1Level3WalkCacheLookup
    ],
    Tcu "mmu600-tcu" mmu600 Mmu600,
    Tcu700 "mmu700-tcu" mmu700 Mmu700
);
smmu!(
    tbu,
    TbuEvent,
    [Transaction, TlbMiss, MainTlbLookup, MainTlbMiss, MicroTlbLookup, MicroTlbMiss],
    Tbu "mmu600-tbu" mmu600 Mmu600,
    Tbu700 "mmu700-tbu" mmu700 Mmu700
);

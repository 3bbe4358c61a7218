//! The PMUs that can be opened: their names in the kernel, and the arguments of their events.

use std::fmt::{Debug, Display};

use arm_pmu_core::event::EventOrCycles;

/// The events of one kind of PMU, as the crate of the IP has them: `cci400::Selection`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a PMU of Linux",
    note = "name the events of an IP, such as `cci400::Selection` or `mmu600::tcu::Selection`"
)]
pub trait Kind: sealed::Sealed + Copy + Debug + 'static {
    /// What one counter counts: an event, or the cycles.
    type Selection: Copy + Debug + Display + PartialEq;

    /// Number of counters for events.
    const EVENT_COUNTERS: usize;

    /// Number of all counters: one more if the PMU has a cycle counter.
    const COUNTERS: usize;

    /// Selection of the cycles; `None` without a cycle counter.
    const CLOCK: Option<Self::Selection>;

    /// Name of the PMU in the kernel; `None` if it has to be given.
    const DEVICE: Option<&'static str>;

    /// Other names in the kernel, of PMUs with the same events and counters.
    const ALSO: &'static [&'static str] = &[];

    /// Part numbers in the `identifier` of one of many PMUs with this beginning of their names.
    const PARTS: &'static [u16] = &[];

    /// What the kernel needs to have this PMU.
    const NEEDS: &'static str;

    /// Whether the PMU counts for the whole system, not for the code of one core.
    const WHOLE_SYSTEM: bool;

    /// Returns the parts of a selection.
    fn parts(selection: Self::Selection) -> Parts;

    /// Returns the selection of an event by its id; `None` if the id has too many bits.
    fn of_id(id: u16) -> Option<Self::Selection>;
}

/// A [`Kind`] with a cycle counter.
pub trait WithCycles: Kind {
    /// Selection of the cycles.
    const CYCLES: Self::Selection;
}

/// The parts of a selection, as the kernel takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parts {
    /// The cycles.
    Cycles,
    /// An event.
    Event {
        /// The event id.
        id: u16,
        /// Code in its group.
        code: u16,
        /// Number of the source, if events have one.
        source: Option<u16>,
        /// Whether the kernel's driver has to know the event, and the manual does not list it.
        unknown: bool,
    },
}

mod sealed {
    pub trait Sealed {}
}

const CCI: &str =
    "CONFIG_ARM_CCI_PMU (arm-cci-pmu), and in the device tree the node of the CCI with its `pmu`";
const SMMU: &str = "CONFIG_ARM_SMMU_V3_PMU (module arm_smmuv3_pmu), and a PMCG in the device tree or in the IORT of ACPI";
const CACHE: &str = "CONFIG_CACHE_L2X0_PMU, and an L2C-310 that the kernel drives";
const CORE: &str = "CONFIG_ARM_PMU (CONFIG_ARMV6_PMU or CONFIG_ARMV7_PMU on newer kernels), the node `pmu` in the device tree, and this core";

/// An interconnect whose events have a source.
macro_rules! interconnect {
    ($events:ty, $selection:ty, $device:literal, $counters:expr, $all:expr, $clock:expr, |$s:ident| $event:expr) => {
        impl sealed::Sealed for $events {}

        impl Kind for $events {
            type Selection = $selection;
            const EVENT_COUNTERS: usize = $counters;
            const COUNTERS: usize = $all;
            const CLOCK: Option<Self::Selection> = $clock;
            const DEVICE: Option<&'static str> = Some($device);
            const NEEDS: &'static str = CCI;
            const WHOLE_SYSTEM: bool = true;

            fn parts($s: Self::Selection) -> Parts {
                let event: Option<$events> = $event;
                event.map_or(Parts::Cycles, |event| Parts::Event {
                    id: event.id(),
                    code: event.code().into(),
                    source: Some(event.source_id().into()),
                    unknown: event.listed().is_none(),
                })
            }

            fn of_id(id: u16) -> Option<Self::Selection> {
                Self::raw(id).map(Into::into)
            }
        }
    };
}

const CCI400: usize = cci400::events::COUNTERS;

interconnect!(
    cci400::Selection,
    EventOrCycles<Self>,
    "CCI_400_r1",
    CCI400,
    CCI400 + 1,
    Some(EventOrCycles::Cycles),
    |s| event(s)
);
interconnect!(
    cci400::r0::Selection,
    EventOrCycles<Self>,
    "CCI_400",
    CCI400,
    CCI400 + 1,
    Some(EventOrCycles::Cycles),
    |s| event(s)
);
interconnect!(
    cci500::Selection,
    Self,
    "CCI_500",
    cci500::events::COUNTERS,
    cci500::events::COUNTERS,
    None,
    |s| Some(s)
);
interconnect!(
    cci550::Selection,
    Self,
    "CCI_550",
    cci550::events::COUNTERS,
    cci550::events::COUNTERS,
    None,
    |s| Some(s)
);

fn event<E>(selection: EventOrCycles<E>) -> Option<E> {
    match selection {
        EventOrCycles::Event(event) => Some(event),
        EventOrCycles::Cycles => None,
    }
}

/// A unit of an SMMU. The kernel names its PMU after its address.
macro_rules! smmu {
    ($ip:ident::$unit:ident, $parts:expr) => {
        impl sealed::Sealed for $ip::$unit::Selection {}

        impl Kind for $ip::$unit::Selection {
            type Selection = Self;
            const EVENT_COUNTERS: usize = $ip::$unit::events::COUNTERS;
            const COUNTERS: usize = Self::EVENT_COUNTERS;
            const CLOCK: Option<Self> = None;
            const DEVICE: Option<&'static str> = Some("smmuv3_pmcg_");
            const PARTS: &'static [u16] = $parts;
            const NEEDS: &'static str = SMMU;
            const WHOLE_SYSTEM: bool = true;

            fn parts(selection: Self) -> Parts {
                let id = selection.id();
                Parts::Event { id, code: id, source: None, unknown: false }
            }

            fn of_id(id: u16) -> Option<Self> {
                Self::raw(id)
            }
        }
    };
}

smmu!(mmu600::tcu, &[0x483]);
smmu!(mmu600::tbu, &[0x484]);
// The manual prints the number of a TCU for that of a TBU too. The kernel knows how many counters a unit has.
smmu!(mmu700::tcu, &[0x487]);
smmu!(mmu700::tbu, &[0x488, 0x487]);

/// The kernel adds up its counts each second, before a counter is full.
impl Kind for l2c_310::Selection {
    type Selection = Self;
    const EVENT_COUNTERS: usize = l2c_310::events::COUNTERS;
    const COUNTERS: usize = Self::EVENT_COUNTERS;
    const CLOCK: Option<Self> = None;
    const DEVICE: Option<&'static str> = Some("l2c_310");
    const NEEDS: &'static str = CACHE;
    const WHOLE_SYSTEM: bool = true;

    fn parts(selection: Self) -> Parts {
        let id = selection.id();
        Parts::Event { id, code: id, source: None, unknown: false }
    }

    fn of_id(id: u16) -> Option<Self> {
        Self::raw(id)
    }
}

impl sealed::Sealed for l2c_310::Selection {}

/// A core with a cycle counter.
macro_rules! core {
    ($events:ty, $device:literal, $counters:expr) => {
        core!($events, $device, $counters, &[]);
    };
    ($events:ty, $device:literal, $counters:expr, $also:expr) => {
        impl sealed::Sealed for $events {}

        impl Kind for $events {
            type Selection = EventOrCycles<Self>;
            const EVENT_COUNTERS: usize = $counters;
            const COUNTERS: usize = $counters + 1;
            const CLOCK: Option<Self::Selection> = Some(EventOrCycles::Cycles);
            const DEVICE: Option<&'static str> = Some($device);
            const ALSO: &'static [&'static str] = $also;
            const NEEDS: &'static str = CORE;
            const WHOLE_SYSTEM: bool = false;

            fn parts(selection: Self::Selection) -> Parts {
                event(selection).map_or(Parts::Cycles, |event| Parts::Event {
                    id: event.id(),
                    code: event.id(),
                    source: None,
                    unknown: false,
                })
            }

            fn of_id(id: u16) -> Option<Self::Selection> {
                Self::raw(id).map(Into::into)
            }
        }
    };
}

core!(cortex_a53::Selection, "armv8_cortex_a53", cortex_a53::events::COUNTERS);
core!(cortex_a55::Selection, "armv8_cortex_a55", cortex_a55::events::COUNTERS);
core!(
    cortex_a72::Selection,
    "armv8_cortex_a72",
    cortex_a72::events::COUNTERS,
    &["armv8_cortex_a57"]
);
core!(cortex_a7::Selection, "armv7_cortex_a7", cortex_a7::events::COUNTERS);
core!(cortex_a8::Selection, "armv7_cortex_a8", cortex_a8::events::COUNTERS);
core!(cortex_a9::Selection, "armv7_cortex_a9", cortex_a9::events::COUNTERS);
core!(arm11::arm1136::events::Selection, "armv6_1136", arm11::arm1136::events::COUNTERS);
core!(arm11::arm1176::events::Selection, "armv6_1176", arm11::arm1176::events::COUNTERS);

macro_rules! with_cycles {
    ($($events:ty),*) => {
        $(impl WithCycles for $events {
            const CYCLES: Self::Selection = EventOrCycles::Cycles;
        })*
    };
}

with_cycles!(
    cci400::Selection,
    cci400::r0::Selection,
    cortex_a53::Selection,
    cortex_a55::Selection,
    cortex_a7::Selection,
    cortex_a72::Selection,
    cortex_a8::Selection,
    cortex_a9::Selection,
    arm11::arm1136::events::Selection,
    arm11::arm1176::events::Selection
);

/// An event of a core that has no crate of its own, by its number in the manual.
///
/// The name of the PMU in the kernel has to be given: `Options::new().device("armv8_cortex_a53")`. The kernel
/// knows the number of counters, and refuses more events than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnyCore(
    /// The number.
    pub u16,
);

impl std::fmt::Display for AnyCore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "raw:{:#x}", self.0)
    }
}

impl sealed::Sealed for AnyCore {}

impl Kind for AnyCore {
    type Selection = Self;
    /// The most that the architecture allows.
    const EVENT_COUNTERS: usize = 31;
    const COUNTERS: usize = 31;
    const CLOCK: Option<Self> = None;
    const DEVICE: Option<&'static str> = None;
    const NEEDS: &'static str = CORE;
    const WHOLE_SYSTEM: bool = false;

    fn parts(selection: Self) -> Parts {
        Parts::Event { id: selection.0, code: selection.0, source: None, unknown: false }
    }

    fn of_id(id: u16) -> Option<Self> {
        Some(Self(id))
    }
}

//! Kinds of PMUs: their names in the kernel, and the arguments of their events.

use std::fmt::{Debug, Display};

use arm_pmu_core::event::EventOrCycles;

/// A kind of PMU, named by a type of the IP crate: `cci400::Selection`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a PMU of Linux",
    note = "name the events of an IP, such as `cci400::Selection` or `mmu600::tcu::Selection`"
)]
pub trait Kind: sealed::Sealed + Copy + Debug + 'static {
    /// Selection of a counter: an event, or the cycles.
    type Selection: Copy + Debug + Display + PartialEq;

    /// Number of event counters.
    const EVENT_COUNTERS: usize;

    /// Number of counters, including the cycle counter if the PMU has one.
    const COUNTERS: usize;

    /// Selection of the cycles; `None` without a cycle counter.
    const CLOCK: Option<Self::Selection>;

    /// Name of the PMU in the kernel, or its prefix with `_` at the end; `None` if the caller must give a name.
    const DEVICE: Option<&'static str>;

    /// Other kernel names of PMUs with the same events and counters.
    const ALSO: &'static [&'static str] = &[];

    /// Accepted part numbers in the `identifier`, if several PMUs share a name prefix.
    const PARTS: &'static [u16] = &[];

    /// Requirement for the PMU: kernel options, and a node or table of the firmware.
    const NEEDS: &'static str;

    /// Whether the PMU counts the whole system, not the code of one core.
    const WHOLE_SYSTEM: bool;

    /// Splits a selection into its parts.
    fn parts(selection: Self::Selection) -> Parts;

    /// Returns the selection of an event by its id; `None` if the id has too many bits.
    fn of_id(id: u16) -> Option<Self::Selection>;
}

/// A [`Kind`] with a cycle counter.
pub trait WithCycles: Kind {
    /// Selection of the cycles.
    const CYCLES: Self::Selection;
}

/// A selection, split into the parts that the kernel needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parts {
    /// The cycle counter.
    Cycles,
    /// An event.
    Event {
        /// The event id.
        id: u16,
        /// Code in its group.
        code: u16,
        /// Number of the source, if events have one.
        source: Option<u16>,
        /// TC and TH, the threshold fields of a PMUv3 event; 0 without a threshold.
        threshold: u16,
        /// Whether the kernel's driver rejects the event, because the manual does not list it.
        unknown: bool,
    },
}

/// A generic function that [`visit_kind`](super::visit_kind) calls with one kind of PMU.
///
/// ```
/// use arm_pmu_linux::perf::{Kind, KindVisitor, visit_kind};
///
/// /// Number of counters for events.
/// struct Counters;
///
/// impl KindVisitor for Counters {
///     type Output = usize;
///
///     fn visit<K: Kind>(self) -> usize {
///         K::EVENT_COUNTERS
///     }
/// }
///
/// assert_eq!(visit_kind("cci550", Counters), Some(8));
/// assert_eq!(visit_kind("cci600", Counters), None);
/// ```
pub trait KindVisitor {
    /// Result of the function.
    type Output;

    /// Called once; `K` is the kind of the PMU that the caller of `visit_kind` named.
    fn visit<K: Kind>(self) -> Self::Output;
}

pub(super) mod sealed {
    pub trait Sealed {}
}

/// Facts about kernel drivers.
pub(super) mod driver {
    pub(in super::super) struct Driver {
        pub needs: &'static str,
        pub is_of_whole_system: bool,
    }

    pub(in super::super) const CCI: Driver = Driver {
        needs: "CONFIG_ARM_CCI_PMU (arm-cci-pmu), and in the device tree the node of the CCI with its `pmu`",
        is_of_whole_system: true,
    };
    pub(in super::super) const SMMU: Driver = Driver {
        needs: "CONFIG_ARM_SMMU_V3_PMU (module arm_smmuv3_pmu), and a PMCG in the device tree or in the IORT of ACPI",
        is_of_whole_system: true,
    };
    pub(in super::super) const CLUSTER: Driver = Driver {
        needs: "CONFIG_ARM_DSU_PMU (module arm_dsu_pmu), the node `arm,dsu-pmu` in the device tree or ARMHD500 in ACPI, and firmware that sets CLUSTERPMUEN",
        is_of_whole_system: true,
    };
    /// The driver reads the 32-bit counters each second, before they saturate.
    pub(in super::super) const CACHE: Driver = Driver {
        needs: "CONFIG_CACHE_L2X0_PMU, and an L2C-310 that the kernel drives",
        is_of_whole_system: true,
    };
    pub(in super::super) const CORE: Driver = Driver {
        needs: "CONFIG_ARM_PMU (CONFIG_ARMV6_PMU or CONFIG_ARMV7_PMU on newer kernels), the node `pmu` in the device tree, and this core",
        is_of_whole_system: false,
    };

    /// Prefix of the names of SMMU PMUs. The kernel adds the address.
    pub(in super::super) const PMCG: &str = "smmuv3_pmcg_";
}

/// Implements [`Kind`] for the selections of a PMU. The arguments are: whether the PMU has a cycle counter, whether
/// events have a source, the driver, and the names and part numbers in the kernel.
macro_rules! kind {
    ($selection:ty, $counters:literal, cycles, $($rest:tt)*) => {
        impl $crate::perf::WithCycles for $selection {
            const CYCLES: Self::Selection = arm_pmu_core::event::EventOrCycles::Cycles;
        }

        $crate::perf::kind::kind!(
            @ $selection, $counters, arm_pmu_core::event::EventOrCycles<Self>, $counters + 1,
            Some(arm_pmu_core::event::EventOrCycles::Cycles), $crate::perf::kind::event, $($rest)*
        );
    };
    ($selection:ty, $counters:literal, events, $($rest:tt)*) => {
        $crate::perf::kind::kind!(@ $selection, $counters, Self, $counters, None, Some, $($rest)*);
    };
    (
        @ $selection:ty, $counters:literal, $counted:ty, $all:expr, $clock:expr, $event:path,
        $place:ident, $driver:path, $device:expr, $also:expr, $parts:expr
    ) => {
        impl $crate::perf::kind::sealed::Sealed for $selection {}

        impl Kind for $selection {
            type Selection = $counted;
            const EVENT_COUNTERS: usize = $counters;
            const COUNTERS: usize = $all;
            const CLOCK: Option<Self::Selection> = $clock;
            const DEVICE: Option<&'static str> = Some($device);
            const ALSO: &'static [&'static str] = $also;
            const PARTS: &'static [u16] = $parts;
            const NEEDS: &'static str = $driver.needs;
            const WHOLE_SYSTEM: bool = $driver.is_of_whole_system;

            fn parts(selection: Self::Selection) -> $crate::perf::Parts {
                let event: Option<Self> = $event(selection);
                event.map_or($crate::perf::Parts::Cycles, |event| {
                    let (code, source, unknown) = $crate::perf::kind::kind!(@ event, $place);
                    let threshold = arm_pmu_core::event::Selectable::options(event);
                    $crate::perf::Parts::Event { id: event.id(), code, source, threshold, unknown }
                })
            }

            fn of_id(id: u16) -> Option<Self::Selection> {
                Self::raw(id).map(Into::into)
            }
        }
    };
    (@ $event:ident, source) => {
        ($event.code().into(), Some($event.source_id().into()), $event.listed().is_none())
    };
    (@ $event:ident, code) => {
        ($event.id(), None, false)
    };
}

pub(super) use kind;

pub(super) fn event<E>(selection: EventOrCycles<E>) -> Option<E> {
    match selection {
        EventOrCycles::Event(event) => Some(event),
        EventOrCycles::Cycles => None,
    }
}

/// An event number, for cores without a crate.
///
/// The kernel's name of the PMU must be given: `Options::new().device("armv8_cortex_a53")`. The kernel knows the number
/// of counters, and rejects larger groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnyCore(
    /// Event number in the manual.
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
    /// Maximum number of event counters in the architecture.
    const EVENT_COUNTERS: usize = 31;
    const COUNTERS: usize = 31;
    const CLOCK: Option<Self> = None;
    const DEVICE: Option<&'static str> = None;
    const NEEDS: &'static str = driver::CORE.needs;
    const WHOLE_SYSTEM: bool = false;

    fn parts(selection: Self) -> Parts {
        Parts::Event {
            id: selection.0,
            code: selection.0,
            source: None,
            threshold: 0,
            unknown: false,
        }
    }

    fn of_id(id: u16) -> Option<Self> {
        Some(Self(id))
    }
}

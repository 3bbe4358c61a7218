//! Platforms: the IPs of a system on chip, their addresses, the software that may use them, and the
//! confidence of these facts.
//!
//! ```
//! use arm_pmu_tables::PLATFORMS;
//!
//! let zynqmp = PLATFORMS.iter().find(|platform| platform.name == "zynqmp").unwrap();
//! let cci = zynqmp.instances.iter().find(|instance| instance.ip.value == "cci400").unwrap();
//! let base = cci.base.as_ref().unwrap();
//! assert_eq!((base.value, base.origin.confidence.word()), (0xFD6E_0000, "A"));
//! ```

pub use crate::generated::words::{Controller, NodeState, Stage, Symptom, Trigger, Wiring, Writer};
use crate::names::same_name;
use crate::table::table;
use crate::{Bits, Origin};

/// A value with its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Fact<T> {
    /// The value.
    pub value: T,
    /// Origin of the fact.
    pub origin: Origin,
}

impl<T> Fact<T> {
    /// Creates a fact.
    pub const fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }
}

table! {
    /// A system on chip: `zynqmp`.
    #[derive(Clone, Copy, Debug)]
    pub Platform {
        /// Name, equal to the name of the spec.
        required name: &'static str,
        /// Full name.
        required title: &'static str,
        /// Vendor.
        required vendor: &'static str,
        /// Further names: of the chip, of other boards.
        fixed also: &'static [&'static str] = &[],
        /// Facts about the whole platform, as sentences.
        fixed notes: &'static [Fact<&'static str>] = &[],
        /// PMUs of the platform.
        fixed instances: &'static [Instance] = &[],
        /// Facts that were searched for and not found, as sentences.
        fixed wanted: &'static [&'static str] = &[],
    }
}

impl Platform {
    /// Finds an instance by name.
    #[must_use]
    pub fn instance(&self, name: &str) -> Option<&'static Instance> {
        self.instances.iter().find(|instance| same_name(instance.name, name))
    }

    /// Finds the interfaces with this name, with their instances. Interfaces with the same name are in different
    /// versions of the chip.
    pub fn interfaces<'n>(
        &self,
        name: &'n str,
    ) -> impl Iterator<Item = (&'static Instance, &'static Interface)> + use<'n> {
        let instances = self.instances;
        instances.iter().flat_map(move |instance| {
            let named = instance.interfaces.iter().filter(move |i| same_name(i.name, name));
            named.map(move |interface| (instance, interface))
        })
    }
}

table! {
    /// An IP in a platform.
    #[derive(Clone, Copy, Debug)]
    pub Instance {
        /// Name in the command: `cci`.
        required name: &'static str,
        /// Purpose of the PMU, if the name does not show it.
        optional title: &'static str,
        /// Name of the [`Ip`](crate::Ip): `cci400`.
        required ip: Fact<&'static str>,
        /// Name of the [`Unit`](crate::Unit): `r1`.
        optional unit: Fact<&'static str>,
        /// Product name of the cores, if `ip` is an architecture or has several products:
        /// `Cortex-A57`.
        optional core: &'static str,
        /// CPUs that the instance counts on; `None` if unknown, or if the PMU is memory-mapped.
        optional cpus: Cpus,
        /// Address of the registers; `None` for the PMU of a core.
        optional base: Fact<u64>,
        /// Size of the address region, in bytes, that the system assigns to the device at `base`.
        optional length: Fact<u64>,
        /// Overflow interrupts.
        optional interrupts: Interrupts,
        /// Name in `/sys/bus/event_source/devices`.
        optional linux: Fact<&'static str>,
        /// Node in the device trees of Linux.
        optional device_tree: DeviceTree,
        /// Clock.
        optional clock: Clock,
        /// Blocks that are connected to the interfaces.
        list interfaces: Interface,
        /// StreamIDs whose transactions the instance translates.
        list streams: Stream,
        /// Switches to set before counting.
        list switches: Switch,
        /// Known faults.
        list faults: Fault,
        /// Further facts, as sentences.
        list notes: Fact<&'static str>,
    }
}

table! {
    /// CPUs that the instance counts on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Cpus {
        /// Numbers of the CPUs, by the order of the core nodes in the device trees of Linux.
        required numbers: &'static [u32],
        /// Labels of the core nodes, in the order of the numbers; empty if unknown.
        list labels: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// Overflow interrupts of an instance.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Interrupts {
        /// Kind of the numbers.
        required controller: Controller,
        /// Name of the controller, if it is not a GIC.
        optional of: &'static str,
        /// Numbers of the interrupts.
        required numbers: &'static [u32],
        /// CPUs that the device tree assigns. For shared interrupts, this is one CPU for each number, in order; for a
        /// private interrupt, these are the CPUs of its partition. Empty if the tree assigns none.
        list affinity: u32,
        /// Whether each CPU has its own interrupt of this number. Set only for the kinds `other` and `intid`; the kinds
        /// `spi` and `ppi` imply the value.
        flag per_cpu: bool,
        /// Connection of the outputs; `None` if unknown.
        optional wiring: Wiring,
        /// Signal level or edge that makes the interrupts pending.
        optional trigger: Trigger,
        /// Further information, as a sentence.
        optional note: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// Node of the PMU in the device trees of Linux.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub DeviceTree {
        /// State of the node.
        required state: NodeState,
        /// Name of the node.
        optional node: &'static str,
        /// Label of the outer node in the board's device tree: `cci`.
        optional label: &'static str,
        /// A sentence that states what a board must add.
        optional missing: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// Clock of an instance.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Clock {
        /// Name in Linux, if there is one.
        optional name: &'static str,
        /// Frequency.
        optional hertz: u32,
        /// Further information, as a sentence.
        optional note: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// Block that is connected to an interface of an interconnect.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Interface {
        /// Source of events in the IP: `S3`.
        required source: &'static str,
        /// Name in the command: `apu`.
        required name: &'static str,
        /// Title of the connected block.
        required title: &'static str,
        /// The chip revisions in which the block is connected; `None` if it is connected in all of
        /// them.
        optional condition: &'static str,
        /// Width of the data bus in bytes.
        optional beat_bytes: Fact<u32>,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// StreamID whose transactions an instance translates.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Stream {
        /// The StreamID.
        required id: u32,
        /// Name in the command: `gmac0`.
        required name: &'static str,
        /// Title of the device.
        required title: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// A switch to set before counting.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Switch {
        /// Name of the signal or setting: `NIDEN`.
        required name: &'static str,
        /// Effect of the switch, as a sentence.
        required doc: &'static str,
        /// Name of the register with the switch.
        optional register: &'static str,
        /// Address of the register.
        optional address: u64,
        /// Bits of the switch.
        optional bits: Bits,
        /// Value of these bits that enables counting.
        optional on: u32,
        /// Value of these bits after reset.
        optional reset: u32,
        /// Software that may change the switch.
        required written_by: Writer,
        /// Result of an access by other software, as a sentence.
        optional seen_from_elsewhere: &'static str,
        /// Ways to set the switch, and ways that fail.
        list ways: Way,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// A way to set a switch.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Way {
        /// Stage of this way.
        required stage: Stage,
        /// Instructions, as a sentence.
        required doc: &'static str,
        /// Whether this way fails.
        flag fails: bool,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// A known fault of a platform, or of software that comes with it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Fault {
        /// Name in capitals: `TCU_PAGE_1`.
        required name: &'static str,
        /// Description, as a sentence.
        required doc: &'static str,
        /// Symptom that a user notices, as a sentence.
        required effect: &'static str,
        /// Fix, as a sentence.
        optional fix: &'static str,
        /// Symptom that software can observe.
        optional symptom: Symptom,
        /// The page offset that firmware or a device tree states wrongly; absent for other faults.
        optional announced: Announced,
        /// Origin of the fact.
        required origin: Origin,
    }
}

/// Wrong page offset in firmware or a device tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Announced {
    /// Name of the page.
    pub page: &'static str,
    /// The wrong offset of the page, from the base of the instance.
    pub offset: u32,
}

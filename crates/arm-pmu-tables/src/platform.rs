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

use crate::names::same_name;
use crate::table::table;
use crate::words::words;
use crate::{Bits, Origin};

/// A value with its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Fact<T> {
    /// The value.
    pub value: T,
    /// Origin and grade of the fact.
    pub origin: Origin,
}

impl<T> Fact<T> {
    /// A value with its origin.
    pub const fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }
}

table! {
    /// A system on chip: `zynqmp`.
    #[derive(Clone, Copy, Debug)]
    pub Platform {
        /// Its name, the same as its spec's.
        required name: &'static str,
        /// The full name.
        required title: &'static str,
        /// Who makes it.
        required vendor: &'static str,
        /// Facts about the whole platform, as sentences.
        fixed notes: &'static [Fact<&'static str>] = &[],
        /// The PMUs.
        fixed instances: &'static [Instance] = &[],
        /// Facts that were looked for and not found, as sentences.
        fixed wanted: &'static [&'static str] = &[],
    }
}

impl Platform {
    /// The instance of this name.
    #[must_use]
    pub fn instance(&self, name: &str) -> Option<&'static Instance> {
        self.instances.iter().find(|instance| same_name(instance.name, name))
    }

    /// The interfaces of this name, each with its instance. Each of several is for other silicon.
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
        /// The name in the command: `cci`.
        required name: &'static str,
        /// The purpose of the PMU, if its name does not show it.
        optional title: &'static str,
        /// The name of the [`Ip`](crate::Ip): `cci400`.
        required ip: Fact<&'static str>,
        /// The name of the [`Unit`](crate::Unit): `r1`.
        optional unit: Fact<&'static str>,
        /// The address of the registers; `None` in a core.
        optional base: Fact<u64>,
        /// The bytes that the system decodes from there.
        optional length: Fact<u64>,
        /// The overflow interrupts.
        optional interrupts: Interrupts,
        /// The name under `/sys/bus/event_source/devices`.
        optional linux: Fact<&'static str>,
        /// The node in the device trees that come with Linux.
        optional device_tree: DeviceTree,
        /// The clock.
        optional clock: Clock,
        /// The block connected to each interface.
        list interfaces: Interface,
        /// StreamIDs whose transactions it translates.
        list streams: Stream,
        /// Switches to set before counting.
        list switches: Switch,
        /// Known faults.
        list faults: Fault,
        /// More facts, as sentences.
        list notes: Fact<&'static str>,
    }
}

words! {
    /// Meaning of the interrupt numbers.
    Controller {
        /// Shared peripheral interrupts of a GIC; INTID = number + 32.
        "spi" => Spi,
        /// Private peripheral interrupts of a GIC, one of each core; INTID = number + 16.
        "ppi" => Ppi,
        /// INTIDs of a GIC.
        "intid" => Intid,
        /// Inputs of another interrupt controller.
        "other" => Other,
    }
}

words! {
    /// Connection of the overflow outputs to the interrupt controller.
    Wiring {
        /// All on one interrupt.
        "combined" => Combined,
        /// Each on its own, the cycle counter first if there is one, then counters 0, 1, ...
        "each" => Each,
    }
}

words! {
    /// When an interrupt is pending.
    Trigger {
        /// While the line is HIGH.
        "level_high" => LevelHigh,
        /// While the line is LOW.
        "level_low" => LevelLow,
        /// Triggered by a rising edge.
        "edge_rising" => EdgeRising,
    }
}

table! {
    /// The overflow interrupts of an instance.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Interrupts {
        /// Meaning of the numbers.
        required controller: Controller,
        /// The name of the controller, if it is no GIC.
        optional of: &'static str,
        /// The numbers.
        required numbers: &'static [u32],
        /// Connection of the outputs to the controller; `None` if unknown.
        optional wiring: Wiring,
        /// When they are pending.
        optional trigger: Trigger,
        /// More about them, as a sentence.
        optional note: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

words! {
    /// Whether the device trees that come with Linux have a node for the PMU.
    NodeState {
        /// The driver binds to it.
        "enabled" => Enabled,
        /// A board has to enable it.
        "disabled" => Disabled,
        /// The driver does not bind, or not to all counters.
        "incomplete" => Incomplete,
        /// There is none.
        "absent" => Absent,
    }
}

table! {
    /// The node of the PMU in the device trees that come with Linux.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub DeviceTree {
        /// Whether there is one.
        required state: NodeState,
        /// Its name.
        optional node: &'static str,
        /// The label of the outer node in the board's device tree: `cci`.
        optional label: &'static str,
        /// Additions that a board needs, as a sentence.
        optional missing: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// The clock of an instance.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Clock {
        /// Its name under Linux, if it has one.
        optional name: &'static str,
        /// Its rate.
        optional hertz: u32,
        /// More about it, as a sentence.
        optional note: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// The block connected to an interface of an interconnect.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Interface {
        /// The source of events in the IP: `S3`.
        required source: &'static str,
        /// The name in the command: `apu`.
        required name: &'static str,
        /// What hangs there.
        required title: &'static str,
        /// The silicon that this is true for, if not all.
        optional condition: &'static str,
        /// The width of the data bus, in bytes.
        optional beat_bytes: Fact<u32>,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// A StreamID whose transactions an instance translates.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Stream {
        /// The StreamID.
        required id: u32,
        /// The name in the command: `gmac0`.
        required name: &'static str,
        /// What it is.
        required title: &'static str,
        /// Origin of the fact.
        required origin: Origin,
    }
}

words! {
    /// The software that may change a switch.
    Writer {
        /// Secure software only.
        "secure" => Secure,
        /// An operating system as well.
        "privileged" => Privileged,
        /// A person, in the setup of the firmware.
        "firmware_menu" => FirmwareMenu,
        /// It was not found.
        "unknown" => Unknown,
    }
}

table! {
    /// Switches to set before counting.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Switch {
        /// The signal, or the name of the setting: `NIDEN`.
        required name: &'static str,
        /// Effect of the switch, as a sentence.
        required doc: &'static str,
        /// The name of the register that drives it.
        optional register: &'static str,
        /// The address of that register.
        optional address: u64,
        /// The bits of the register.
        optional bits: Bits,
        /// The value of these bits that lets counters count.
        optional on: u32,
        /// Their value after reset.
        optional reset: u32,
        /// The software that may change it.
        required written_by: Writer,
        /// Result of an access to the register by other software, as a sentence.
        optional seen_from_elsewhere: &'static str,
        /// Ways to set it, and ways that fail.
        list ways: Way,
        /// Origin of the fact.
        required origin: Origin,
    }
}

words! {
    /// The stage at which a switch can be set.
    Stage {
        /// The first boot loader of the vendor.
        "boot_loader" => BootLoader,
        /// Trusted Firmware-A.
        "trusted_firmware" => TrustedFirmware,
        /// U-Boot or its SPL.
        "u_boot" => UBoot,
        /// Register values in the boot image, which the boot ROM writes.
        "init_data" => InitData,
        /// A debugger, at any time.
        "debugger" => Debugger,
        /// The setup of the firmware.
        "firmware_menu" => FirmwareMenu,
        /// The operating system.
        "kernel" => Kernel,
    }
}

table! {
    /// A way to set a switch.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Way {
        /// When it is set.
        required stage: Stage,
        /// How, as a sentence.
        required doc: &'static str,
        /// This does not work.
        flag fails: bool,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// A known fault of a platform, or of software that comes with it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub Fault {
        /// In capitals: `TCU_PAGE_1`.
        required name: &'static str,
        /// The problem, as a sentence.
        required doc: &'static str,
        /// Symptom for a user, as a sentence.
        required effect: &'static str,
        /// Remedy, as a sentence.
        optional fix: &'static str,
        /// If a page is announced at a wrong place.
        optional announced: Announced,
        /// Origin of the fact.
        required origin: Origin,
    }
}

/// A page that firmware or a device tree announces at a wrong offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Announced {
    /// The name of the page.
    pub page: &'static str,
    /// The wrong offset from the base of the instance.
    pub offset: u32,
}

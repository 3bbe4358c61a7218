//! Platforms: which IP is where in a system on chip, who may use it, and how sure that is.
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
use crate::words::words;
use crate::{Bits, Origin};

/// A value with its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Fact<T> {
    /// The value.
    pub value: T,
    /// Where it comes from, and how sure it is.
    pub origin: Origin,
}

impl<T> Fact<T> {
    /// A value with its origin.
    pub const fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }
}

/// A system on chip: `zynqmp`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Platform {
    /// Its name, which is that of its spec.
    pub name: &'static str,
    /// The full name.
    pub title: &'static str,
    /// Who makes it.
    pub vendor: &'static str,
    /// Facts about the whole platform, as sentences.
    pub notes: &'static [Fact<&'static str>],
    /// The PMUs.
    pub instances: &'static [Instance],
    /// Facts that were looked for and not found, as sentences.
    pub wanted: &'static [&'static str],
}

impl Platform {
    /// A platform of which only this is known.
    #[must_use]
    pub const fn new(name: &'static str, title: &'static str, vendor: &'static str) -> Self {
        Self { name, title, vendor, notes: &[], instances: &[], wanted: &[] }
    }

    /// The instance of this name.
    #[must_use]
    pub fn instance(&self, name: &str) -> Option<&'static Instance> {
        self.instances.iter().find(|instance| same_name(instance.name, name))
    }

    /// The interfaces of this name, each with its instance. Of several, each is for other silicon.
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

/// An IP in a platform.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Instance {
    /// The name in the command: `cci`.
    pub name: &'static str,
    /// What it serves, if the name does not say so.
    pub title: Option<&'static str>,
    /// The name of the [`Ip`](crate::Ip): `cci400`.
    pub ip: Fact<&'static str>,
    /// The name of the [`Unit`](crate::Unit): `r1`.
    pub unit: Option<Fact<&'static str>>,
    /// The address of the registers; `None` in a core.
    pub base: Option<Fact<u64>>,
    /// The bytes that the system decodes from there.
    pub length: Option<Fact<u64>>,
    /// The overflow interrupts.
    pub interrupts: Option<Interrupts>,
    /// The name under `/sys/bus/event_source/devices`.
    pub linux: Option<Fact<&'static str>>,
    /// The node in the device trees that come with Linux.
    pub device_tree: Option<DeviceTree>,
    /// The clock.
    pub clock: Option<Clock>,
    /// What hangs on each interface.
    pub interfaces: &'static [Interface],
    /// StreamIDs whose transactions it translates.
    pub streams: &'static [Stream],
    /// What has to be set before anything is counted.
    pub switches: &'static [Switch],
    /// Known faults.
    pub faults: &'static [Fault],
    /// More facts, as sentences.
    pub notes: &'static [Fact<&'static str>],
}

impl Instance {
    /// An instance of which only this is known.
    #[must_use]
    pub const fn new(name: &'static str, ip: Fact<&'static str>) -> Self {
        Self {
            name,
            title: None,
            ip,
            unit: None,
            base: None,
            length: None,
            interrupts: None,
            linux: None,
            device_tree: None,
            clock: None,
            interfaces: &[],
            streams: &[],
            switches: &[],
            faults: &[],
            notes: &[],
        }
    }

    /// The same, with `title`.
    #[must_use]
    pub const fn title(self, title: &'static str) -> Self {
        Self { title: Some(title), ..self }
    }

    /// The same, with `unit`.
    #[must_use]
    pub const fn unit(self, unit: Fact<&'static str>) -> Self {
        Self { unit: Some(unit), ..self }
    }

    /// The same, with `base`.
    #[must_use]
    pub const fn base(self, base: Fact<u64>) -> Self {
        Self { base: Some(base), ..self }
    }

    /// The same, with `length`.
    #[must_use]
    pub const fn length(self, length: Fact<u64>) -> Self {
        Self { length: Some(length), ..self }
    }

    /// The same, with `interrupts`.
    #[must_use]
    pub const fn interrupts(self, interrupts: Interrupts) -> Self {
        Self { interrupts: Some(interrupts), ..self }
    }

    /// The same, with `linux`.
    #[must_use]
    pub const fn linux(self, linux: Fact<&'static str>) -> Self {
        Self { linux: Some(linux), ..self }
    }

    /// The same, with `device_tree`.
    #[must_use]
    pub const fn device_tree(self, device_tree: DeviceTree) -> Self {
        Self { device_tree: Some(device_tree), ..self }
    }

    /// The same, with `clock`.
    #[must_use]
    pub const fn clock(self, clock: Clock) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// The same, with `interfaces`.
    #[must_use]
    pub const fn interfaces(self, interfaces: &'static [Interface]) -> Self {
        Self { interfaces, ..self }
    }

    /// The same, with `streams`.
    #[must_use]
    pub const fn streams(self, streams: &'static [Stream]) -> Self {
        Self { streams, ..self }
    }

    /// The same, with `switches`.
    #[must_use]
    pub const fn switches(self, switches: &'static [Switch]) -> Self {
        Self { switches, ..self }
    }

    /// The same, with `faults`.
    #[must_use]
    pub const fn faults(self, faults: &'static [Fault]) -> Self {
        Self { faults, ..self }
    }

    /// The same, with `notes`.
    #[must_use]
    pub const fn notes(self, notes: &'static [Fact<&'static str>]) -> Self {
        Self { notes, ..self }
    }
}

words! {
    /// What the numbers of interrupts mean.
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
    /// How the overflow outputs reach the interrupt controller.
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
        /// From a rising edge on.
        "edge_rising" => EdgeRising,
    }
}

/// The overflow interrupts of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Interrupts {
    /// What the numbers mean.
    pub controller: Controller,
    /// The name of the controller, if it is no GIC.
    pub of: Option<&'static str>,
    /// The numbers.
    pub numbers: &'static [u32],
    /// How the outputs reach the controller; `None` if it is not known.
    pub wiring: Option<Wiring>,
    /// When they are pending.
    pub trigger: Option<Trigger>,
    /// More about them, as a sentence.
    pub note: Option<&'static str>,
    /// Where this comes from.
    pub origin: Origin,
}

impl Interrupts {
    /// Interrupts of which only this is known.
    #[must_use]
    pub const fn new(controller: Controller, numbers: &'static [u32], origin: Origin) -> Self {
        Self { controller, of: None, numbers, wiring: None, trigger: None, note: None, origin }
    }

    /// The same, with `of`.
    #[must_use]
    pub const fn of(self, of: &'static str) -> Self {
        Self { of: Some(of), ..self }
    }

    /// The same, with `wiring`.
    #[must_use]
    pub const fn wiring(self, wiring: Wiring) -> Self {
        Self { wiring: Some(wiring), ..self }
    }

    /// The same, with `trigger`.
    #[must_use]
    pub const fn trigger(self, trigger: Trigger) -> Self {
        Self { trigger: Some(trigger), ..self }
    }

    /// The same, with `note`.
    #[must_use]
    pub const fn note(self, note: &'static str) -> Self {
        Self { note: Some(note), ..self }
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

/// The node of the PMU in the device trees that come with Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct DeviceTree {
    /// Whether there is one.
    pub state: NodeState,
    /// Its name.
    pub node: Option<&'static str>,
    /// The label of the outer node, by which the tree of a board refers to it: `cci`.
    pub label: Option<&'static str>,
    /// What a board has to add, as a sentence.
    pub missing: Option<&'static str>,
    /// Where this comes from.
    pub origin: Origin,
}

impl DeviceTree {
    /// A node in this state.
    #[must_use]
    pub const fn new(state: NodeState, origin: Origin) -> Self {
        Self { state, node: None, label: None, missing: None, origin }
    }

    /// The same, with `node`.
    #[must_use]
    pub const fn node(self, node: &'static str) -> Self {
        Self { node: Some(node), ..self }
    }

    /// The same, with `label`.
    #[must_use]
    pub const fn label(self, label: &'static str) -> Self {
        Self { label: Some(label), ..self }
    }

    /// The same, with `missing`.
    #[must_use]
    pub const fn missing(self, missing: &'static str) -> Self {
        Self { missing: Some(missing), ..self }
    }
}

/// The clock of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Clock {
    /// Its name, under Linux if it has one there.
    pub name: Option<&'static str>,
    /// Its rate.
    pub hertz: Option<u32>,
    /// More about it, as a sentence.
    pub note: Option<&'static str>,
    /// Where this comes from.
    pub origin: Origin,
}

impl Clock {
    /// A clock of which nothing else is known.
    #[must_use]
    pub const fn new(origin: Origin) -> Self {
        Self { name: None, hertz: None, note: None, origin }
    }

    /// The same, with `name`.
    #[must_use]
    pub const fn name(self, name: &'static str) -> Self {
        Self { name: Some(name), ..self }
    }

    /// The same, with `hertz`.
    #[must_use]
    pub const fn hertz(self, hertz: u32) -> Self {
        Self { hertz: Some(hertz), ..self }
    }

    /// The same, with `note`.
    #[must_use]
    pub const fn note(self, note: &'static str) -> Self {
        Self { note: Some(note), ..self }
    }
}

/// What hangs on an interface of an interconnect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Interface {
    /// The source of events in the IP: `S3`.
    pub source: &'static str,
    /// The name in the command: `apu`.
    pub name: &'static str,
    /// What hangs there.
    pub title: &'static str,
    /// The silicon that this is true for, if not all.
    pub condition: Option<&'static str>,
    /// The width of the data bus, in bytes.
    pub beat_bytes: Option<Fact<u32>>,
    /// Where this comes from.
    pub origin: Origin,
}

impl Interface {
    /// An interface of which only this is known.
    #[must_use]
    pub const fn new(
        source: &'static str,
        name: &'static str,
        title: &'static str,
        origin: Origin,
    ) -> Self {
        Self { source, name, title, condition: None, beat_bytes: None, origin }
    }

    /// The same, with `condition`.
    #[must_use]
    pub const fn condition(self, condition: &'static str) -> Self {
        Self { condition: Some(condition), ..self }
    }

    /// The same, with `beat_bytes`.
    #[must_use]
    pub const fn beat_bytes(self, beat_bytes: Fact<u32>) -> Self {
        Self { beat_bytes: Some(beat_bytes), ..self }
    }
}

/// A StreamID whose transactions an instance translates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Stream {
    /// The StreamID.
    pub id: u32,
    /// The name in the command: `gmac0`.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Where this comes from.
    pub origin: Origin,
}

impl Stream {
    /// A StreamID.
    #[must_use]
    pub const fn new(id: u32, name: &'static str, title: &'static str, origin: Origin) -> Self {
        Self { id, name, title, origin }
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

/// What has to be set before anything is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Switch {
    /// The signal, or the name of the setting: `NIDEN`.
    pub name: &'static str,
    /// What it enables, as a sentence.
    pub doc: &'static str,
    /// The name of the register that drives it.
    pub register: Option<&'static str>,
    /// The address of that register.
    pub address: Option<u64>,
    /// The bits of the register.
    pub bits: Option<Bits>,
    /// The value of these bits that lets counters count.
    pub on: Option<u32>,
    /// Their value after reset.
    pub reset: Option<u32>,
    /// The software that may change it.
    pub written_by: Writer,
    /// What other software sees that tries to access the register, as a sentence.
    pub seen_from_elsewhere: Option<&'static str>,
    /// Ways to set it, and those that fail.
    pub ways: &'static [Way],
    /// Where this comes from.
    pub origin: Origin,
}

impl Switch {
    /// A switch of which only this is known.
    #[must_use]
    pub const fn new(
        name: &'static str,
        doc: &'static str,
        written_by: Writer,
        origin: Origin,
    ) -> Self {
        Self {
            name,
            doc,
            register: None,
            address: None,
            bits: None,
            on: None,
            reset: None,
            written_by,
            seen_from_elsewhere: None,
            ways: &[],
            origin,
        }
    }

    /// The same, with `register`.
    #[must_use]
    pub const fn register(self, register: &'static str) -> Self {
        Self { register: Some(register), ..self }
    }

    /// The same, with `address`.
    #[must_use]
    pub const fn address(self, address: u64) -> Self {
        Self { address: Some(address), ..self }
    }

    /// The same, with `bits`.
    #[must_use]
    pub const fn bits(self, bits: Bits) -> Self {
        Self { bits: Some(bits), ..self }
    }

    /// The same, with `on`.
    #[must_use]
    pub const fn on(self, on: u32) -> Self {
        Self { on: Some(on), ..self }
    }

    /// The same, with `reset`.
    #[must_use]
    pub const fn reset(self, reset: u32) -> Self {
        Self { reset: Some(reset), ..self }
    }

    /// The same, with `seen_from_elsewhere`.
    #[must_use]
    pub const fn seen_from_elsewhere(self, seen_from_elsewhere: &'static str) -> Self {
        Self { seen_from_elsewhere: Some(seen_from_elsewhere), ..self }
    }

    /// The same, with `ways`.
    #[must_use]
    pub const fn ways(self, ways: &'static [Way]) -> Self {
        Self { ways, ..self }
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

/// A way to set a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Way {
    /// When it is set.
    pub stage: Stage,
    /// How, as a sentence.
    pub doc: &'static str,
    /// This does not work.
    pub fails: bool,
    /// Where this comes from.
    pub origin: Origin,
}

impl Way {
    /// A way that works.
    #[must_use]
    pub const fn new(stage: Stage, doc: &'static str, origin: Origin) -> Self {
        Self { stage, doc, fails: false, origin }
    }

    /// A way that was tried, or looked up, in vain.
    #[must_use]
    pub const fn fails(self) -> Self {
        Self { fails: true, ..self }
    }
}

/// A known fault of a platform, or of software that comes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Fault {
    /// In capitals: `TCU_PAGE_1`.
    pub name: &'static str,
    /// What is wrong, as a sentence.
    pub doc: &'static str,
    /// What a user sees, as a sentence.
    pub effect: &'static str,
    /// What to do about it, as a sentence.
    pub fix: Option<&'static str>,
    /// If a page is announced at a wrong place.
    pub announced: Option<Announced>,
    /// Where this comes from.
    pub origin: Origin,
}

impl Fault {
    /// A fault.
    #[must_use]
    pub const fn new(
        name: &'static str,
        doc: &'static str,
        effect: &'static str,
        origin: Origin,
    ) -> Self {
        Self { name, doc, effect, fix: None, announced: None, origin }
    }

    /// The same, with `fix`.
    #[must_use]
    pub const fn fix(self, fix: &'static str) -> Self {
        Self { fix: Some(fix), ..self }
    }

    /// The same, with `announced`.
    #[must_use]
    pub const fn announced(self, announced: Announced) -> Self {
        Self { announced: Some(announced), ..self }
    }
}

/// A page at the wrong offset at which firmware or a device tree announces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Announced {
    /// The name of the page.
    pub page: &'static str,
    /// The wrong offset from the base of the instance.
    pub offset: u32,
}

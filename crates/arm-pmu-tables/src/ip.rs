//! IPs: the PMUs of each IP, and the location of its registers.

use crate::table::table;
use crate::{Counters, Finding, Group, LinuxPmu, Origin, Register};

/// A product: `cci400`, `cortex-a8`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Ip {
    /// Name of the IP's crate, and of the directory with its specs: `cci400`.
    pub name: &'static str,
    /// Name in code: `cortex_a8`.
    pub rust: &'static str,
    /// Short name: `CCI-400`.
    pub product: &'static str,
    /// Other products with the same registers and events: `Cortex-A57`.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub also: &'static [&'static str],
    /// Full name.
    pub title: &'static str,
    /// Manual that sections refer to.
    pub manual: Manual,
    /// Other documents and programs from which facts are taken.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub documents: &'static [Document],
    /// Architecture that defines the registers and procedures, shared with other IPs.
    pub architecture: Option<Architecture>,
    /// Identification of the processor, if the IP is one.
    pub main_id: Option<MainId>,
    /// Part number and name of the processor, followed by the part number and name of each [other
    /// product](Self::also).
    #[cfg_attr(feature = "serde", serde(skip))]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub parts: &'static [(u32, &'static str)],
    /// PMU in the Linux kernel, followed by the PMUs of [other products](Self::also); empty if the IP has units.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub linux: &'static [LinuxPmu],
    /// Reason why no script of register accesses can count with this PMU; `None` if one can.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub no_recipe: Option<&'static str>,
    /// Behavior of the counters while a debugger halts the core, if relevant.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub halted: Option<&'static str>,
    /// The different PMUs, cores or revisions of the IP; empty if the IP is a single PMU.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub units: &'static [Unit],
    /// Location of the registers.
    pub space: Space,
    /// Groups of registers that repeat together.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub blocks: &'static [Block],
    /// Registers in the order of the spec.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub registers: &'static [Register],
    /// Number and registers of the counters.
    pub counters: Counters,
    /// Width of EVNTBUS, if the IP exports events on such a bus.
    pub evntbus: Option<EventBus>,
    /// Events, grouped by the kind of their sources.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub groups: &'static [Group],
    /// Reasons why counters read zero, in the order of the diagnosis.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub findings: &'static [Finding],
    /// Files with [aliases](crate::Alias) of events.
    pub alias_sources: &'static [&'static crate::AliasSource],
}

table! {
    /// A document.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Manual {
        /// Document number: `DDI 0470I`.
        required id: &'static str,
        /// Title.
        required title: &'static str,
        /// Issues of the document that were read, if `id` does not end with the issue.
        required issue: Option<&'static str>,
    }
}

table! {
    /// A document or program from which facts are taken.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Document {
        /// Title.
        required title: &'static str,
        /// Document number, if there is one.
        optional id: &'static str,
        /// Issue or pages that were read.
        optional issue: &'static str,
    }
}

table! {
    /// Registers and procedures that several IPs share.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Architecture {
        /// Name of the architecture's crate: `cci5xx`.
        required name: &'static str,
        /// Full name.
        required title: &'static str,
    }
}

table! {
    /// Part number of a processor.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) MainId {
        /// Bits 15 to 4 of the Main ID Register.
        required part: u32,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// A PMU inside an IP, a core, or a revision: `tcu`, `arm1176`, `r0`.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Unit {
        /// Name that follows the IP's name: `r0` in `cci400:r0`.
        required name: &'static str,
        /// Module in the IP's crate: `cci400::r0`.
        required rust: &'static str,
        /// Full name.
        required title: &'static str,
        /// Enum of the events, if each unit has a separate enum for the same group: `Arm1176Event`.
        optional rust_events: &'static str,
        /// Identification of the processor, if the unit is a processor.
        optional main_id: MainId,
        /// PMU in the Linux kernel.
        #[cfg_attr(feature = "serde", serde(skip))]
        #[cfg_attr(feature = "schema", schemars(skip))]
        list linux: LinuxPmu,
        /// Location of each page.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list pages: PlacedPage,
    }
}

impl Unit {
    /// Offset of a page from the base of the unit.
    #[must_use]
    pub fn page_offset(&self, page: &str) -> Option<u32> {
        self.pages.iter().find(|placed| placed.page == page).map(|placed| placed.offset)
    }
}

table! {
    /// Offset of a page in a unit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) PlacedPage {
        /// Name of the [`Page`].
        required page: &'static str,
        /// Offset from the base of the unit, in bytes.
        required offset: u32,
        /// Origin of the fact.
        required origin: Origin,
    }
}

/// Location of the registers of an IP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Space {
    /// One region of memory.
    Region {
        /// Length in bytes.
        length: u32,
    },
    /// Pages in memory, at offsets that depend on the unit.
    Pages(&'static [Page]),
    /// Coprocessor 15.
    Cp15,
    /// System registers of AArch64.
    System,
}

impl Space {
    /// Whether only a core can access the registers, because they belong to the core.
    #[must_use]
    pub const fn is_core(self) -> bool {
        matches!(self, Self::Cp15 | Self::System)
    }
}

table! {
    /// A part of a device with a separate base address.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Page {
        /// Name: `page0`.
        required name: &'static str,
        /// Full name.
        required title: &'static str,
        /// Length in bytes.
        required length: u32,
        /// Contents of the page.
        required doc: &'static str,
    }
}

table! {
    /// Registers that repeat together.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Block {
        /// Name: `COUNTER`.
        required name: &'static str,
        /// Full name.
        required title: &'static str,
        /// Offset of the first block from the base of the IP.
        fixed offset: u32 = 0,
        /// Number of blocks.
        fixed count: u32 = 1,
        /// Distance between blocks, in bytes.
        fixed stride: u32 = 0,
        /// Contents of the block.
        required doc: &'static str,
    }
}

impl Block {
    pub(crate) const fn at(self, offset: u32, count: u32, stride: u32) -> Self {
        Self { offset, count, stride, ..self }
    }
}

/// Width of EVNTBUS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum EventBus {
    /// The width depends on the configuration of the part.
    Configured,
    /// Number of bits.
    Bits(u32),
}

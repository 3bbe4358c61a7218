//! An IP: where its registers are, and which PMUs it has.

use crate::table::table;
use crate::{Counters, Finding, Group, LinuxPmu, Origin, Register};

/// A product: `cci400`, `cortex-a8`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Ip {
    /// The name of its crate and of its directory of specs: `cci400`.
    pub name: &'static str,
    /// The name in code: `cortex_a8`.
    pub rust: &'static str,
    /// The short name: `CCI-400`.
    pub product: &'static str,
    /// Other products with the same registers and events: `Cortex-A57`.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub also: &'static [&'static str],
    /// The full name.
    pub title: &'static str,
    /// The document that sections refer to.
    pub manual: Manual,
    /// The other documents and programs that facts come from.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub documents: &'static [Document],
    /// The architecture that defines its registers and procedures, shared with other IPs.
    pub architecture: Option<Architecture>,
    /// How to identify the processor, if the IP is one.
    pub main_id: Option<MainId>,
    /// Part numbers and names of the processors that the IP is: its own, then of [other products](Self::also).
    #[cfg_attr(feature = "serde", serde(skip))]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub parts: &'static [(u32, &'static str)],
    /// Its PMU in the Linux kernel, then the PMUs of [other products](Self::also); empty if the IP has units.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub linux: &'static [LinuxPmu],
    /// Why no script of register accesses can count, if none can.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub no_recipe: Option<&'static str>,
    /// Behavior of the counters while a debugger halts the core, if relevant.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub halted: Option<&'static str>,
    /// Its PMUs, cores or revisions, where these differ; empty if the IP is one PMU.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub units: &'static [Unit],
    /// Location of the registers.
    pub space: Space,
    /// Registers that repeat together.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub blocks: &'static [Block],
    /// The registers, in the order of the spec.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub registers: &'static [Register],
    /// Number and registers of the counters.
    pub counters: Counters,
    /// The width of EVNTBUS, if events are exported there.
    pub evntbus: Option<EventBus>,
    /// The events, by the kind of their sources.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub groups: &'static [Group],
    /// Why counters may read zero, in the order in which a diagnosis checks.
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    pub findings: &'static [Finding],
    /// The files that [aliases](crate::Alias) of events come from.
    pub alias_sources: &'static [&'static crate::AliasSource],
}

table! {
    /// A document.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Manual {
        /// The document number: `DDI 0470I`.
        required id: &'static str,
        /// Its title.
        required title: &'static str,
        /// The issues that were read, if the number does not tell.
        required issue: Option<&'static str>,
    }
}

table! {
    /// A document or program that facts come from.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Document {
        /// Its title.
        required title: &'static str,
        /// The document number, if it has one.
        optional id: &'static str,
        /// The issue or the pages that were read.
        optional issue: &'static str,
    }
}

table! {
    /// The registers and procedures that several IPs share.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Architecture {
        /// The name of its crate: `cci5xx`.
        required name: &'static str,
        /// The full name.
        required title: &'static str,
    }
}

table! {
    /// The part number of a processor.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) MainId {
        /// Bits 15 to 4 of the Main ID Register.
        required part: u32,
        /// Origin of the fact.
        required origin: Origin,
    }
}

table! {
    /// A PMU of its own inside an IP, a core, or a revision: `tcu`, `arm1176`, `r0`.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Unit {
        /// Its name, with the IP's: `cci400:r0`.
        required name: &'static str,
        /// The module of the IP's crate: `cci400::r0`.
        required rust: &'static str,
        /// The full name.
        required title: &'static str,
        /// The enum of its events, if each unit has its own for the same group: `Arm1176Event`.
        optional rust_events: &'static str,
        /// How to identify the processor, if it is one.
        optional main_id: MainId,
        /// Its PMU in the Linux kernel.
        #[cfg_attr(feature = "serde", serde(skip))]
        #[cfg_attr(feature = "schema", schemars(skip))]
        list linux: LinuxPmu,
        /// Location of each page.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list pages: PlacedPage,
    }
}

impl Unit {
    /// The offset of a page from the base of the unit.
    #[must_use]
    pub fn page_offset(&self, page: &str) -> Option<u32> {
        self.pages.iter().find(|placed| placed.page == page).map(|placed| placed.offset)
    }
}

table! {
    /// Offset of a page in a unit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) PlacedPage {
        /// The name of the [`Page`].
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
    /// In one region of memory, of this many bytes.
    Region {
        /// In bytes.
        length: u32,
    },
    /// On pages in memory, with separate base addresses.
    Pages(&'static [Page]),
    /// In coprocessor 15.
    Cp15,
    /// Among the system registers of AArch64.
    System,
}

impl Space {
    /// Whether the registers belong to a core, which alone can access them.
    #[must_use]
    pub const fn is_core(self) -> bool {
        matches!(self, Self::Cp15 | Self::System)
    }
}

table! {
    /// A part of a device that has a base of its own.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Page {
        /// Its name: `page0`.
        required name: &'static str,
        /// The full name.
        required title: &'static str,
        /// In bytes.
        required length: u32,
        /// What is there.
        required doc: &'static str,
    }
}

table! {
    /// Registers that repeat together.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Block {
        /// Its name: `COUNTER`.
        required name: &'static str,
        /// The full name.
        required title: &'static str,
        /// Offset of the first block from the base of the IP.
        fixed offset: u32 = 0,
        /// Number of blocks.
        fixed count: u32 = 1,
        /// Distance between blocks, in bytes.
        fixed stride: u32 = 0,
        /// What is there.
        required doc: &'static str,
    }
}

impl Block {
    pub(crate) const fn at(self, offset: u32, count: u32, stride: u32) -> Self {
        Self { offset, count, stride, ..self }
    }
}

/// The width of EVNTBUS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum EventBus {
    /// It depends on the configuration of the part.
    Configured,
    /// This many bits.
    Bits(u32),
}

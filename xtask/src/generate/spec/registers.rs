//! `registers.yaml`.

use super::declare::{mapping, plain};
use super::read::{At, Checked, List, Read};
use super::scalar::{
    Access, Bits, Confidence, Decimal, Hex, LinuxDriver, Name, NonSecure, ReadAs, Reference,
    Reserved, Reset, Text, UserMode, Words,
};
use super::schema::Definitions;
use super::{LegendEntry, ManualSpec, Origin};
use arm_pmu_spec::legend::{Fact, Facts};

use crate::generate::problem::{Place, Problems};
use crate::generate::yaml::{Node, Value};

mapping! {
    "a register spec" => Registers with origin {
        /// Name of the directory under specs/ and of the crate.
        required ip: At<Text>,
        /// Directory under specs/ with the common rows that the files of this IP use.
        optional shares: At<Text>,
        shared title: Text,
        shared manual: ManualSpec,
        /// Documents and programs to which `from` refers.
        list legend: LegendEntry,
        /// Number of bytes to map, from the base of the IP, if the registers are one region.
        optional length: At<Hex>,
        /// Identification of the processor, if it is one.
        optional main_id: MainId,
        /// PMU in the Linux kernel; for an IP with units, the PMU of each unit.
        optional linux: LinuxPmuSpec,
        /// Products that a probe can find instead, and that no driver supports.
        list others: ProductSpec,
        list pages: PageSpec,
        list units: Unit,
        list blocks: BlockSpec,
        /// Prefix of the register names in manuals; the prefixed names are aliases.
        optional prefix: At<Name>,
        shared_rows registers: Register,
        /// Notes for the generated part of the driver. Without these notes, the whole driver is
        /// written by hand.
        optional driver: Driver,
    }
}

mapping! {
    /// Generated part of a driver, with sentences about the hardware for its documentation.
    "the notes of a driver" => Driver {
        /// Kind of the units: `core` for a driver that is generic over a trait `Core`.
        optional units: At<Name>,
        /// Sentences added to the documentation of `start`.
        list start: At<Text>,
        /// Sentences added to the documentation of `resume`.
        list resume: At<Text>,
        /// If the units are SMMUv3 PMCGs: default number of counters that a program uses.
        optional group_counters: At<Decimal>,
        /// Reason why there is no recipe for a PMU of the IP, as the end of "there is no recipe for
        /// it: ".
        optional no_recipe: At<Text>,
        /// Text that is added to the recipes for debuggers that halt the core.
        optional halted: At<Text>,
    }
}

plain! {
    /// A part of a device with a separate base address.
    "a page" => PageSpec, Page {
        required name: At<Name>,
        required title: Text,
        required length: At<Hex>,
        required doc: At<Text>,
    }
}

mapping! {
    /// A part or revision of the IP with its own PMU or events.
    "a unit" => Unit with origin {
        required name: At<Name>,
        required title: Text,
        /// Identification of the processor, if it is one.
        optional main_id: MainId,
        /// PMU in the Linux kernel.
        optional linux: LinuxPmuSpec,
        /// Other products with this part number, which therefore identifies no driver.
        list shares_part: At<Text>,
        list pages: PageOfUnit,
    }
}

plain! {
    /// A PMU in the Linux kernel.
    "a PMU of Linux" => LinuxPmuSpec, LinuxPmu {
        required driver: At<LinuxDriver>,
        /// Name of the PMU in sysfs. The driver of SMMUs builds names from addresses.
        optional name: At<Text>,
        /// The `compatible` of the device-tree node, if the driver binds to a node.
        optional node: At<Text>,
        /// The `compatible` of the parent node, for an interconnect.
        optional parent: At<Text>,
        /// For an SMMU: the `compatible` of the product, which comes before the generic one. The
        /// driver reads the part number only if the node has this `compatible`.
        optional specific: At<Text>,
    }
}

plain! {
    /// Another product.
    "a product" => ProductSpec, Product {
        /// Short name of the product: `Cortex-A57`.
        required title: At<Text>,
        /// Identification of the processor, if it is one.
        optional main_id: MainId,
        /// PMU in the Linux kernel.
        optional linux: LinuxPmuSpec,
    }
}

/// The part number.
impl Checked for MainId {
    type As = u32;

    fn checked(&self) -> u32 {
        self.part.0
    }
}

mapping! {
    /// Contents of the Main ID Register of a processor.
    "a main ID" => MainId with origin {
        /// Bits 15 to 4.
        required part: At<Hex>,
    }
}

mapping! {
    /// Place of a page.
    "a page of a unit" => PageOfUnit with origin {
        required name: At<Name>,
        /// Offset from the base of the unit.
        required offset: At<Hex>,
    }
}

plain! {
    /// Registers that repeat together.
    "a block" => BlockSpec, Block {
        required name: At<Name>,
        required title: Text,
        required offset: At<Hex>,
        required count: At<Decimal>,
        required stride: At<Hex>,
        required doc: At<Text>,
    }
}

mapping! {
    "a register" => Register with origin {
        required name: At<Name>,
        /// Other names, in manuals and in software. Names of an array omit the element number.
        list aliases: At<Name>,
        shared title: At<Text>,
        /// Only in an architecture: for each implementation that differs, its section, or its
        /// source and confidence.
        list origins: OriginOfUnit,
        /// Page that contains the register. If it is given, `offset` is relative to this page.
        optional page: At<Name>,
        /// Block that contains the register. If it is given, `offset` is relative to this block.
        optional block: At<Name>,
        optional offset: At<Hex>,
        /// Number of elements. For system registers of an architecture, the highest count; `counters` of an
        /// implementation replaces it.
        optional count: At<Decimal>,
        /// Only in an architecture: replaces `count` if implementations differ.
        list counts: CountOfUnit,
        optional stride: At<Hex>,
        /// Replaces `offset`.
        optional cp15: OperandsSpec,
        /// Replaces `offset`.
        optional sysreg: SystemRegisterSpec,
        /// The register has several instances; a field of another register selects one.
        optional selected_by: SelectorSpec,
        /// Number of 32-bit accesses that reach the register; default: 1.
        optional words: At<Words>,
        shared access: At<Access>,
        optional reset: At<ResetValue>,
        /// Replaces `reset` if the units differ.
        list resets: ResetOfUnit,
        /// Effect of an access by Non-secure software, if such accesses are not permitted.
        optional non_secure: At<NonSecure>,
        /// Access in User mode.
        optional user: At<UserMode>,
        /// Units that have the register; if omitted: all.
        list only: At<Name>,
        /// Only in an architecture: the first version that has the register.
        optional since: At<Decimal>,
        shared doc: At<Text>,
        optional note: At<Text>,
        shared fields: super::read::List<Field>,
    }
}

plain! {
    /// Operands of MRC and MCR that select a CP15 register.
    "the operands of a CP15 access" => OperandsSpec, #[derive(Copy)] Operands {
        required opc1: At<Decimal>,
        required crn: At<Decimal>,
        required crm: At<Decimal>,
        required opc2: At<Decimal>,
    }
}

plain! {
    /// Encoding of an AArch64 system register in MRS and MSR; for an array, of its first element.
    "the encoding of a system register" => SystemRegisterSpec, #[derive(Copy, PartialEq, Eq)] SystemRegister {
        required op0: At<Decimal>,
        required op1: At<Decimal>,
        required crn: At<Decimal>,
        required crm: At<Decimal>,
        required op2: At<Decimal>,
    }
}

plain! {
    /// Field that selects the instance of a register.
    "a selector" => SelectorSpec, Selector {
        required register: At<Name>,
        required field: At<Name>,
        /// Number of instances. For an architecture, this is the maximum; an implementation can give another number
        /// with `counters`.
        required count: At<Decimal>,
    }
}

mapping! {
    /// A field, or reserved bits.
    "a field" => Field with origin {
        required bits: At<Bits>,
        optional reserved: At<Reserved>,
        optional name: At<Name>,
        /// Other names, in manuals and in software.
        list aliases: At<Name>,
        optional access: At<Access>,
        /// Result of a read, if it does not follow from `access`.
        optional read: At<ReadAs>,
        /// The array elements that have the field; if omitted, all elements have it.
        list elements: At<Decimal>,
        /// Units that have the field; if omitted: all.
        list only: At<Name>,
        /// Only in an architecture: the first version that has the field.
        optional since: At<Decimal>,
        /// Only in an architecture: bit n belongs to counter n. `bits` are the bits of a product
        /// with the highest number of counters.
        flag per_counter: bool,
        /// Only in an architecture: how many bits the field has in earlier versions, counted from
        /// its lowest bit.
        list widths: WidthBefore,
        /// Kind of the bits where the field does not exist.
        optional elsewhere: At<Reserved>,
        /// Only in an architecture: the implementations in which these bits are of another kind.
        list elsewheres: ReservedOfUnit,
        /// Only in an architecture: for each implementation that differs, its section, or its
        /// source and confidence.
        list origins: OriginOfUnit,
        optional doc: At<Text>,
        /// Named values of the field.
        list values: NamedValueSpec,
        /// Bit n of the field reports whether the event with this code plus n exists.
        optional events_from: At<Hex>,
    }
}

mapping! {
    /// The number of bits that a field has before a version.
    "the width that a field has before a version" => WidthBefore {
        required before: At<Decimal>,
        required bits: At<Decimal>,
    }
}

mapping! {
    /// Kind of the reserved bits that one implementation has in place of a field of the others.
    "the kind of reserved bits that a unit has" => ReservedOfUnit {
        required unit: At<Name>,
        required reserved: At<Reserved>,
    }
}

plain! {
    /// A value of a field with its name.
    "a value of a field" => NamedValueSpec, NamedValue {
        required value: At<Hex>,
        /// Name of the value, unique in the field.
        required name: At<Name>,
        required doc: At<Text>,
    }
}

/// Value after reset. It can have its own source, which is often not the source of the register.
#[derive(Clone, Debug)]
pub struct ResetValue {
    pub value: Reset,
    pub place: Place,
    pub confidence: Option<At<Confidence>>,
    pub source: Option<At<Text>>,
    pub from: List<At<Reference>>,
}

mapping! {
    "a reset value" => SourcedReset with source {
        required value: Reset,
    }
}

mapping! {
    "the reset value of a unit" => ResetOfUnit with source {
        required unit: At<Name>,
        required value: At<Reset>,
    }
}

mapping! {
    /// Origin of a fact about one implementation of an architecture.
    "the origin of a fact about an implementation" => OriginOfUnit with origin {
        required unit: At<Name>,
    }
}

mapping! {
    "the count of an implementation" => CountOfUnit {
        required unit: At<Name>,
        required count: At<Decimal>,
    }
}

/// Space of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    Memory,
    Cp15,
    System,
}

impl Register {
    /// Number of bits.
    pub fn bits(&self) -> u32 {
        let alone = if self.sysreg.is_some() { 64 } else { 32 };
        self.words.as_ref().map_or(alone, |words| words.bits())
    }

    /// Returns the location keys of the register: `offset`, `cp15` or `sysreg`. A correct spec has exactly one.
    pub fn locations(&self) -> impl Iterator<Item = (Space, &Place)> {
        let offset = self.offset.as_ref().map(|at| (Space::Memory, &at.place));
        let cp15 = self.cp15.as_ref().map(|at| (Space::Cp15, &at.place));
        let sysreg = self.sysreg.as_ref().map(|at| (Space::System, &at.place));
        offset.into_iter().chain(cp15).chain(sysreg)
    }

    /// Returns the location, unless there are several.
    pub fn location(&self) -> Option<(Space, &Place)> {
        let mut all = self.locations();
        all.next().filter(|_| all.next().is_none())
    }

    /// Returns the place in the spec of the register's location or, if there is none, of its name.
    pub fn located_at(&self) -> &Place {
        self.locations().next().map_or(&self.name.place, |(_, place)| place)
    }

    /// Returns the values after reset, each with its place and origin.
    pub fn all_resets(&self) -> impl Iterator<Item = (&Place, Reset, Origin<'_>)> {
        let common = self.reset.iter().map(|at| (&at.place, at.value.value, at.origin()));
        let of_units = self.resets.iter().map(|reset| {
            let (confidence, source) = (reset.confidence.as_ref(), reset.source.as_ref());
            (&reset.value.place, reset.value.value, Origin { section: None, confidence, source })
        });
        common.chain(of_units)
    }
}

impl Field {
    /// Returns the keys that limit the field to some units or elements.
    pub fn limits(&self) -> impl Iterator<Item = (&'static str, &Place)> {
        let elements = self.elements.first().map(|at| ("elements", &at.place));
        elements.into_iter().chain(self.only.first().map(|at| ("only", &at.place)))
    }
}

impl ResetValue {
    /// Returns the origin that the value itself states.
    pub fn origin(&self) -> Origin<'_> {
        Origin { section: None, confidence: self.confidence.as_ref(), source: self.source.as_ref() }
    }
}

impl Read for ResetValue {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        if let Value::Mapping(_) = node.value {
            let SourcedReset { value, place, confidence, source, from } =
                Read::read(node, problems)?;
            return Some(Self { value, place, confidence, source, from });
        }
        let value = Reset::read(node, problems)?;
        let place = node.place.clone();
        Some(Self { value, place, confidence: None, source: None, from: List::default() })
    }

    fn describe(definitions: &mut Definitions) -> serde_json::Value {
        let with_source = SourcedReset::describe(definitions);
        serde_json::json!({ "anyOf": [Reset::describe(definitions), with_source] })
    }
}

impl Facts for ResetValue {
    fn each_fact(&mut self, with: &mut dyn FnMut(Fact<'_>)) {
        let Self { place, from, confidence, source, .. } = self;
        with(Fact { what: "a reset value", place, from, confidence, source });
    }
}

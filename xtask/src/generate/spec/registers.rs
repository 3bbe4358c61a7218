//! `registers.yaml`.

use super::declare::mapping;
use super::read::{At, List, Read};
use super::scalar::{
    Access, Bits, Confidence, Decimal, Hex, Name, NonSecure, ReadAs, Reference, Reserved, Reset,
    Text, UserMode, Width,
};
use super::schema::{Definitions, Describe};
use super::{LegendEntry, Manual, Origin};
use crate::generate::problem::{Place, Problems};
use crate::generate::yaml::{Node, Value};

mapping! {
    "a register spec" => Registers {
        /// The name of the directory under specs/, which is that of the crate.
        required ip: At<Text>,
        required title: Text,
        required manual: Manual,
        /// The documents and programs that `from` names.
        list legend: LegendEntry,
        /// Bytes that have to be mapped, from the base of the IP, if all of it is one region.
        optional length: At<Hex>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
        /// How to tell the processor, if it is one.
        optional main_id: MainId,
        list pages: Page,
        list units: Unit,
        list blocks: Block,
        required registers: super::read::List<Register>,
    }
}

mapping! {
    /// A part of a device that has a base of its own.
    "a page" => Page {
        required name: At<Name>,
        required title: Text,
        required length: At<Hex>,
        required doc: At<Text>,
    }
}

mapping! {
    /// A PMU of its own inside the IP.
    "a unit" => Unit {
        required name: At<Name>,
        required title: Text,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
        /// How to tell the processor, if it is one.
        optional main_id: MainId,
        list pages: PageOfUnit,
    }
}

mapping! {
    /// What the Main ID Register of a processor says.
    "a main ID" => MainId {
        /// Bits 15 to 4.
        required part: At<Hex>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
    }
}

mapping! {
    /// Where a page is.
    "a page of a unit" => PageOfUnit {
        required name: At<Name>,
        /// From the base of the unit.
        required offset: At<Hex>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
    }
}

mapping! {
    /// Registers that repeat together.
    "a block" => Block {
        required name: At<Name>,
        required title: Text,
        required offset: At<Hex>,
        required count: At<Decimal>,
        required stride: At<Hex>,
        required doc: At<Text>,
    }
}

mapping! {
    "a register" => Register {
        required name: At<Name>,
        /// What a product's manual calls it, if that is not the name of the architecture.
        list aliases: At<Name>,
        required title: At<Text>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
        /// Of an architecture: where to look, or what the legend cannot tell, for an implementation.
        list origins: OriginOfUnit,
        /// The page that the register is on; the offset is then that in the page.
        optional page: At<Name>,
        /// The block that the register is part of; the offset is then that in the block.
        optional block: At<Name>,
        optional offset: At<Hex>,
        optional count: At<Decimal>,
        /// Of an architecture: in place of `count`, where implementations differ.
        list counts: CountOfUnit,
        optional stride: At<Hex>,
        /// In place of an offset.
        optional cp15: Operands,
        /// The register stands for several, one of which another register selects.
        optional selected_by: Selector,
        /// 32 bits if left out.
        optional width: At<Width>,
        required access: At<Access>,
        optional reset: At<ResetValue>,
        /// In place of `reset`, where the units differ.
        list resets: ResetOfUnit,
        /// What software of the Non-secure state meets, if not the register.
        optional non_secure: At<NonSecure>,
        /// What software in User mode may do.
        optional user: At<UserMode>,
        /// The only units that have the register.
        list only: At<Name>,
        required doc: At<Text>,
        optional note: At<Text>,
        required fields: super::read::List<Field>,
    }
}

mapping! {
    /// The operands of MRC and MCR that name a register of coprocessor 15.
    "the operands of a CP15 access" => Operands {
        required opc1: At<Decimal>,
        required crn: At<Decimal>,
        required crm: At<Decimal>,
        required opc2: At<Decimal>,
    }
}

mapping! {
    /// What selects the register that is seen.
    "a selector" => Selector {
        required register: At<Name>,
        required field: At<Name>,
        /// How many registers there are.
        required count: At<Decimal>,
    }
}

mapping! {
    /// A field, or reserved bits.
    "a field" => Field {
        required bits: At<Bits>,
        optional reserved: At<Reserved>,
        optional name: At<Name>,
        /// What a product's manual calls it, if that is not the name of the architecture.
        list aliases: At<Name>,
        optional access: At<Access>,
        /// How it reads, if not as its access says.
        optional read: At<ReadAs>,
        /// The only elements of an array that have the field.
        list elements: At<Decimal>,
        /// The only units that have the field.
        list only: At<Name>,
        /// What the bits are where the field is not.
        optional elsewhere: At<Reserved>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
        /// Of an architecture: where to look, or what the legend cannot tell, for an implementation.
        list origins: OriginOfUnit,
        optional doc: At<Text>,
    }
}

/// The value after reset, on its own or with where it comes from: that is often another place than
/// that of the register.
#[derive(Clone, Debug)]
pub struct ResetValue {
    pub value: Reset,
    pub confidence: Option<At<Confidence>>,
    pub source: Option<At<Text>>,
    pub from: List<At<Reference>>,
}

mapping! {
    "a reset value" => SourcedReset {
        required value: Reset,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
    }
}

mapping! {
    "the reset value of a unit" => ResetOfUnit {
        required unit: At<Name>,
        required value: At<Reset>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
    }
}

mapping! {
    /// Where a fact about one implementation of an architecture comes from.
    "the origin of a fact about an implementation" => OriginOfUnit {
        required unit: At<Name>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        list from: At<Reference>,
        optional source as "basis": At<Text>,
    }
}

mapping! {
    "the count of an implementation" => CountOfUnit {
        required unit: At<Name>,
        required count: At<Decimal>,
    }
}

impl Register {
    /// How many bits it has.
    pub fn bits(&self) -> u32 {
        self.width.as_ref().map_or(32, |width| width.bits())
    }

    /// Where its location is given, or else its name.
    pub fn located_at(&self) -> &Place {
        let offset = self.offset.as_ref().map(|offset| &offset.place);
        offset.or(self.cp15.as_ref().map(|cp15| &cp15.place)).unwrap_or(&self.name.place)
    }

    /// The values after reset: where each stands, its value and where it comes from.
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
    /// The keys that say that it is not everywhere.
    pub fn limits(&self) -> impl Iterator<Item = (&'static str, &Place)> {
        let elements = self.elements.first().map(|at| ("elements", &at.place));
        elements.into_iter().chain(self.only.first().map(|at| ("only", &at.place)))
    }
}

impl ResetValue {
    /// Where it comes from, as far as it says so itself.
    pub fn origin(&self) -> Origin<'_> {
        Origin { section: None, confidence: self.confidence.as_ref(), source: self.source.as_ref() }
    }
}

impl Read for ResetValue {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        if let Value::Mapping(_) = node.value {
            let SourcedReset { value, confidence, source, from, .. } = Read::read(node, problems)?;
            return Some(Self { value, confidence, source, from });
        }
        let value = Reset::read(node, problems)?;
        Some(Self { value, confidence: None, source: None, from: List::default() })
    }
}

impl Describe for ResetValue {
    fn describe(definitions: &mut Definitions) -> serde_json::Value {
        let with_source = SourcedReset::describe(definitions);
        serde_json::json!({ "anyOf": [Reset::describe(definitions), with_source] })
    }
}

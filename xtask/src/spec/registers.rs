//! `registers.yaml`.

use super::read::{At, Read, mapping};
use super::scalar::{Access, Bits, Confidence, Decimal, Hex, Name, Reserved, Reset, Text};
use super::{Manual, Origin};
use crate::problem::Problems;
use crate::yaml::{Node, Value};

mapping! {
    "a register spec" => Registers {
        /// The name of the directory under specs/, which is that of the crate.
        required ip: At<Text>,
        required title: Text,
        required manual: Manual,
        /// Bytes that have to be mapped, from the base of the IP.
        required length: At<Hex>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        optional source: At<Text>,
        list blocks: Block,
        required registers: super::read::List<Register>,
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
        required title: At<Text>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        optional source: At<Text>,
        /// The block that the register is part of; the offset is then that in the block.
        optional block: At<Name>,
        required offset: At<Hex>,
        optional count: At<Decimal>,
        optional stride: At<Hex>,
        required access: At<Access>,
        required reset: At<ResetValue>,
        required doc: At<Text>,
        optional note: At<Text>,
        required fields: super::read::List<Field>,
    }
}

mapping! {
    /// A field, or reserved bits.
    "a field" => Field {
        required bits: At<Bits>,
        optional reserved: At<Reserved>,
        optional name: At<Name>,
        optional access: At<Access>,
        optional section: At<Text>,
        optional confidence: At<Confidence>,
        optional source: At<Text>,
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
}

mapping! {
    "a reset value" => SourcedReset {
        required value: Reset,
        optional confidence: At<Confidence>,
        optional source: At<Text>,
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
            let SourcedReset { value, confidence, source, .. } = Read::read(node, problems)?;
            return Some(Self { value, confidence, source });
        }
        Some(Self { value: Reset::read(node, problems)?, confidence: None, source: None })
    }
}

//! `registers.yaml`.

use super::Manual;
use super::read::{At, mapping};
use super::scalar::{Access, Bits, Confidence, Decimal, Hex, Name, Reserved, Reset, Text};

mapping! {
    "a register spec" => Registers {
        required ip: At<Name>,
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
        required reset: At<Reset>,
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

//! `registers.yaml` of an architecture: the registers that several IPs have in common.

use super::declare::mapping;
use super::read::{At, List};
use super::registers::{Block, Register};
use super::scalar::{Hex, Name, Reference, Text};
use super::{LegendEntry, Manual};

mapping! {
    /// The registers that several IPs have in common. Differences name implementations as units.
    "the register spec of an architecture" => Architecture {
        /// The name of the directory under specs/, which is that of the crate.
        required architecture: At<Text>,
        required title: Text,
        /// The IPs that have these registers.
        required implementations: List<Implementation>,
        /// The documents and programs that `from` names.
        required legend: List<LegendEntry>,
        /// Where facts come from that do not say so themselves.
        list from: At<Reference>,
        /// Bytes that have to be mapped, from the base of the IP.
        optional length: At<Hex>,
        list blocks: Block,
        required registers: List<Register>,
        /// What the documentation of a driver says about the hardware.
        optional driver: DriverNotes,
    }
}

mapping! {
    /// An IP that has the registers of an architecture.
    "an implementation" => Implementation {
        /// The name of its directory under specs/, which is that of its crate, with `_` in place of `-`.
        required name: At<Name>,
        required title: Text,
        required manual: Manual,
    }
}

mapping! {
    /// Sentences about the hardware, for the documentation of each driver. `{product}` is its name.
    "the notes of a driver" => DriverNotes {
        /// After what `start` does.
        list start: At<Text>,
        /// What asserts interrupts, and until when.
        required interrupts: At<Text>,
        /// What `acknowledge` does beyond clearing flags.
        list acknowledge: At<Text>,
        /// What a diagnosis does to the device and asks of the work.
        list diagnosis: At<Text>,
    }
}

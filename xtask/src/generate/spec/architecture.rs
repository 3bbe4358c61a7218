//! `registers.yaml` of an architecture: registers that several IPs share.

use super::declare::mapping;
use super::read::{At, List};
use super::registers::{BlockSpec, LinuxPmuSpec, MainId, ProductSpec, Register};
use super::scalar::{Decimal, Hex, Name, Reference, Text};
use super::{LegendEntry, ManualSpec};

mapping! {
    /// Registers that several IPs share. Where an IP's spec names the unit that a difference
    /// applies to, this spec names the implementation.
    "the register spec of an architecture" => Architecture {
        /// Name of the directory under specs/ and of the crate.
        required architecture: At<Text>,
        required title: Text,
        /// IPs that have these registers.
        required implementations: List<Implementation>,
        /// Products that a probe can find instead, and that no driver supports.
        list others: ProductSpec,
        /// Documents and programs that `from` names.
        required legend: List<LegendEntry>,
        /// Sources of facts without a `from`.
        list from: At<Reference>,
        /// Number of bytes to map, from the base of the IP.
        optional length: At<Hex>,
        list blocks: BlockSpec,
        required registers: List<Register>,
        /// Notes on the hardware for the documentation of a driver.
        optional driver: DriverNotes,
    }
}

mapping! {
    /// An IP that has the registers of an architecture.
    "an implementation" => Implementation {
        /// Name of the implementation's directory under specs/ and of its crate, with `_` in place
        /// of `-`.
        required name: At<Name>,
        required title: Text,
        required manual: ManualSpec,
        /// Identification of the processor, if it is one.
        optional main_id: MainId,
        /// PMU in the Linux kernel.
        optional linux: LinuxPmuSpec,
        /// Other products with the same registers and events, such as the Cortex-A57.
        list also: ProductSpec,
        /// Event that counts executed instructions, if it is not 0x08.
        optional instructions: At<Name>,
        /// Version of the architecture that the implementation has, for `since` and `before`: 5 for
        /// PMUv3p5. If omitted: 0.
        optional version: At<Decimal>,
        /// Number of event counters, if fields have a bit for each.
        optional counters: At<Decimal>,
    }
}

mapping! {
    /// Sentences about the hardware, for the documentation of each driver. `{product}` stands for
    /// the name of the product.
    "the notes of a driver" => DriverNotes {
        /// Only for cores: how many event counters the generic driver has by default. `gen` writes
        /// this driver, which works on any core, known or unknown. A program can choose another
        /// number.
        optional counters: At<Decimal>,
        /// Sentences added to the documentation of `start`.
        list start: At<Text>,
        /// When the interrupt is asserted, and when it is deasserted.
        optional interrupts: At<Text>,
        /// Effects of `acknowledge` in addition to clearing flags.
        list acknowledge: At<Text>,
        /// Effects of a diagnosis on the device, and conditions that the work must meet.
        list diagnosis: At<Text>,
    }
}

//! `registers.yaml` of an architecture: the registers that several IPs have in common.

use super::declare::mapping;
use super::read::{At, List};
use super::registers::{BlockSpec, LinuxPmuSpec, MainId, Product, Register};
use super::scalar::{Decimal, Hex, Name, Reference, Text};
use super::{LegendEntry, ManualSpec};

mapping! {
    /// Registers that several IPs share. Keys for differences name implementations as units.
    "the register spec of an architecture" => Architecture {
        /// The name of the directory under specs/ and of the crate.
        required architecture: At<Text>,
        required title: Text,
        /// The IPs that have these registers.
        required implementations: List<Implementation>,
        /// Products that a probe can meet in their place, and that no driver supports.
        list others: Product,
        /// The documents and programs to which `from` refers.
        required legend: List<LegendEntry>,
        /// The sources of facts without a `from`.
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
        /// The name of its directory under specs/ and of its crate, with `_` in place of `-`.
        required name: At<Name>,
        required title: Text,
        required manual: ManualSpec,
        /// How to identify the processor, if it is one.
        optional main_id: MainId,
        /// The PMU in the Linux kernel.
        optional linux: LinuxPmuSpec,
        /// Other products with the same registers and events, such as the Cortex-A57.
        list also: Product,
        /// The event that counts executed instructions, if not 0x08.
        optional instructions: At<Name>,
        /// Its version of the architecture, for `since` and `before`: 5 of PMUv3p5. 0 if left out.
        optional version: At<Decimal>,
        /// Number of event counters, if fields have a bit for each.
        optional counters: At<Decimal>,
    }
}

mapping! {
    /// Sentences about the hardware, for the documentation of each driver. `{product}` is its name.
    "the notes of a driver" => DriverNotes {
        /// Of cores: `gen` writes a driver for every core, known or not. Default number of event
        /// counters; a program can choose another.
        optional counters: At<Decimal>,
        /// Added to the documentation of `start`.
        list start: At<Text>,
        /// Causes of interrupts, and their end.
        optional interrupts: At<Text>,
        /// Effects of `acknowledge` other than clearing flags.
        list acknowledge: At<Text>,
        /// Effects of a diagnosis on the device, and its conditions for the work.
        list diagnosis: At<Text>,
    }
}

//! A checked platform.

pub use super::language::{
    Clock, Controller, CpuList, DeviceTree, Fault, Interface, Interrupts, NodeState, Stage, Stream,
    Switch, Symptom, Trigger, Way, Wiring, Writer,
};
pub use crate::scalar::{Bits, Confidence};

/// Confidence and source of a fact.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    pub confidence: Confidence,
    pub source: String,
}

/// Confidence and source of a valid mapping.
macro_rules! origin {
    ($mapping:expr) => {
        $crate::platform::model::Origin {
            confidence: $mapping.confidence.as_deref().copied().unwrap_or(Confidence::D),
            source: $mapping.source.checked().unwrap_or_default(),
        }
    };
}

pub(super) use origin;

/// A value with its origin.
#[derive(Clone, Debug)]
pub struct Fact<T> {
    pub value: T,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Platform {
    pub name: String,
    pub title: String,
    pub vendor: String,
    pub also: Vec<String>,
    pub notes: Vec<Fact<String>>,
    /// Instances in the order of the spec; copies follow their first instance.
    pub instances: Vec<Instance>,
    pub wanted: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub name: String,
    pub title: Option<String>,
    pub ip: Fact<String>,
    pub unit: Option<Fact<String>>,
    pub core: Option<String>,
    pub cpus: Option<CpuList>,
    pub base: Option<Fact<u64>>,
    pub length: Option<Fact<u64>>,
    pub interrupts: Option<Interrupts>,
    pub linux: Option<Fact<String>>,
    pub device_tree: Option<DeviceTree>,
    pub clock: Option<Clock>,
    pub interfaces: Vec<Interface>,
    pub streams: Vec<Stream>,
    pub switches: Vec<Switch>,
    pub faults: Vec<Fault>,
    pub notes: Vec<Fact<String>>,
}

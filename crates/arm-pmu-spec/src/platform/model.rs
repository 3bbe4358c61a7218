//! A checked platform.

pub use super::language::{Controller, NodeState, Stage, Trigger, Wiring, Writer};
pub use crate::scalar::{Bits, Confidence};

/// The confidence and source of a fact.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    pub confidence: Confidence,
    pub source: String,
}

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
    pub notes: Vec<Fact<String>>,
    /// Copies follow the instance that they are copies of.
    pub instances: Vec<Instance>,
    pub wanted: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub name: String,
    pub title: Option<String>,
    pub ip: Fact<String>,
    pub unit: Option<Fact<String>>,
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

#[derive(Clone, Debug)]
pub struct Interrupts {
    pub controller: Controller,
    pub of: Option<String>,
    pub numbers: Vec<u32>,
    pub wiring: Option<Wiring>,
    pub trigger: Option<Trigger>,
    pub note: Option<String>,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct DeviceTree {
    pub state: NodeState,
    pub node: Option<String>,
    pub label: Option<String>,
    pub missing: Option<String>,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Clock {
    pub name: Option<String>,
    pub hertz: Option<u32>,
    pub note: Option<String>,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Interface {
    pub source: String,
    pub name: String,
    pub title: String,
    pub condition: Option<String>,
    pub beat_bytes: Option<Fact<u32>>,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Stream {
    pub id: u32,
    pub name: String,
    pub title: String,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Switch {
    pub name: String,
    pub doc: String,
    pub register: Option<String>,
    pub address: Option<u64>,
    pub bits: Option<Bits>,
    pub on: Option<u32>,
    pub reset: Option<u32>,
    pub written_by: Writer,
    pub seen_from_elsewhere: Option<String>,
    pub ways: Vec<Way>,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Way {
    pub stage: Stage,
    pub doc: String,
    pub fails: bool,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct Fault {
    pub name: String,
    pub doc: String,
    pub effect: String,
    pub fix: Option<String>,
    /// Page, and the wrong offset from the base at which it is announced.
    pub announced: Option<(String, u32)>,
    pub origin: Origin,
}

//! The methods of drivers, and how many instructions each may have.

use super::Architecture::{self, Aarch64, Arm};

/// A method: a function of `xtask/asm/src/drivers.rs`.
pub struct Method {
    pub name: &'static str,
    /// For each of the [targets](super::TARGETS): its number of instructions with rustc 1.96, with all that it calls, rounded
    /// up to tens. Lower it when a driver becomes smaller.
    pub at_most: [usize; 5],
}

const fn method(name: &'static str, at_most: [usize; 5]) -> Method {
    Method { name, at_most }
}

pub const METHODS: [Method; 14] = [
    method("cci550_start", [360, 340, 330, 280, 330]),
    method("cci550_stop", [280, 270, 250, 280, 310]),
    method("cci550_running_counts", [150, 150, 130, 380, 380]),
    method("cci550_acknowledge", [260, 250, 210, 240, 290]),
    method("cci550_measure_nothing", [720, 690, 670, 640, 730]),
    method("cortex_a8_start", [190, 190, 0, 0, 0]),
    method("cortex_a8_stop", [140, 140, 0, 0, 0]),
    method("cortex_a8_running_counts", [210, 210, 0, 0, 0]),
    method("cortex_a8_acknowledge", [30, 30, 0, 0, 0]),
    method("cortex_a8_measure_nothing", [520, 520, 0, 0, 0]),
    method("cortex_a53_start", [0, 0, 260, 0, 0]),
    method("cortex_a53_stop", [0, 0, 210, 0, 0]),
    method("cortex_a53_running_counts", [0, 0, 280, 0, 0]),
    method("cortex_a53_acknowledge", [0, 0, 90, 0, 0]),
];

impl Method {
    /// Whether targets of this architecture have the IP. All have memory-mapped IPs.
    pub fn exists_on(&self, architecture: Architecture) -> bool {
        match self.name {
            name if name.starts_with("cortex_a8") => architecture == Arm,
            name if name.starts_with("cortex_a53") => architecture == Aarch64,
            _ => true,
        }
    }
}

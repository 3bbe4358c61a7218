//! The performance monitor of the SKELETON IP.
//!
//! Type the numbers from the manual, not from the spec: tests compare the two. `armv7` has the common code of all
//! cores with this PMU.

crate::armv7::armv7_core! {
    /// The simulated performance monitor of a SKELETON IP core.
    SkeletonIp = "skeleton-ip";
    counters: 4, registers: version_1(0xFF, map::Missing::Zero),
    midr of "r0p0": 0x410F_FED0,
    events: [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x08, 0x11],
}

//! The performance monitor of the SKELETON IP.
//!
//! Type the numbers from the manual, not from the spec: tests compare the two. `pmuv3` has the common code of all
//! cores with this PMU.

crate::pmuv3::pmuv3_core! {
    /// The simulated performance monitor of a SKELETON IP core: PMUv3 in AArch64.
    SkeletonIp = "skeleton-ip";
    version: V3, counters: 6, idcode: 0xFF,
    midr of "r0p0": 0x410F_FED0,
    events: [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x08, 0x11],
}

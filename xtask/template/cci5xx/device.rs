//! SKELETON IP.
//!
//! Type the numbers from the manual, not from the spec: tests compare the two. `cci5xx` has the common code of all
//! CCI-5xx.

crate::cci5xx::cci5xx_product! {
    /// A simulated SKELETON IP.
    SkeletonIp = "skeleton-ip";
    part_number: 0x4FF, secure_access: 0b011,
    masters: 6,
}

//! CoreLink CCI-500 Cache Coherent Interconnect.
//!
//! Sources: see `cci5xx`; for the part number, Trusted Firmware-A and the Kirin 950 register header. No
//! Arm document about the CCI-500 was available, so the simulated PMU counts the same events, under the same
//! conditions, as the PMU of the CCI-550.

crate::cci5xx::cci5xx_product! {
    /// A simulated CoreLink CCI-500.
    Cci500 = "cci500";
    part_number: 0x422, secure_access: 0b011,
    masters: 6,
}

//! CoreLink CCI-550 Cache Coherent Interconnect.
//!
//! Sources: see `cci5xx`; Trusted Firmware-A and the sdfirm sources for the part number and Secure
//! Access \[2\]. No Arm document with the register summary of the CCI-550 was available.

crate::cci5xx::cci5xx_product! {
    /// A simulated CoreLink CCI-550.
    Cci550 = "cci550";
    part_number: 0x423, secure_access: 0b111,
    // The offset of the seventh monitor is inferred from the other monitors.
    masters: 7,
}

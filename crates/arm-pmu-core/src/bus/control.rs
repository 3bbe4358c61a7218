//! Registers of a core that limit its PMU but are not part of it.

/// An AArch64 system register that shows how EL2 and EL3 limit the PMU.
///
/// A diagnosis reads these registers: [`Bus::read_control`](crate::bus::Bus::read_control). The registers belong to no
/// [`Space`](crate::bus::Space), so that no driver can write them. Other bits of MDCR_EL2 and MDCR_EL3 assign the
/// buffers of trace and profiling units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ControlRegister {
    /// CurrentEL. Bits 3 to 2 are the current Exception level. Readable at EL1 and above.
    CurrentEl,
    /// ID_AA64PFR0_EL1. Bits 11 to 8 are 0 if the core has no EL2. Readable at EL1 and above.
    ProcessorFeatures,
    /// MDCR_EL2. Readable at EL2, and at EL3 if the core has EL2.
    MdcrEl2,
    /// MDCR_EL3. Readable at EL3.
    MdcrEl3,
}

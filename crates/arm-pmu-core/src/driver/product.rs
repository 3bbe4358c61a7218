//! Names of products that a probe can meet.

/// A product and the number in its identification registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    number: u16,
    /// Name as Arm writes it.
    pub(super) name: &'static str,
    /// Path of its driver in this family, if there is one.
    pub(super) driver: Option<&'static str>,
}

const fn driven(number: u16, name: &'static str, driver: &'static str) -> Product {
    Product { number, name, driver: Some(driver) }
}

const fn named(number: u16, name: &'static str) -> Product {
    Product { number, name, driver: None }
}

/// Part numbers in PIDR0 and PIDR1 of memory-mapped devices.
///
/// Source: the manuals; for the TBU of an MMU-600, an Arm engineer on the Linux iommu list (2021-11-16); for that
/// of an MMU-700, gator. An MMU-700 and an MMU-600AE both have 0x487 (the manuals), so no driver is named.
const PARTS: [Product; 7] = [
    driven(0x420, "CCI-400", "cci400::Pmu"),
    driven(0x422, "CCI-500", "cci500::Pmu"),
    driven(0x423, "CCI-550", "cci550::Pmu"),
    driven(0x483, "TCU of an MMU-600", "mmu600::tcu::Pmu"),
    driven(0x484, "TBU of an MMU-600", "mmu600::tbu::Pmu"),
    named(0x487, "TCU of an MMU-700 or MMU-600AE"),
    driven(0x488, "TBU of an MMU-700", "mmu700::tbu::Pmu"),
];

/// Bits 15 to 4 of the Main ID Register of Arm's cores.
///
/// Source: Linux arch/arm/include/asm/cputype.h; of those with PMUv3, ARM-software/data cpus.json.
const PROCESSORS: [Product; 12] = [
    named(0xB02, "ARM11 MPCore"),
    driven(0xB36, "ARM1136", "arm11::arm1136::Pmu"),
    driven(0xB56, "ARM1156", "arm11::arm1156::Pmu"),
    driven(0xB76, "ARM1176", "arm11::arm1176::Pmu"),
    named(0xC05, "Cortex-A5"),
    driven(0xC07, "Cortex-A7", "cortex_a7::Pmu"),
    driven(0xC08, "Cortex-A8", "cortex_a8::Pmu"),
    driven(0xC09, "Cortex-A9", "cortex_a9::Pmu"),
    driven(0xD03, "Cortex-A53", "cortex_a53::Pmu"),
    driven(0xD05, "Cortex-A55", "cortex_a55::Pmu"),
    driven(0xD07, "Cortex-A57", "cortex_a72::Pmu"),
    driven(0xD08, "Cortex-A72", "cortex_a72::Pmu"),
];

/// Finds the memory-mapped product with this part number.
pub(super) fn of_part(number: u16) -> Option<Product> {
    PARTS.into_iter().find(|product| product.number == number)
}

/// Finds the processor with this Main ID Register.
pub(super) fn of_main_id(main_id: u32) -> Option<Product> {
    /// Implementer code of Arm.
    const ARM: u32 = 0x41;
    let number = (main_id >> 4 & 0xFFF) as u16;
    let all = if main_id >> 24 == ARM { &PROCESSORS[..] } else { &[] };
    all.iter().copied().find(|product| product.number == number)
}

/// Finds the driver for a revision code of a product.
pub(super) fn driver_of_revision(number: u16, code: u8) -> Option<&'static str> {
    match (number, code) {
        (0x420, 0..=4) => Some("cci400::r0::Pmu"),
        _ => of_part(number)?.driver,
    }
}

//! Tests of probe errors, when a driver finds another product.
//!
//! Names and part numbers come from the specs of all IPs. For each form of part number in the specs, the tests use one
//! product.

use arm_pmu::driver::{ProbeError, ProbeErrorKind};
use arm_pmu::{arm11, cci400, cci550, cortex_a8, cortex_a72, mmu600, mmu700};
use arm_pmu_sim::{Arm11, Cci400, Cci550, CortexA8, Mmu600, Mmu700};

/// A part number that no product has.
const NO_PRODUCT: u16 = 0x123;

/// Returns the part number that a driver expected. The driver's error on finding [`NO_PRODUCT`]
/// contains this number.
fn expected<T, B>(probed: Result<T, ProbeError<B>>) -> u16 {
    match probed.map(drop).map_err(|error| error.kind()) {
        Err(ProbeErrorKind::Part { found: NO_PRODUCT, expected }) => expected,
        other => panic!("{other:?}"),
    }
}

/// The part numbers of drivers come from reset values in the specs, and the messages come from a table in
/// `arm-pmu-core`.
#[test]
fn each_product_is_named_with_its_driver() {
    let (cci400, cci550) = (Cci400::new(), Cci550::new());
    let (tcu, tbu) = (Mmu600::tcu(), Mmu700::tbu());
    cci400.set_part_number(NO_PRODUCT);
    cci550.set_part_number(NO_PRODUCT);
    tcu.set_part_number(NO_PRODUCT);
    tbu.set_part_number(NO_PRODUCT);
    let of_tcu = expected(mmu600::tcu::Pmu::probe(tcu.page0(), tcu.page1()));
    let of_tbu = expected(mmu700::tbu::Pmu::probe(tbu.page0(), tbu.page1()));
    let products = [
        (expected(cci400::Pmu::probe(cci400.bus())), "CCI-400", "cci400::Pmu"),
        (expected(cci400::r0::Pmu::probe(cci400.bus())), "CCI-400", "cci400::Pmu"),
        (expected(cci550::Pmu::probe(cci550.bus())), "CCI-550", "cci550::Pmu"),
        (of_tcu, "TCU of an MMU-600", "mmu600::tcu::Pmu"),
        (of_tbu, "TBU of an MMU-700", "mmu700::tbu::Pmu"),
    ];
    for (found, product, driver) in products {
        let kind = ProbeErrorKind::Part { found, expected: NO_PRODUCT };
        assert_eq!((kind.product(), kind.driver()), (Some(product), Some(driver)), "{found:#x}");
        let text = format!("part number {found:#x} ({product}: use {driver}), expected 0x123");
        assert_eq!(kind.to_string(), text);
    }
    let nothing = ProbeErrorKind::Part { found: NO_PRODUCT, expected: 0x420 };
    assert_eq!((nothing.product(), nothing.driver()), (None, None));
}

/// The MMU-700 manual has the same part number for TCU and TBU; the MMU-600AE manual also has this number.
#[test]
fn shared_part_number_names_no_driver() {
    let kind = ProbeErrorKind::Part { found: 0x487, expected: 0x483 };
    assert_eq!(kind.driver(), None);
    assert_eq!(
        kind.to_string(),
        "part number 0x487 (TCU of an MMU-700 or MMU-600AE), expected 0x483 (TCU of an MMU-600)"
    );
}

#[test]
fn each_core_is_named_with_its_driver() {
    let main_id = |part: u16| 0x4100_0000 | u32::from(part) << 4;
    for (part, product, driver) in [
        (arm11::arm1176::registers::MAIN_ID_PART, "ARM1176", Some("arm11::arm1176::Pmu")),
        (cortex_a8::registers::MAIN_ID_PART, "Cortex-A8", Some("cortex_a8::Pmu")),
        (cortex_a72::registers::MAIN_ID_PART, "Cortex-A72", Some("cortex_a72::Pmu")),
        (0xD07, "Cortex-A57", Some("cortex_a72::Pmu")),
        (0xC05, "Cortex-A5", None),
        (0xB02, "ARM11 MPCore", None),
    ] {
        let (arm11, a8) = (Arm11::arm1136(), CortexA8::new());
        // A driver for a different core recognizes this product.
        let kind = if product == "Cortex-A8" {
            arm11::arm1136::Pmu::probe(arm11.bus(), main_id(part)).unwrap_err().kind()
        } else {
            cortex_a8::Pmu::probe(a8.bus(), main_id(part)).unwrap_err().kind()
        };
        assert_eq!((kind.product(), kind.driver()), (Some(product), driver), "{part:#x}");
        let hint = driver.map_or_else(String::new, |driver| format!(": use {driver}"));
        assert!(kind.to_string().ends_with(&format!(" ({product}{hint})")), "{kind}");
    }
    for nameless in
        [ProbeErrorKind::Processor { main_id: 0x5100_C080 }, ProbeErrorKind::ReadsAsOnes]
    {
        assert_eq!((nameless.product(), nameless.driver()), (None, None));
    }
}

// Included for each core that its Main ID Register identifies.

use product::events::COUNTERS;

/// Number of counters whose registers the spec describes.
const DESCRIBED: usize = COUNTERS;
const IDENTITY: u32 = Device::MIDR;
/// A Cortex-A8.
const OTHER: u32 = 0x410F_C080;
const REFUSED: ProbeErrorKind = ProbeErrorKind::Processor { main_id: OTHER };

#[test]
fn the_part_number_identifies_the_core() {
    assert!(is_product(Device::MIDR));
    for main_id in [0x410F_0000 | PART << 4, 0x413F_000F | PART << 4] {
        assert!(is_product(main_id), "{main_id:#x}");
    }
    for main_id in [0x510F_0000 | PART << 4, 0x410F_C080, 0, u32::MAX] {
        assert!(!is_product(main_id), "{main_id:#x}");
    }
}

include!("tests.rs");

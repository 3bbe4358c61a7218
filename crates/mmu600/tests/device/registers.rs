//! Regions of the units, and the offsets of TBUs in real systems.

use arm_pmu_sim::Mmu600;
use mmu600::registers::{tbu, tcu};

#[test]
fn regions_include_the_whole_second_page() {
    assert_eq!((tcu::LENGTH, tcu::PAGE0, tcu::PAGE1), (0x23000, 0x2000, 0x22000));
    assert_eq!((tbu::LENGTH, tbu::PAGE0, tbu::PAGE1), (0x13000, 0x2000, 0x12000));
    assert_eq!((tcu::LENGTH, tbu::LENGTH), (Mmu600::TCU_LENGTH, Mmu600::TBU_LENGTH));
}

/// Agilex 5 has TBUs 0 to 5, the N1SDP has TBUs 0 and 1 (in two MMU-600s), and an Altra has the TBUs in the list.
#[test]
fn tbu_offsets_match_real_systems() {
    let pages = |tcu: usize, n| {
        let unit = tcu + mmu600::tbu::offset_from_tcu(n).unwrap();
        (unit + tbu::PAGE0, unit + tbu::PAGE1)
    };
    assert_eq!(pages(0x1600_0000, 0), (0x1604_2000, 0x1605_2000));
    assert_eq!(pages(0x1600_0000, 3), (0x160A_2000, 0x160B_2000));
    assert_eq!(pages(0x1600_0000, 5), (0x160E_2000, 0x160F_2000));
    assert_eq!(pages(0x4F40_0000, 1), (0x4F46_2000, 0x4F47_2000));
    let altra =
        [0, 1, 3, 5, 7, 9, 10, 12, 14, 16].map(|n| mmu600::tbu::offset_from_tcu(n).unwrap());
    let documented = [
        0x4_0000, 0x6_0000, 0xA_0000, 0xE_0000, 0x12_0000, 0x16_0000, 0x18_0000, 0x1C_0000,
        0x20_0000, 0x24_0000,
    ];
    assert_eq!(altra, documented);
    assert_eq!(mmu600::tbu::offset_from_tcu(61), Some(0x7E_0000), "the last of 62");
    assert_eq!(mmu600::tbu::offset_from_tcu(62), None);
    assert_eq!(mmu600::tbu::offset_from_tcu(usize::MAX), None);
}

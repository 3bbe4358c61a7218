//! Registers of a CCI-400, and access rights to them.

use crate::support::{self, Mapped};
use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::Cci400;

fn with_map(check: impl Fn(Mapped<'_>)) {
    let device = Cci400::new();
    check(Mapped {
        registers: Cci400::REGISTERS,
        length: Cci400::LENGTH,
        bus: &device.bus(),
        peek: &|offset| device.peek(offset),
        poke: &|offset, value| device.poke(offset, value),
        enable_everything: &|| {},
    });
}

#[test]
fn the_map_has_no_contradictions() {
    assert_eq!(support::check_map(Cci400::REGISTERS, Cci400::LENGTH), 0xD00C);
}

#[test]
fn the_registers_are_where_the_documents_say() {
    // Offset, bits that can be written and read, value after reset.
    let mut expected = vec![(0x8, 0x1, 0), (0x100, 0x39, 0x2000)];
    let identification = [0x44, 0, 0, 0, 0x20, 0xB4, 0x6B, 0, 0x0D, 0xF0, 0x05, 0xB1];
    expected.extend((0xFD0..).step_by(4).zip(identification).map(|(at, value)| (at, 0, value)));
    expected.extend([(0x9004, u32::MAX, 0), (0x9008, 0x1, 0), (0x900C, 0, 0)]);
    for block in (0xA000..0xE000).step_by(0x1000) {
        expected.extend([
            (block, 0xFF, 0),
            (block + 0x4, u32::MAX, 0),
            (block + 0x8, 0x1, 0),
            (block + 0xC, 0, 0),
        ]);
    }
    assert_eq!(support::summary(Cci400::REGISTERS), expected);

    let device = Cci400::new();
    let bus = device.bus();
    for (offset, _, reset) in expected {
        assert_eq!(bus.read(offset), reset, "{offset:#x}");
    }
}

#[test]
fn read_only_bits_match_the_manual() {
    for (row, offset) in support::elements(Cci400::REGISTERS) {
        let expected = match offset {
            0x100 => 0xF800,
            0xFD4..0xFE0 => 0,
            0xFD0..0x1000 => 0xFF,
            _ => 0,
        };
        assert_eq!(row.read_only, expected, "{}", row.name);
    }
}

#[test]
fn bits_behave_as_their_masks_say() {
    with_map(|map| map.check_every_bit());
}

#[test]
fn between_the_registers_is_nothing() {
    with_map(|map| map.check_gaps());
}

#[test]
fn secure_access_limits_non_secure_software() {
    let device = Cci400::new();
    let bus = device.non_secure_bus();
    for access in [0, 1] {
        for (row, offset) in support::elements(Cci400::REGISTERS) {
            if offset == SECURE_ACCESS {
                continue;
            }
            device.poke(SECURE_ACCESS, access);
            device.poke(offset, u32::MAX);
            // The PMU is open to both security states.
            let open = access == 1 || offset == 0x100 || offset >= 0x9000;
            let seen = if open { row.readable() } else { 0 };
            assert_eq!(bus.read(offset), seen, "{} {access}", row.name);
            bus.write(offset, 0);
            bus.synchronize();
            let kept = row.readable() & if open { !row.read_write } else { u32::MAX };
            assert_eq!(device.peek(offset), kept, "{} {access}", row.name);
        }
    }
    assert!(bus.error().is_none(), "nobody complains");
}

#[test]
fn only_secure_software_reaches_secure_access() {
    let device = Cci400::new();
    let (secure, other) = (device.bus(), device.non_secure_bus());
    for access in [0, 1] {
        secure.write(SECURE_ACCESS, access);
        secure.synchronize();
        assert_eq!(secure.read(SECURE_ACCESS), access);
        assert_eq!(other.read(SECURE_ACCESS), 0);
        other.write(SECURE_ACCESS, 1 - access);
        other.synchronize();
        assert_eq!(secure.read(SECURE_ACCESS), access);
    }
}

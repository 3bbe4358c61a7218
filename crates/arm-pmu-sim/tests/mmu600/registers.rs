//! Registers of an MMU-600's PMCG, and access rights to them.

use crate::support::{self, Mapped};
use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::Mmu600;

fn with_map(device: &Mmu600, bus: &dyn Words32, check: impl Fn(Mapped<'_>)) {
    check(Mapped {
        registers: device.registers(),
        length: device.length(),
        bus,
        peek: &|offset| device.peek(offset),
        poke: &|offset, value| device.poke(offset, value),
        // Else IRQ_CTRLACK changes in the middle of its test.
        enable_everything: &|| device.set_acknowledge_after(Some(0)),
    });
}

fn with_maps(check: impl Fn(Mapped<'_>)) {
    let (tcu, tbu) = (Mmu600::tcu(), Mmu600::tbu());
    for device in [&tcu, &tbu] {
        // All bits of the field.
        device.set_stream_bits(32);
    }
    with_map(&tcu, &tcu.region(), &check);
    with_map(&tbu, &tbu.region(), &check);
}

#[test]
fn the_maps_have_no_contradictions() {
    assert_eq!(support::check_map(Mmu600::TCU_REGISTERS, Mmu600::TCU_LENGTH), 0x22D88);
    assert_eq!(support::check_map(Mmu600::TBU_REGISTERS, Mmu600::TBU_LENGTH), 0x12D88);
    assert_eq!((Mmu600::TCU_LENGTH, Mmu600::TBU_LENGTH), (0x23000, 0x13000));
}

/// Offset, read-write bits, value after reset (`None` if all mutable bits are unknown), page by
/// page.
fn expected(common_events: u32, part: u32) -> [Vec<(usize, u32, Option<u32>)>; 2] {
    let mut page0 = vec![(0x400, 0xE000_FFFF, None)];
    page0.extend([0x404, 0x408, 0x40C].map(|at| (at, 0x8000_FFFF, None)));
    page0.push((0xA00, u32::MAX, None));
    page0.extend([0xC00, 0xC20, 0xC40, 0xC60].map(|at| (at, 0, None)));
    page0.extend([
        (0xDF8, 0x3, Some(0x8000_0002)),
        (0xE00, 0, Some(0x00D0_1F03)),
        (0xE04, 0x1, Some(0)),
        (0xE20, 0, Some(common_events)),
        (0xE24, 0, Some(0)),
        (0xE28, 0, Some(0)),
        (0xE2C, 0, Some(0)),
        (0xE50, 0x1, Some(0)),
        (0xE54, 0, Some(0)),
        (0xE70, 0, Some(0x01)),
        (0xFB8, 0, Some(0)),
        (0xFBC, 0, Some(0x4770_2A56)),
        (0xFCC, 0, Some(0x56)),
    ]);
    let identification = [0x04, 0, 0, 0, part, 0xB4, 0x2B, 0x20, 0x0D, 0x90, 0x05, 0xB1];
    page0.extend((0xFD0..).step_by(4).zip(identification).map(|(at, value)| (at, 0, Some(value))));

    let mut page1: Vec<_> = (0x000..0x010).step_by(4).map(|at| (at, u32::MAX, None)).collect();
    page1.extend((0x600..0x610).step_by(4).map(|at| (at, 0, None)));
    page1.extend([(0xC80, 0, None), (0xCC0, 0, None), (0xD88, 0, Some(0))]);
    [page0, page1]
}

#[test]
fn the_registers_are_where_the_documents_say() {
    for (device, common_events, part, base1) in
        [(Mmu600::tcu(), 0x7F, 0x83, 0x22000), (Mmu600::tbu(), 0x87, 0x84, 0x12000)]
    {
        let (page0, page1) = (device.page0(), device.page1());
        let pages: [(usize, &dyn Words32); 2] = [(0x2000, &page0), (base1, &page1)];
        let mut all = Vec::new();
        for ((base, bus), expected) in pages.into_iter().zip(expected(common_events, part)) {
            for (offset, writable, reset) in expected {
                all.push((base + offset, writable, reset.unwrap_or(0)));
                let rows = support::elements(device.registers());
                let (row, _) = rows.into_iter().find(|(_, at)| *at == base + offset).unwrap();
                let changing = row.readable();
                assert_eq!(row.unknown, if reset.is_none() { changing } else { 0 }, "{}", row.name);
                if let Some(reset) = reset {
                    assert_eq!(bus.read(offset), reset, "{}", row.name);
                }
            }
        }
        assert_eq!(support::summary(device.registers()), all);
    }
}

#[test]
fn read_only_bits_match_the_manual() {
    each(|device| {
        for (row, at) in support::elements(device.registers()) {
            let expected = match at % 0x1000 {
                0x600..0x610 | 0xE20..0xE30 | 0xFBC => u32::MAX,
                0xDF8 => 0x8000_0000,
                0xE00 => 0x00F0_3F3F,
                0xE54 => 0x1,
                0xFD4..0xFE0 => 0,
                0xE70 | 0xFB8 | 0xFCC.. => 0xFF,
                _ => 0,
            };
            assert_eq!(row.read_only, expected, "{}", row.name);
        }
    });
}

#[test]
fn bits_behave_as_their_masks_say() {
    with_maps(|map| map.check_every_bit());
}

#[test]
fn between_the_registers_is_nothing() {
    with_maps(|map| map.check_gaps());
}

#[test]
fn page_1_registers_are_reserved_in_page_0() {
    each(|device| {
        let (page0, page1) = (device.page0(), device.page1());
        for offset in (0..0x1000).step_by(4) {
            let held = [0, 1].map(|page| {
                let rows = support::elements(device.registers());
                rows.map(|(_, at)| at).any(|at| at == device.at(page, offset))
            });
            assert!(held != [true, true], "{offset:#x}");
            if held == [false, true] {
                let before = device.get(1, offset);
                page0.write(offset, !before);
                assert_eq!((page0.read(offset), page1.read(offset)), (0, before));
            }
        }
    });
}

#[test]
fn one_register_sets_and_another_clears() {
    each(|device| {
        let (page0, page1) = (device.page0(), device.page1());
        let pairs: [(&dyn Words32, usize, usize); 3] =
            [(&page0, 0xC00, 0xC20), (&page0, 0xC40, 0xC60), (&page1, 0xCC0, 0xC80)];
        for (bus, set, clear) in pairs {
            bus.write(clear, u32::MAX);
            assert_eq!((bus.read(set), bus.read(clear)), (0, 0));
            bus.write(set, 0xFFFF_FFF5);
            bus.write(set, 0x2);
            bus.write(set, 0);
            assert_eq!((bus.read(set), bus.read(clear)), (0x7, 0x7));
            bus.write(clear, 0x3);
            bus.write(clear, 0);
            assert_eq!((bus.read(set), bus.read(clear)), (0x4, 0x4));
            bus.write(set, 0xF);
        }
        assert_eq!((page0.read(0xC20), page0.read(0xC60), page1.read(0xC80)), (0xF, 0xF, 0xF));
    });
}

#[test]
fn nsra_limits_non_secure_software() {
    each(|device| {
        let (page0, page1) = (device.non_secure_page0(), device.non_secure_page1());
        let pages: [&dyn Words32; 2] = [&page0, &page1];
        device.set_acknowledge_after(Some(0));
        for open in [true, false, true] {
            device.set_non_secure_access(open);
            for (row, at) in support::elements(device.registers()) {
                let page = usize::from(at >= device.at(1, 0));
                let offset = at - device.at(page, 0);
                let reached = open && (page, offset) != (0, SCR);
                let reset = device.peek(at);
                if (page, offset) != (0, SCR) {
                    device.poke(at, u32::MAX);
                }
                let held = device.peek(at);
                assert_eq!(
                    pages[page].read(offset),
                    if reached { held } else { 0 },
                    "{}",
                    row.name
                );
                pages[page].write(offset, 0);
                pages[page].settle();
                let kept = if reached { held & !row.read_write } else { held };
                assert_eq!(device.peek(at), kept, "{} {open}", row.name);
                device.poke(at, reset);
            }
            assert_eq!(device.get(0, SCR), if open { 0x8000_0002 } else { 0x8000_0000 });
            assert_eq!(device.page0().read(CFGR), 0x00D0_1F03, "Secure software as ever");
        }
        assert!(page0.error().is_none() && page1.error().is_none(), "nobody complains");
    });
}

#[test]
fn only_secure_software_reaches_scr() {
    each(|device| {
        let (secure, other) = (device.page0(), device.non_secure_page0());
        for scr in [0x8000_0003, 0x8000_0001, 0x8000_0000, 0x8000_0002] {
            secure.write(SCR, scr);
            assert_eq!(secure.read(SCR), scr);
            other.write(SCR, !scr);
            assert_eq!(other.read(SCR), 0);
            assert_eq!(secure.read(SCR), scr);
        }
    });
}

//! Registers of an MMU-600's PMCG, and access rights to them.

use arm_pmu_sim::Register;

use super::*;

#[test]
fn page_1_registers_are_reserved_in_page_0() {
    each(|device| {
        let (page0, page1) = (device.page0(), device.page1());
        let is_register = |page, offset| {
            device
                .registers()
                .iter()
                .any(|row| row.elements().any(|at| at == device.at(page, offset)))
        };
        for offset in (0..0x1000).step_by(4).filter(|offset| is_register(1, *offset)) {
            assert!(!is_register(0, offset), "{offset:#x}");
            let before = device.get(1, offset);
            page0.write(offset, !before);
            assert_eq!((page0.read(offset), page1.read(offset)), (0, before));
        }
    });
}

#[test]
fn one_register_sets_and_another_clears() {
    each(|device| {
        let (page0, page1) = (device.page0(), device.page1());
        let pairs: [(&MemoryBus<'_, AnyOffset>, usize, usize); 3] =
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
        let pages: [&MemoryBus<'_, AnyOffset>; 2] = [&page0, &page1];
        device.set_acknowledge_after(Some(0));
        for open in [true, false, true] {
            device.set_non_secure_access(open);
            let elements = |row: &'static Register| row.elements().map(move |at| (row, at));
            for (row, at) in device.registers().iter().flat_map(elements) {
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
                pages[page].synchronize();
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

//! Fault knobs of an MMU-600, each both ways.

use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{Mmu600, Noise, Response};

/// Returns the increment of counter 1 after ten events.
fn ten(device: &Mmu600) -> u32 {
    let before = device.counts()[1];
    device.signal_raw(EVENT, STREAM, 10);
    device.counts()[1].wrapping_sub(before)
}

fn run(device: &Mmu600) {
    device.prepare();
    device.select(1, EVENT);
}

#[test]
fn no_access_reads_zero_without_an_error() {
    each(|device| {
        run(device);
        let page0 = device.page0();
        device.set_response(Response::Zero);
        page0.write(CR, 0);
        assert_eq!((page0.read(CR), page0.read(CFGR)), (0, 0));
        assert!(page0.error().is_none());
        device.set_response(Response::Registers);
        assert_eq!((page0.read(CR), page0.read(CFGR)), (1, 0x00D0_1F03));
        assert_eq!(ten(device), 10);
    });
}

#[test]
fn stores_are_posted_or_not() {
    each(|device| {
        device.set(0, CR, 0);
        let page0 = device.page0();
        page0.write(CR, 1);
        assert_eq!(device.get(0, CR), 0, "posted at first");
        device.set_posted_stores(false);
        assert_eq!(device.get(0, CR), 1, "nothing waits any more");
        page0.write(CR, 0);
        assert_eq!(device.get(0, CR), 0);
        device.set_posted_stores(true);
        page0.write(CR, 1);
        assert_eq!(device.get(0, CR), 0);
        drop(page0);
        assert_eq!(device.get(0, CR), 1, "what was issued arrives in the end");
    });
}

#[test]
fn the_acknowledgement_is_late_or_never_comes() {
    each(|device| {
        let page0 = device.page0();
        for (after, value) in [(0, 1), (1, 0), (2, 1), (5, 0)] {
            device.set_acknowledge_after(Some(after));
            page0.write(IRQ_CTRL, value);
            for _ in 0..after {
                assert_eq!(page0.read(IRQ_CTRLACK), 1 - value, "{after}");
            }
            assert_eq!(page0.read(IRQ_CTRLACK), value, "{after}");
        }
        device.set_acknowledge_after(None);
        page0.write(IRQ_CTRL, 1);
        for _ in 0..1000 {
            assert_eq!(page0.read(IRQ_CTRLACK), 0);
        }
        assert_eq!(page0.read(IRQ_CTRL), 1);
    });
}

#[test]
fn time_passes_with_accesses_or_not() {
    each(|device| {
        device.prepare();
        let (page0, page1) = (device.page0(), device.page1());
        let _ = page1.read(evcntr(0));
        assert_eq!(page1.read(evcntr(0)), 0, "not at first");
        device.set_cycles_per_access(10);
        assert_eq!((page1.read(evcntr(0)), page1.read(evcntr(0))), (10, 20));
        page0.write(CR, 0);
        page0.synchronize();
        assert_eq!(page1.read(evcntr(0)), 30, "the access that stops the counters takes time too");
        device.set_cycles_per_access(0);
        device.set(0, CR, 1);
        assert_eq!(page1.read(evcntr(0)), 30);
    });
}

#[test]
fn event_numbers_can_have_fewer_bits() {
    each(|device| {
        let page0 = device.page0();
        for (bits, expected) in [(16, 0xFFFF), (10, 0x3FF), (8, 0xFF)] {
            device.set_event_bits(bits);
            page0.write(evtyper(0), u32::MAX);
            assert_eq!(page0.read(evtyper(0)), OVFCAP | SEC_SID | SPAN | expected);
            page0.write(evtyper(3), u32::MAX);
            assert_eq!(page0.read(evtyper(3)), OVFCAP | expected);
        }
        device.power_up_with(Noise::Ones);
        assert_eq!(page0.read(evtyper(2)), OVFCAP | 0xFF);
        device.other_owner_selects(2, 0x1234);
        assert_eq!(page0.read(evtyper(2)), OVFCAP | 0x34);
        device.set_event_bits(16);
        device.power_up_with(Noise::Ones);
        assert_eq!(page0.read(evtyper(2)), OVFCAP | 0xFFFF);
        device.set_event_bits(9);
        assert_eq!(page0.read(evtyper(2)), OVFCAP | 0x1FF, "at once");
    });
}

#[test]
#[should_panic(expected = "EVTYPER.EVENT cannot have 7 bits")]
fn events_need_eight_bits() {
    Mmu600::tcu().set_event_bits(7);
}

#[test]
fn it_can_be_another_product_or_revision() {
    each(|device| {
        let page0 = device.page0();
        let identification = || [0xFE0, 0xFE4, 0xFE8, 0xFEC].map(|offset| page0.read(offset));
        let (first, part) = (identification(), device.peek(device.at(0, 0xFE0)));
        assert_eq!(first, [part, 0xB4, 0x2B, 0x20]);
        device.power_up();
        assert_eq!(identification(), first);
        device.set_part_number(0x5A6);
        device.set_revision(0, 1);
        for _ in 0..2 {
            assert_eq!(identification(), [0xA6, 0xB5, 0x0B, 0x10]);
            device.power_up();
        }
        device.set_part_number(0x487);
        device.power_up_with(Noise::Ones);
        assert_eq!(identification(), [0x87, 0xB4, 0x0B, 0x10]);
    });
}

#[test]
#[should_panic(expected = "part number 0x1000")]
fn part_numbers_have_twelve_bits() {
    Mmu600::tcu().set_part_number(0x1000);
}

#[test]
#[should_panic(expected = "revision r2p16")]
fn revisions_have_four_bits_each() {
    Mmu600::tcu().set_revision(2, 16);
}

#[test]
fn another_owner_interferes() {
    each(|device| {
        run(device);
        device.clear_journal();
        device.other_owner_disables(1);
        assert_eq!(device.get(0, CNTENSET), 0b1101);
        assert_eq!(ten(device), 0);
        device.set(0, CNTENSET, 0xF);
        device.other_owner_selects(1, 0x1);
        assert_eq!(ten(device), 0);
        device.other_owner_selects(0, 0x80);
        assert_eq!(device.get(0, evtyper(0)), SPAN | 0x80, "the filter is left alone");
        device.other_owner_selects(1, EVENT);
        device.other_owner_filters(0x99);
        assert_eq!((ten(device), device.get(0, SMR0)), (0, 0x99));
        device.other_owner_filters(0x00FF_FFFF);
        assert_eq!(ten(device), 10);
        device.other_owner_disables_all();
        assert_eq!((ten(device), device.get(0, CR)), (0, 0));
        assert_eq!(device.journal(), [], "nobody saw it coming");
    });
}

#[test]
#[should_panic(expected = "there is no counter 4")]
fn there_is_no_fifth_counter() {
    Mmu600::tcu().other_owner_disables(4);
}

#[test]
#[should_panic(expected = "there is no counter 4")]
fn there_is_no_fifth_event_type() {
    Mmu600::tcu().other_owner_selects(4, 0);
}

/// The values that software or the device can change.
fn volatile(device: &Mmu600) -> Vec<(&'static str, u32)> {
    let rows =
        device.registers().iter().filter(|row| row.readable() != row.read_only || row.unknown != 0);
    rows.flat_map(|row| row.elements().map(|offset| (row.name, device.peek(offset)))).collect()
}

#[test]
fn unknown_reset_values_are_noise() {
    each(|device| {
        let first = volatile(device);
        device.set(0, CR, 1);
        device.set(0, IRQ_CTRL, 1);
        device.set(0, SCR, 1);
        device.power_up();
        assert_ne!(volatile(device), first, "other noise each time");
        let known = [CR, IRQ_CTRL, IRQ_CTRLACK, SCR].map(|offset| device.get(0, offset));
        assert_eq!(known, [0, 0, 0, 0x8000_0002]);
    });
    assert_eq!(volatile(&Mmu600::tcu()), volatile(&Mmu600::tcu()), "the same in every run");
}

#[test]
fn a_previous_owner_leaves_noise() {
    each(|device| {
        let with = |noise| {
            device.power_up_with(noise);
            let fixed = [SCR, CFGR, 0xFBC].map(|offset| device.get(0, offset));
            assert_eq!(fixed, [0x8000_0002, 0x00D0_1F03, 0x4770_2A56]);
            assert_eq!(device.get(0, IRQ_CTRLACK), device.get(0, IRQ_CTRL), "long acknowledged");
            volatile(device)
        };
        let zeros = with(Noise::Zeros);
        assert!(zeros.iter().all(|(name, value)| *value == 0 || *name == "SCR"));
        let ones = with(Noise::Ones);
        assert_eq!(ones.len(), zeros.len());
        assert_eq!(
            (device.get(0, evtyper(0)), device.get(0, evtyper(1))),
            (0xE000_FFFF, 0x8000_FFFF)
        );
        assert_eq!(
            (device.get(0, CR), device.get(0, IRQ_CTRL), device.get(0, SMR0)),
            (1, 1, 0x00FF_FFFF)
        );
        assert_eq!((device.counts(), device.shadows()), ([u32::MAX; 4], [u32::MAX; 4]));
        assert_eq!(
            (device.get(0, CNTENCLR), device.get(0, INTENSET), device.get(1, OVSCLR)),
            (15, 15, 15)
        );
        let some = with(Noise::Seeded(1));
        assert_eq!(with(Noise::Seeded(1)), some, "the same seed, the same noise");
        assert_ne!(with(Noise::Seeded(2)), some);
        assert!(some != zeros && some != ones);
    });
}

#[test]
fn power_loss_drops_pending_changes() {
    each(|device| {
        let page0 = device.page0();
        page0.write(CR, 1);
        page0.write(IRQ_CTRL, 1);
        device.power_up();
        page0.synchronize();
        assert_eq!(device.get(0, CR), 0);
        page0.write(IRQ_CTRL, 1);
        page0.synchronize();
        device.power_up();
        let acknowledged = [0; 4].map(|_| page0.read(IRQ_CTRLACK));
        assert_eq!(acknowledged, [0; 4]);
        device.set_clock_gated(true);
        device.power_up();
        device.prepare();
        device.clock(1);
        assert_eq!(device.counts(), [0; 4], "an input signal stays as it is");
    });
}

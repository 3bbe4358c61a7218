//! Fault settings of an MMU-600, each on and off.

use super::*;
use arm_pmu_sim::Noise;

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
fn part_number_and_revision_can_be_changed() {
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
fn another_owner_changes_counters_and_filter() {
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

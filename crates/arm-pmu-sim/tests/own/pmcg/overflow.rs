//! Overflows, captures and interrupts of an MMU-600.

use super::*;

/// Makes all counters count the event, starting at these counts.
fn counting_from(device: &Mmu600, counts: [u32; 4]) {
    device.prepare();
    for (counter, count) in counts.into_iter().enumerate() {
        device.select(counter, EVENT);
        device.set(1, evcntr(counter), count);
    }
}

fn ones(device: &Mmu600, times: u32) {
    device.signal_raw(EVENT, STREAM, times);
}

/// Enables the interrupts of all counters, and waits for the acknowledgement.
fn enable_interrupts(device: &Mmu600) {
    device.set_acknowledge_after(Some(0));
    let page0 = device.page0();
    page0.write(INTENSET, 0xF);
    page0.write(IRQ_CTRL, 1);
    page0.synchronize();
}

#[test]
fn software_and_the_pin_capture_all_counters() {
    each(|device| {
        counting_from(device, [1, 2, 3, 4]);
        device.set(0, CNTENSET, 0);
        let page1 = device.page1();
        page1.write(CAPR, 0xFFFF_FFFE);
        page1.synchronize();
        assert_eq!(device.shadows(), [0; 4]);
        page1.write(CAPR, 1);
        assert_eq!(page1.read(CAPR), 0);
        assert_eq!(device.shadows(), [1, 2, 3, 4]);
        assert_eq!([0, 1, 2, 3].map(|n| page1.read(svr(n))), [1, 2, 3, 4]);
        device.set(1, evcntr(2), 33);
        assert_eq!(page1.read(svr(2)), 3, "a copy");
        device.set(0, CR, 0);
        device.snapshot_pin();
        assert_eq!(device.shadows(), [1, 2, 33, 4]);
        assert_eq!(device.counts(), [1, 2, 33, 4]);
    });
}

#[test]
fn an_overflow_captures_if_ovfcap_is_set() {
    each(|device| {
        counting_from(device, [u32::MAX - 9, 100, u32::MAX - 19, 200]);
        device.set(0, evtyper(2), OVFCAP | u32::from(EVENT));
        device.select(3, 0x1);
        ones(device, 15);
        assert_eq!(device.counts(), [5, 115, u32::MAX - 4, 200]);
        assert_eq!(device.shadows(), [0; 4], "counter 0 does not capture");
        ones(device, 15);
        assert_eq!(device.counts(), [20, 130, 10, 200]);
        assert_eq!(device.shadows(), [10, 120, 0, 200], "when counter 2 passed zero");
        assert_eq!(device.get(1, OVSSET), 0b0101);
    });
}

#[test]
fn each_counter_can_capture() {
    each(|device| {
        for counter in 0..4 {
            let mut counts = [1, 2, 3, 4];
            counts[counter] = u32::MAX;
            counting_from(device, counts);
            let evtyper = device.at(0, evtyper(counter));
            device.poke(evtyper, device.peek(evtyper) | OVFCAP);
            let mut captured = [2, 3, 4, 5];
            captured[counter] = 0;
            ones(device, 1);
            assert_eq!(device.shadows(), captured);
            assert_eq!(device.get(1, OVSSET), 1 << counter);
        }
    });
}

#[test]
fn an_interrupt_needs_inten_and_irqen() {
    each(|device| {
        let page0 = device.page0();
        device.set_acknowledge_after(Some(0));
        for (inten, irqen, expected) in [(0b10, 1, 1), (0b10, 0, 0), (0b01, 1, 0), (0, 0, 0)] {
            counting_from(device, [0, u32::MAX, 0, 0]);
            device.set(0, INTENSET, inten);
            page0.write(IRQ_CTRL, irqen);
            page0.synchronize();
            let before = device.interrupts();
            ones(device, 1);
            assert_eq!(device.interrupts() - before, expected, "{inten:#b} {irqen}");
            assert_eq!(device.get(1, OVSSET), 0b10, "flagged anyway");
            enable_interrupts(device);
            assert_eq!(device.interrupts() - before, expected, "not made up for");
            ones(device, 1);
            assert_eq!(device.interrupts() - before, expected, "an edge");
        }
    });
}

#[test]
fn simultaneous_overflows_are_one_edge() {
    each(|device| {
        counting_from(device, [u32::MAX, u32::MAX, u32::MAX - 1, 0]);
        enable_interrupts(device);
        ones(device, 1);
        assert_eq!((device.interrupts(), device.get(1, OVSSET)), (1, 0b0011));
        ones(device, 1);
        assert_eq!((device.interrupts(), device.get(1, OVSSET)), (2, 0b0111));
        device.set(1, evcntr(0), u32::MAX);
        ones(device, 1);
        assert_eq!(device.interrupts(), 3, "though its flag was set");
    });
}

#[test]
fn irqen_takes_effect_when_it_is_acknowledged() {
    each(|device| {
        counting_from(device, [u32::MAX; 4]);
        device.set(0, INTENSET, 0xF);
        let (page0, page1) = (device.page0(), device.page1());
        page0.write(IRQ_CTRL, 1);
        assert_eq!(page0.read(IRQ_CTRL), 1);
        ones(device, 1);
        assert_eq!(device.interrupts(), 0, "not yet");
        let acknowledged = [page0.read(IRQ_CTRLACK), page0.read(IRQ_CTRLACK)];
        assert_eq!(acknowledged, [0, 1], "the third access after the write");
        page1.write(evcntr(0), u32::MAX);
        page1.synchronize();
        ones(device, 1);
        assert_eq!(device.interrupts(), 1);

        page0.write(IRQ_CTRL, 0);
        page0.synchronize();
        device.set(1, evcntr(0), u32::MAX);
        ones(device, 1);
        assert_eq!(device.interrupts(), 2, "not yet off");
        let acknowledged = [0; 3].map(|_| page0.read(IRQ_CTRLACK));
        assert_eq!(acknowledged, [1, 1, 0]);
        device.set(1, evcntr(0), u32::MAX);
        ones(device, 1);
        assert_eq!(device.interrupts(), 2);
    });
}

#[test]
fn software_set_flags_act_if_configured() {
    each(|device| {
        counting_from(device, [1, 2, 3, 4]);
        device.set(0, evtyper(1), OVFCAP);
        enable_interrupts(device);
        device.set(0, INTENSET, 0b0010);
        let page1 = device.page1();
        let write = |offset, value| {
            page1.write(offset, value);
            page1.synchronize();
            (device.interrupts(), device.shadows()[0])
        };
        assert_eq!(write(OVSSET, 0b0010), (0, 0), "at first not");
        device.set_software_overflow_acts(true);
        assert_eq!(write(OVSSET, 0b0010), (0, 0), "it was set already");
        write(OVSCLR, 0xF);
        assert_eq!(write(OVSSET, 0b0100), (0, 0), "another counter");
        assert_eq!(write(OVSSET, 0b0010), (1, 1));
        write(OVSCLR, 0xF);
        device.set_software_overflow_acts(false);
        assert_eq!(write(OVSSET, 0b0010), (1, 1));
    });
}

//! Tests of an MMU-600: events, captures, interrupts, pages, access rights and settings.

use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{
    AnyOffset, MemoryBus, MemoryViolation, Mmu600, Noise, PageOrder, Register, Response, Stream,
};

const fn evtyper(counter: usize) -> usize {
    0x400 + 4 * counter
}
const SMR0: usize = 0xA00;
const CNTENSET: usize = 0xC00;
const INTENSET: usize = 0xC40;
const SCR: usize = 0xDF8;
const CFGR: usize = 0xE00;
const CR: usize = 0xE04;
const IRQ_CTRL: usize = 0xE50;
const IRQ_CTRLACK: usize = 0xE54;

// In page 1.
const fn evcntr(counter: usize) -> usize {
    4 * counter
}
const fn svr(counter: usize) -> usize {
    0x600 + 4 * counter
}
const OVSCLR: usize = 0xC80;
const OVSSET: usize = 0xCC0;
const CAPR: usize = 0xD88;

const OVFCAP: u32 = 1 << 31;
const SEC_SID: u32 = 1 << 30;
const SPAN: u32 = 1 << 29;

/// An event that both units have, and that can be filtered.
const EVENT: u16 = 0x2;
const STREAM: Stream = Stream::non_secure(0x42);

/// Runs a test on both units.
fn each(test: impl Fn(&Mmu600)) {
    test(&Mmu600::tcu());
    test(&Mmu600::tbu());
}

/// Accesses registers by page and offset, without a bus.
trait Inside {
    fn get(&self, page: usize, offset: usize) -> u32;
    fn set(&self, page: usize, offset: usize, value: u32);

    fn counts(&self) -> [u32; 4] {
        [0, 1, 2, 3].map(|counter| self.get(1, evcntr(counter)))
    }

    fn shadows(&self) -> [u32; 4] {
        [0, 1, 2, 3].map(|counter| self.get(1, svr(counter)))
    }

    /// Zeroes all state that is unknown after reset, counts all streams, and enables all counters.
    fn prepare(&self) {
        for counter in 0..4 {
            self.set(0, evtyper(counter), 0);
            self.set(1, evcntr(counter), 0);
            self.set(1, svr(counter), 0);
        }
        self.set(0, evtyper(0), SPAN);
        self.set(0, SMR0, 0x00FF_FFFF);
        self.set(0, CNTENSET, 0xF);
        self.set(0, INTENSET, 0);
        self.set(1, OVSSET, 0);
        self.set(0, CR, 1);
    }

    /// Selects the event of one counter and keeps its filter.
    fn select(&self, counter: usize, event: u16) {
        let filter = self.get(0, evtyper(counter)) & !0xFFFF;
        self.set(0, evtyper(counter), filter | u32::from(event));
    }
}

impl Inside for Mmu600 {
    fn get(&self, page: usize, offset: usize) -> u32 {
        self.peek(self.at(page, offset))
    }

    fn set(&self, page: usize, offset: usize, value: u32) {
        self.poke(self.at(page, offset), value);
    }
}

/// Makes all counters count the event, starting at these counts.
fn counting_from(device: &Mmu600, counts: [u32; 4]) {
    device.prepare();
    for (counter, count) in counts.into_iter().enumerate() {
        device.select(counter, EVENT);
        device.set(1, evcntr(counter), count);
    }
}

fn happen(device: &Mmu600, times: u32) {
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
fn a_gated_clock_is_an_input_signal() {
    each(|device| {
        device.set_clock_gated(true);
        device.power_up();
        device.prepare();
        device.select(1, EVENT);
        device.clock(9);
        device.signal_raw(0x0, STREAM, 9);
        happen(device, 1);
        assert_eq!(device.counts(), [0, 1, 0, 0]);
        device.set_clock_gated(false);
        device.signal_raw(0x0, STREAM, 9);
        assert_eq!(device.counts(), [9, 1, 9, 9]);
    });
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
        device.set(1, evcntr(2), 33);
        assert_eq!(page1.read(svr(2)), 3, "a copy");
        device.set(0, CR, 0);
        device.snapshot_pin();
        assert_eq!((device.shadows(), device.counts()), ([1, 2, 33, 4], [1, 2, 33, 4]));
    });
}

#[test]
fn an_overflow_captures_if_ovfcap_is_set() {
    each(|device| {
        counting_from(device, [u32::MAX - 9, 100, u32::MAX - 19, 200]);
        device.set(0, evtyper(2), OVFCAP | u32::from(EVENT));
        device.select(3, 0x1);
        happen(device, 15);
        assert_eq!(device.counts(), [5, 115, u32::MAX - 4, 200]);
        assert_eq!(device.shadows(), [0; 4], "counter 0 does not capture");
        happen(device, 15);
        assert_eq!(device.counts(), [20, 130, 10, 200]);
        assert_eq!(device.shadows(), [10, 120, 0, 200], "captured at the wrap of counter 2");
        assert_eq!(device.get(1, OVSSET), 0b0101);
    });
}

#[test]
fn simultaneous_overflows_cause_one_edge() {
    each(|device| {
        counting_from(device, [u32::MAX, u32::MAX, u32::MAX - 1, 0]);
        enable_interrupts(device);
        happen(device, 1);
        assert_eq!((device.interrupts(), device.get(1, OVSSET)), (1, 0b0011));
        happen(device, 1);
        assert_eq!((device.interrupts(), device.get(1, OVSSET)), (2, 0b0111));
        device.set(1, evcntr(0), u32::MAX);
        happen(device, 1);
        assert_eq!(device.interrupts(), 3, "the flag was set before");
    });
}

#[test]
fn irqen_takes_effect_when_it_is_acknowledged() {
    each(|device| {
        device.prepare();
        device.select(0, EVENT);
        device.set(0, INTENSET, 0xF);
        let page0 = device.page0();
        let interrupts = |device: &Mmu600| {
            let before = device.interrupts();
            device.set(1, evcntr(0), u32::MAX);
            happen(device, 1);
            device.interrupts() - before
        };
        for (after, value) in [(0, 1), (1, 0), (2, 1), (5, 0)] {
            device.set_acknowledge_after(Some(after));
            page0.write(IRQ_CTRL, value);
            page0.synchronize();
            for _ in 0..after {
                assert_eq!(interrupts(device), 1 - value as usize, "{after}");
                assert_eq!(page0.read(IRQ_CTRLACK), 1 - value, "{after}");
            }
            assert_eq!(page0.read(IRQ_CTRLACK), value, "{after}");
            assert_eq!(interrupts(device), value as usize, "{after}");
        }
        device.set_acknowledge_after(None);
        page0.write(IRQ_CTRL, 1);
        assert!((0..1000).all(|_| page0.read(IRQ_CTRLACK) == 0));
        assert_eq!(page0.read(IRQ_CTRL), 1);
    });
}

/// Linux enables the interrupt and does not wait for the acknowledgement.
#[test]
fn the_interrupt_is_acknowledged_after_some_time() {
    for (within, gated, after, follows) in [
        (Some(100), false, Some(2), true),
        (Some(101), false, Some(2), false),
        (None, false, Some(2), false),
        (Some(100), true, Some(2), false),
        (Some(100), false, None, false),
    ] {
        let device = Mmu600::tbu();
        device.set_acknowledge_after(after);
        device.set_acknowledge_within(within);
        device.set_clock_gated(gated);
        device.set_posted_stores(false);
        device.page0().write(IRQ_CTRL, 1);
        device.clock(60);
        assert_eq!(device.get(0, IRQ_CTRLACK), 0);
        device.clock(40);
        assert_eq!(device.get(0, IRQ_CTRLACK), u32::from(follows), "{within:?} {gated} {after:?}");
    }
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

const ORDERS: [PageOrder; 3] = [PageOrder::Issued, PageOrder::Page0First, PageOrder::Page1First];

#[test]
fn a_load_drains_its_page() {
    for order in ORDERS {
        each(|device| {
            device.prepare();
            device.set_page_order(order);
            let (page0, page1) = (device.page0(), device.page1());
            page0.write(CR, 0);
            page1.write(evcntr(0), 5);
            assert_eq!(page1.read(evcntr(0)), 5);
            let arrived = device.get(0, CR) == 0;
            assert_eq!(arrived, order == PageOrder::Issued);
            page1.synchronize();
            assert_eq!(device.get(0, CR), 0, "one core, so all accesses are complete");
        });
    }
}

#[test]
fn stores_arrive_in_the_configured_order() {
    // Contents of the four stored registers after two accesses reached the device.
    for (order, expected) in ORDERS.into_iter().zip([[1, 0, 2, 0], [1, 1, 0, 0], [0, 0, 2, 2]]) {
        each(|device| {
            device.prepare();
            device.set(0, CR, 0);
            device.set(0, IRQ_CTRL, 0);
            device.set_page_order(order);
            let (page0, page1) = (device.page0(), device.page1());
            page0.write(CR, 1);
            page1.write(evcntr(0), 2);
            page0.write(IRQ_CTRL, 1);
            page1.write(evcntr(1), 2);
            device.respond_after(2, Response::Zero);
            page0.synchronize();
            let counts = device.counts();
            let arrived = [device.get(0, CR), device.get(0, IRQ_CTRL), counts[0], counts[1]];
            assert_eq!(arrived, expected, "{order:?}");
        });
    }
}

/// Writes one word of page 0 through each of three buses, and returns a function that reads these three words from the
/// device.
fn written(device: &Mmu600, buses: [&MemoryBus<'_, AnyOffset>; 3]) -> impl Fn() -> [u32; 3] {
    let words = [CR, SMR0, IRQ_CTRL];
    for (bus, word) in buses.into_iter().zip(words) {
        device.set(0, word, 0);
        bus.write(word, 1);
    }
    move || words.map(|word| device.get(0, word))
}

#[test]
fn buses_to_both_pages_share_a_core() {
    each(|device| {
        let (first0, second0, other0) = (device.page0(), device.page0(), device.non_secure_page0());
        let (first1, second1) = (device.page1::<AnyOffset>(), device.page1::<AnyOffset>());
        let buses: [&MemoryBus<'_, AnyOffset>; 3] = [&first0, &second0, &other0];
        let arrived = written(device, buses);
        device.page1::<AnyOffset>().synchronize();
        assert_eq!(arrived(), [0, 0, 0], "a third without a partner");
        first1.synchronize();
        assert_eq!(arrived(), [1, 0, 0]);
        second1.synchronize();
        assert_eq!(arrived(), [1, 1, 0]);
        device.non_secure_page1::<AnyOffset>().synchronize();
        assert_eq!(arrived(), [1, 1, 1]);
    });
}

#[test]
fn dropped_buses_are_not_paired() {
    each(|device| {
        // A new bus must not be paired with a dropped bus. First case: a bus is dropped at once.
        // Second case: one of a driver's two buses is dropped, and a new bus replaces it.
        drop(device.page0::<AnyOffset>());
        let (first1, first0) = (device.page1::<AnyOffset>(), device.page0());
        let (second0, second1) = (device.page0(), device.page1::<AnyOffset>());
        let other0 = device.non_secure_page0();
        let arrived = written(device, [&first0, &second0, &other0]);
        first1.synchronize();
        assert_eq!(arrived(), [1, 0, 0]);
        drop(first1);
        let arrived = written(device, [&first0, &second0, &other0]);
        second1.synchronize();
        assert_eq!(arrived(), [0, 1, 0]);
        device.page1::<AnyOffset>().synchronize();
        assert_eq!(arrived(), [1, 1, 0], "the new bus replaces the dropped bus");
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
            assert_eq!(device.page0().read(CFGR), 0x00D0_1F03, "Secure software is not limited");
        }
        assert!(page0.error().is_none() && page1.error().is_none(), "nobody complains");
        let region = device.non_secure_region::<AnyOffset>();
        assert_eq!((region.read(0x2000 + CFGR), region.read(0x2000 + SCR)), (0x00D0_1F03, 0));
    });
}

#[test]
fn forbidden_accesses_are_recorded() {
    use MemoryViolation::*;
    let device = Mmu600::tbu();
    let bus = device.region();
    // Linux accesses 64-bit registers in this way, even behind a 32-bit port.
    bus.store_at(0x02C00, 8, 0b1111);
    bus.write(0x02400, 1);
    bus.store_at(0x02400, 2, 5);
    assert_eq!(bus.read(0x02400), 1, "a narrow write is ignored");
    assert_eq!((bus.load_at(0x02E02, 2), bus.load_at(0x02E01, 1)), (0x00D0, 0x1F));
    bus.store_at(0x02E04, 4, 0b11);
    bus.store_at(0x02E00, 4, 0);
    let _ = bus.load_at(0x02E08, 4);
    assert_eq!(bus.load_at(0x02C00, 4), 0b1111);
    let expected = [
        Width { offset: 0x02C00, bytes: 8 },
        Width { offset: 0x02400, bytes: 2 },
        Width { offset: 0x02E02, bytes: 2 },
        Width { offset: 0x02E01, bytes: 1 },
        NoRegister { offset: 0x02C04 },
        ReservedBits { offset: 0x02E04, bits: 0b10 },
        ReadOnly { offset: 0x02E00 },
        NoRegister { offset: 0x02E08 },
    ];
    let mut violations = device.violations();
    violations.sort_by_key(|violation| expected.iter().position(|e| e == violation));
    assert_eq!(violations, expected);
    device.clear_violations();
    assert_eq!(device.violations(), []);
}

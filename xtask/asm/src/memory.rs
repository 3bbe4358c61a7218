//! Single accesses to a CCI-550, and to an MMU-600's TBU, which is on two pages.

use arm_pmu_core::bus::Bus;
use cci550::Mmio;
use cci550::registers::{Registers, event_select};
use mmu600::registers::{Page0Registers, Page1Registers};
use mmu600::tbu::{Page0, Page1};

use crate::hand::{Mapped, barrier};

const PMCR: usize = 0x100;

pairs! {
    /// Selects one event of one source on a counter.
    "cci550_select_event", (bus: Mmio) {
        let [_, _, block, ..] = Registers::new(&mut bus).counters();
        block.event_select().write(|w| w.source().set(3).event().set(9));
    }
    by hand(memory: Mapped) {
        memory.write::<0x3_0000>(0, 3 << 5 | 9);
    }

    /// Selects an event whose source and code are known only at run time.
    "cci550_select_any_event", (bus: Mmio, source: u8, event: u8) {
        let [_, _, block, ..] = Registers::new(&mut bus).counters();
        block.event_select().write(|w| w.source().set(source).event().set(event));
    }
    by hand(memory: Mapped, source: u8, event: u8) {
        memory.write::<0x3_0000>(0, (u32::from(source) & 0xF) << 5 | u32::from(event) & 0x1F);
    }

    /// Writes a value that was encoded in advance.
    "cci550_write_encoded", (bus: Mmio) {
        let value = event_select::W::encode(|w| w.source().set(3).event().set(9));
        bus.store::<event_select::EventSelectSpec>(7, value);
    }
    by hand(memory: Mapped) {
        memory.write::<0x8_0000>(0, 0x69);
    }

    "cci550_enable_counter", (bus: Mmio) {
        let [.., block] = Registers::new(&mut bus).counters();
        block.count_control().write(|w| w.enable().set_bit());
    }
    by hand(memory: Mapped) {
        memory.write::<0x8_0008>(0, 1);
    }

    /// Keeps writable bits, and writes 0 to bits that trigger an action.
    "cci550_modify_control", (bus: Mmio) {
        Registers::new(&mut bus).pmcr().modify(|_, w| w.cen().set_bit());
    }
    by hand(memory: Mapped) {
        // EX stays.
        let old = memory.read::<PMCR>(0);
        memory.write::<PMCR>(0, old & 1 << 4 | 1);
    }

    "cci550_read_counter", (bus: Mmio) -> u32 {
        let [_, _, _, _, block, ..] = Registers::new(&mut bus).counters();
        block.event_count().read().count().bits()
    }
    by hand(memory: Mapped) -> u32 {
        memory.read::<0x5_0004>(0)
    }

    /// Reads the flag register twice: the compiler must keep both reads.
    "cci550_read_twice", (bus: Mmio) -> u32 {
        let [first, ..] = Registers::new(&mut bus).counters();
        first.overflow_status().read().bits() ^ first.overflow_status().read().bits()
    }
    by hand(memory: Mapped) -> u32 {
        memory.read::<0x1_000C>(0) ^ memory.read::<0x1_000C>(0)
    }

    /// Enables counting before later accesses.
    "cci550_synchronize", (bus: Mmio) {
        Registers::new(&mut bus).pmcr().write(|w| w.cen().set_bit());
        bus.synchronize();
    }
    by hand(memory: Mapped) {
        memory.write::<PMCR>(0, 1);
        barrier();
    }

    /// Selects five events and enables their counters: the events of the README's snoop hit rate, and two more.
    "cci550_set_up_five", (bus: Mmio) {
        let [a, b, c, d, e, ..] = Registers::new(&mut bus).counters();
        a.event_select().write(|w| w.source().set(3).event().set(3));
        b.event_select().write(|w| w.source().set(3).event().set(4));
        c.event_select().write(|w| w.source().set(3).event().set(9));
        d.event_select().write(|w| w.source().set(2).event().set(3));
        e.event_select().write(|w| w.source().set(2).event().set(9));
        for block in [a, b, c, d, e] {
            block.count_control().write(|w| w.enable().set_bit());
        }
    }
    by hand(memory: Mapped) {
        memory.write::<0x1_0000>(0, 0x63);
        memory.write::<0x2_0000>(0, 0x64);
        memory.write::<0x3_0000>(0, 0x69);
        memory.write::<0x4_0000>(0, 0x43);
        memory.write::<0x5_0000>(0, 0x49);
        memory.write::<0x1_0008>(0, 1);
        memory.write::<0x2_0008>(0, 1);
        memory.write::<0x3_0008>(0, 1);
        memory.write::<0x4_0008>(0, 1);
        memory.write::<0x5_0008>(0, 1);
    }

    /// The first counter's register holds the filter of all counters.
    "mmu600_select_event", (bus: Page0) {
        let [first, ..] = Page0Registers::new(&mut bus).evtyper();
        first.write(|w| w.event().set(0x81).filter_sid_span().set_bit());
    }
    by hand(memory: Mapped) {
        memory.write::<0x400>(0, 1 << 29 | 0x81);
    }

    /// Selects another event, and keeps the filter.
    "mmu600_change_event", (bus: Page0) {
        let [first, ..] = Page0Registers::new(&mut bus).evtyper();
        first.modify(|_, w| w.event().set(0x82));
    }
    by hand(memory: Mapped) {
        // OVFCAP and the filter keep their values.
        let old = memory.read::<0x400>(0);
        memory.write::<0x400>(0, old & 0b111 << 29 | 0x82);
    }

    "mmu600_enable_counters", (bus: Page0) {
        Page0Registers::new(&mut bus).cntenset0_lo().write(|w| w.cnten().set(0b101));
    }
    by hand(memory: Mapped) {
        memory.write::<0xC00>(0, 0b101);
    }

    "mmu600_read_counter", (bus: Page1) -> u32 {
        let [_, _, third, _] = Page1Registers::new(&mut bus).evcntr();
        third.read().counter_value().bits()
    }
    by hand(memory: Mapped) -> u32 {
        memory.read::<0>(0x8)
    }
}

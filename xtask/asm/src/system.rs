//! Single accesses to the PMU of a Cortex-A53 in AArch64: one `mrs` or `msr` for each.

use arm_pmu_core::bus::Bus;
use cortex_a53::Sysreg;
use cortex_a53::registers::{Registers, pmevtyper_el0};

use crate::hand::System;

pairs! {
    /// One event on a counter, without a selector.
    "cortex_a53_select_event", (bus: Sysreg) {
        let [_, _, third, ..] = Registers::new(&mut bus).pmevtyper_el0();
        third.write(|w| w.evt_count().set(0x44));
    }
    by hand(registers: System) {
        registers.write::<3, 14, 12, 2>(0x44);
    }

    /// A value that was put together before.
    "cortex_a53_write_encoded", (bus: Sysreg) {
        let value = pmevtyper_el0::W::encode(|w| w.evt_count().set(0x44));
        bus.store::<pmevtyper_el0::PmevtyperEl0Spec>(5, value);
    }
    by hand(registers: System) {
        registers.write::<3, 14, 12, 5>(0x44);
    }

    "cortex_a53_enable_counter", (bus: Sysreg) {
        Registers::new(&mut bus).pmcntenset_el0().write(|w| w.p().set(1 << 2).c().set_bit());
    }
    by hand(registers: System) {
        registers.write::<3, 9, 12, 1>(1 << 31 | 1 << 2);
    }

    /// Keeps writable bits, and clears bits that act on a write.
    "cortex_a53_modify_control", (bus: Sysreg) {
        Registers::new(&mut bus).pmcr_el0().modify(|_, w| w.e().set_bit().d().clear_bit());
    }
    by hand(registers: System) {
        // FZO, LP, LC, DP and X stay, C and P do nothing.
        let old = registers.read::<3, 9, 12, 0>();
        registers.write::<3, 9, 12, 0>(old & (1 << 9 | 1 << 7 | 1 << 6 | 1 << 5 | 1 << 4) | 1);
    }

    "cortex_a53_read_counter", (bus: Sysreg) -> u32 {
        let [_, _, _, fourth, ..] = Registers::new(&mut bus).pmevcntr_el0();
        fourth.read().count().bits() as u32
    }
    by hand(registers: System) -> u32 {
        registers.read::<3, 14, 8, 3>() as u32
    }
}

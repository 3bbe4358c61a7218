//! Single accesses to the PMUs of a Cortex-A8 and of an ARM1176.

use arm_pmu_core::bus::Bus;
use cortex_a8::registers::{Registers, pmxevtyper};

use crate::hand::{Cp15, barrier};

pairs! {
    /// Programs one event on a counter, through the selector.
    "cortex_a8_select_event", (bus: cortex_a8::Cp15) {
        Registers::new(&mut bus).pmselr().write(|w| w.sel().set(2));
        bus.synchronize();
        Registers::new(&mut bus).pmxevtyper().write(|w| w.evt_count().set(0x44));
    }
    by hand(registers: Cp15<9>) {
        registers.write::<12, 5>(2);
        barrier();
        registers.write::<13, 1>(0x44);
    }

    /// Writes a value that was encoded in advance.
    "cortex_a8_write_encoded", (bus: cortex_a8::Cp15) {
        let value = pmxevtyper::W::encode(|w| w.evt_count().set(0x44));
        bus.store::<pmxevtyper::PmxevtyperSpec>(0, value);
    }
    by hand(registers: Cp15<9>) {
        registers.write::<13, 1>(0x44);
    }

    "cortex_a8_enable_counter", (bus: cortex_a8::Cp15) {
        Registers::new(&mut bus).pmcntenset().write(|w| w.p().set(1 << 2).c().set_bit());
    }
    by hand(registers: Cp15<9>) {
        registers.write::<12, 1>(1 << 31 | 1 << 2);
    }

    /// Keeps writable bits, and writes 0 to bits that trigger an action.
    "cortex_a8_modify_control", (bus: cortex_a8::Cp15) {
        Registers::new(&mut bus).pmcr().modify(|_, w| w.e().set_bit().d().clear_bit());
    }
    by hand(registers: Cp15<9>) {
        // DP and X keep their values; 0 in C and P has no effect.
        let old = registers.read::<12, 0>();
        registers.write::<12, 0>(old & (1 << 5 | 1 << 4) | 1);
    }

    "cortex_a8_read_counter", (bus: cortex_a8::Cp15) -> u32 {
        Registers::new(&mut bus).pmxevcntr().read().count().bits()
    }
    by hand(registers: Cp15<9>) -> u32 {
        registers.read::<13, 2>()
    }

    /// Keeps the export of events, and keeps the flags, which writing 1 would clear.
    "arm1176_modify_control", (bus: arm11::Cp15) {
        let registers = arm11::arm1176::registers::Registers::new(&mut bus);
        registers.pmnc().modify(|_, w| w.evt_count0().set(0x0B).e().set_bit());
    }
    by hand(registers: Cp15<15>) {
        // The other event, X, the interrupt enables and D keep their values.
        let kept = registers.read::<12, 0>() & (0xFF << 12 | 1 << 11 | 0b111 << 4 | 1 << 3);
        registers.write::<12, 0>(kept | 0x0B << 20 | 1);
    }

    "arm1176_read_counter", (bus: arm11::Cp15) -> u32 {
        arm11::arm1176::registers::Registers::new(&mut bus).pmn1().read().count().bits()
    }
    by hand(registers: Cp15<15>) -> u32 {
        registers.read::<12, 3>()
    }
}

// The Cortex-A7 has the registers that all ARMv7 PMUs have, and PMOVSSET. Each core has its own file, all from one
// spec.
each! {
    "armv7_pmu_read_each", "armv7_pmu_write_each", cortex_a7, Cp15, Cp15<9>, u32;
    pmcr PmcrSpec [0]: 12, 0;
    pmcntenset PmcntensetSpec [0]: 12, 1;
    pmcntenclr PmcntenclrSpec [0]: 12, 2;
    pmovsr PmovsrSpec [0]: 12, 3;
    pmswinc PmswincSpec [0]: 12, 4;
    pmselr PmselrSpec [0]: 12, 5;
    pmccntr PmccntrSpec [0]: 13, 0;
    pmxevtyper PmxevtyperSpec [0]: 13, 1;
    pmxevcntr PmxevcntrSpec [0]: 13, 2;
    pmuserenr PmuserenrSpec [0]: 14, 0;
    pmintenset PmintensetSpec [0]: 14, 1;
    pmintenclr PmintenclrSpec [0]: 14, 2;
    pmovsset PmovssetSpec [0]: 14, 3;
}

//! Single accesses to the PMUs of a Cortex-A53 and of a DSU in AArch64: one `mrs` or `msr` for each.

use arm_pmu_core::bus::Bus;
use cortex_a53::Sysreg;
use cortex_a53::registers::{Registers, pmevtyper_el0};

use crate::hand::System;

pairs! {
    /// Programs one event on a counter, without a selector.
    "cortex_a53_select_event", (bus: Sysreg) {
        let [_, _, third, ..] = Registers::new(&mut bus).pmevtyper_el0();
        third.write(|w| w.evt_count().set(0x44));
    }
    by hand(registers: System) {
        registers.write::<3, 14, 12, 2>(0x44);
    }

    /// Writes a value that was encoded in advance.
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

    /// Keeps writable bits, and writes 0 to bits that trigger an action.
    "cortex_a53_modify_control", (bus: Sysreg) {
        Registers::new(&mut bus).pmcr_el0().modify(|_, w| w.e().set_bit().d().clear_bit());
    }
    by hand(registers: System) {
        // FZO, LP, LC, DP and X keep their values; 0 in C and P has no effect.
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

// QEMU has no cluster. The encodings are from the manual of the DSU-120AE.
each! {
    "dsu_read_each", "dsu_write_each", dsu, Sysreg, System, u64;
    clusterpmcr_el1 ClusterpmcrEl1Spec [0]: 0, 15, 5, 0;
    clusterpmcntenset_el1 ClusterpmcntensetEl1Spec [0]: 0, 15, 5, 1;
    clusterpmcntenclr_el1 ClusterpmcntenclrEl1Spec [0]: 0, 15, 5, 2;
    clusterpmovsset_el1 ClusterpmovssetEl1Spec [0]: 0, 15, 5, 3;
    clusterpmovsclr_el1 ClusterpmovsclrEl1Spec [0]: 0, 15, 5, 4;
    clusterpmselr_el1 ClusterpmselrEl1Spec [0]: 0, 15, 5, 5;
    clusterpmintenset_el1 ClusterpmintensetEl1Spec [0]: 0, 15, 5, 6;
    clusterpmintenclr_el1 ClusterpmintenclrEl1Spec [0]: 0, 15, 5, 7;
    clusterpmccntr_el1 ClusterpmccntrEl1Spec [0]: 0, 15, 6, 0;
    clusterpmxevtyper_el1 ClusterpmxevtyperEl1Spec [0]: 0, 15, 6, 1;
    clusterpmxevcntr_el1 ClusterpmxevcntrEl1Spec [0]: 0, 15, 6, 2;
    clusterpmmdcr_el3 ClusterpmmdcrEl3Spec [0]: 6, 15, 6, 3;
    clusterpmceid0_el1 Clusterpmceid0El1Spec [0]: 0, 15, 6, 4;
    clusterpmceid1_el1 Clusterpmceid1El1Spec [0]: 0, 15, 6, 5;
}

each! {
    "arm_pmuv3_read_each", "arm_pmuv3_write_each", arm_pmuv3, Sysreg, System, u64;
    pmcr_el0 PmcrEl0Spec [0]: 3, 9, 12, 0;
    pmcntenset_el0 PmcntensetEl0Spec [0]: 3, 9, 12, 1;
    pmcntenclr_el0 PmcntenclrEl0Spec [0]: 3, 9, 12, 2;
    pmovsclr_el0 PmovsclrEl0Spec [0]: 3, 9, 12, 3;
    pmswinc_el0 PmswincEl0Spec [0]: 3, 9, 12, 4;
    pmceid0_el0 Pmceid0El0Spec [0]: 3, 9, 12, 6;
    pmceid1_el0 Pmceid1El0Spec [0]: 3, 9, 12, 7;
    pmccntr_el0 PmccntrEl0Spec [0]: 3, 9, 13, 0;
    pmuserenr_el0 PmuserenrEl0Spec [0]: 3, 9, 14, 0;
    pmintenset_el1 PmintensetEl1Spec [0]: 0, 9, 14, 1;
    pmintenclr_el1 PmintenclrEl1Spec [0]: 0, 9, 14, 2;
    pmovsset_el0 PmovssetEl0Spec [0]: 3, 9, 14, 3;
    pmccfiltr_el0 PmccfiltrEl0Spec [0]: 3, 14, 15, 7;
    pmmir_el1 PmmirEl1Spec [0]: 0, 9, 14, 6;
}

/// Pairs of functions that access each element of the two arrays of registers.
macro_rules! elements {
    ($($n:literal)*) => {
        each! {
            "arm_pmuv3_read_elements", "arm_pmuv3_write_elements", arm_pmuv3, Sysreg, System, u64;
            $(pmevcntr_el0 PmevcntrEl0Spec [$n]: 3, 14, 8 + $n / 8, $n % 8;)*
            $(pmevtyper_el0 PmevtyperEl0Spec [$n]: 3, 14, 12 + $n / 8, $n % 8;)*
        }
    };
}

elements!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30);

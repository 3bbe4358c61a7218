//! Single accesses to the PMUs of a Cortex-A53 and of a DSU in AArch64: one `mrs` or `msr` for each.

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

/// Pairs of accesses to each register of a cluster, by its op1, CRm and op2.
macro_rules! cluster {
    ($($register:ident $Spec:ident: $op1:literal $crm:literal $op2:literal;)*) => {
        pairs! {
            "dsu_read_each", (bus: dsu::Sysreg) -> u64 {
                0 $(^ bus.load::<dsu::registers::$register::$Spec>(0))*
            }
            by hand(registers: System) -> u64 {
                0 $(^ registers.read::<$op1, 15, $crm, $op2>())*
            }

            "dsu_write_each", (bus: dsu::Sysreg, value: u64) {
                $(bus.store::<dsu::registers::$register::$Spec>(0, value);)*
            }
            by hand(registers: System, value: u64) {
                $(registers.write::<$op1, 15, $crm, $op2>(value);)*
            }
        }
    };
}

// QEMU has no cluster. The encodings are from the manual of the DSU-120AE; op0 is 3 and CRn 15.
cluster! {
    clusterpmcr_el1 ClusterpmcrEl1Spec: 0 5 0;
    clusterpmcntenset_el1 ClusterpmcntensetEl1Spec: 0 5 1;
    clusterpmcntenclr_el1 ClusterpmcntenclrEl1Spec: 0 5 2;
    clusterpmovsset_el1 ClusterpmovssetEl1Spec: 0 5 3;
    clusterpmovsclr_el1 ClusterpmovsclrEl1Spec: 0 5 4;
    clusterpmselr_el1 ClusterpmselrEl1Spec: 0 5 5;
    clusterpmintenset_el1 ClusterpmintensetEl1Spec: 0 5 6;
    clusterpmintenclr_el1 ClusterpmintenclrEl1Spec: 0 5 7;
    clusterpmccntr_el1 ClusterpmccntrEl1Spec: 0 6 0;
    clusterpmxevtyper_el1 ClusterpmxevtyperEl1Spec: 0 6 1;
    clusterpmxevcntr_el1 ClusterpmxevcntrEl1Spec: 0 6 2;
    clusterpmmdcr_el3 ClusterpmmdcrEl3Spec: 6 6 3;
    clusterpmceid0_el1 Clusterpmceid0El1Spec: 0 6 4;
    clusterpmceid1_el1 Clusterpmceid1El1Spec: 0 6 5;
}

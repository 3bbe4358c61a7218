//! The methods of the Cortex-A53's driver.
#![allow(unsafe_code)]

use arm_pmu_core::count::Count;
use cortex_a53::events::COUNTERS;
use cortex_a53::{Counters, Pmu, Running, Sysreg};

use crate::cortex_a53_by_hand as by_hand;
use crate::reading::Reading;

/// The registers of this core.
pub struct Own(());

impl by_hand::Registers for Own {
    #[inline(always)]
    fn read<const OP1: u8, const CRN: u8, const CRM: u8, const OP2: u8>(&self) -> u64 {
        let value: u64;
        // SAFETY: a performance monitor register, which cannot break memory safety.
        unsafe {
            core::arch::asm!("mrs {}, S3_{}_C{}_C{}_{}", out(reg) value, const OP1, const CRN,
                const CRM, const OP2, options(nostack, preserves_flags));
        }
        value
    }

    #[inline(always)]
    fn write<const OP1: u8, const CRN: u8, const CRM: u8, const OP2: u8>(&self, value: u64) {
        // SAFETY: a performance monitor register, which cannot break memory safety.
        unsafe {
            core::arch::asm!("msr S3_{}_C{}_C{}_{}, {}", const OP1, const CRN, const CRM,
                const OP2, in(reg) value, options(nostack, preserves_flags));
        }
    }

    #[inline(always)]
    fn barrier(&self) {
        // SAFETY: a barrier only.
        unsafe {
            core::arch::asm!("isb", options(nostack, preserves_flags));
        }
    }
}

#[unsafe(no_mangle)]
pub fn cortex_a53_start(pmu: Pmu<Sysreg>) -> Running<Sysreg> {
    pmu.start()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a53_start_by_hand(pmu: &mut by_hand::Pmu<Own>) {
    pmu.start();
}

#[unsafe(no_mangle)]
pub fn cortex_a53_stop(running: Running<Sysreg>) -> Pmu<Sysreg> {
    running.stop()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a53_stop_by_hand(pmu: &mut by_hand::Pmu<Own>) {
    pmu.stop();
}

#[unsafe(no_mangle)]
pub fn cortex_a53_running_counts(running: &Running<Sysreg>) -> [Count; COUNTERS] {
    running.counts()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a53_running_counts_by_hand(pmu: &by_hand::Pmu<Own>) -> [Reading; COUNTERS] {
    pmu.running()
}

#[unsafe(no_mangle)]
pub fn cortex_a53_acknowledge(running: &mut Running<Sysreg>) -> Counters {
    running.acknowledge()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a53_acknowledge_by_hand(pmu: &mut by_hand::Pmu<Own>) -> u32 {
    pmu.acknowledge()
}

//! Single accesses to the PMU of a Cortex-A53 in AArch64: one `mrs` or `msr` for each.
#![allow(unsafe_code)]

use arm_pmu_core::bus::Bus;
use cortex_a53::Sysreg;
use cortex_a53::registers::{Registers, pmevtyper_el0};

/// Reads a register: `mrs!("S3_3_C9_C12_0")`.
macro_rules! mrs {
    ($register:literal) => {{
        let value: u64;
        // SAFETY: a performance monitor register, which cannot break memory safety.
        unsafe {
            core::arch::asm!(concat!("mrs {}, ", $register), out(reg) value,
                options(nostack, preserves_flags));
        }
        value
    }};
}

/// Writes a register: `msr!("S3_3_C9_C12_0", value)`.
macro_rules! msr {
    ($register:literal, $value:expr) => {{
        let value: u64 = $value;
        // SAFETY: a performance monitor register, which cannot break memory safety.
        unsafe {
            core::arch::asm!(concat!("msr ", $register, ", {}"), in(reg) value,
                options(nostack, preserves_flags));
        }
    }};
}

/// One event on a counter, without a selector.
#[unsafe(no_mangle)]
pub fn cortex_a53_select_event(bus: &mut Sysreg) {
    let [_, _, third, ..] = Registers::new(bus).pmevtyper_el0();
    third.write(|w| w.evt_count().set(0x44));
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a53_select_event_by_hand(_: &mut Sysreg) {
    msr!("S3_3_C14_C12_2", 0x44);
}

/// A value that was put together before.
#[unsafe(no_mangle)]
pub fn cortex_a53_write_encoded(bus: &mut Sysreg) {
    let value = pmevtyper_el0::W::encode(|w| w.evt_count().set(0x44));
    bus.store::<pmevtyper_el0::PmevtyperEl0Spec>(5, value);
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a53_write_encoded_by_hand(_: &mut Sysreg) {
    msr!("S3_3_C14_C12_5", 0x44);
}

#[unsafe(no_mangle)]
pub fn cortex_a53_enable_counter(bus: &mut Sysreg) {
    Registers::new(bus).pmcntenset_el0().write(|w| w.p().set(1 << 2).c().set_bit());
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a53_enable_counter_by_hand(_: &mut Sysreg) {
    msr!("S3_3_C9_C12_1", 1 << 31 | 1 << 2);
}

/// Keeps writable bits, and clears bits that act on a write.
#[unsafe(no_mangle)]
pub fn cortex_a53_modify_control(bus: &mut Sysreg) {
    Registers::new(bus).pmcr_el0().modify(|_, w| w.e().set_bit().d().clear_bit());
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a53_modify_control_by_hand(_: &mut Sysreg) {
    let old = mrs!("S3_3_C9_C12_0");
    // LC, DP and X stay, C and P do nothing.
    msr!("S3_3_C9_C12_0", old & (1 << 6 | 1 << 5 | 1 << 4) | 1);
}

#[unsafe(no_mangle)]
pub fn cortex_a53_read_counter(bus: &mut Sysreg) -> u32 {
    let [_, _, _, fourth, ..] = Registers::new(bus).pmevcntr_el0();
    fourth.read().count().bits()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a53_read_counter_by_hand(_: &mut Sysreg) -> u32 {
    mrs!("S3_3_C14_C8_3") as u32
}

//! Single accesses to the PMU of a Cortex-A8.
#![allow(unsafe_code)]

use arm_pmu_core::bus::Bus;
use cortex_a8::Cp15;
use cortex_a8::registers::{Registers, pmxevtyper};

use crate::hand::{self, mcr, mrc};

/// One event on a counter, through the selector.
#[unsafe(no_mangle)]
pub fn cortex_a8_select_event(bus: &mut Cp15) {
    Registers::new(bus).pmselr().write(|w| w.sel().set(2));
    bus.synchronize();
    Registers::new(bus).pmxevtyper().write(|w| w.evt_count().set(0x44));
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a8_select_event_by_hand(_: &mut Cp15) {
    mcr!("0, {}, c9, c12, 5", 2);
    hand::barrier();
    mcr!("0, {}, c9, c13, 1", 0x44);
}

/// A value that was put together before.
#[unsafe(no_mangle)]
pub fn cortex_a8_write_encoded(bus: &mut Cp15) {
    let value = pmxevtyper::W::encode(|w| w.evt_count().set(0x44));
    bus.store::<pmxevtyper::PmxevtyperSpec>(0, value);
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a8_write_encoded_by_hand(_: &mut Cp15) {
    mcr!("0, {}, c9, c13, 1", 0x44);
}

#[unsafe(no_mangle)]
pub fn cortex_a8_enable_counter(bus: &mut Cp15) {
    Registers::new(bus).pmcntenset().write(|w| w.p().set(1 << 2).c().set_bit());
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a8_enable_counter_by_hand(_: &mut Cp15) {
    mcr!("0, {}, c9, c12, 1", 1 << 31 | 1 << 2);
}

/// Keeps writable bits, and clears bits that act on a write.
#[unsafe(no_mangle)]
pub fn cortex_a8_modify_control(bus: &mut Cp15) {
    Registers::new(bus).pmcr().modify(|_, w| w.e().set_bit().d().clear_bit());
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a8_modify_control_by_hand(_: &mut Cp15) {
    let old = mrc!("0, {}, c9, c12, 0");
    // DP and X stay, C and P do nothing.
    mcr!("0, {}, c9, c12, 0", old & (1 << 5 | 1 << 4) | 1);
}

#[unsafe(no_mangle)]
pub fn cortex_a8_read_counter(bus: &mut Cp15) -> u32 {
    Registers::new(bus).pmxevcntr().read().count().bits()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a8_read_counter_by_hand(_: &mut Cp15) -> u32 {
    mrc!("0, {}, c9, c13, 2")
}

//! Single accesses to the PMU of an MMU-600's TBU, which is on two pages.
//!
//! # Safety
//!
//! Of all functions: `base` is where the page is mapped, and no other code uses it.
#![allow(unsafe_code)]

use mmu600::registers::{Page0Registers, Page1Registers};
use mmu600::tbu;

use crate::hand;

/// The first counter's register holds the filter of all.
#[unsafe(no_mangle)]
pub unsafe fn mmu600_select_event(base: usize) {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { tbu::Page0::new(base) };
    let [first, ..] = Page0Registers::new(&mut bus).evtyper();
    first.write(|w| w.event().set(0x81).filter_sid_span().set_bit());
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn mmu600_select_event_by_hand(base: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe { hand::write::<0x400>(base, 1 << 29 | 0x81) }
}

/// Another event, and the same filter.
#[unsafe(no_mangle)]
pub unsafe fn mmu600_change_event(base: usize) {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { tbu::Page0::new(base) };
    let [first, ..] = Page0Registers::new(&mut bus).evtyper();
    first.modify(|_, w| w.event().set(0x82));
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn mmu600_change_event_by_hand(base: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let old = hand::read::<0x400>(base);
        // OVFCAP and the filter stay.
        hand::write::<0x400>(base, old & 0b111 << 29 | 0x82);
    }
}

#[unsafe(no_mangle)]
pub unsafe fn mmu600_enable_counters(base: usize) {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { tbu::Page0::new(base) };
    Page0Registers::new(&mut bus).cntenset0_lo().write(|w| w.cnten().set(0b101));
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn mmu600_enable_counters_by_hand(base: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe { hand::write::<0xC00>(base, 0b101) }
}

#[unsafe(no_mangle)]
pub unsafe fn mmu600_read_counter(base: usize) -> u32 {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { tbu::Page1::new(base) };
    let [_, _, third, _] = Page1Registers::new(&mut bus).evcntr();
    third.read().counter_value().bits()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn mmu600_read_counter_by_hand(base: usize) -> u32 {
    // SAFETY: guaranteed by the caller.
    unsafe { hand::read::<0x8>(base) }
}

//! Single accesses to a CCI-550.
//!
//! # Safety
//!
//! Of all functions: `base` is where a CCI-550 is mapped, and no other code uses it.
#![allow(unsafe_code)]

use arm_pmu_core::bus::Bus;
use cci550::Mmio;
use cci550::registers::{Registers, event_select};

use crate::hand;

const PMCR: usize = 0x100;

/// One event, of a source, on a counter.
#[unsafe(no_mangle)]
pub unsafe fn cci550_select_event(base: usize) {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { Mmio::new(base) };
    let [_, _, block, ..] = Registers::new(&mut bus).counters();
    block.event_select().write(|w| w.source().set(3).event().set(9));
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn cci550_select_event_by_hand(base: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe { hand::write::<0x3_0000>(base, 3 << 5 | 9) }
}

/// The same, with values known only at run time.
#[unsafe(no_mangle)]
pub unsafe fn cci550_select_any_event(base: usize, source: u8, event: u8) {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { Mmio::new(base) };
    let [_, _, block, ..] = Registers::new(&mut bus).counters();
    block.event_select().write(|w| w.source().set(source).event().set(event));
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn cci550_select_any_event_by_hand(base: usize, source: u8, event: u8) {
    let value = (u32::from(source) & 0xF) << 5 | u32::from(event) & 0x1F;
    // SAFETY: guaranteed by the caller.
    unsafe { hand::write::<0x3_0000>(base, value) }
}

/// A value that was put together before.
#[unsafe(no_mangle)]
pub unsafe fn cci550_write_encoded(base: usize) {
    let value = event_select::W::encode(|w| w.source().set(3).event().set(9));
    // SAFETY: guaranteed by the caller.
    let bus = unsafe { Mmio::new(base) };
    bus.store::<event_select::EventSelectSpec>(7, value);
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn cci550_write_encoded_by_hand(base: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe { hand::write::<0x8_0000>(base, 0x69) }
}

#[unsafe(no_mangle)]
pub unsafe fn cci550_enable_counter(base: usize) {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { Mmio::new(base) };
    let [.., block] = Registers::new(&mut bus).counters();
    block.count_control().write(|w| w.enable().set_bit());
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn cci550_enable_counter_by_hand(base: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe { hand::write::<0x8_0008>(base, 1) }
}

/// Keeps writable bits, and clears bits that act on a write.
#[unsafe(no_mangle)]
pub unsafe fn cci550_modify_control(base: usize) {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { Mmio::new(base) };
    Registers::new(&mut bus).pmcr().modify(|_, w| w.cen().set_bit());
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn cci550_modify_control_by_hand(base: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let old = hand::read::<PMCR>(base);
        // EX stays.
        hand::write::<PMCR>(base, old & 1 << 4 | 1);
    }
}

#[unsafe(no_mangle)]
pub unsafe fn cci550_read_counter(base: usize) -> u32 {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { Mmio::new(base) };
    let [_, _, _, _, block, ..] = Registers::new(&mut bus).counters();
    block.event_count().read().count().bits()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn cci550_read_counter_by_hand(base: usize) -> u32 {
    // SAFETY: guaranteed by the caller.
    unsafe { hand::read::<0x5_0004>(base) }
}

/// Counting is enabled before what follows.
#[unsafe(no_mangle)]
pub unsafe fn cci550_synchronize(base: usize) {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { Mmio::new(base) };
    Registers::new(&mut bus).pmcr().write(|w| w.cen().set_bit());
    bus.synchronize();
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn cci550_synchronize_by_hand(base: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe { hand::write::<PMCR>(base, 1) }
    hand::barrier();
}

/// The set-up of the README's snoop hit rate, and two more: five counters select and are enabled.
#[unsafe(no_mangle)]
pub unsafe fn cci550_set_up_five(base: usize) {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { Mmio::new(base) };
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

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn cci550_set_up_five_by_hand(base: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        hand::write::<0x1_0000>(base, 0x63);
        hand::write::<0x2_0000>(base, 0x64);
        hand::write::<0x3_0000>(base, 0x69);
        hand::write::<0x4_0000>(base, 0x43);
        hand::write::<0x5_0000>(base, 0x49);
        hand::write::<0x1_0008>(base, 1);
        hand::write::<0x2_0008>(base, 1);
        hand::write::<0x3_0008>(base, 1);
        hand::write::<0x4_0008>(base, 1);
        hand::write::<0x5_0008>(base, 1);
    }
}

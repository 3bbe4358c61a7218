//! Pairs that are not the same, to show that it is noticed: here ours makes one access, or takes one
//! instruction, that would not be needed. Not a copy of another case: those would be one function.
#![allow(unsafe_code)]

use cci550::Mmio;
use cci550::registers::Registers;

use crate::hand;

/// Reads back what it wrote.
///
/// # Safety
///
/// `base` is where a CCI-550 is mapped, and no other code uses it.
#[unsafe(no_mangle)]
pub unsafe fn worse_select_event(base: usize) {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { Mmio::new(base) };
    let [_, block, ..] = Registers::new(&mut bus).counters();
    block.event_select().write(|w| w.source().set(3).event().set(9));
    block.event_select().read();
}

/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn worse_select_event_by_hand(base: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe { hand::write::<0x2_0000>(base, 3 << 5 | 9) }
}

/// Carries over one bit more than has to be.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe fn worse_modify_control(base: usize) {
    // SAFETY: guaranteed by the caller.
    let mut bus = unsafe { Mmio::new(base) };
    Registers::new(&mut bus).pmcr().modify(|_, w| w.ex().set_bit());
}

/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub unsafe fn worse_modify_control_by_hand(base: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        hand::read::<0x100>(base);
        hand::write::<0x100>(base, 1 << 4);
    }
}

//! Single accesses to the PMU of an ARM1176.
#![allow(unsafe_code)]

use arm11::Cp15;
use arm11::arm1176::registers::Registers;

use crate::hand::{mcr, mrc};

/// The flags, which are cleared by writing 1, stay; so does the export of events.
#[unsafe(no_mangle)]
pub fn arm1176_modify_control(bus: &mut Cp15) {
    Registers::new(bus).pmnc().modify(|_, w| w.evt_count0().set(0x0B).e().set_bit());
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn arm1176_modify_control_by_hand(_: &mut Cp15) {
    let old = mrc!("0, {}, c15, c12, 0");
    // The other event, X, the interrupt enables and D stay.
    mcr!("0, {}, c15, c12, 0", old & (0xFF << 12 | 1 << 11 | 0b111 << 4 | 1 << 3) | 0x0B << 20 | 1);
}

#[unsafe(no_mangle)]
pub fn arm1176_read_counter(bus: &mut Cp15) -> u32 {
    Registers::new(bus).pmn1().read().count().bits()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn arm1176_read_counter_by_hand(_: &mut Cp15) -> u32 {
    mrc!("0, {}, c15, c12, 3")
}

//! Support of the tests of all devices: accesses by offset, and checks of register maps.
// Each test crate has its own copy, and not all use everything.
#![allow(dead_code)]

use std::collections::BTreeSet;

use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{AnyOffset, MemoryBus, Register};

/// Accesses by offset.
pub(crate) trait Words32 {
    fn read(&self, offset: usize) -> u32;
    fn write(&self, offset: usize, value: u32);
    /// Lets pending stores arrive.
    fn settle(&self);
}

impl Words32 for MemoryBus<'_, AnyOffset> {
    fn read(&self, offset: usize) -> u32 {
        MemoryBus::read(self, offset)
    }

    fn write(&self, offset: usize, value: u32) {
        MemoryBus::write(self, offset, value);
    }

    fn settle(&self) {
        self.synchronize();
    }
}

/// A device, as its register map sees it.
pub(crate) struct Mapped<'a> {
    pub(crate) registers: &'static [Register],
    pub(crate) length: usize,
    /// The whole region, for Secure software.
    pub(crate) bus: &'a dyn Words32,
    pub(crate) peek: &'a dyn Fn(usize) -> u32,
    pub(crate) poke: &'a dyn Fn(usize, u32),
    /// Provides for whatever an access to any register can need.
    pub(crate) enable_everything: &'a dyn Fn(),
}

/// All registers with the offsets of their elements.
pub(crate) fn elements(
    registers: &'static [Register],
) -> impl Iterator<Item = (&'static Register, usize)> {
    registers.iter().flat_map(|row| row.elements().map(move |offset| (row, offset)))
}

/// No two registers lie on each other, no bit is of two kinds. Gives back the last offset.
pub(crate) fn check_map(registers: &'static [Register], length: usize) -> usize {
    let mut seen = BTreeSet::new();
    for (row, offset) in elements(registers) {
        assert!(offset % 4 == 0 && offset + 4 <= length, "{}", row.name);
        assert!(seen.insert(offset), "{} lies on another register", row.name);
        let masks = [
            row.read_write,
            row.read_only,
            row.write_one_to_act,
            row.write_one_to_clear,
            row.write_one_to_set,
        ];
        let bits: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
        assert_eq!(bits, row.defined().count_ones(), "a bit of {} is of two kinds", row.name);
        assert_eq!(row.reset & !row.readable(), 0, "{}", row.name);
    }
    seen.pop_last().unwrap()
}

/// Offset, bits that can be written and read, value after reset: of all registers, by offset.
pub(crate) fn summary(registers: &'static [Register]) -> Vec<(usize, u32, u32)> {
    let mut found: Vec<_> =
        elements(registers).map(|(row, offset)| (offset, row.read_write, row.reset)).collect();
    found.sort_unstable();
    found
}

impl Mapped<'_> {
    /// Writes zeros, ones and single bits to every register.
    pub(crate) fn check_every_bit(&self) {
        let values = [0, u32::MAX, 0x5555_5555].into_iter().chain((0..32).map(|bit| 1 << bit));
        for (row, offset) in elements(self.registers) {
            for value in values.clone() {
                for before in [0, u32::MAX] {
                    (self.enable_everything)();
                    (self.poke)(offset, before);
                    let held = (self.peek)(offset);
                    assert_eq!(held, before & row.readable(), "{}", row.name);
                    self.bus.write(offset, value);
                    let kept = held & !row.read_write & !(value & row.write_one_to_clear);
                    let expected = kept | value & (row.read_write | row.write_one_to_set);
                    self.bus.settle();
                    let context = format!("{} {before:#x} {value:#x}", row.name);
                    assert_eq!((self.peek)(offset), expected, "{context}");
                    assert_eq!(self.bus.read(offset), expected, "{context}");
                }
            }
        }
    }

    /// Writes ones to every offset without a register.
    pub(crate) fn check_gaps(&self) {
        let registers: BTreeSet<_> = elements(self.registers).map(|(_, offset)| offset).collect();
        let contents = || registers.iter().map(|offset| (self.peek)(*offset)).collect::<Vec<_>>();
        (self.enable_everything)();
        let before = contents();
        for offset in (0..self.length).step_by(4).filter(|offset| !registers.contains(offset)) {
            self.bus.write(offset, u32::MAX);
            assert_eq!(self.bus.read(offset), 0, "{offset:#x}");
        }
        assert_eq!(before, contents());
    }
}

//! The contents of a device's registers.

use std::collections::BTreeMap;

use crate::{Noise, Register};

/// The bits that the registers of one device hold. Loads and stores obey the masks of the table and
/// nothing else; side effects are the device's.
#[derive(Debug)]
pub(crate) struct RegisterFile {
    table: &'static [Register],
    /// By the offset where they are held; an entry for every element of the table.
    contents: BTreeMap<usize, u32>,
}

impl RegisterFile {
    /// All registers of `table` at their reset values.
    pub(crate) fn new(table: &'static [Register], noise: &mut Noise) -> Self {
        let mut file = Self { table, contents: BTreeMap::new() };
        file.reset(noise);
        file
    }

    /// Gives all registers their reset values, and noise to bits that have none.
    pub(crate) fn reset(&mut self, noise: &mut Noise) {
        for register in self.table {
            for offset in register.elements() {
                let value = register.reset | noise.draw() & register.unknown;
                self.contents.insert(held_at(register, offset), value);
            }
        }
    }

    /// Puts noise into all bits of `register` that software or the device can change.
    pub(crate) fn scramble(&mut self, register: &Register, noise: &mut Noise) {
        let volatile = register.readable() & !register.read_only;
        for offset in register.elements() {
            let held = self.contents.entry(held_at(register, offset)).or_default();
            *held = *held & !volatile | noise.draw() & volatile;
        }
    }

    /// What a load gives: reserved bits and offsets without a register read zero.
    pub(crate) fn load(&self, offset: usize) -> u32 {
        let Some(register) = self.find(offset) else { return 0 };
        self.contents.get(&held_at(register, offset)).copied().unwrap_or_default()
    }

    /// What a store does to the contents; gives back the write-one-to-act bits that were written as
    /// one. Offsets without a register ignore the store.
    pub(crate) fn store(&mut self, offset: usize, value: u32) -> u32 {
        let Some(register) = self.find(offset) else { return 0 };
        let held = self.load(offset) & !(value & register.write_one_to_clear);
        let held = held | value & register.write_one_to_set;
        self.poke(offset, held & !register.read_write | value & register.read_write);
        value & register.write_one_to_act
    }

    /// What the register at `offset` holds.
    ///
    /// # Panics
    ///
    /// If there is no register.
    #[track_caller]
    pub(crate) fn peek(&self, offset: usize) -> u32 {
        assert!(self.find(offset).is_some(), "no register at {offset:#x}");
        self.load(offset)
    }

    /// Changes what the register at `offset` holds. Bits that cannot be read hold nothing.
    ///
    /// # Panics
    ///
    /// If there is no register.
    #[track_caller]
    pub(crate) fn poke(&mut self, offset: usize, value: u32) {
        let Some(register) = self.find(offset) else { panic!("no register at {offset:#x}") };
        self.contents.insert(held_at(register, offset), value & register.readable());
    }

    fn find(&self, offset: usize) -> Option<&'static Register> {
        self.table.iter().find(|register| register.index_of(offset).is_some())
    }
}

/// Where the element at `offset` has its bits.
const fn held_at(register: &Register, offset: usize) -> usize {
    register.held_at + (offset - register.offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four kinds of bits, a nibble each, and four reserved nibbles.
    const MIXED: Register = Register {
        count: 2,
        stride: 0x10,
        read_write: 0xF,
        read_only: 0xF0,
        write_one_to_act: 0xF00,
        write_one_to_clear: 0xF000,
        reset: 0x55,
        ..Register::new("MIXED", 0x20)
    };

    fn file() -> RegisterFile {
        RegisterFile::new(&[MIXED], &mut Noise::Ones)
    }

    #[test]
    fn a_store_obeys_the_masks() {
        let mut file = file();
        assert_eq!(file.load(0x30), 0x55);
        file.poke(0x30, u32::MAX);
        assert_eq!(file.peek(0x30), 0xF0FF, "reserved and acting bits hold nothing");
        assert_eq!(file.store(0x30, 0x3A0A), 0xA00, "acting bits are reported");
        assert_eq!(file.load(0x30), 0xC0FA);
        assert_eq!(file.load(0x20), 0x55, "the other element is another register");
        file.reset(&mut Noise::Ones);
        assert_eq!(file.load(0x30), 0x55);
    }

    #[test]
    fn what_is_unknown_after_reset_is_noise() {
        const PARTLY: Register =
            Register { read_only: 0xFFF, reset: 0x50, unknown: 0xF, ..Register::new("PARTLY", 0) };
        let mut file = RegisterFile::new(&[PARTLY], &mut Noise::Ones);
        assert_eq!(file.load(0), 0x5F);
        file.reset(&mut Noise::Zeros);
        assert_eq!(file.load(0), 0x50);
    }

    #[test]
    fn two_registers_can_be_views_of_the_same_bits() {
        const SET: Register =
            Register { count: 2, stride: 4, write_one_to_set: 0xF, ..Register::new("SET", 0x20) };
        const CLEAR: Register = Register {
            count: 2,
            stride: 4,
            write_one_to_clear: 0xF,
            held_at: 0x20,
            ..Register::new("CLEAR", 0x40)
        };
        let mut file = RegisterFile::new(&[SET, CLEAR], &mut Noise::Zeros);
        file.store(0x24, 0xF5);
        file.store(0x24, 0x2);
        assert_eq!((file.load(0x24), file.load(0x44)), (0x7, 0x7));
        file.store(0x44, 0xF3);
        assert_eq!((file.load(0x24), file.load(0x44)), (0x4, 0x4));
        assert_eq!((file.load(0x20), file.load(0x40)), (0, 0), "the other element");
        file.poke(0x40, 0xFF);
        assert_eq!((file.peek(0x20), file.peek(0x40)), (0xF, 0xF));
        file.scramble(&SET, &mut Noise::Zeros);
        assert_eq!((file.peek(0x20), file.peek(0x40)), (0, 0));
    }

    #[test]
    fn there_is_nothing_between_the_registers() {
        let mut file = file();
        assert_eq!(file.store(0x24, u32::MAX), 0);
        assert_eq!(file.load(0x24), 0);
    }

    #[test]
    fn noise_reaches_what_can_change_and_no_more() {
        let mut file = file();
        file.scramble(&MIXED, &mut Noise::Ones);
        assert_eq!((file.load(0x20), file.load(0x30)), (0xF05F, 0xF05F));
        file.scramble(&MIXED, &mut Noise::Zeros);
        assert_eq!((file.load(0x20), file.load(0x30)), (0x50, 0x50));
        file.scramble(&MIXED, &mut Noise::Seeded(1));
        assert_ne!(file.load(0x20), file.load(0x30), "drawn anew for each element");
    }

    #[test]
    #[should_panic(expected = "no register at 0x24")]
    fn peeking_between_the_registers_is_a_mistake_of_the_test() {
        file().peek(0x24);
    }

    #[test]
    #[should_panic(expected = "no register at 0x24")]
    fn poking_between_the_registers_is_a_mistake_of_the_test() {
        file().poke(0x24, 0);
    }
}

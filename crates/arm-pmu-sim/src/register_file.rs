//! The contents of a device's registers.

use std::fmt::Debug;

use crate::noise::Noise;
use crate::register::Register;
use crate::violation::MemoryViolation;

/// One row of a register map, whatever names its registers.
pub(crate) trait Row: Copy + Debug {
    /// Key of one register of 32 bits.
    type Cell: Copy + Debug + Eq;
    /// All registers of this row.
    fn cells(&self) -> impl Iterator<Item = Self::Cell>;
    /// Which of the registers of this row it is.
    fn index(&self, cell: Self::Cell) -> Option<usize>;
    /// The register that has the bits of the one at `cell`, which is in this row.
    fn held_at(&self, cell: Self::Cell) -> Self::Cell;
    /// Masks of the bits.
    fn masks(&self) -> Masks;
    /// How messages name a register.
    fn describe(cell: Self::Cell) -> String;
}

/// Masks of the bits of a register, with the fields of [`Register`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks {
    pub(crate) read_write: u32,
    pub(crate) read_only: u32,
    pub(crate) write_one_to_act: u32,
    pub(crate) write_one_to_clear: u32,
    pub(crate) write_one_to_set: u32,
    pub(crate) reset: u32,
    pub(crate) unknown: u32,
}

impl Masks {
    /// Bits that hold something.
    const fn readable(&self) -> u32 {
        self.read_write | self.read_only | self.write_one_to_clear | self.write_one_to_set
    }
}

impl Row for Register {
    type Cell = usize;

    fn cells(&self) -> impl Iterator<Item = usize> {
        self.elements()
    }

    fn index(&self, offset: usize) -> Option<usize> {
        self.index_of(offset)
    }

    fn held_at(&self, offset: usize) -> usize {
        self.held_at + (offset - self.offset)
    }

    fn masks(&self) -> Masks {
        Masks {
            read_write: self.read_write,
            read_only: self.read_only,
            write_one_to_act: self.write_one_to_act,
            write_one_to_clear: self.write_one_to_clear,
            write_one_to_set: self.write_one_to_set,
            reset: self.reset,
            unknown: self.unknown,
        }
    }

    fn describe(offset: usize) -> String {
        format!("{offset:#x}")
    }
}

/// The bits that the registers of one device hold. Loads and stores obey the masks of the table and
/// nothing else; side effects are the device's.
#[derive(Debug)]
pub(crate) struct RegisterFile<R: Row + 'static = Register> {
    table: &'static [R],
    /// Of each row, where in the contents its first register is held.
    starts: Vec<usize>,
    contents: Vec<u32>,
    /// Of memory-mapped registers.
    violations: Vec<MemoryViolation>,
}

impl<R: Row> RegisterFile<R> {
    /// All registers of `table` at their reset values.
    pub(crate) fn new(table: &'static [R], noise: &mut Noise) -> Self {
        let mut starts = Vec::with_capacity(table.len());
        let mut length = 0;
        for row in table {
            starts.push(length);
            length += row.cells().count();
        }
        let mut file = Self { table, starts, contents: vec![0; length], violations: Vec::new() };
        // Views of other registers, whose own places stay empty.
        for (nth, row) in table.iter().enumerate() {
            let held_elsewhere = row.cells().next().filter(|first| row.held_at(*first) != *first);
            let place = held_elsewhere.and_then(|first| file.place(row.held_at(first)));
            if let Some(place) = place {
                file.starts[nth] = place;
            }
        }
        file.reset(noise);
        file
    }

    /// Gives all registers their reset values, and noise to bits that have none.
    pub(crate) fn reset(&mut self, noise: &mut Noise) {
        for (row, start) in self.table.iter().zip(&self.starts) {
            let masks = row.masks();
            for (index, _) in row.cells().enumerate() {
                let value = masks.reset | noise.draw() & masks.unknown;
                self.contents[start + index] = value;
            }
        }
    }

    /// Puts noise into all bits of `row` that software or the device can change.
    pub(crate) fn scramble(&mut self, row: &R, noise: &mut Noise) {
        let masks = row.masks();
        let volatile = masks.readable() & !masks.read_only;
        for cell in row.cells() {
            if let Some(place) = self.place(cell) {
                let held = &mut self.contents[place];
                *held = *held & !volatile | noise.draw() & volatile;
            }
        }
    }

    /// Returns the value of a load: reserved bits and cells without a register read zero.
    pub(crate) fn load(&self, cell: R::Cell) -> u32 {
        self.place(cell).map_or(0, |place| self.contents[place])
    }

    /// Stores a value. Returns the write-one-to-act bits that were written as one. Cells without a
    /// register ignore the store.
    pub(crate) fn store(&mut self, cell: R::Cell, value: u32) -> u32 {
        let Some((nth, index)) = self.locate(cell) else { return 0 };
        let masks = self.table[nth].masks();
        let place = &mut self.contents[self.starts[nth] + index];
        let held = *place & !(value & masks.write_one_to_clear);
        let held = held | value & masks.write_one_to_set;
        *place = (held & !masks.read_write | value & masks.read_write) & masks.readable();
        value & masks.write_one_to_act
    }

    /// Returns the value of a register.
    ///
    /// # Panics
    ///
    /// If there is no register.
    #[track_caller]
    pub(crate) fn peek(&self, cell: R::Cell) -> u32 {
        assert!(self.find(cell).is_some(), "no register at {}", R::describe(cell));
        self.load(cell)
    }

    /// Changes the value of a register. Bits that cannot be read hold no value.
    ///
    /// # Panics
    ///
    /// If there is no register.
    #[track_caller]
    pub(crate) fn poke(&mut self, cell: R::Cell, value: u32) {
        let Some((nth, index)) = self.locate(cell) else {
            panic!("no register at {}", R::describe(cell))
        };
        self.contents[self.starts[nth] + index] = value & self.table[nth].masks().readable();
    }

    /// Adds to the value of a register. Returns whether it wrapped.
    pub(crate) fn add(&mut self, cell: R::Cell, times: u64) -> bool {
        let before = self.load(cell);
        self.poke(cell, before.wrapping_add(times as u32));
        times > u64::from(u32::MAX - before)
    }

    pub(crate) fn record(&mut self, violation: MemoryViolation) {
        self.violations.push(violation);
    }

    pub(crate) fn violations(&self) -> &[MemoryViolation] {
        &self.violations
    }

    pub(crate) fn clear_violations(&mut self) {
        self.violations.clear();
    }

    /// The row that has this register.
    pub(crate) fn find(&self, cell: R::Cell) -> Option<&'static R> {
        self.locate(cell).map(|(nth, _)| &self.table[nth])
    }

    /// The row that has this register, and which of its registers it is.
    fn locate(&self, cell: R::Cell) -> Option<(usize, usize)> {
        self.table.iter().enumerate().find_map(|(nth, row)| Some((nth, row.index(cell)?)))
    }

    /// Where the contents of this register are.
    fn place(&self, cell: R::Cell) -> Option<usize> {
        self.locate(cell).map(|(nth, index)| self.starts[nth] + index)
    }
}

impl RegisterFile {
    /// Records the violations of a load by software.
    pub(crate) fn check_load(&mut self, offset: usize) {
        if self.find(offset).is_none() {
            self.record(MemoryViolation::NoRegister { offset });
        }
    }

    /// Records the violations of a store by software.
    ///
    /// Writing a read-only bit is no violation if the register has writable bits: software writes it
    /// back as read.
    pub(crate) fn check_store(&mut self, offset: usize, value: u32) {
        let Some(row) = self.find(offset) else {
            return self.record(MemoryViolation::NoRegister { offset });
        };
        if row.defined() & !row.read_only == 0 {
            self.record(MemoryViolation::ReadOnly { offset });
        } else if value & !row.defined() != 0 {
            self.record(MemoryViolation::ReservedBits { offset, bits: value & !row.defined() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_accesses_are_recorded() {
        use MemoryViolation::*;
        const CONSTANT: Register = Register::constant("CONSTANT", 0x40, 0xFF, 0x12);
        let mut file = RegisterFile::new(&[MIXED, CONSTANT], &mut Noise::Zeros);
        for offset in [0x20, 0x30, 0x40] {
            file.check_load(offset);
        }
        file.check_store(0x30, 0xFFFF);
        assert_eq!(file.violations(), [], "bits that can only be read, beside others");
        file.check_load(0x24);
        file.check_store(0x24, 0);
        file.check_store(0x40, 0x12);
        file.check_store(0x20, 0x0101_0001);
        let expected = [
            NoRegister { offset: 0x24 },
            NoRegister { offset: 0x24 },
            ReadOnly { offset: 0x40 },
            ReservedBits { offset: 0x20, bits: 0x0101_0000 },
        ];
        assert_eq!(file.violations(), expected);
        file.clear_violations();
        assert_eq!(file.violations(), []);
    }

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
    fn unknown_reset_values_are_noise() {
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
    fn a_sum_wraps() {
        const COUNT: Register = Register { read_write: u32::MAX, ..Register::new("COUNT", 0) };
        let mut file = RegisterFile::new(&[COUNT], &mut Noise::Zeros);
        for (times, wraps, sum) in [(5, false, 5), (0xFFFF_FFFA, false, u32::MAX), (1, true, 0)] {
            assert_eq!((file.add(0, times), file.load(0)), (wraps, sum));
        }
        assert_eq!((file.add(0, 1 << 32), file.load(0)), (true, 0), "a whole round");
    }

    #[test]
    fn there_is_nothing_between_the_registers() {
        let mut file = file();
        assert_eq!(file.store(0x24, u32::MAX), 0);
        assert_eq!(file.load(0x24), 0);
    }

    #[test]
    fn noise_changes_writable_bits_only() {
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
    fn peeking_between_registers_panics() {
        file().peek(0x24);
    }

    #[test]
    #[should_panic(expected = "no register at 0x24")]
    fn poking_between_registers_panics() {
        file().poke(0x24, 0);
    }
}

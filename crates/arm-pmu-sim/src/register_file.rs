//! Contents of a device's registers.

use std::fmt::Debug;

use crate::noise::Noise;
use crate::register::Register;
use crate::violation::MemoryViolation;

/// One row of a register map, for any kind of register keys.
pub(crate) trait Row: Copy + Debug {
    /// Key of one 32-bit register.
    type Cell: Copy + Debug + Eq;
    /// Returns the keys of all registers of this row.
    fn cells(&self) -> impl Iterator<Item = Self::Cell>;
    /// Returns the index of the register in this row.
    fn index(&self, cell: Self::Cell) -> Option<usize>;
    /// Returns the register that stores the bits of the register at `cell`, which is in this row.
    fn held_at(&self, cell: Self::Cell) -> Self::Cell;
    /// Returns the masks of the bits.
    fn masks(&self) -> Masks;
    /// Returns the name of a register for messages.
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
    /// Returns the bits that hold contents.
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

/// Contents of the registers of one device. Loads and stores follow only the masks of the table;
/// the device implements side effects.
#[derive(Debug)]
pub(crate) struct RegisterFile<R: Row + 'static = Register> {
    table: &'static [R],
    /// Position in the contents of each row's first register.
    starts: Vec<usize>,
    contents: Vec<u32>,
    /// Of memory-mapped registers.
    violations: Vec<MemoryViolation>,
}

impl<R: Row> RegisterFile<R> {
    /// Creates all registers of `table` with their reset values.
    pub(crate) fn new(table: &'static [R], noise: &mut Noise) -> Self {
        let mut starts = Vec::with_capacity(table.len());
        let mut length = 0;
        for row in table {
            starts.push(length);
            length += row.cells().count();
        }
        let mut file = Self { table, starts, contents: vec![0; length], violations: Vec::new() };
        // Views of other registers have no contents of their own.
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

    /// Resets all registers; bits without a reset value become noise.
    pub(crate) fn reset(&mut self, noise: &mut Noise) {
        for (row, start) in self.table.iter().zip(&self.starts) {
            let masks = row.masks();
            for (index, _) in row.cells().enumerate() {
                let value = masks.reset | noise.draw() & masks.unknown;
                self.contents[start + index] = value;
            }
        }
    }

    /// Writes noise to all bits of `row` that software or the device can change.
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

    /// Returns the value of a load: reserved bits and cells without a register read as zero.
    pub(crate) fn load(&self, cell: R::Cell) -> u32 {
        self.place(cell).map_or(0, |place| self.contents[place])
    }

    /// Stores a value. Returns the write-one-to-act bits that were written as 1. Performs a store;
    /// cells without a register ignore it.
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
    /// If there is no such register.
    #[track_caller]
    pub(crate) fn peek(&self, cell: R::Cell) -> u32 {
        assert!(self.find(cell).is_some(), "no register at {}", R::describe(cell));
        self.load(cell)
    }

    /// Changes the value of a register. Bits that are not readable hold no value.
    ///
    /// # Panics
    ///
    /// If there is no such register.
    #[track_caller]
    pub(crate) fn poke(&mut self, cell: R::Cell, value: u32) {
        let Some((nth, index)) = self.locate(cell) else {
            panic!("no register at {}", R::describe(cell))
        };
        self.contents[self.starts[nth] + index] = value & self.table[nth].masks().readable();
    }

    /// Adds to the value of a register. Returns whether the register wrapped.
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

    /// Returns the row that has this register.
    pub(crate) fn find(&self, cell: R::Cell) -> Option<&'static R> {
        self.locate(cell).map(|(nth, _)| &self.table[nth])
    }

    /// Returns the row that has this register, and the register's index in the row.
    fn locate(&self, cell: R::Cell) -> Option<(usize, usize)> {
        self.table.iter().enumerate().find_map(|(nth, row)| Some((nth, row.index(cell)?)))
    }

    /// Returns the position of this register's contents.
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

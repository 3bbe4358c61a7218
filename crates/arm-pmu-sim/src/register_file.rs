//! Contents of a device's registers, and violations by software.

use arm_pmu_core::bus::Word;

use crate::noise::Noise;
use crate::register::{Register, Row};
use crate::violation::MemoryViolation;

/// Contents of the registers of one device. Loads and stores here only apply the masks of the
/// table; the device itself implements side effects.
#[derive(Debug)]
pub(crate) struct RegisterFile<R: Row = Register> {
    pub(crate) rows: Vec<&'static R>,
    /// Position of each row's first register in `contents`.
    starts: Vec<usize>,
    contents: Vec<u64>,
    /// Contents after a reset.
    resets: Vec<u64>,
    /// For each row that has bits to be preserved, the last value that software read from it. Software may write this
    /// value back.
    pub(crate) last_read: Vec<u64>,
    /// Source of unknown and unpredictable bits.
    pub(crate) noise: Noise,
    violations: Vec<R::Violation>,
}

impl<R: Row> RegisterFile<R> {
    /// Creates all registers of `table` with their reset values.
    pub(crate) fn new(table: impl IntoIterator<Item = &'static R>, noise: Noise) -> Self {
        let rows: Vec<_> = table.into_iter().collect();
        let mut starts = Vec::with_capacity(rows.len());
        let mut length = 0;
        for row in &rows {
            starts.push(length);
            length += row.cells().count();
        }
        let mut file = Self {
            starts,
            contents: vec![0; length],
            resets: rows.iter().flat_map(|row| row.cells().map(|_| row.masks().reset)).collect(),
            last_read: vec![0; rows.len()],
            rows,
            noise,
            violations: Vec::new(),
        };
        // A register that is only a view of another register has no contents of its own.
        for (nth, row) in file.rows.clone().into_iter().enumerate() {
            let held_elsewhere = row.cells().next().filter(|first| row.held_at(*first) != *first);
            let place = held_elsewhere.and_then(|first| file.place(row.held_at(first)));
            if let Some(place) = place {
                file.starts[nth] = place;
            }
        }
        file.reset();
        file
    }

    /// Resets all registers; bits without a reset value become noise.
    pub(crate) fn reset(&mut self) {
        let mut noise = self.noise;
        self.reset_with(&mut noise);
        self.noise = noise;
        self.last_read.fill(0);
    }

    /// Resets all registers, with this noise in bits without a reset value.
    pub(crate) fn reset_with(&mut self, noise: &mut Noise) {
        for (row, start) in self.rows.iter().zip(&self.starts) {
            let masks = row.masks();
            for (index, _) in row.cells().enumerate() {
                let unknown = noise.draw_word::<R::Value>() & masks.unknown;
                let place = start + index;
                self.contents[place] = self.resets[place] & !masks.unknown | unknown;
            }
        }
    }

    /// Changes bits that identify a product, now and after each reset.
    pub(crate) fn identify(&mut self, cell: R::Cell, bits: R::Value, value: R::Value) {
        let (Some(place), bits, value) = (self.place(cell), bits.into(), value.into()) else {
            return;
        };
        for held in [&mut self.contents[place], &mut self.resets[place]] {
            *held = *held & !bits | value & bits;
        }
    }

    /// Writes noise to all bits of these registers that software or the device can change.
    pub(crate) fn scramble<'a>(
        &mut self,
        rows: impl IntoIterator<Item = &'a R>,
        noise: &mut Noise,
    ) {
        for row in rows {
            let masks = row.masks();
            let volatile = masks.readable() & !masks.read_only;
            for cell in row.cells() {
                if let Some(place) = self.place(cell) {
                    let held = &mut self.contents[place];
                    *held = *held & !volatile | noise.draw_word::<R::Value>() & volatile;
                }
            }
        }
    }

    /// Returns the value of a register: reserved bits and cells without a register are zero.
    pub(crate) fn load(&self, cell: R::Cell) -> R::Value {
        R::Value::truncate(self.place(cell).map_or(0, |place| self.contents[place]))
    }

    /// Stores a value. Returns the write-one-to-act bits that were written as 1. Cells without a register ignore the
    /// value.
    pub(crate) fn store(&mut self, cell: R::Cell, value: R::Value) -> R::Value {
        let Some((nth, index)) = self.locate(cell) else { return R::Value::truncate(0) };
        let (masks, value) = (self.rows[nth].masks(), value.into());
        let place = &mut self.contents[self.starts[nth] + index];
        let held = *place & !(value & masks.write_one_to_clear) | value & masks.write_one_to_set;
        *place = (held & !masks.read_write | value & masks.read_write) & masks.readable();
        R::Value::truncate(value & masks.write_one_to_act)
    }

    /// Returns the value of a register.
    ///
    /// # Panics
    ///
    /// If there is no such register.
    #[track_caller]
    pub(crate) fn peek(&self, cell: R::Cell) -> R::Value {
        assert!(self.find(cell).is_some(), "no register at {}", R::describe(cell));
        self.load(cell)
    }

    /// Changes the value of a register. Bits that are not readable hold no value.
    ///
    /// # Panics
    ///
    /// If there is no such register.
    #[track_caller]
    pub(crate) fn poke(&mut self, cell: R::Cell, value: R::Value) {
        let Some((nth, index)) = self.locate(cell) else {
            panic!("no register at {}", R::describe(cell))
        };
        self.contents[self.starts[nth] + index] = value.into() & self.rows[nth].masks().readable();
    }

    /// Adds `times` to the value of a register. Returns whether the register wrapped.
    pub(crate) fn add(&mut self, cell: R::Cell, times: u64) -> bool {
        let (before, most) = (self.load(cell).into(), R::Value::truncate(u64::MAX).into());
        self.poke(cell, R::Value::truncate(before.wrapping_add(times)));
        times > most - before
    }

    pub(crate) fn draw(&mut self) -> u32 {
        self.noise.draw()
    }

    pub(crate) fn record(&mut self, violation: R::Violation) {
        self.violations.push(violation);
    }

    pub(crate) fn violations(&self) -> &[R::Violation] {
        &self.violations
    }

    pub(crate) fn clear_violations(&mut self) {
        self.violations.clear();
    }

    pub(crate) fn find(&self, cell: R::Cell) -> Option<&'static R> {
        self.locate(cell).map(|(nth, _)| self.rows[nth])
    }

    /// Returns the row that has this register, and the register's index in the row.
    pub(crate) fn locate(&self, cell: R::Cell) -> Option<(usize, usize)> {
        self.rows.iter().enumerate().find_map(|(nth, row)| Some((nth, row.index(cell)?)))
    }

    /// Returns the position of this register's contents.
    fn place(&self, cell: R::Cell) -> Option<usize> {
        self.locate(cell).map(|(nth, index)| self.starts[nth] + index)
    }
}

impl RegisterFile {
    pub(crate) fn read(&mut self, offset: usize) -> u32 {
        if self.find(offset).is_none() {
            self.record(MemoryViolation::NoRegister { offset });
        }
        self.load(offset)
    }

    /// Records the violations of a store by software.
    ///
    /// Writing a read-only bit is no violation if the register has writable bits, because software writes the bit back
    /// as read.
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

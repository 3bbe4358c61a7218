//! Contents of CP15 registers, and violations by software.

use std::collections::HashMap;

use arm_pmu_core::bus::Operands;

use super::{Cp15Register, Violation};
use crate::noise::Noise;
use crate::register_file::{RegisterFile, Row};

type Cell = <Cp15Register as Row>::Cell;

/// A register file with bits that read unpredictably.
#[derive(Debug)]
pub(crate) struct Cp15Registers {
    file: RegisterFile<Cp15Register>,
    noise: Noise,
    /// Last value that software read, by operands, because software may write it back to preserved
    /// bits.
    last_read: HashMap<Operands, u32>,
    violations: Vec<Violation>,
}

impl Cp15Registers {
    /// Creates all registers of `table` with their reset values.
    pub(crate) fn new(table: &'static [Cp15Register], mut noise: Noise) -> Self {
        let file = RegisterFile::new(table, &mut noise);
        Self { file, noise, last_read: HashMap::new(), violations: Vec::new() }
    }

    /// Resets all registers; bits without a reset value become noise.
    pub(crate) fn reset(&mut self) {
        self.file.reset(&mut self.noise);
        self.last_read.clear();
    }

    /// Writes noise to all bits of `table` that software or the device can change.
    pub(crate) fn scramble(&mut self, table: &[Cp15Register], noise: &mut Noise) {
        for register in table {
            self.file.scramble(register, noise);
        }
    }

    /// Sets the noise for unpredictable bits.
    pub(crate) fn set_noise(&mut self, noise: Noise) {
        self.noise = noise;
    }

    /// Returns the next 32 unpredictable bits.
    pub(crate) fn draw(&mut self) -> u32 {
        self.noise.draw()
    }

    pub(crate) fn record(&mut self, violation: Violation) {
        self.violations.push(violation);
    }

    pub(crate) fn violations(&self) -> &[Violation] {
        &self.violations
    }

    pub(crate) fn clear_violations(&mut self) {
        self.violations.clear();
    }

    /// Returns the row with these operands.
    pub(crate) fn row(&self, operands: Operands) -> Option<&'static Cp15Register> {
        self.file.find((operands, 0))
    }

    /// Returns the value of a read by software.
    pub(crate) fn load(&mut self, cell: Cell) -> u32 {
        let (unpredictable, preserved) = self
            .row(cell.0)
            .map_or((0, 0), |row| (row.unpredictable, row.should_be_zero_or_preserved));
        let value = self.file.load(cell) & !unpredictable | self.draw() & unpredictable;
        if preserved != 0 {
            self.last_read.insert(cell.0, value);
        }
        value
    }

    /// Performs a write by software. Returns the write-one-to-act bits that were written as 1.
    pub(crate) fn store(&mut self, cell: Cell, value: u32) -> u32 {
        self.check_reserved(cell.0, value);
        self.file.store(cell, value)
    }

    /// Records a violation if bits that should be zero are not.
    pub(crate) fn check_reserved(&mut self, operands: Operands, value: u32) {
        let Some(row) = self.row(operands) else { return };
        let last_read = self.last_read.get(&operands).copied().unwrap_or_default();
        let preserved = row.should_be_zero_or_preserved & !last_read;
        let bits = value & (row.should_be_zero | preserved);
        if bits != 0 {
            self.record(Violation::ReservedBits { operands, bits });
        }
    }

    /// Returns the value of a register; 0 if there is none.
    pub(crate) fn get(&self, cell: Cell) -> u32 {
        self.file.load(cell)
    }

    /// As [`get`](Self::get).
    ///
    /// # Panics
    ///
    /// If there is no such register.
    #[track_caller]
    pub(crate) fn peek(&self, cell: Cell) -> u32 {
        self.file.peek(cell)
    }

    /// Sets the value of a register.
    ///
    /// # Panics
    ///
    /// If there is no such register.
    #[track_caller]
    pub(crate) fn poke(&mut self, cell: Cell, value: u32) {
        self.file.poke(cell, value);
    }

    /// Adds to the value of a register. Returns whether the register wrapped.
    pub(crate) fn add(&mut self, cell: Cell, times: u64) -> bool {
        self.file.add(cell, times)
    }
}

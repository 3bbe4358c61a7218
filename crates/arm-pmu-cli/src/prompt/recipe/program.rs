//! A recipe as a program on registers, independent of the output language.

use arm_pmu::bus::Operands;

/// Name of the cycle counter as a selection.
pub const CYCLES: &str = "cycles";

/// The address of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Offset in a page. A device without pages has only page 0.
    Memory {
        page: usize,
        offset: usize,
    },
    Cp15(Operands),
}

/// Phase of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Checks the identity of the device with reads only.
    Identify,
    /// Programs and starts the counters.
    Start,
    /// Reads the counters while they count.
    Read,
    /// Stops and reads the counters.
    Stop,
}

impl Phase {
    /// Whether a failed check ends the phase. `Read` and `Stop` continue, so that the counters are stopped.
    pub fn ends_at_failure(self) -> bool {
        matches!(self, Self::Identify | Self::Start)
    }
}

/// Number of a driver's read. Unused reads have no step.
pub type Value = usize;

/// A step of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Read {
        value: Value,
        place: Place,
    },
    /// Checks the bits of `mask` in a value.
    Expect {
        value: Value,
        mask: u32,
        accept: Accept,
    },
    Write {
        place: Place,
        expression: Expression,
    },
    /// Reports a value as the count of the nth selection.
    Count {
        nth: usize,
        value: Value,
    },
    /// Waits until earlier accesses are complete.
    Barrier,
}

/// Accepted values of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accept {
    Exactly(u32),
    /// The first value, the last value, and all between.
    Between(u32, u32),
    /// One or more low ones below zeros: the implemented bits of a register.
    LowOnes,
}

/// A value to write: constant bits, and bits of earlier reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expression {
    pub constant: u32,
    /// Masks of bits to copy from values, without a shift.
    pub copies: Vec<(Value, u32)>,
}

impl Expression {
    pub fn evaluate(&self, values: &[u32]) -> u32 {
        let copied = self.copies.iter().map(|(value, mask)| values[*value] & mask);
        copied.fold(self.constant, |all, bits| all | bits)
    }

    pub fn copied(&self) -> u32 {
        self.copies.iter().fold(0, |all, (_, mask)| all | mask)
    }
}

/// Steps of a measurement, ordered by phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub steps: Vec<(Phase, Step)>,
}

impl Program {
    pub fn phase(&self, phase: Phase) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |(of, _)| *of == phase).map(|(_, step)| step)
    }
}

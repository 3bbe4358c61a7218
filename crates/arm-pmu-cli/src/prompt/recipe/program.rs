//! A program on registers: a recipe independent of its output language.

use arm_pmu::bus::Operands;

/// The selection of the cycle counter.
pub const CYCLES: &str = "cycles";

/// The address of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// An offset in a page; a device without pages has page 0.
    Memory {
        page: usize,
        offset: usize,
    },
    Cp15(Operands),
}

/// The part of a measurement that a step belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Check that the device is the expected one. Reads only.
    Identify,
    /// Program the counters and start them.
    Start,
    /// Read the counters while they count.
    Read,
    /// Stop the counters and read them.
    Stop,
}

impl Phase {
    /// Whether a failed expectation ends the program. The others go on, so that the counters are stopped.
    pub fn ends_at_failure(self) -> bool {
        matches!(self, Self::Identify | Self::Start)
    }
}

/// The number of a read of the driver. A program leaves out unused reads.
pub type Value = usize;

/// One step of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Read a register.
    Read { value: Value, place: Place },
    /// The bits of `mask` in a value have to be accepted.
    Expect { value: Value, mask: u32, accept: Accept },
    /// Write a register.
    Write { place: Place, expression: Expression },
    /// A value is the count of the nth selection.
    Count { nth: usize, value: Value },
    /// Wait until earlier accesses are complete.
    Barrier,
}

/// Accepted values of some bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accept {
    Exactly(u32),
    /// These and all between.
    Between(u32, u32),
    /// Any number of ones, at least one, below zeros: the implemented bits of a register.
    LowOnes,
}

impl Accept {
    /// Whether these bits are accepted; `bits` has no bit outside `mask`.
    #[cfg(test)]
    pub fn has(&self, mask: u32, bits: u32) -> bool {
        match self {
            Self::Exactly(value) => bits == *value,
            Self::Between(first, last) => (*first..=*last).contains(&bits),
            Self::LowOnes => {
                let bits = bits >> mask.trailing_zeros();
                bits != 0 && bits & bits.wrapping_add(1) == 0
            }
        }
    }
}

/// A value to write: constant bits, and bits copied from earlier reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expression {
    pub constant: u32,
    /// Each bit is copied to its own position.
    pub copies: Vec<(Value, u32)>,
}

impl Expression {
    pub fn evaluate(&self, values: &[u32]) -> u32 {
        let copied = self.copies.iter().map(|(value, mask)| values[*value] & mask);
        copied.fold(self.constant, |all, bits| all | bits)
    }

    /// All copied bits.
    pub fn copied(&self) -> u32 {
        self.copies.iter().fold(0, |all, (_, mask)| all | mask)
    }
}

/// The steps of a measurement, phase by phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub steps: Vec<(Phase, Step)>,
}

impl Program {
    /// The steps of one phase.
    pub fn phase(&self, phase: Phase) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |(of, _)| *of == phase).map(|(_, step)| step)
    }
}

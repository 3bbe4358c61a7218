//! A recipe as a program of register accesses. `arm-pmu recipe --json` prints it, and each module of `render` writes it
//! in one language.

use arm_pmu_lookup::programming::element_name;
use arm_pmu_tables::Pmu;
use serde::Serialize;

use super::device::{self, Place, WordAt};

/// Name that selects the cycle counter.
pub const CYCLES: &str = "cycles";

/// Output of `arm-pmu recipe --json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Steps", deny_unknown_fields))]
pub struct Program {
    pub pmu: String,
    /// Names of the counts, in order.
    pub counts: Vec<String>,
    /// Steps in order. A failed check in `identify` or `start` ends the recipe. After a failure in another phase the
    /// recipe continues, so that the counters are stopped.
    pub steps: Vec<OfPhase>,
}

/// A step of a recipe, and the phase of this step.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OfPhase {
    /// Phase: `identify`, `start`, `read` or `stop`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub phase: Phase,
    #[serde(flatten)]
    pub step: Step,
}

/// Phase of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
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
    /// Whether a failed check ends the phase. `Read` and `Stop` continue after a failed check, so that the counters are
    /// stopped.
    pub fn ends_at_failure(self) -> bool {
        matches!(self, Self::Identify | Self::Start)
    }
}

/// Number of a read, in the order in which the driver reads. A read whose value is not used has no
/// step.
pub type Value = usize;

/// Action of a step.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// Reads a register. `value` is the number of the read, which later steps refer to.
    Read { value: Value, at: At },
    /// Checks the bits of `mask` in a value.
    Expect { value: Value, mask: u32, accept: Accepted },
    /// Writes a register. Some bits are constant, others are copied from values that were read, at
    /// the same bit positions.
    Write {
        at: At,
        #[serde(flatten)]
        expression: Expression,
    },
    /// Reports a value as a count.
    Count {
        #[serde(skip)]
        nth: usize,
        event: String,
        value: Value,
    },
    /// Waits until earlier accesses are complete.
    Barrier,
}

/// A register in memory, or in coprocessor 15.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct At {
    #[serde(skip)]
    pub word: WordAt,
    pub register: String,
    /// Address of a 32-bit word in memory; null in a core.
    pub address: Option<u64>,
    /// Operands of MRC and MCR; null in memory.
    pub operands: Option<String>,
}

impl At {
    /// Finds the register at a place. `pages` contains the base of each page.
    pub fn new(pmu: Pmu, pages: &[u64], place: Place) -> Option<Self> {
        let word = device::words(pmu).find(|word| word.place == place)?;
        let (address, operands) = match place {
            Place::Memory { page, offset } => {
                (pages.get(page).map(|base| base + offset as u64), None)
            }
            Place::Cp15(of) => {
                let text = format!("p15, {}, c{}, c{}, {}", of.opc1, of.crn, of.crm, of.opc2);
                (None, Some(text))
            }
        };
        Some(Self { register: element_name(word.register, word.index()), address, operands, word })
    }

    /// Hexadecimal address: `0xFD6E0100`.
    pub fn hex(&self) -> String {
        format!("0x{:X}", self.address.unwrap_or(0))
    }
}

/// Accepted values of a field.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Accepted {
    /// Lowest and highest value; equal for a single value.
    Range([u32; 2]),
    /// One or more low bits are 1, and all higher bits are 0.
    LowOnes,
}

/// A value to write.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Expression {
    pub constant: u32,
    pub copies: Vec<Copied>,
}

/// Bits to copy from a value.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Copied {
    pub value: Value,
    pub mask: u32,
}

impl Expression {
    pub fn evaluate(&self, value: impl Fn(Value) -> u32) -> u32 {
        let copied = self.copies.iter().map(|of| value(of.value) & of.mask);
        copied.fold(self.constant, |all, bits| all | bits)
    }

    /// Mask of the copied bits.
    pub fn copied(&self) -> u32 {
        self.copies.iter().fold(0, |all, of| all | of.mask)
    }
}

impl Program {
    pub fn phase(&self, phase: Phase) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |of| of.phase == phase).map(|of| &of.step)
    }

    /// The register that a value was read from.
    pub fn source(&self, wanted: Value) -> Option<&At> {
        self.steps.iter().find_map(|of| match &of.step {
            Step::Read { value, at } if *value == wanted => Some(at),
            _ => None,
        })
    }

    /// Values to write, with their registers.
    pub fn writes(&self) -> impl Iterator<Item = (&At, &Expression)> {
        self.steps.iter().filter_map(|of| match &of.step {
            Step::Write { at, expression } => Some((at, expression)),
            _ => None,
        })
    }
}

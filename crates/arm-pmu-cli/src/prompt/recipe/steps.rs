//! Recipes as JSON, for programs in other languages.

use arm_pmu_tables::Pmu;
use serde::Serialize;

use super::describe;
use super::program::{Accept, Phase, Place, Program, Step, Value};

/// Output of `arm-pmu recipe --json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct Steps {
    pub pmu: String,
    /// Names of the counts, in order.
    pub counts: Vec<String>,
    /// Steps in order. A failed check in `identify` or `start` ends the recipe. After a failure in another phase the
    /// recipe continues, so that the counters are stopped.
    pub steps: Vec<OfPhase>,
}

/// A step with its phase.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OfPhase {
    /// Phase: `identify`, `start`, `read` or `stop`.
    pub phase: &'static str,
    #[serde(flatten)]
    pub step: OneStep,
}

/// Action of a step.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum OneStep {
    /// Reads a register. `value` is the number of the read, which later steps refer to.
    Read { value: Value, at: At },
    /// Checks the bits of `mask` in a value.
    Expect { value: Value, mask: u32, accept: Accepted },
    /// Writes a register: constant bits, and bits copied from values without a shift.
    Write { at: At, constant: u32, copies: Vec<Copied> },
    /// Reports a value as a count.
    Count { event: String, value: Value },
    /// Waits until earlier accesses are complete.
    Barrier,
}

/// A register in memory, or in coprocessor 15.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct At {
    pub register: String,
    /// Address of a 32-bit word in memory; null in a core.
    pub address: Option<u64>,
    /// Operands of MRC and MCR; null in memory.
    pub operands: Option<String>,
}

/// Accepted values of a field.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Accepted {
    /// Lowest and highest value; equal for a single value.
    Range([u32; 2]),
    /// One or more low bits are 1, and all higher bits are 0.
    LowOnes,
}

/// Bits to copy from a value.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Copied {
    pub value: Value,
    pub mask: u32,
}

/// Converts a program. `pages` contains the base of each page, and `counts` the names of the counts.
pub fn of(pmu: Pmu, pages: &[u64], counts: &[String], program: &Program) -> Steps {
    let at = |place: Place| {
        let (address, operands) = match place {
            Place::Memory { page, offset } => {
                (pages.get(page).map(|base| base + offset as u64), None)
            }
            Place::Cp15(of) => {
                let text = format!("p15, {}, c{}, c{}, {}", of.opc1, of.crn, of.crm, of.opc2);
                (None, Some(text))
            }
        };
        let named = describe::register(pmu, place);
        At { register: named.map_or_else(String::new, |named| named.name()), address, operands }
    };
    let step = |step: &Step| match step {
        Step::Read { value, place } => OneStep::Read { value: *value, at: at(*place) },
        Step::Expect { value, mask, accept } => {
            let accept = match accept {
                Accept::Exactly(only) => Accepted::Range([*only, *only]),
                Accept::Between(least, most) => Accepted::Range([*least, *most]),
                Accept::LowOnes => Accepted::LowOnes,
            };
            OneStep::Expect { value: *value, mask: *mask, accept }
        }
        Step::Write { place, expression } => {
            let copies = expression.copies.iter();
            let copies = copies.map(|(value, mask)| Copied { value: *value, mask: *mask });
            let constant = expression.constant;
            OneStep::Write { at: at(*place), constant, copies: copies.collect() }
        }
        Step::Count { nth, value } => OneStep::Count { event: counts[*nth].clone(), value: *value },
        Step::Barrier => OneStep::Barrier,
    };
    let steps =
        program.steps.iter().map(|(phase, one)| OfPhase { phase: word(*phase), step: step(one) });
    Steps { pmu: pmu.to_string(), counts: counts.to_vec(), steps: steps.collect() }
}

fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::Identify => "identify",
        Phase::Start => "start",
        Phase::Read => "read",
        Phase::Stop => "stop",
    }
}

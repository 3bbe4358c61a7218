//! Writes recipes as text. This module visits the steps, and a module per language formats them.

mod c;
mod devmem;
mod gdb;
mod tcl;
mod u_boot;

use std::collections::HashMap;

use arm_pmu_lookup::text::wrapped;
use arm_pmu_tables::{Access, Pmu};

use super::filled;
use super::program::{Accepted, At, Phase, Program, Step, Value};
use crate::base::failure::Failure;

pub use c::C;
pub use devmem::Devmem;
pub use gdb::Gdb;
pub use tcl::Tcl;
pub use u_boot::UBoot;

/// A program, and the data that is needed to write it as text.
pub struct Recipe<'r> {
    pub pmu: Pmu,
    /// Base of each page; empty for a core.
    pub pages: Vec<u64>,
    pub program: &'r Program,
    /// Command line that prints the recipe.
    pub command: &'r str,
}

const WIDTH: usize = 96;

pub trait Language {
    /// Returns the reason if this language cannot access the PMU.
    fn refusal(&self, pmu: Pmu) -> Option<String> {
        let is_core = pmu.ip.space.is_core();
        is_core.then(|| {
            format!(
                "the registers of {} are in CP15, which only the core itself and its debugger reach: use --for c or openocd",
                pmu.ip.product
            )
        })
    }
    fn comment(&self) -> &'static str {
        "# "
    }
    /// The file, with placeholders for the head and the parts.
    fn template(&self) -> &'static str;
    /// Further placeholders of the template, with their values.
    fn values(&self, _: &Recipe) -> Vec<(&'static str, String)> {
        Vec::new()
    }
    fn indentation(&self) -> &'static str {
        "    "
    }
    fn read(&self, variable: &str, register: &At) -> String;
    fn write(&self, register: &At, value: &Written) -> String;
    /// Text of a check. A failed check prints the expected value and the meaning of other values.
    fn expect(&self, check: &Check) -> String;
    fn count(&self, nth: usize, name: &str, variable: &str) -> String;
    fn barrier(&self) -> Option<String> {
        None
    }
}

/// Phases that a user runs together: check and start, read, or stop.
const PARTS: [&[Phase]; 3] = [&[Phase::Identify, Phase::Start], &[Phase::Read], &[Phase::Stop]];

pub struct Written {
    /// Variables, each with the mask of the bits to copy from it.
    pub copies: Vec<(String, u32)>,
    pub constant: u32,
}

impl Written {
    /// Expression with operators of C: `(pmcr & 0x10) | 0x4`.
    pub fn expression(&self, variable: impl Fn(&str) -> String, suffix: &str) -> String {
        let copies = self
            .copies
            .iter()
            .map(|(name, mask)| format!("({} & 0x{mask:X}{suffix})", variable(name)));
        let mut parts: Vec<_> = copies.collect();
        if self.constant != 0 || parts.is_empty() {
            parts.push(format!("0x{:X}{suffix}", self.constant));
        }
        parts.join(" | ")
    }
}

pub struct Check<'c> {
    pub variable: &'c str,
    pub mask: u32,
    pub accept: Accepted,
    /// Whether the current part of the script (start, read or stop) ends if this check fails.
    pub ends: bool,
    pub register: &'c str,
    /// Expected value: `PART_0 = 0x20`.
    pub expected: String,
    pub reason: &'static str,
}

impl Check<'_> {
    /// Condition with operators of C: `(pid0 & 0xFF) == 0x20`.
    pub fn condition(&self, variable: impl Fn(&str) -> String, suffix: &str) -> String {
        let bits = match self.mask {
            u32::MAX => variable(self.variable),
            mask => format!("({} & 0x{mask:X}{suffix})", variable(self.variable)),
        };
        match self.accept {
            Accepted::Range([first, last]) if first == last => {
                format!("{bits} == 0x{first:X}{suffix}")
            }
            Accepted::Range([first, last]) => {
                format!("({bits} >= 0x{first:X}{suffix}) && ({bits} <= 0x{last:X}{suffix})")
            }
            // If all ones of a value are in its lowest bits, the value and the value plus one have no common bit that
            // is 1.
            Accepted::LowOnes => {
                let lowest = self.mask & self.mask.wrapping_neg();
                format!("({bits} != 0) && (({bits} & ({bits} + 0x{lowest:X}{suffix})) == 0)")
            }
        }
    }

    /// Message in one line; `value` is the text of the value.
    pub fn message(&self, value: &str) -> String {
        format!("{} reads {value}, expected {}: {}", self.register, self.expected, self.reason)
    }
}

pub fn render(recipe: &Recipe, language: &dyn Language) -> Result<String, Failure> {
    if let Some(refusal) = language.refusal(recipe.pmu) {
        return Err(Failure::wrong_use(refusal));
    }
    let writer = Writer { recipe, language, variables: variables(recipe.program) };
    let [start, read, stop]: [String; 3] =
        PARTS.map(|phases| phases.iter().map(|phase| writer.phase(*phase)).collect());
    let mark = language.comment();
    let (counted, device) = (recipe.counted(), recipe.device());
    let command = recipe.command;
    let head =
        format!("{mark}Counts {counted}\n{mark}of the {device}.\n{mark}Made by: {command}\n");
    let own = language.values(recipe);
    let own = own.iter().map(|(placeholder, value)| (*placeholder, value.as_str()));
    let parts =
        [("@START@\n", &*start), ("@READ@\n", &read), ("@STOP@\n", &stop), ("@HEAD@\n", &head)];
    let text = filled(language.template(), own.chain(parts));
    // Removes an empty line at the end, and repeated empty lines.
    let mut lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.dedup_by(|next, line| next.is_empty() && line.is_empty());
    Ok(lines.join("\n") + "\n")
}

/// Names the variable for each value: `pmcr` for the first read of a register, `pmcr_b` for the next read in the same
/// part.
fn variables(program: &Program) -> HashMap<Value, String> {
    let mut names = HashMap::new();
    for phases in PARTS {
        let mut reads: HashMap<String, u8> = HashMap::new();
        for step in phases.iter().flat_map(|phase| program.phase(*phase)) {
            let Step::Read { value, at } = step else { continue };
            let name = at.variable();
            let nth = reads.entry(name.clone()).or_default();
            let suffix = match *nth {
                0 => String::new(),
                nth => format!("_{}", char::from(b'a' + nth % 26)),
            };
            *nth += 1;
            names.insert(*value, name + &suffix);
        }
    }
    names
}

struct Writer<'w> {
    recipe: &'w Recipe<'w>,
    language: &'w dyn Language,
    variables: HashMap<Value, String>,
}

impl Writer<'_> {
    fn phase(&self, phase: Phase) -> String {
        let steps: Vec<_> = self.recipe.program.phase(phase).collect();
        if steps.is_empty() {
            return String::new();
        }
        let mut text = String::new();
        if phase == Phase::Identify {
            let title = self.recipe.pmu.unit.map_or(self.recipe.pmu.ip.title, |unit| unit.title);
            text += &self.comment(&format!("Check that this is a {title}."));
        }
        for (number, step) in steps.iter().enumerate() {
            let before = number.checked_sub(1).and_then(|before| steps.get(before));
            text += &self.step(phase, step, steps.get(number + 1).copied(), before.copied());
        }
        text
    }

    fn step(
        &self,
        phase: Phase,
        step: &Step,
        next: Option<&Step>,
        before: Option<&Step>,
    ) -> String {
        let line = |text: String| format!("{}{text}\n", self.language.indentation());
        match step {
            Step::Read { value, at } => {
                let code = line(self.language.read(&self.variables[value], at));
                let is_copied = |value| {
                    let mut copies =
                        self.recipe.program.writes().flat_map(|(_, written)| &written.copies);
                    copies.any(|of| of.value == value)
                };
                let why = match before {
                    _ if is_copied(*value) => "read, to keep some of its fields.",
                    Some(Step::Write { .. }) => "read; earlier writes have then arrived.",
                    _ => "read.",
                };
                let comment = match next {
                    Some(Step::Expect { .. } | Step::Count { .. }) => String::new(),
                    _ => self.comment(&format!("{}: {why}", at.register)),
                };
                comment + &code
            }
            Step::Expect { value, mask, accept } => {
                let Some(at) = self.recipe.program.source(*value) else { return String::new() };
                let pmu = self.recipe.pmu;
                line(self.language.expect(&Check {
                    variable: &self.variables[value],
                    mask: *mask,
                    accept: *accept,
                    ends: phase.ends_at_failure(),
                    register: &at.register,
                    expected: at.expectation(pmu, *mask, *accept),
                    reason: at.reason(pmu, phase, *mask, self.is_written(at)),
                }))
            }
            Step::Write { at, expression } => {
                let Recipe { pmu, program, .. } = self.recipe;
                let comment = self.comment(&at.write(*pmu, expression, &program.counts));
                let copies = expression.copies.iter();
                let copies = copies.map(|of| (self.variables[&of.value].clone(), of.mask));
                let written = Written { copies: copies.collect(), constant: expression.constant };
                comment + &line(self.language.write(at, &written))
            }
            Step::Count { nth, event, value } => {
                line(self.language.count(*nth, event, &self.variables[value]))
            }
            Step::Barrier => self.language.barrier().map_or_else(String::new, line),
        }
    }

    /// Whether the program writes the register, or a register that sets or clears its bits.
    fn is_written(&self, at: &At) -> bool {
        let is_plain = |access| matches!(access, Access::ReadWrite | Access::ReadOnly);
        at.word.register.fields.iter().any(|field| !is_plain(field.access))
            || self.recipe.program.writes().any(|(written, _)| written.register == at.register)
    }

    fn comment(&self, text: &str) -> String {
        comment(&format!("{}{}", self.language.indentation(), self.language.comment()), text)
    }
}

/// Wraps a text to lines that begin with `start`.
fn comment(start: &str, text: &str) -> String {
    let lines = wrapped(WIDTH - start.len(), text);
    lines.iter().map(|line| format!("{start}{line}\n")).collect()
}

impl Recipe<'_> {
    /// Names of the counts: `S3:READ_REQUEST_ANY, cycles`.
    pub fn counted(&self) -> String {
        self.program.counts.join(", ")
    }

    /// Name of the device: `CCI-400 of revision 1 at 0xFD6E0000`.
    pub fn device(&self) -> String {
        let title = self.pmu.unit.map_or(self.pmu.ip.title, |unit| unit.title);
        match self.pages[..] {
            [] => title.to_owned(),
            [base] => format!("{title} at 0x{base:X}"),
            _ => {
                let pages: Vec<_> = self.pages.iter().map(|page| format!("0x{page:X}")).collect();
                format!("{title}, pages at {}", pages.join(" and "))
            }
        }
    }
}

//! Recipes as text: the walk over a program, which is the same for all languages.

mod c;
mod devmem;
mod gdb;
mod tcl;
mod u_boot;

use std::collections::HashMap;

use arm_pmu_tables::Pmu;

use super::describe::{self, Named};
use super::program::{Accept, Expression, Phase, Place, Program, Step, Value};
use crate::base::failure::Failure;

pub use c::C;
pub use devmem::Devmem;
pub use gdb::Gdb;
pub use tcl::{OpenOcd, Xsdb};
pub use u_boot::UBoot;

/// The subject of a recipe.
pub struct Recipe<'r> {
    pub pmu: Pmu,
    /// The address of each page; empty for a core.
    pub pages: Vec<u64>,
    /// The selections, in the order of the counts.
    pub what: &'r [String],
    pub program: &'r Program,
    /// The command line that printed it.
    pub command: &'r str,
}

/// The widest line of a comment.
const WIDTH: usize = 96;

/// A language for recipes.
pub trait Language {
    /// Why this PMU has no recipe in the language.
    fn refusal(&self, pmu: Pmu) -> Option<String> {
        let is_core = pmu.ip.space.is_core();
        is_core.then(|| {
            format!(
                "the registers of {} are in CP15, which only the core itself and its debugger reach: use --for openocd",
                pmu.ip.product
            )
        })
    }
    /// The start of a comment.
    fn comment(&self) -> &'static str {
        "# "
    }
    /// The whole file, from the text of each part.
    fn file(&self, recipe: &Recipe, part: &dyn Fn(Part) -> String) -> String;
    /// The indentation of steps.
    fn indentation(&self) -> &'static str {
        "    "
    }
    fn read(&self, variable: &str, register: &Address) -> String;
    fn write(&self, register: &Address, value: &Written) -> String;
    /// `text` gives the expected value and the meaning of any other.
    fn expect(&self, check: &Check) -> String;
    fn count(&self, nth: usize, name: &str, variable: &str) -> String;
    fn barrier(&self) -> Option<String> {
        None
    }
}

/// Steps that a user runs together: a check and a start, a read, or a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Start,
    Read,
    Stop,
}

impl Part {
    fn phases(self) -> &'static [Phase] {
        match self {
            Self::Start => &[Phase::Identify, Phase::Start],
            Self::Read => &[Phase::Read],
            Self::Stop => &[Phase::Stop],
        }
    }
}

/// The address of a register, in one language.
pub struct Address {
    pub place: Place,
    /// In memory.
    pub absolute: u64,
}

impl Address {
    /// `0xFD6E0100`.
    pub fn hex(&self) -> String {
        format!("0x{:X}", self.absolute)
    }
}

/// A value to write.
pub struct Written {
    /// Names of variables, with the bits copied from them.
    pub copies: Vec<(String, u32)>,
    pub constant: u32,
}

impl Written {
    /// `(pmcr & 0x10) | 0x4`, in languages with the operators of C.
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

/// An expectation.
pub struct Check<'c> {
    pub variable: &'c str,
    pub mask: u32,
    pub accept: &'c Accept,
    /// Whether the part ends here if it fails.
    pub ends: bool,
    /// The name of the register.
    pub register: String,
    /// `PART_0 = 0x20`.
    pub expected: String,
    pub reason: &'static str,
}

impl Check<'_> {
    /// `(pid0 & 0xFF) == 0x20`, in languages with the operators of C.
    pub fn condition(&self, variable: impl Fn(&str) -> String, suffix: &str) -> String {
        let bits = match self.mask {
            u32::MAX => variable(self.variable),
            mask => format!("({} & 0x{mask:X}{suffix})", variable(self.variable)),
        };
        match self.accept {
            Accept::Exactly(value) => format!("{bits} == 0x{value:X}{suffix}"),
            Accept::Between(first, last) => {
                format!("({bits} >= 0x{first:X}{suffix}) && ({bits} <= 0x{last:X}{suffix})")
            }
            // Adding one to a number of ones moves a single one above them.
            Accept::LowOnes => {
                let lowest = self.mask & self.mask.wrapping_neg();
                format!("({bits} != 0) && (({bits} & ({bits} + 0x{lowest:X}{suffix})) == 0)")
            }
        }
    }

    /// One line for people; `value` is the value read.
    pub fn message(&self, value: &str) -> String {
        format!("{} reads {value}, expected {}: {}", self.register, self.expected, self.reason)
    }
}

/// The recipe in a language.
pub fn render(recipe: &Recipe, language: &dyn Language) -> Result<String, Failure> {
    if let Some(refusal) = language.refusal(recipe.pmu) {
        return Err(Failure::wrong_use(refusal));
    }
    let writer = Writer { recipe, language, variables: variables(recipe) };
    let text = language.file(recipe, &|part| writer.part(part));
    // No empty line at the end, and one at most elsewhere.
    let mut lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.dedup_by(|next, line| next.is_empty() && line.is_empty());
    Ok(lines.join("\n") + "\n")
}

/// Names for all values: `pmcr`, then `pmcr_b` for the next read of it in the same part.
fn variables(recipe: &Recipe) -> HashMap<Value, String> {
    let mut names = HashMap::new();
    for part in [Part::Start, Part::Read, Part::Stop] {
        let mut reads: HashMap<String, u8> = HashMap::new();
        for phase in part.phases() {
            for step in recipe.program.phase(*phase) {
                let Step::Read { value, place } = step else { continue };
                let name = describe::register(recipe.pmu, *place)
                    .map_or_else(|| "register".to_owned(), |named| named.variable());
                let nth = reads.entry(name.clone()).or_default();
                let suffix = if *nth == 0 {
                    String::new()
                } else {
                    format!("_{}", char::from(b'a' + *nth % 26))
                };
                *nth += 1;
                names.insert(*value, name + &suffix);
            }
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
    fn part(&self, part: Part) -> String {
        let mut text = String::new();
        for phase in part.phases() {
            text += &self.phase(*phase);
        }
        text
    }

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
            Step::Read { value, place } => {
                let code = line(self.language.read(&self.variables[value], &self.address(*place)));
                let named = self.named(*place);
                let comment = match (next, named) {
                    (Some(Step::Expect { .. } | Step::Count { .. }), _) => String::new(),
                    (_, Some(named)) if self.is_copied(*value) => self
                        .comment(&format!("{}: read, to keep some of its fields.", named.name())),
                    (_, Some(named)) if matches!(before, Some(Step::Write { .. })) => self.comment(
                        &format!("{}: read; earlier writes have then arrived.", named.name()),
                    ),
                    (_, named) => self.comment(&format!(
                        "{}: read.",
                        named.map_or_else(String::new, |n| n.name())
                    )),
                };
                comment + &code
            }
            Step::Expect { value, mask, accept } => {
                let Some(named) = self.place_of(*value).and_then(|place| self.named(place)) else {
                    return String::new();
                };
                let check = Check {
                    variable: &self.variables[value],
                    mask: *mask,
                    accept,
                    ends: phase.ends_at_failure(),
                    register: named.name(),
                    expected: named.expectation(self.recipe.pmu, *mask, accept),
                    reason: named.reason(self.recipe.pmu, phase, *mask, self.is_written(named)),
                };
                line(self.language.expect(&check))
            }
            Step::Write { place, expression } => {
                let comment = self.named(*place).map_or_else(String::new, |named| {
                    self.comment(&named.write(self.recipe.pmu, expression, self.recipe.what))
                });
                comment
                    + &line(self.language.write(&self.address(*place), &self.written(expression)))
            }
            Step::Count { nth, value } => {
                line(self.language.count(*nth, &self.recipe.what[*nth], &self.variables[value]))
            }
            Step::Barrier => self.language.barrier().map_or_else(String::new, line),
        }
    }

    fn written(&self, expression: &Expression) -> Written {
        let copies = expression.copies.iter();
        let copies = copies.map(|(value, mask)| (self.variables[value].clone(), *mask)).collect();
        Written { copies, constant: expression.constant }
    }

    /// Whether the program writes the register, or a register that sets or clears its bits.
    fn is_written(&self, named: Named) -> bool {
        let has_flags = named.register.fields.iter().any(|field| {
            !matches!(
                field.access,
                arm_pmu_tables::Access::ReadWrite | arm_pmu_tables::Access::ReadOnly
            )
        });
        has_flags
            || self.recipe.program.steps.iter().any(|(_, step)| match step {
                Step::Write { place, .. } => {
                    self.named(*place).is_some_and(|one| one.name() == named.name())
                }
                _ => false,
            })
    }

    fn is_copied(&self, value: Value) -> bool {
        self.recipe.program.steps.iter().any(|(_, step)| match step {
            Step::Write { expression, .. } => expression.copies.iter().any(|(of, _)| *of == value),
            _ => false,
        })
    }

    fn place_of(&self, wanted: Value) -> Option<Place> {
        self.recipe.program.steps.iter().find_map(|(_, step)| match step {
            Step::Read { value, place } if *value == wanted => Some(*place),
            _ => None,
        })
    }

    fn named(&self, place: Place) -> Option<Named> {
        describe::register(self.recipe.pmu, place)
    }

    fn address(&self, place: Place) -> Address {
        let absolute = match place {
            Place::Memory { page, offset } => {
                self.recipe.pages.get(page).map_or(0, |base| base + offset as u64)
            }
            Place::Cp15(_) => 0,
        };
        Address { place, absolute }
    }

    fn comment(&self, text: &str) -> String {
        let start = format!("{}{}", self.language.indentation(), self.language.comment());
        wrapped(&start, text)
    }
}

/// Text in lines that each begin with `start`.
pub fn wrapped(start: &str, text: &str) -> String {
    let mut lines = Vec::new();
    let mut line = start.trim_end_matches(' ').to_owned();
    let empty = line.len();
    for word in text.split(' ') {
        if line.len() > empty && line.len() + 1 + word.len() > WIDTH {
            lines.push(std::mem::replace(&mut line, start.trim_end_matches(' ').to_owned()));
        }
        if !line.is_empty() && !line.ends_with(' ') {
            line.push(' ');
        }
        line += word;
    }
    lines.push(line);
    lines.join("\n") + "\n"
}

impl Recipe<'_> {
    /// `S3:READ_REQUEST_ANY, cycles`.
    pub fn counted(&self) -> String {
        self.what.join(", ")
    }

    /// `CCI-400 of revision 1 at 0xFD6E0000`.
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

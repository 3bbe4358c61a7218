//! Describes the steps of a recipe with the names of registers and fields.

use arm_pmu_lookup::programming::{self, element_name};
use arm_pmu_tables::{Access, Pmu, Register};

use super::device::{self, WordAt};
use super::program::{Accept, Expression, Phase, Place};

/// The register at an address.
#[derive(Clone, Copy)]
pub struct Named(WordAt);

/// Finds the register at an address.
pub fn register(pmu: Pmu, place: Place) -> Option<Named> {
    device::words(pmu).find(|word| word.place == place).map(Named)
}

impl Named {
    pub fn register(self) -> &'static Register {
        self.0.register
    }

    /// Index of an array element.
    fn element(self) -> Option<u32> {
        (self.register().count() > 1).then_some(self.0.element)
    }

    /// Name such as `EVENT_SELECT[3]`.
    pub fn name(self) -> String {
        element_name(self.register(), self.element())
    }

    /// Name of a variable for the register: `event_select_3`.
    pub fn variable(self) -> String {
        let element = self.element().map_or(String::new(), |element| format!("_{element}"));
        format!("{}{element}", self.register().name.to_ascii_lowercase())
    }

    /// Comment on a write: `EVENT_SELECT[0]: SOURCE = 0x3, EVENT = 0x0; selects S3:READ_REQUEST_ANY.`
    pub fn write(&self, pmu: Pmu, expression: &Expression, what: &[String]) -> String {
        let mut set = Vec::new();
        let mut kept = Vec::new();
        for (field, mask) in self.0.fields(pmu).filter(|(field, _)| field.access.can_write()) {
            let value = (expression.constant & mask) >> mask.trailing_zeros();
            let (name, has_value) = (field.name, value != 0);
            if expression.copied() & mask != 0 {
                kept.push(name);
                continue;
            }
            set.push(match field.access {
                Access::ReadWrite | Access::WriteOnly => {
                    format!("{name} = {}", number(value, mask))
                }
                Access::WriteOneActs if has_value => {
                    format!("{name} = {} acts", number(value, mask))
                }
                Access::WriteOneClears if has_value => format!("clear {}", bits(name, value, mask)),
                Access::WriteOneSets if has_value => format!("set {}", bits(name, value, mask)),
                _ => continue,
            });
        }
        if set.is_empty() && kept.is_empty() {
            set.push("no bit set, so no effect".to_owned());
        }
        let mut text = format!("{}: {}", self.name(), set.join(", "));
        if !kept.is_empty() {
            let keep = if kept.len() == 1 { "keeps its value" } else { "keep their values" };
            text += &format!("; {} {keep}", kept.join(", "));
        }
        let selected = programming::selections(pmu, self.register(), expression.constant.into());
        let selected = selected.iter().flat_map(|of| &of.selections).map(ToString::to_string);
        let mut selected: Vec<_> = selected.filter(|one| what.contains(one)).collect();
        selected.dedup();
        if !selected.is_empty() && expression.copied() == 0 {
            text += &format!("; selects {}", selected.join(", "));
        }
        text + "."
    }

    /// Expected values: `PART_0 = 0x20`.
    pub fn expectation(&self, pmu: Pmu, mask: u32, accept: &Accept) -> String {
        let mut parts = Vec::new();
        let mut rest = mask;
        for (field, of_field) in self.0.fields(pmu) {
            let common = of_field & mask;
            if common == 0 {
                continue;
            }
            rest &= !of_field;
            let low = of_field.trailing_zeros();
            let part = |value: u32| number((value & of_field) >> low, of_field);
            let name = field.name;
            parts.push(match accept {
                Accept::LowOnes => format!("{name} = ones below zeros"),
                Accept::Between(first, last) => {
                    format!("{name} = {} to {}", part(*first), part(*last))
                }
                Accept::Exactly(value) if common == of_field => {
                    format!("{name} = {}", part(*value))
                }
                Accept::Exactly(value) => {
                    let (value, common) = ((value & common) >> low, common >> low);
                    format!("{name} & 0x{common:X} = 0x{value:X}")
                }
            });
        }
        if rest != 0 {
            let value = match accept {
                Accept::Exactly(value) => value & rest,
                _ => 0,
            };
            parts.push(format!("bits 0x{rest:X} = 0x{value:X}"));
        }
        parts.join(", ")
    }

    /// Meaning of an unexpected value.
    pub fn reason(&self, pmu: Pmu, phase: Phase, mask: u32, is_written: bool) -> &'static str {
        let flags = self.0.fields(pmu).filter(|(field, _)| {
            let is_flag = matches!(field.access, Access::WriteOneClears | Access::WriteOneSets);
            is_flag && !field.name.starts_with("CNTEN")
        });
        let is_flag = flags.fold(0, |all, (_, of_field)| all | of_field) & mask == mask;
        match phase {
            Phase::Start if !is_written => "the software that owns this register must set it",
            Phase::Identify => {
                "this is another device, or the device does not respond (0: no access, clock or power)"
            }
            Phase::Start if is_flag => "a flag stays set: start once more",
            Phase::Start => "the device ignores writes, or other software uses it",
            Phase::Read | Phase::Stop if is_flag => {
                "the counter overflowed: the count is too low by a multiple of 2^32"
            }
            Phase::Read | Phase::Stop => {
                "other software changed settings, or clock or power were lost"
            }
        }
    }
}

fn number(value: u32, mask: u32) -> String {
    if mask.count_ones() == 1 { value.to_string() } else { format!("0x{value:X}") }
}

fn bits(name: &str, value: u32, mask: u32) -> String {
    if mask.count_ones() == 1 { name.to_owned() } else { format!("{name} 0x{value:X}") }
}

//! Describes the steps of a recipe with the names of registers and fields.

use arm_pmu_lookup::programming;
use arm_pmu_tables::{Access, Pmu};

use super::program::{Accepted, At, Expression, Phase};

impl At {
    /// Name of a variable for the register: `event_select_3`.
    pub fn variable(&self) -> String {
        let index = self.word.index().map_or(String::new(), |index| format!("_{index}"));
        format!("{}{index}", self.word.register.name.to_ascii_lowercase())
    }

    /// Comment on a write: `EVENT_SELECT[0]: SOURCE = 0x3, EVENT = 0x0; selects S3:READ_REQUEST_ANY.`
    pub fn write(&self, pmu: Pmu, expression: &Expression, what: &[String]) -> String {
        let mut set = Vec::new();
        let mut kept = Vec::new();
        for (field, mask) in self.word.fields(pmu).filter(|(field, _)| field.access.can_write()) {
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
        let mut text = format!("{}: {}", self.register, set.join(", "));
        if !kept.is_empty() {
            let keep = if kept.len() == 1 { "keeps its value" } else { "keep their values" };
            text += &format!("; {} {keep}", kept.join(", "));
        }
        let selected = programming::selections(pmu, self.word.register, expression.constant.into());
        let selected = selected.iter().flat_map(|of| &of.selections).map(ToString::to_string);
        let mut selected: Vec<_> = selected.filter(|one| what.contains(one)).collect();
        selected.dedup();
        if !selected.is_empty() && expression.copied() == 0 {
            text += &format!("; selects {}", selected.join(", "));
        }
        text + "."
    }

    /// Expected values: `PART_0 = 0x20`.
    pub fn expectation(&self, pmu: Pmu, mask: u32, accept: Accepted) -> String {
        let mut parts = Vec::new();
        let mut rest = mask;
        for (field, of_field) in self.word.fields(pmu) {
            let common = of_field & mask;
            if common == 0 {
                continue;
            }
            rest &= !of_field;
            let low = of_field.trailing_zeros();
            let part = |value: u32| number((value & of_field) >> low, of_field);
            let name = field.name;
            parts.push(match accept {
                Accepted::LowOnes => format!("{name} = ones in the low bits, zeros above"),
                Accepted::Range([first, last]) if first != last => {
                    format!("{name} = {} to {}", part(first), part(last))
                }
                Accepted::Range([value, _]) if common == of_field => {
                    format!("{name} = {}", part(value))
                }
                Accepted::Range([value, _]) => {
                    let (value, common) = ((value & common) >> low, common >> low);
                    format!("{name} & 0x{common:X} = 0x{value:X}")
                }
            });
        }
        if let (Accepted::Range([value, _]), 1..) = (accept, rest) {
            parts.push(format!("bits 0x{rest:X} = 0x{:X}", value & rest));
        }
        parts.join(", ")
    }

    /// Meaning of an unexpected value.
    pub fn reason(&self, pmu: Pmu, phase: Phase, mask: u32, is_written: bool) -> &'static str {
        let flags = self.word.fields(pmu).filter(|(field, _)| {
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
                "the counter overflowed, so the count is too low by a multiple of 2^32"
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

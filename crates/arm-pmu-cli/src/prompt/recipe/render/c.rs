//! Writes a recipe as a C99 header.

use super::{Check, Language, Recipe, Written};
use crate::prompt::recipe::program::{At, Phase, Step};

pub struct C;

impl Language for C {
    fn comment(&self) -> &'static str {
        "// "
    }

    fn template(&self) -> &'static str {
        include_str!("recipe.h.in")
    }

    fn values(&self, recipe: &Recipe) -> Vec<(&'static str, String)> {
        let names = recipe.program.counts.iter().map(|name| format!("\"{name}\""));
        vec![
            ("@NUMBER@", recipe.program.counts.len().to_string()),
            ("@NAMES@", names.collect::<Vec<_>>().join(", ")),
            ("@CASES@\n", single_reads(recipe)),
        ]
    }

    fn read(&self, variable: &str, register: &At) -> String {
        format!("const uint32_t {variable} = PMU_LOAD({}u);", register.hex())
    }

    fn write(&self, register: &At, value: &Written) -> String {
        format!("PMU_STORE({}u, {});", register.hex(), value.expression(str::to_owned, "u"))
    }

    fn expect(&self, check: &Check) -> String {
        let condition = check.condition(str::to_owned, "u");
        let message = format!("{}: expected {}: {}", check.register, check.expected, check.reason);
        let act = if check.ends { "return" } else { "problem =" };
        format!("if (!({condition}))\n        {act} \"{message}\";")
    }

    fn count(&self, nth: usize, _: &str, variable: &str) -> String {
        format!("counts[{nth}] = {variable};")
    }

    fn barrier(&self) -> Option<String> {
        Some("PMU_BARRIER();".to_owned())
    }
}

/// Cases of `pmu_read`, one for each register from which `pmu_snapshot` reads a count.
fn single_reads(recipe: &Recipe) -> String {
    let mut text = String::new();
    for step in recipe.program.phase(Phase::Read) {
        if let Step::Count { nth, value, .. } = step {
            let address = recipe.program.source(*value).map_or_else(String::new, At::hex);
            text += &format!("    case {nth}:\n        return PMU_LOAD({address}u);\n");
        }
    }
    text
}

//! Writes a recipe as commands of GDB.

use super::{Check, Language, Recipe, Written};
use crate::prompt::recipe::program::At;

pub struct Gdb;

fn variable(name: &str) -> String {
    format!("$pmu_{name}")
}

impl Language for Gdb {
    fn refusal(&self, pmu: arm_pmu_tables::Pmu) -> Option<String> {
        pmu.ip.space.is_core().then(|| {
            format!(
                "the registers of {} are in CP15, for which GDB has no commands: use --for c or openocd",
                pmu.ip.product
            )
        })
    }

    fn indentation(&self) -> &'static str {
        "        "
    }

    fn template(&self) -> &'static str {
        include_str!("recipe.gdb.in")
    }

    fn values(&self, recipe: &Recipe) -> Vec<(&'static str, String)> {
        vec![("@COUNTED@", recipe.counted())]
    }

    fn read(&self, name: &str, register: &At) -> String {
        format!("set {} = {{unsigned int}}{}", variable(name), register.hex())
    }

    fn write(&self, register: &At, value: &Written) -> String {
        format!("set {{unsigned int}}{} = {}", register.hex(), value.expression(variable, ""))
    }

    fn expect(&self, check: &Check) -> String {
        let (start, end) = if check.ends {
            ("Stopped here", "loop_break")
        } else {
            ("Counts not valid", "set $pmu_ok = 0")
        };
        format!(
            "if !({})\n            printf \"{start}: {}\\n\", {}\n            {end}\n        end",
            check.condition(variable, ""),
            check.message("0x%x"),
            variable(check.variable)
        )
    }

    fn count(&self, _: usize, name: &str, of: &str) -> String {
        format!("printf \"%10u  {name}\\n\", {}", variable(of))
    }
}

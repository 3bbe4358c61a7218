//! Writes a recipe as a shell script for Linux, with `devmem` of busybox.

use super::{Check, Language, Written};
use crate::prompt::recipe::program::At;

pub struct Devmem;

impl Language for Devmem {
    fn template(&self) -> &'static str {
        include_str!("recipe.sh.in")
    }

    fn read(&self, variable: &str, register: &At) -> String {
        format!("{variable}=$(devmem {} 32) || exit 2", register.hex())
    }

    fn write(&self, register: &At, value: &Written) -> String {
        let text = value.expression(str::to_owned, "");
        let text = if value.copies.is_empty() { text } else { format!("$(( {text} ))") };
        format!("devmem {} 32 {text} || exit 2", register.hex())
    }

    fn expect(&self, check: &Check) -> String {
        let call = if check.ends { "stop_here" } else { "doubt" };
        format!(
            "[ $(( {} )) = 1 ] ||\n        {call} \"{}\"",
            check.condition(str::to_owned, ""),
            check.message(&format!("${}", check.variable))
        )
    }

    fn count(&self, _: usize, name: &str, variable: &str) -> String {
        format!("printf '%10u  %s\\n' \"${variable}\" {name}")
    }
}

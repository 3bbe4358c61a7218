//! Writes a recipe as Tcl procedures for OpenOCD or AMD's xsdb.

use arm_pmu_tables::Pmu;

use super::{Check, Language, Parts, Recipe, Written, comment};
use crate::prompt::recipe::program::At;

pub struct OpenOcd;
pub struct Xsdb;

fn variable(name: &str) -> String {
    format!("${name}")
}

fn file(text: &Parts, usage: &str) -> String {
    let Parts { head, start, read, stop } = text;
    format!(
        "{head}#
{usage}
proc pmu_start {{}} {{
{start}}}

proc pmu_read {{}} {{
{read}}}

proc pmu_stop {{}} {{
{stop}}}
"
    )
}

fn expect(check: &Check, print: &str) -> String {
    // Tcl would execute the brackets of an array element as a command.
    let what = check.message(&format!("${}", check.variable));
    let what = what.replace('[', "\\[").replace(']', "\\]");
    let act = if check.ends {
        format!("error \"Stopped here: {what}\"")
    } else {
        format!("{print} \"Counts not valid: {what}\"")
    };
    format!("if {{!({})}} {{\n        {act}\n    }}", check.condition(variable, ""))
}

fn value(value: &Written) -> String {
    let text = value.expression(variable, "");
    if value.copies.is_empty() { text } else { format!("[expr {{{text}}}]") }
}

fn count(name: &str, of: &str, print: &str) -> String {
    format!("{print} [format \"%10u  %s\" ${of} {name}]")
}

/// Operands of a coprocessor register as numbers: `15 0 15 12 2`.
fn operands(register: &At) -> Option<String> {
    Some(register.operands.as_ref()?.replace(['p', 'c', ','], ""))
}

impl Language for OpenOcd {
    fn refusal(&self, _: Pmu) -> Option<String> {
        None
    }

    fn file(&self, recipe: &Recipe, text: &Parts) -> String {
        let is_core = recipe.pmu.ip.space.is_core();
        let mut usage =
            "#   source FILE; pmu_start; resume; (let it run) halt; pmu_read; pmu_stop\n"
                .to_owned();
        if is_core {
            usage += "#\n# The core must be halted for each command. Commands `arm mrc` and `arm mcr` apply to the \
                      current target.\n";
            if let Some(halted) = recipe.pmu.ip.halted {
                usage += &comment(
                    "# ",
                    &format!(
                        "{halted} What OpenOCD itself executes on the core may be counted as well."
                    ),
                );
            }
        } else {
            usage += "#\n# `mrw` is a command of OpenOCD's mem_helper.tcl. Addresses are as the current target sees them: virtual if\n\
                      # its MMU is on, physical for a target of type mem_ap.\n";
        }
        usage += "# These commands were run with stand-ins for OpenOCD's, not in OpenOCD.\n";
        if !is_core {
            usage += "\nsource [find mem_helper.tcl]\n";
        }
        file(text, &usage)
    }

    fn read(&self, name: &str, register: &At) -> String {
        match operands(register) {
            None => format!("set {name} [mrw {}]", register.hex()),
            Some(operands) => format!("set {name} [arm mrc {operands}]"),
        }
    }

    fn write(&self, register: &At, written: &Written) -> String {
        match operands(register) {
            None => format!("mww {} {}", register.hex(), value(written)),
            Some(operands) => format!("arm mcr {operands} {}", value(written)),
        }
    }

    fn expect(&self, check: &Check) -> String {
        expect(check, "echo")
    }

    fn count(&self, _: usize, name: &str, of: &str) -> String {
        count(name, of, "echo")
    }
}

impl Language for Xsdb {
    fn refusal(&self, pmu: Pmu) -> Option<String> {
        pmu.ip.space.is_core().then(|| {
            let product = pmu.ip.product;
            format!("xsdb debugs SoCs of AMD, none of which has an {product}: use --for openocd")
        })
    }

    fn file(&self, _: &Recipe, text: &Parts) -> String {
        let usage = "#   source FILE; pmu_start; (let it run) pmu_read; pmu_stop\n\
                     #\n\
                     # Select a target that may access the registers first, such as `targets -set -filter {name =~ \"PSU\"}`.\n\
                     # -force allows addresses that xsdb does not list as memory.\n\
                     # These commands were run with stand-ins for xsdb's, not in xsdb.\n";
        file(text, usage)
    }

    fn read(&self, name: &str, register: &At) -> String {
        format!("set {name} [mrd -force -value {}]", register.hex())
    }

    fn write(&self, register: &At, written: &Written) -> String {
        format!("mwr -force {} {}", register.hex(), value(written))
    }

    fn expect(&self, check: &Check) -> String {
        expect(check, "puts")
    }

    fn count(&self, _: usize, name: &str, of: &str) -> String {
        count(name, of, "puts")
    }
}

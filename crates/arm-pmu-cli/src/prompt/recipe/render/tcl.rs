//! Writes a recipe as Tcl procedures for OpenOCD or AMD's xsdb.

use arm_pmu_tables::Pmu;

use super::{Check, Language, Recipe, Written, comment};
use crate::prompt::recipe::program::At;

pub enum Tcl {
    OpenOcd,
    Xsdb,
}

fn variable(name: &str) -> String {
    format!("${name}")
}

fn value(value: &Written) -> String {
    let text = value.expression(variable, "");
    if value.copies.is_empty() { text } else { format!("[expr {{{text}}}]") }
}

/// Operands of a coprocessor register as numbers: `15 0 15 12 2`.
fn operands(register: &At) -> Option<String> {
    Some(register.operands.as_ref()?.replace(['p', 'c', ','], ""))
}

impl Tcl {
    fn print(&self) -> &'static str {
        match self {
            Self::OpenOcd => "echo",
            Self::Xsdb => "puts",
        }
    }

    fn usage(&self, pmu: Pmu) -> String {
        if let Self::Xsdb = self {
            return "#   source FILE; pmu_start; (let it run) pmu_read; pmu_stop\n\
                    #\n\
                    # Select a target that may access the registers first, such as `targets -set -filter {name =~ \"PSU\"}`.\n\
                    # -force allows addresses that xsdb does not list as memory.\n\
                    # These commands were run with stand-ins for xsdb's, not in xsdb.\n"
                .to_owned();
        }
        let is_core = pmu.ip.space.is_core();
        let mut usage =
            "#   source FILE; pmu_start; resume; (let it run) halt; pmu_read; pmu_stop\n#\n"
                .to_owned();
        if is_core {
            usage += "# The core must be halted for each command. Commands `arm mrc` and `arm mcr` apply to the \
                      current target.\n";
            if let Some(halted) = pmu.ip.halted {
                let more = "What OpenOCD itself executes on the core may be counted as well.";
                usage += &comment("# ", &format!("{halted} {more}"));
            }
        } else {
            usage += "# `mrw` is a command of OpenOCD's mem_helper.tcl. Addresses are as the current target sees them: virtual if\n\
                      # its MMU is on, physical for a target of type mem_ap.\n";
        }
        usage += "# These commands were run with stand-ins for OpenOCD's, not in OpenOCD.\n";
        if !is_core {
            usage += "\nsource [find mem_helper.tcl]\n";
        }
        usage
    }
}

impl Language for Tcl {
    fn refusal(&self, pmu: Pmu) -> Option<String> {
        (matches!(self, Self::Xsdb) && pmu.ip.space.is_core()).then(|| {
            let product = pmu.ip.product;
            format!("xsdb debugs SoCs of AMD, none of which has an {product}: use --for openocd")
        })
    }

    fn template(&self) -> &'static str {
        include_str!("recipe.tcl.in")
    }

    fn values(&self, recipe: &Recipe) -> Vec<(&'static str, String)> {
        vec![("@USAGE@\n", self.usage(recipe.pmu))]
    }

    fn read(&self, name: &str, register: &At) -> String {
        let call = match (self, operands(register)) {
            (Self::Xsdb, _) => format!("mrd -force -value {}", register.hex()),
            (Self::OpenOcd, None) => format!("mrw {}", register.hex()),
            (Self::OpenOcd, Some(operands)) => format!("arm mrc {operands}"),
        };
        format!("set {name} [{call}]")
    }

    fn write(&self, register: &At, written: &Written) -> String {
        let call = match (self, operands(register)) {
            (Self::Xsdb, _) => format!("mwr -force {}", register.hex()),
            (Self::OpenOcd, None) => format!("mww {}", register.hex()),
            (Self::OpenOcd, Some(operands)) => format!("arm mcr {operands}"),
        };
        format!("{call} {}", value(written))
    }

    fn expect(&self, check: &Check) -> String {
        // Tcl would execute the index of an array element, which is in brackets, as a command.
        let what = check.message(&format!("${}", check.variable));
        let what = what.replace('[', "\\[").replace(']', "\\]");
        let act = if check.ends {
            format!("error \"Stopped here: {what}\"")
        } else {
            format!("{} \"Counts not valid: {what}\"", self.print())
        };
        format!("if {{!({})}} {{\n        {act}\n    }}", check.condition(variable, ""))
    }

    fn count(&self, _: usize, name: &str, of: &str) -> String {
        format!("{} [format \"%10u  %s\" ${of} {name}]", self.print())
    }
}

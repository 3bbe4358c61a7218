//! Writes a recipe as commands of GDB.

use super::{Check, Language, Parts, Recipe, Written};
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

    fn file(&self, recipe: &Recipe, text: &Parts) -> String {
        let Parts { head, start, read, stop } = text;
        let counted = recipe.counted();
        format!(
            "{head}#
#   (gdb) source FILE
#   (gdb) pmu_start     checks the device, and starts the counters
#   (gdb) continue      .. interrupt it, or stop at a breakpoint
#   (gdb) pmu_read      prints the counts while the counters run
#   (gdb) pmu_stop      stops the counters and prints the counts
#
# GDB accesses memory as the program does at that moment: the MMU, if on, has to map these addresses.
# $pmu_ok is 1 if the last command found what it expected.

set mem inaccessible-by-default off

define pmu_start
    set $pmu_ok = 0
    # A loop that runs once, because loop_break leaves it where an expectation fails.
    while 1
{start}        set $pmu_ok = 1
        loop_break
    end
end
document pmu_start
Check the PMU and start its counters: {counted}.
end

define pmu_read
    set $pmu_ok = 1
    while 1
{read}        loop_break
    end
end
document pmu_read
Print the counts while the counters run.
end

define pmu_stop
    set $pmu_ok = 1
    while 1
{stop}        loop_break
    end
end
document pmu_stop
Stop the counters and print the counts.
end
"
        )
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

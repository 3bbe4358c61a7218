//! Writes a recipe as U-Boot commands. The lines are independent, so a user can paste them at the prompt.

use super::{Address, Check, Language, Part, Recipe, Written};
use crate::prompt::recipe::program::Accept;

pub struct UBoot;

impl Language for UBoot {
    fn indentation(&self) -> &'static str {
        ""
    }

    fn file(&self, recipe: &Recipe, part: &dyn Fn(Part) -> String) -> String {
        let Recipe { command, .. } = recipe;
        let (device, counted) = (recipe.device(), recipe.counted());
        let (start, read, stop) = (part(Part::Start), part(Part::Read), part(Part::Stop));
        format!(
            "# Counts {counted}
# of the {device}.
# Made by: {command}
#
# Paste one part after the other at the prompt. U-Boot needs CONFIG_CMD_SETEXPR and CONFIG_HUSH_PARSER.
# Numbers are hexadecimal, as U-Boot prints them. After a failed expectation pmu_go is false, and the
# rest of the part does nothing.

# ---- start: check the device, and start the counters
setenv pmu_go true
{start}
# ---- read: print the counts while the counters run
setenv pmu_go true
{read}
# ---- stop: stop the counters and print the counts
setenv pmu_go true
{stop}"
        )
    }

    fn read(&self, variable: &str, register: &Address) -> String {
        format!("$pmu_go && setexpr.l pmu_{variable} *{:x}", register.absolute)
    }

    fn write(&self, register: &Address, value: &Written) -> String {
        let Written { copies, constant } = value;
        let mut text = String::new();
        let address = register.absolute;
        if copies.is_empty() {
            return format!("$pmu_go && mw.l {address:x} {constant:x}");
        }
        text += &format!("$pmu_go && setenv pmu_value {constant:x}\n");
        for (name, mask) in copies {
            text += &format!("$pmu_go && setexpr.l pmu_bits ${{pmu_{name}}} \"&\" {mask:x}\n");
            text += "$pmu_go && setexpr.l pmu_value ${pmu_value} \"|\" ${pmu_bits}\n";
        }
        text + &format!("$pmu_go && mw.l {address:x} ${{pmu_value}}")
    }

    fn expect(&self, check: &Check) -> String {
        let mut text = format!(
            "$pmu_go && setexpr.l pmu_bits ${{pmu_{}}} \"&\" {:x}\n",
            check.variable, check.mask
        );
        let condition = match check.accept {
            Accept::Exactly(value) => format!("itest.l ${{pmu_bits}} == {value:x}"),
            Accept::Between(first, last) => {
                format!("itest.l ${{pmu_bits}} >= {first:x} && itest.l ${{pmu_bits}} <= {last:x}")
            }
            Accept::LowOnes => {
                let lowest = check.mask & check.mask.wrapping_neg();
                text += &format!("$pmu_go && setexpr.l pmu_above ${{pmu_bits}} + {lowest:x}\n");
                text += "$pmu_go && setexpr.l pmu_above ${pmu_above} \"&\" ${pmu_bits}\n";
                // A value of 0 fails too, because it has no low ones.
                text += "$pmu_go && itest.l ${pmu_bits} == 0 && setenv pmu_above 1\n";
                "itest.l ${pmu_above} == 0".to_owned()
            }
        };
        let act = if check.ends { "echo Stopped here: " } else { "echo Counts not valid: " };
        let end = if check.ends { "; setenv pmu_go false" } else { "" };
        text + &format!(
            "if $pmu_go; then if {condition}; then true; else {act}'{}'{end}; fi; fi",
            check.message(&format!("'${{pmu_{}}}'", check.variable))
        )
    }

    fn count(&self, _: usize, name: &str, variable: &str) -> String {
        format!("$pmu_go && echo 0x${{pmu_{variable}}}  {name}")
    }
}

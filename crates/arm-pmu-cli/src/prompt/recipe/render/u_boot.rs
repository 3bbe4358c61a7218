//! Writes a recipe as U-Boot commands. The lines are independent, so a user can paste them at the prompt.

use super::{Check, Language, Written};
use crate::prompt::recipe::program::{Accepted, At};

pub struct UBoot;

impl Language for UBoot {
    fn indentation(&self) -> &'static str {
        ""
    }

    fn template(&self) -> &'static str {
        include_str!("recipe.u-boot.in")
    }

    fn read(&self, variable: &str, register: &At) -> String {
        format!("$pmu_go && setexpr.l pmu_{variable} *{:x}", register.address.unwrap_or(0))
    }

    fn write(&self, register: &At, value: &Written) -> String {
        let Written { copies, constant } = value;
        let mut text = String::new();
        let address = register.address.unwrap_or(0);
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
            Accepted::Range([first, last]) if first == last => {
                format!("itest.l ${{pmu_bits}} == {first:x}")
            }
            Accepted::Range([first, last]) => {
                format!("itest.l ${{pmu_bits}} >= {first:x} && itest.l ${{pmu_bits}} <= {last:x}")
            }
            Accepted::LowOnes => {
                let lowest = check.mask & check.mask.wrapping_neg();
                text += &format!("$pmu_go && setexpr.l pmu_above ${{pmu_bits}} + {lowest:x}\n");
                text += "$pmu_go && setexpr.l pmu_above ${pmu_above} \"&\" ${pmu_bits}\n";
                // A value of 0 fails too, because its lowest bit is not 1.
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

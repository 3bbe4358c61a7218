//! Prints commands whose output the doctor can read.

use arm_pmu_tables::{Pmu, Register};

use crate::base::arguments::Asked;
use crate::prompt::recipe::places;

/// Commands that read the registers for a diagnosis. Counters are read twice to detect a change.
pub fn commands(pmu: Pmu, pages: &[u64], language: Asked) -> String {
    let wanted = "PID0 PID1 PID2 PIDR0 PIDR1 PMDEVARCH REG0_CACHE_ID REG2_EV_COUNTER_CTRL \
        REG2_EV_COUNTER0_CFG REG2_EV_COUNTER1_CFG CFGR SCR PMCR CR CNTENSET0 CEID0 CEID1 SMR0 \
        IRQ_CTRL IRQ_CTRLACK COUNT_CONTROL CYCLE_COUNT_CONTROL EVENT_SELECT EVTYPER";
    // CAPR in page 1 reads as zero, so a nonzero value comes from another page.
    let counters = "PMCR EVENT_COUNT CYCLE_COUNT EVCNTR OVSSET0 OVSCLR0 CAPR REG2_EV_COUNTER0 \
        REG2_EV_COUNTER1";
    let all = places(pmu, pages);
    let read = |names: &str| -> String {
        let is_own = |register: &Register| names.split(' ').any(|name| name == register.name);
        let own = all.iter().filter(|(_, register, _)| is_own(register));
        own.map(|(address, ..)| command(language, *address, None)).collect()
    };
    let write = |name: &str, value| -> String {
        let own = all.iter().find(|(_, register, _)| register.name == name);
        own.map(|(address, ..)| command(language, *address, Some(value))).unwrap_or_default()
    };
    let mut text = read(wanted) + &read(counters) + &read(counters);
    // PMCR with DP = 1 stops the cycle counter of a CCI-400 while NIDEN is LOW.
    if pmu.ip.counters.cycles.is_some()
        && all.iter().any(|(_, register, _)| register.name == "PMCR")
    {
        let control = "CYCLE_COUNT_CONTROL";
        text += &(write(control, 0x1) + &read(control));
        for value in [0x21, 0x1] {
            let registers = read("PMCR CYCLE_COUNT");
            text += &(write("PMCR", value) + &registers + &registers);
        }
    }
    text
}

/// Returns the command that writes `value` to a register, or reads the register if there is no
/// value.
fn command(language: Asked, address: u64, value: Option<u32>) -> String {
    match (language, value) {
        (Asked::Devmem, None) => format!("devmem 0x{address:X} 32\n"),
        (Asked::Devmem, Some(value)) => format!("devmem 0x{address:X} 32 0x{value:X}\n"),
        (Asked::UBoot, None) => format!("md.l {address:x} 1\n"),
        (Asked::UBoot, Some(value)) => format!("mw.l {address:x} {value:x}\n"),
        (Asked::Xsdb, None) => format!("mrd -force 0x{address:X}\n"),
        (Asked::Xsdb, Some(value)) => format!("mwr -force 0x{address:X} 0x{value:X}\n"),
        (Asked::Gdb, None) => format!("x/1xw 0x{address:X}\n"),
        (Asked::Gdb, Some(value)) => format!("set {{unsigned int}}0x{address:X} = 0x{value:X}\n"),
    }
}

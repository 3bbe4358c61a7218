//! Prints commands whose output the doctor can read.

use arm_pmu_tables::Pmu;

use crate::base::arguments::Asked;
use crate::prompt::recipe::places;

/// Commands that read the registers for a diagnosis. Counters are read twice to detect a change.
pub fn commands(pmu: Pmu, pages: &[u64], language: Asked) -> String {
    let wanted = [
        "PID0",
        "PID1",
        "PID2",
        "PIDR0",
        "PIDR1",
        "PMDEVARCH",
        "REG0_CACHE_ID",
        "REG2_EV_COUNTER_CTRL",
        "REG2_EV_COUNTER0_CFG",
        "REG2_EV_COUNTER1_CFG",
        "CFGR",
        "SCR",
        "PMCR",
        "CR",
        "CNTENSET0",
        "CEID0",
        "CEID1",
        "SMR0",
        "IRQ_CTRL",
        "IRQ_CTRLACK",
        "COUNT_CONTROL",
        "CYCLE_COUNT_CONTROL",
        "EVENT_SELECT",
        "EVTYPER",
    ];
    // CAPR is write-only, so a nonzero value shows that this is not page 1.
    let counters = [
        "PMCR",
        "EVENT_COUNT",
        "CYCLE_COUNT",
        "EVCNTR",
        "OVSSET0",
        "OVSCLR0",
        "CAPR",
        "REG2_EV_COUNTER0",
        "REG2_EV_COUNTER1",
    ];
    let all = places(pmu, pages);
    let read = |names: &[&str]| {
        let mut text = String::new();
        for (address, register, _) in &all {
            if names.contains(&register.name) {
                text += &format!("{}\n", command(language, *address));
            }
        }
        text
    };
    let mut text = read(&wanted) + &read(&counters) + &read(&counters);
    // PMCR with DP = 1 stops the cycle counter of a CCI-400 while NIDEN is LOW.
    let pmcr = all.iter().find(|(_, register, _)| register.name == "PMCR");
    if let (Some((pmcr, ..)), Some(_)) = (pmcr, pmu.ip.counters.cycles) {
        let control = ["CYCLE_COUNT_CONTROL"];
        let found = all.iter().find(|(_, register, _)| control.contains(&register.name));
        text += &found.map_or(String::new(), |(address, ..)| write(language, *address, 0x1));
        text += &read(&control);
        for value in [0x21, 0x1] {
            text += &write(language, *pmcr, value);
            let registers = ["PMCR", "CYCLE_COUNT"];
            text += &read(&registers);
            text += &read(&registers);
        }
    }
    text
}

fn command(language: Asked, address: u64) -> String {
    match language {
        Asked::Devmem => format!("devmem 0x{address:X} 32"),
        Asked::UBoot => format!("md.l {address:x} 1"),
        Asked::Xsdb => format!("mrd -force 0x{address:X}"),
        Asked::Gdb => format!("x/1xw 0x{address:X}"),
    }
}

fn write(language: Asked, address: u64, value: u32) -> String {
    match language {
        Asked::Devmem => format!("devmem 0x{address:X} 32 0x{value:X}\n"),
        Asked::UBoot => format!("mw.l {address:x} {value:x}\n"),
        Asked::Xsdb => format!("mwr -force 0x{address:X} 0x{value:X}\n"),
        Asked::Gdb => format!("set {{unsigned int}}0x{address:X} = 0x{value:X}\n"),
    }
}

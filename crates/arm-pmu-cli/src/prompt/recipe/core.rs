//! Writes a C99 header that counts with the registers of a core.
//!
//! The functions of the header count any events, whereas a [program](super::program) counts fixed events. Therefore,
//! the functions are templates in C, one for each architecture, with the macros of `arm-pmu export c`.

use std::collections::HashSet;
use std::fmt::Write as _;

use arm_pmu_lookup::export::{c, constant};
use arm_pmu_tables::Pmu;

use super::filled;
use super::program::CYCLES;
use crate::base::failure::{Failure, refuse};

/// Names of the event that counts executed instructions.
const INSTRUCTIONS: [&str; 3] = ["INST_RETIRED", "INSTRUCTION_EXECUTED", "INST_RENAMED"];

const FILE: &str = include_str!("core/pmu.h.in");

/// Template of the functions, and the privilege level that their code needs. `None` if this is not the PMU of a core: a
/// DSU does not count as one, although it has system registers.
fn functions(pmu: Pmu) -> Option<(&'static str, &'static str)> {
    let has = |name| pmu.ip.space.is_core() && pmu.registers().any(|one| one.name == name);
    Some(match () {
        () if has("PMCR_EL0") => (include_str!("core/pmuv3.h.in"), "EL1 or above"),
        () if has("PMSELR") => (include_str!("core/armv7.h.in"), "a privileged mode"),
        () if has("PMNC") => (include_str!("core/arm11.h.in"), "a privileged mode, in Arm state"),
        () => return None,
    })
}

/// Whether there is a header for this PMU.
pub fn is_known(pmu: Pmu) -> bool {
    functions(pmu).is_some()
}

/// Returns the header, with an example that counts `events`.
pub fn header(pmu: Pmu, command: &str, events: &[String]) -> Result<String, Failure> {
    let Some((functions, privileged)) = functions(pmu) else {
        refuse!("{} is not a core", pmu.ip.product);
    };
    let ip = constant(pmu.ip.name);
    let (name, exported) = match pmu.unit {
        Some(unit) => (constant(unit.name), format!("{ip}_{}_", constant(unit.name))),
        None => (ip.clone(), format!("{ip}_")),
    };
    let [events_of_core, registers] = macros(&c::header(pmu.ip)?, &exported, functions, &name);
    let parts = match pmu.unit.and_then(|unit| unit.main_id) {
        Some(id) => vec![id.part],
        None => pmu.ip.parts.iter().map(|(part, _)| *part).collect(),
    };
    let parts: Vec<_> = parts.iter().map(|part| format!("(part) == 0x{part:X}u")).collect();
    let identity = match parts[..] {
        [] => String::new(),
        _ => format!(
            "#define {name}_IS_PART(part) ({}) /* Part number in the Main ID Register. */\n",
            parts.join(" || ")
        ),
    };
    let counters = pmu.ip.counters.count;
    let each: Vec<_> = (0..counters).map(|counter| format!("ONE({counter})")).collect();
    let example: Vec<_> =
        example(pmu, events).map(|event| format!("{name}_EVENT_{}", constant(event))).collect();
    let values: [(&str, &str); 13] = [
        ("@FUNCTIONS@", functions),
        ("CORE_", &format!("{name}_")),
        ("core_", &format!("{}_", name.to_ascii_lowercase())),
        // Texts of the tables may contain `CORE_` or `core_`, so they are inserted last.
        ("@EVENTS@", &events_of_core),
        ("@REGISTERS@", &registers),
        ("@IDENTITY@\n", &identity),
        ("@EACH@", &each.join(" ")),
        ("@COUNTERS@", &counters.to_string()),
        ("@EXAMPLE@", &example.join(", ")),
        ("@NUMBER@", &example.len().to_string()),
        ("@PRIVILEGED@", privileged),
        ("@TITLE@", pmu.unit.map_or(pmu.ip.title, |unit| unit.title)),
        ("@COMMAND@", command),
    ];
    Ok(filled(FILE, values))
}

/// Events of the example: the selected events, or else the instruction event. The example always counts cycles.
fn example(pmu: Pmu, selected: &[String]) -> impl Iterator<Item = &str> {
    let selected = selected.iter().map(String::as_str).filter(|name| *name != CYCLES);
    let default = pmu.events().map(|of| of.event.name).find(|name| INSTRUCTIONS.contains(name));
    let default = default.filter(|_| selected.clone().next().is_none());
    selected.chain(default)
}

/// Returns the macros of the events, and the macros of the registers that `functions` uses, each
/// with its comment.
fn macros(exported: &str, prefix: &str, functions: &str, core: &str) -> [String; 2] {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words: HashSet<&str> = functions.split(|letter| !is_word(letter)).collect();
    // A macro takes the number of an element as its argument: `PMEVCNTR_EL0_##n##_SYSREG`.
    let is_element = |name: &str| {
        let element = name.strip_suffix("_SYSREG").and_then(|name| name.rsplit_once('_'));
        element.is_some_and(|(register, number)| {
            number.parse::<u32>().is_ok() && words.contains(format!("CORE_{register}_").as_str())
        })
    };
    let [mut events, mut registers] = [String::new(), String::new()];
    let mut comment = String::new();
    // The head and the include guard are skipped.
    for line in exported.lines().skip_while(|line| !line.starts_with("#define ")) {
        let named = line.strip_prefix("#define ");
        if line.is_empty() || line.starts_with("/* ----") {
            comment.clear();
        } else if named.is_none() {
            let _ = writeln!(comment, "{line}");
        } else if let Some(macro_of_core) = named.and_then(|line| line.strip_prefix(prefix)) {
            let name = macro_of_core.split([' ', '(']).next().unwrap_or_default();
            let section = if name.contains("EVENT_") {
                &mut events
            } else if name != "COUNTERS" && words.contains(format!("CORE_{name}").as_str())
                || is_element(name)
            {
                &mut registers
            } else {
                continue;
            };
            // The common events of all cores form a group, whose name precedes the name of the event.
            let macro_of_core = macro_of_core.trim_start_matches("COMMON_");
            let _ = writeln!(section, "{comment}#define {core}_{macro_of_core}");
            comment.clear();
        }
    }
    [events, registers]
}

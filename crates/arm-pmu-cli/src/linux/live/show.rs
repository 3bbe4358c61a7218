//! The answer in readable text.

use arm_pmu_lookup::words;

use super::{Holder, Live, LiveCore, LivePmu, LiveProblem, Missing, Registers, Switch};
use crate::base::text::{NAME, Screen, distinct, heading, styled};

/// The result, PMUs first.
pub fn text(live: &Live, screen: Screen) -> String {
    let kernel = live.kernel.as_deref().unwrap_or("a kernel without a name");
    let board = live.board.as_ref().map(|board| format!(", {board}")).unwrap_or_default();
    let platform = live.platform.as_ref().map(|name| format!(", platform {name}"));
    let platform = platform.unwrap_or_default();
    let mut text = screen.paragraph("", &format!("{kernel}, {}{board}{platform}", live.machine));
    text += &screen.paragraph("", &live.rights);
    text += &heading("PMUs of the kernel");
    if live.pmus.is_empty() {
        text += "none that belongs to an Arm interconnect, SMMU, cache or core\n";
    }
    let rows: Vec<_> = live.pmus.iter().map(row).collect();
    text += &screen.whole().table(0, &[NAME], &rows);
    for error in distinct(live.pmus.iter().filter_map(|pmu| pmu.error.as_deref())) {
        text += &screen.paragraph("- ", &sentence(error));
    }
    let mut section = |title: &str, lines: String| {
        if !lines.is_empty() {
            text += &(heading(title) + &lines);
        }
    };
    let core = |pmu: &LivePmu| Some(of_core(pmu, pmu.core.as_ref()?, screen));
    let mut cores: String = live.pmus.iter().filter_map(core).collect();
    if let (Some(may), false) = (live.user_access, cores.is_empty()) {
        let line = if may {
            "perf_user_access is 1: a program can read its own counters without the kernel."
        } else {
            "perf_user_access is 0: a program reads its counters by system calls; `sysctl kernel.perf_user_access=1` lets it \
             read them itself."
        };
        cores += &screen.paragraph("", line);
    }
    section("Cores", cores);
    let missing = |Missing { what, problem, fix }: &Missing| {
        screen.warning(&format!("{what}: {problem}. {}", sentence(fix)))
    };
    section("Missing", live.missing.iter().map(missing).collect());
    let holder =
        |Holder { process, name, events }: &Holder| format!("{process} {name} ({events} events)\n");
    section("Programs with perf events", live.holders.iter().map(holder).collect());
    let switch = |one: &Switch| screen.paragraph("- ", &format!("{}: {}", one.name, one.text));
    section("Switches to set before counting", live.switches.iter().map(switch).collect());
    let mut registers = String::new();
    for Registers { name, address, text, diagnosis } in &live.registers {
        registers += &screen.paragraph("- ", &format!("{name} at 0x{address:X}: {text}."));
        for finding in diagnosis.iter().flat_map(|diagnosis| &diagnosis.findings) {
            registers += &screen.paragraph("  ", &styled(NAME, finding.finding));
            let lines = finding.text.lines().map(|line| screen.paragraph("    ", line));
            registers.extend(lines);
        }
    }
    section("Registers", registers);
    text
}

/// The PMU of a core: its products, counters, events and interrupts, and the problems.
fn of_core(pmu: &LivePmu, core: &LiveCore, screen: Screen) -> String {
    let products =
        core.products.iter().map(|one| format!("{} on CPU {}", one.name, words::cpus(&one.cpus)));
    let products = products.collect::<Vec<_>>().join(", ");
    let products = if products.is_empty() { "no Main ID".to_owned() } else { products };
    let mut facts = Vec::new();
    facts.extend(pmu.counters.map(|counters| format!("{counters} event counters and the cycles")));
    facts.push(format!("the kernel lists {} common events", core.listed.len()));
    facts.push(match core.slots {
        Some(slots) => format!("{slots} slots in a cycle, so PMUv3p4 or later"),
        None => "Linux does not show the version of the PMU".to_owned(),
    });
    if let Some(interrupts) = &core.interrupts {
        let taken: u64 = interrupts.iter().map(|one| one.taken).sum();
        let numbers: Vec<_> = interrupts.iter().map(|one| one.number.as_str()).collect();
        facts.push(match numbers[..] {
            [] => "no interrupt".to_owned(),
            [one] => format!("interrupt {one} came {taken} times"),
            [..] => format!("interrupts {} came {taken} times", numbers.join(", ")),
        });
    }
    let name = styled(NAME, &pmu.name);
    let mut text =
        screen.paragraph("", &format!("{name}: {products}. {}", sentence(&facts.join("; "))));
    for LiveProblem { problem, fix } in &core.problems {
        text += &screen.warning(&format!("{} Next: {fix}.", sentence(problem)));
    }
    text
}

/// Makes a sentence of the text: capitalizes the first letter, and adds a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    let Some(first) = letters.next() else { return String::new() };
    format!("{}{}.", first.to_uppercase(), letters.as_str())
}

fn row(pmu: &LivePmu) -> Vec<String> {
    let cpus = pmu.cpus.as_ref().map(|cpus| format!("CPU {}", words::cpus(cpus)));
    let state = match (pmu.counters, pmu.free, &pmu.error) {
        _ if pmu.core.is_some() => String::new(),
        (Some(counters), Some(free), _) if free >= counters => {
            format!("{counters} counters, all free")
        }
        (Some(counters), Some(free), _) => {
            format!("{counters} counters, {free} free: another program holds the others")
        }
        (Some(counters), _, Some(_)) => format!("{counters} counters, which cannot be opened"),
        (Some(counters), _, None) => {
            format!("{counters} counters, not tried while other programs count")
        }
        _ => String::new(),
    };
    let what = pmu.pmu.clone().unwrap_or_else(|| {
        if pmu.name.starts_with("smmuv3") {
            "an SMMU that is no MMU-600".to_owned()
        } else {
            "a core".to_owned()
        }
    });
    vec![pmu.name.clone(), what, cpus.unwrap_or_default(), state]
}

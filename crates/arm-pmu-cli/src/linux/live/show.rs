//! The answer in readable text.

use arm_pmu_lookup::words;

use super::{Live, LiveCore, LivePmu, LiveProblem};
use crate::base::text::{HEADING, NAME, Screen, WARNING, styled};

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
        text += "none of an interconnect, an SMMU, a cache or a core of Arm\n";
    }
    let rows: Vec<_> = live.pmus.iter().map(row).collect();
    text += &screen.whole().table(0, &[NAME], &rows);
    let mut errors: Vec<&str> = Vec::new();
    for error in live.pmus.iter().filter_map(|pmu| pmu.error.as_deref()) {
        if !errors.contains(&error) {
            errors.push(error);
            text += &screen.paragraph("- ", &sentence(error));
        }
    }
    if live.pmus.iter().any(|pmu| pmu.core.is_some()) {
        text += &heading("Cores");
    }
    for pmu in &live.pmus {
        text += &pmu.core.as_ref().map(|core| of_core(pmu, core, screen)).unwrap_or_default();
    }
    if let (Some(may), true) = (live.user_access, live.pmus.iter().any(|pmu| pmu.core.is_some())) {
        let line = if may {
            "perf_user_access is 1: a program can read its own counters without the kernel."
        } else {
            "perf_user_access is 0: a program reads its counters by system calls; `sysctl kernel.perf_user_access=1` lets it \
             read them itself."
        };
        text += &screen.paragraph("", line);
    }
    if !live.missing.is_empty() {
        text += &heading("Missing");
    }
    for missing in &live.missing {
        let line = format!("{}: {}. {}", missing.what, missing.problem, sentence(&missing.fix));
        text +=
            &screen.paragraph("- ", &line).replacen("- ", &format!("{} ", styled(WARNING, "-")), 1);
    }
    if !live.holders.is_empty() {
        text += &heading("Programs with perf events");
    }
    for holder in &live.holders {
        text += &format!("{} {} ({} events)\n", holder.process, holder.name, holder.events);
    }
    if !live.switches.is_empty() {
        text += &heading("Switches to set before counting");
    }
    for switch in &live.switches {
        text += &screen.paragraph("- ", &format!("{}: {}", switch.name, switch.text));
    }
    if !live.registers.is_empty() {
        text += &heading("Registers");
    }
    for registers in &live.registers {
        let line = format!("{} at 0x{:X}: {}.", registers.name, registers.address, registers.text);
        text += &screen.paragraph("- ", &line);
        for finding in registers.diagnosis.iter().flat_map(|diagnosis| &diagnosis.findings) {
            text += &screen.paragraph("  ", &styled(NAME, finding.finding));
            for line in finding.text.lines() {
                text += &screen.paragraph("    ", line);
            }
        }
    }
    text
}

fn heading(text: &str) -> String {
    format!("\n{}\n", styled(HEADING, text))
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
        let line = format!("{} Next: {fix}.", sentence(problem));
        text +=
            &screen.paragraph("- ", &line).replacen("- ", &format!("{} ", styled(WARNING, "-")), 1);
    }
    text
}

/// Adds a capital letter and a full stop.
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

//! The answer for people.

use super::{Live, LivePmu};
use crate::base::text::{HEADING, NAME, Screen, WARNING, styled};

/// The findings, the PMUs first.
pub fn text(live: &Live, screen: Screen) -> String {
    let kernel = live.kernel.as_deref().unwrap_or("a kernel without a name");
    let board = live.board.as_ref().map(|board| format!(", {board}")).unwrap_or_default();
    let mut text = screen.paragraph("", &format!("{kernel}, {}{board}", live.machine));
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
        text += &heading("Has to be set before anything is counted");
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
            text += &screen.paragraph("  ", &styled(NAME, &finding.finding));
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

/// With a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

fn row(pmu: &LivePmu) -> Vec<String> {
    let cpus = pmu.cpus.as_ref().map(|cpus| {
        let list: Vec<_> = cpus.iter().map(u32::to_string).collect();
        format!("CPU {}", list.join(" "))
    });
    let state = match (pmu.counters, pmu.free, &pmu.error) {
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

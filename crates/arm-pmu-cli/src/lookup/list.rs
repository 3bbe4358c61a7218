//! `arm-pmu list`.

use arm_pmu_lookup::perf::topics;
use arm_pmu_lookup::text::{first_sentence, with_article};
use arm_pmu_tables::{EventOf, IPS, Location, Pmu, Register};

use crate::base::answer::Answer;
use crate::base::arguments::{Kinds, List};
use crate::base::failure::Failure;
use crate::base::platform::target::{self, Target};
use crate::base::text::{ASIDE, HEADING, NAME, Screen, styled};
use crate::lookup::view;

pub fn run(arguments: &List, screen: Screen) -> Result<Answer, Failure> {
    let platform = arguments.place.platform.as_ref();
    if arguments.ip.is_none() && platform.is_none() {
        return if arguments.json {
            Answer::json(&view::ListOfIps {
                ips: IPS.iter().map(|ip| view::IpRow::new(ip)).collect(),
            })
        } else {
            Ok(Answer::text(ips(screen)))
        };
    }
    let (subject, _) = target::subject(arguments.ip.as_ref(), platform, &[])?;
    let target = subject.any()?;
    let pmu = target.pmu;
    if arguments.json {
        return Answer::json(&view::List::new(pmu, arguments.kinds.or_all()));
    }
    Ok(Answer::text(text(&target, arguments.kinds, screen)))
}

fn ips(screen: Screen) -> String {
    let row = |pmu: Pmu| {
        let counters = &pmu.ip.counters;
        let cycles = if counters.cycles.is_some() { " + cycles" } else { "" };
        let title = match pmu.unit {
            Some(unit)
                if pmu.ip.title.contains(unit.title) || unit.title.contains(pmu.ip.product) =>
            {
                unit.title.to_owned()
            }
            Some(unit) => format!("{} {}", pmu.ip.product, unit.title),
            None => pmu.ip.title.to_owned(),
        };
        vec![
            pmu.to_string(),
            format!("{} events", pmu.events().count()),
            format!("{} counters{cycles}", counters.count),
            title,
        ]
    };
    let rows: Vec<_> = Pmu::all().map(row).collect();
    screen.table(0, &[NAME], &rows)
}

fn text(target: &Target, kinds: Kinds, screen: Screen) -> String {
    let pmu = target.pmu;
    let title = pmu.unit.map_or(String::new(), |unit| format!(", {}", unit.title));
    let mut text = format!("{}: {}{title}\n", styled(NAME, &pmu.to_string()), pmu.ip.title);
    if kinds.or_all().events {
        for group in pmu.groups() {
            let events: Vec<_> = pmu.events().filter(|of| std::ptr::eq(of.group, group)).collect();
            if events.is_empty() {
                continue;
            }
            text += &format!(
                "\n{}\n",
                styled(HEADING, &format!("Events of {}", with_article(group.title)))
            );
            if !group.sources.is_empty() {
                let sources: Vec<_> =
                    group.sources.iter().map(|source| source_name(target, source.name)).collect();
                text += &screen.paragraph("  sources: ", &sources.join(", "));
            }
            let rows: Vec<_> = events.iter().map(|of| event_row(pmu, *of)).collect();
            text += &screen.table(2, &[ASIDE, NAME], &rows);
        }
    }
    if kinds.or_all().registers {
        text += &format!("\n{}\n", styled(HEADING, "Registers"));
        let rows: Vec<_> = pmu.registers().map(|register| register_row(pmu, register)).collect();
        text += &screen.table(2, &[ASIDE, NAME], &rows);
    }
    if kinds.or_all().metrics && pmu.metrics().next().is_some() {
        text += &format!("\n{}\n", styled(HEADING, "Metrics"));
        let row = |of: arm_pmu_tables::MetricOf| {
            vec![of.group.name.to_owned(), of.metric.name.to_owned(), of.metric.formula.to_owned()]
        };
        text += &screen.table(2, &[ASIDE, NAME], &pmu.metrics().map(row).collect::<Vec<_>>());
        let topics = topics(pmu);
        if !topics.is_empty() {
            text += &screen.paragraph("  topics, for stat -m: ", &topics.join(", "));
        }
    }
    text
}

/// Returns the source, with the name that the board gives to its interface: `S3 (apu)`.
fn source_name(target: &Target, source: &str) -> String {
    let board: Vec<_> = target.interfaces(source).map(|interface| interface.name).collect();
    if board.is_empty() { source.to_owned() } else { format!("{source} ({})", board.join(" or ")) }
}

fn event_row(pmu: Pmu, of: EventOf) -> Vec<String> {
    let limited = pmu.unit.is_none() && !of.event.only.is_empty();
    let units = if limited { of.event.only.join(", ") } else { String::new() };
    vec![
        format!("0x{:02X}", of.event.code),
        of.event.name.to_owned(),
        units,
        first_sentence(of.event.doc).to_owned(),
    ]
}

/// Row of a register with its location in short form.
fn register_row(pmu: Pmu, register: &Register) -> Vec<String> {
    let place = match register.location {
        Location::Memory { page, offset, count, stride, .. } => {
            let page = page.map_or(String::new(), |page| format!("{page} "));
            let more = if count > 1 { format!(" + 0x{stride:X}*n") } else { String::new() };
            format!("{page}0x{offset:05X}{more}")
        }
        Location::Cp15 { operands, .. } => operands.to_string(),
        Location::System { register, .. } => register.to_string(),
        _ => String::new(),
    };
    let array =
        if register.count() > 1 { format!("[{}]", register.count()) } else { String::new() };
    let units = if pmu.unit.is_none() { register.only.join(", ") } else { String::new() };
    vec![
        place,
        format!("{}{array}", register.name),
        units,
        register.access.to_string(),
        register.title.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_is_listed() {
        for pmu in Pmu::all() {
            let target = Target { pmu, platform: None, instance: None };
            let all = text(&target, Kinds::default(), Screen::FILE);
            for register in pmu.registers() {
                assert!(all.contains(register.title), "{pmu} {}", register.name);
            }
        }
    }
}

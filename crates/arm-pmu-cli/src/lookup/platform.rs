//! `arm-pmu platform`.

use arm_pmu_lookup::cluster::{consequences, product};
use arm_pmu_lookup::kernel::is_cluster;
use arm_pmu_lookup::words;
use arm_pmu_tables::platform::{Fact, Instance, Switch, Writer};
use arm_pmu_tables::{Origin, PLATFORMS, Platform};

use crate::base::answer::Answer;
use crate::base::arguments::Platform as Arguments;
use crate::base::failure::{Failure, refuse};
use crate::base::platform;
use crate::base::text::{ASIDE, HEADING, NAME, Screen, WARNING, styled};
use crate::lookup::view;

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    if arguments.from.is_some() {
        refuse!("--from is for `arm-pmu platform new`");
    }
    match (arguments.name.as_deref(), arguments.json) {
        (Some(name), true) => Answer::json(platform::find(name)?),
        (Some(name), false) => Ok(Answer::text(show(platform::find(name)?, screen))),
        (None, true) => Answer::json(&view::ListOfPlatforms {
            platforms: PLATFORMS.iter().map(|platform| view::PlatformRow::new(platform)).collect(),
        }),
        (None, false) => Ok(Answer::text(list(screen))),
    }
}

fn list(screen: Screen) -> String {
    let row = |platform: &&Platform| {
        let ip = |instance: &Instance| instance.core.unwrap_or(instance.ip.value);
        let mut ips: Vec<_> = platform.instances.iter().map(ip).collect();
        ips.dedup();
        vec![
            platform.name.to_owned(),
            ips.join(", "),
            format!("{}, by {}", platform.title, platform.vendor),
        ]
    };
    screen.table(0, &[NAME], &PLATFORMS.iter().map(row).collect::<Vec<_>>())
}

/// One-letter grade of a fact.
fn grade(origin: &Origin) -> String {
    format!("[{}]", origin.confidence)
}

fn show(platform: &Platform, screen: Screen) -> String {
    let mut text =
        format!("{}: {}, by {}\n", styled(NAME, platform.name), platform.title, platform.vendor);
    if !platform.also.is_empty() {
        text += &screen.paragraph("", &format!("Also called {}.", platform.also.join(", ")));
    }
    text += &screen.paragraph(
        "",
        "Each fact has its grade: A in a document of Arm or the vendor, B in independent sources, C in one source, D \
         inferred. None was measured by this project.",
    );
    for note in platform.notes {
        text += &fact("  ", note, screen);
    }
    let mut rest = platform.instances;
    while let Some((first, others)) = rest.split_first() {
        // Similar instances are printed once, followed by a table of their differences.
        let same = others.iter().take_while(|other| is_like(first, other)).count();
        text += "\n";
        text += &instance(platform, first, screen);
        if same > 0 {
            text += &copies(&others[..same], screen);
        }
        rest = &others[same..];
    }
    if !platform.wanted.is_empty() {
        text += &format!("\n{}\n", styled(HEADING, "Not known"));
        for wanted in platform.wanted {
            text += &screen.paragraph("  - ", wanted);
        }
    }
    text
}

/// Whether two instances without interfaces have the same IP, unit and notes.
fn is_like(one: &Instance, other: &Instance) -> bool {
    let unit = |of: &Instance| of.unit.map(|unit| unit.value);
    one.ip.value == other.ip.value
        && unit(one) == unit(other)
        && one.notes == other.notes
        && one.interfaces.is_empty()
        && other.interfaces.is_empty()
        && !is_cluster(one)
}

fn instance(platform: &Platform, of: &Instance, screen: Screen) -> String {
    let unit = of.unit.map_or(String::new(), |unit| format!(":{}", unit.value));
    let title = of.title.map_or(String::new(), |title| format!(", {title}"));
    let name = of.core.unwrap_or(of.ip.value);
    let mut text = format!("{}\n", styled(HEADING, &format!("{}: {name}{unit}{title}", of.name)));
    let row = |fact: words::FactRow| {
        let grade = fact.origin.map_or(String::new(), |origin| format!(" {}", grade(&origin)));
        vec![fact.what.to_owned(), fact.value + &grade]
    };
    let rows: Vec<_> = words::facts(of, "there").into_iter().map(row).collect();
    text += &screen.whole().table(2, &[ASIDE], &rows);
    let notes = [
        of.device_tree.and_then(|node| node.missing),
        of.interrupts.as_ref().and_then(|interrupts| interrupts.note),
        of.clock.and_then(|clock| clock.note),
    ];
    for note in notes.into_iter().flatten() {
        text += &screen.paragraph("  ", note);
    }
    if is_cluster(of) {
        text += &cluster(platform, of, screen);
    }
    if !of.interfaces.is_empty() {
        let row = |interface: &arm_pmu_tables::platform::Interface| {
            let condition = interface.condition.map_or(String::new(), |of| format!(" ({of})"));
            let bytes = interface.beat_bytes.map_or(String::new(), |bytes| {
                format!(", {} bytes a beat {}", bytes.value, grade(&bytes.origin))
            });
            let title =
                format!("{}{condition} {}{bytes}", interface.title, grade(&interface.origin));
            vec![interface.source.to_owned(), interface.name.to_owned(), title]
        };
        text += "  Interfaces:\n";
        let rows: Vec<_> = of.interfaces.iter().map(row).collect();
        text += &screen.whole().table(4, &[ASIDE, NAME], &rows);
    }
    text += &streams(of, screen);
    for switch in of.switches {
        text += &switch_text(switch, screen);
    }
    for fault in of.faults {
        let heading = format!("  Fault {} {}: ", fault.name, grade(&fault.origin));
        let all = [Some(fault.doc), Some(fault.effect), fault.fix];
        let all: Vec<_> = all.into_iter().flatten().collect();
        let paragraph = screen.paragraph(&heading, &all.join(" "));
        text += &paragraph.replacen(&heading, &styled(WARNING, &heading), 1);
    }
    for note in of.notes {
        text += &fact("  ", note, screen);
    }
    text
}

/// Consequences for counting on a cluster of cores.
fn cluster(platform: &Platform, of: &Instance, screen: Screen) -> String {
    let mut text = String::new();
    let core = product(of);
    let table = match of.pmu() {
        Some(pmu) if pmu.is_of_any_core() => {
            Some(format!("No table has the events of a {core}; {pmu} has the common ones."))
        }
        Some(_) => None,
        None => Some(format!(
            "No table has the events of a {core}; `arm-pmu stat` counts them by number, or by the kernel's names."
        )),
    };
    if let Some(line) = table {
        text += &screen.paragraph("  ", &line);
    }
    for of in consequences(platform, of) {
        let fix = of.fix.map_or(String::new(), |fix| format!(" {fix}"));
        text += &screen.paragraph("  ", &format!("{}{fix}", of.text));
    }
    text
}

fn streams(of: &Instance, screen: Screen) -> String {
    if of.streams.is_empty() {
        return String::new();
    }
    let row = |stream: &arm_pmu_tables::platform::Stream| {
        vec![
            format!("0x{:X}", stream.id),
            stream.name.to_owned(),
            format!("{} {}", stream.title, grade(&stream.origin)),
        ]
    };
    let rows: Vec<_> = of.streams.iter().map(row).collect();
    "  StreamIDs:\n".to_owned() + &screen.whole().table(4, &[ASIDE, NAME], &rows)
}

fn switch_text(switch: &Switch, screen: Screen) -> String {
    let place = match (switch.address, switch.bits) {
        (Some(address), Some(bits)) => {
            let register = switch.register.map_or(String::new(), |name| format!("{name}, "));
            let on = switch.on.unwrap_or(1);
            format!(": {register}0x{address:X}, bits {bits} = 0x{on:X}")
        }
        _ => switch.register.map_or(String::new(), |name| format!(": {name}")),
    };
    let writer = match switch.written_by {
        Writer::Secure => "written by Secure software only",
        Writer::Privileged => "written by an operating system",
        Writer::FirmwareMenu => "set in the firmware's setup menu",
        _ => "unknown which software may write the switch",
    };
    let heading = format!("{}{place} {}, {writer}", switch.name, grade(&switch.origin));
    let mut text = screen.paragraph("  Switch ", &heading);
    text += &screen.paragraph("    ", switch.doc);
    if let Some(seen) = switch.seen_from_elsewhere {
        text += &screen.paragraph("    ", seen);
    }
    for way in switch.ways {
        let stage = way.stage.word().replace('_', " ");
        let fails = if way.fails { "not by " } else { "by " };
        let first = format!("    {fails}{stage} {}: ", grade(&way.origin));
        text += &screen.paragraph(&first, way.doc);
    }
    text
}

/// Table of the remaining similar instances.
fn copies(all: &[Instance], screen: Screen) -> String {
    let row = |of: &Instance| {
        vec![
            of.name.to_owned(),
            of.base.map_or(String::new(), |base| format!("0x{:X}", base.value)),
            of.cpus
                .as_ref()
                .map_or(String::new(), |cpus| format!("CPU {}", words::cpus(cpus.numbers))),
            of.interrupts.as_ref().map_or(String::new(), |interrupts| {
                interrupts.numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
            }),
            of.linux.map_or(String::new(), |linux| linux.value.to_owned()),
            of.streams
                .iter()
                .map(|s| format!("{}=0x{:X}", s.name, s.id))
                .collect::<Vec<_>>()
                .join(" "),
        ]
    };
    let rows: Vec<_> = all.iter().map(row).collect();
    "  More of these PMUs, with their interrupts and names under Linux:\n".to_owned()
        + &screen.whole().table(4, &[NAME], &rows)
}

fn fact(indent: &str, fact: &Fact<&str>, screen: Screen) -> String {
    screen.paragraph(indent, &format!("{} {}", fact.value, grade(&fact.origin)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_and_every_wanted_fact_is_shown() {
        for platform in PLATFORMS {
            let text = show(platform, Screen::FILE);
            let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let faults = platform.instances.iter().flat_map(|instance| instance.faults);
            let effects = faults.map(|fault| fault.effect);
            for wanted in effects.chain(platform.wanted.iter().copied()) {
                assert!(flat.contains(wanted), "{wanted} is not in\n{text}");
            }
        }
    }
}

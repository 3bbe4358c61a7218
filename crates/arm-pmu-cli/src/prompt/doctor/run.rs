//! `arm-pmu doctor`: reads a dump and prints a diagnosis.

use std::collections::HashSet;

use arm_pmu_lookup::words;
use arm_pmu_tables::Pmu;

use super::dump::Dump;
use super::{Cause, Report, ask, diagnose, view};
use crate::base::answer::Answer;
use crate::base::arguments::Doctor as Arguments;
use crate::base::failure::{Failure, refuse};
use crate::base::input;
use crate::base::platform::target::{Subject, Target};
use crate::base::text::{NAME, Screen, WARNING, styled};
use crate::prompt::recipe;

const LARGEST: u64 = 16 << 20;

pub fn run(arguments: &Arguments, screen: Screen) -> Result<Answer, Failure> {
    let subject = Subject::given(arguments.ip.as_ref(), arguments.place.platform.as_ref())?;
    let is_named = subject.is_some();
    let file = arguments.from.as_deref().unwrap_or("-");
    let mut dump = match arguments.ask {
        Some(_) => Dump::default(),
        None => Dump::parse(&input::text(file, LARGEST)?),
    };
    let targets = match subject {
        Some(subject) => vec![of_subject(subject, &mut dump)?],
        // PMUs in the output of `perf`.
        None => {
            let target = |pmu: &Pmu| Target { pmu: *pmu, platform: None, instance: None };
            dump.pmus.iter().map(target).collect()
        }
    };
    let base = |target: &Target| target.base(arguments.base.as_deref());
    if let (Some(language), [target]) = (arguments.ask, &targets[..]) {
        let pages = recipe::pages(target.pmu, base(target).as_deref())?;
        return Ok(Answer::text(ask::commands(target.pmu, &pages, language)));
    }
    if dump.is_empty() {
        return Err(Failure::wrong_use(nothing(file, &dump)));
    }
    let mut diagnosed = Vec::new();
    for target in &targets {
        // If the dump contains the kernel's names, no address is needed.
        let pages = match base(target).filter(|_| is_named) {
            None if !is_named || dump.words.is_empty() && dump.failed.is_empty() => Vec::new(),
            base => recipe::pages(target.pmu, base.as_deref())?,
        };
        let report = diagnose(target.pmu, &pages, &dump)?;
        diagnosed.push((target, pages, report));
    }
    let found = diagnosed.iter().any(|(.., report)| !report.causes.is_empty());
    let answer = match &diagnosed[..] {
        [] => refuse!("{file} names no known PMU: name an IP, or give --platform"),
        [(target, _, report)] if arguments.json => Answer::json(&document(target, report, &dump))?,
        several if arguments.json => {
            let names: Vec<_> = several.iter().map(|(target, ..)| target.pmu.to_string()).collect();
            let names = names.join(" and ");
            refuse!("{file} has several PMUs ({names}), but --json needs one: name a PMU");
        }
        all => {
            let texts =
                all.iter().map(|(target, pages, report)| text(target, pages, report, screen));
            Answer::text(texts.collect::<Vec<_>>().join("\n") + &unread(&dump, screen))
        }
    };
    Ok(answer.or_not_found(found))
}

/// The PMU that the user names. Counts of events without a PMU belong to this PMU.
fn of_subject(subject: Subject, dump: &mut Dump) -> Result<Target, Failure> {
    // The kernel name in the dump selects a PMU of the platform.
    let names: Vec<_> = dump.counts.iter().map(|count| count.pmu.as_str()).collect();
    let target = match of_addresses(subject, dump) {
        Some(target) => target,
        None => subject.one(&names)?.with_unit()?,
    };
    let pmu = target.pmu;
    dump.adopt(pmu);
    if pmu.ip.space.is_core() && dump.counts.is_empty() && dump.refused.is_empty() {
        refuse!(
            "the registers of {pmu} belong to the core, and no dump of memory shows them; call `diagnose` of the crate {} on the core",
            pmu.ip.name
        );
    }
    Ok(target)
}

/// Returns the platform's PMU that has registers at the addresses of the dump, if it is the only
/// one.
fn of_addresses(subject: Subject, dump: &Dump) -> Option<Target> {
    let instances = subject.instances();
    if instances.len() < 2 || dump.words.is_empty() {
        return None;
    }
    let has_registers = |target: &Target| {
        let pages = recipe::pages(target.pmu, target.base(None).as_deref()).unwrap_or_default();
        let places = recipe::places(target.pmu, &pages);
        let places: HashSet<u64> = places.into_iter().map(|(address, ..)| address).collect();
        dump.words.iter().any(|word| places.contains(&word.address))
    };
    let targets = instances.into_iter().filter_map(|one| subject.of(one).ok()?.with_unit().ok());
    let mut found = targets.filter(has_registers);
    let (first, second) = (found.next(), found.next());
    first.filter(|_| second.is_none())
}

/// Error for a text without readings.
fn nothing(file: &str, dump: &Dump) -> String {
    match dump.unread.first() {
        Some(unread) => format!("{file}, line {}: `{}` {}", unread.line, unread.text, unread.why),
        None => format!(
            "{file} has no register values and no counts; --ask prints commands whose output can be read"
        ),
    }
}

fn document(target: &Target, report: &Report, dump: &Dump) -> view::Doctor {
    view::Doctor {
        pmu: name(target.pmu),
        causes: report.causes.iter().map(|cause| view::DoctorCause::new(target, cause)).collect(),
        remarks: report.remarks.clone(),
        unread: dump.unread.clone(),
    }
}

fn text(target: &Target, pages: &[u64], report: &Report, screen: Screen) -> String {
    let place = pages.first().map_or(String::new(), |base| format!(" at 0x{base:X}"));
    let name = styled(NAME, &name(target.pmu));
    let mut text = format!("{name}{place}: why counters read zero\n");
    for (number, cause) in report.causes.iter().enumerate() {
        text += "\n";
        text += &cause_text(target, number + 1, cause, screen);
    }
    if report.causes.is_empty() {
        text += "\nNo cause was found.\n";
    }
    if !report.remarks.is_empty() {
        text += "\nSeen as well\n";
    }
    for remark in &report.remarks {
        text += &screen.paragraph("- ", remark);
    }
    text
}

/// Name of a PMU for messages; an unknown SMMU product has no IP name.
fn name(pmu: Pmu) -> String {
    if pmu.is_ambiguous() { "an SMMUv3 PMCG".to_owned() } else { pmu.to_string() }
}

/// List of the lines that could not be parsed.
fn unread(dump: &Dump, screen: Screen) -> String {
    let mut text = String::new();
    if !dump.unread.is_empty() {
        text += "\nNot read\n";
    }
    for unread in &dump.unread {
        let line = format!("line {}: `{}` {}", unread.line, unread.text, unread.why);
        text += &styled(WARNING, &screen.paragraph("- ", &line));
    }
    text
}

fn cause_text(target: &Target, number: usize, cause: &Cause, screen: Screen) -> String {
    let pmu = target.pmu;
    let finding = &cause.reason;
    let or = cause.or.map_or(String::new(), |other| format!(", or {other}"));
    let head = format!("{}, {}{or}", styled(NAME, finding.name), cause.weight.word());
    let mut text = screen.paragraph(&format!("{number}. "), &head);
    text += &screen.paragraph("   ", finding.cause);
    text += &screen.paragraph("   ", &words::origin(&finding.origin, &pmu.ip.manual));
    for evidence in &cause.evidence {
        text += &screen.paragraph("   Speaks for it: ", evidence);
    }
    text += &screen.paragraph("   Fix: ", &finding.fix);
    for fault in target.faults(finding.name) {
        let fix = fault.fix.unwrap_or_default();
        let grade = fault.origin.confidence;
        text += &screen.paragraph("   Here: ", &format!("{} {fix} [{grade}]", fault.doc));
    }
    for switch in target.switches(finding.name) {
        text += &screen.paragraph("   Here: ", &words::switch(switch));
        for way in switch.ways {
            let fails = if way.fails { "no way: " } else { "" };
            let stage = way.stage.word().replace('_', " ");
            text += &screen.paragraph("   - ", &format!("{fails}{stage}: {}", way.doc));
        }
    }
    if let Some(next) = &cause.next {
        text += &screen.paragraph("   To decide: ", next);
    }
    text
}

//! Rules about findings.

use super::prelude::*;
use super::provenance::{inherit, leads_somewhere, single_source_is_named};
use super::{lists, names, text, units};
use crate::generate::spec::findings::Finding;

/// Applies all rules to the common findings and to the IP's own findings.
pub fn are_sound(spec: &Spec, problems: &mut Problems) {
    let mut said = HashSet::new();
    let common = spec.common.iter().flat_map(|common| common.findings.iter());
    names::of_variants("findings", common.clone().map(|of| &of.name), problems);
    for finding in common.clone() {
        belongs_to_no_ip(finding, problems);
        comes_from_somewhere(finding, Origin::default(), &mut said, problems);
        says_what_it_is(finding, problems);
    }
    let Some(findings) = &spec.findings else { return };
    let mut chosen = Vec::new();
    let named = findings.common.iter();
    lists::are_listed_once(named.clone().map(|name| (&*name.0, &name.place)), problems);
    for (nth, name) in named.enumerate() {
        if findings.common[..nth].iter().any(|first| first.0 == name.0) {
            continue;
        }
        match common.clone().find(|finding| finding.name.0 == name.0) {
            Some(finding) => chosen.push(finding),
            // If some documents could not be read, they may define the name.
            None if spec.common.as_ref().is_some_and(|common| !common.findings.complete) => {}
            None => {
                let known = common.clone().map(|finding| &*finding.name.0);
                lists::unknown("common finding", name, known, problems);
            }
        }
    }
    // The names of common findings were checked above.
    if problems.is_empty() {
        let all = chosen.into_iter().chain(findings.findings.iter());
        names::of_variants("findings", all.map(|of| &of.name), problems);
    }
    for finding in findings.findings.iter() {
        units::are_some(&spec.registers.units, &finding.only, problems);
        comes_from_somewhere(finding, origin!(findings), &mut said, problems);
        says_what_it_is(finding, problems);
    }
}

/// A finding shared by several IPs names no unit or manual section of a single IP.
fn belongs_to_no_ip(finding: &Finding, problems: &mut Problems) {
    if let Some(unit) = finding.only.first() {
        report(problems, unit, "a common finding cannot name a unit of an IP");
    }
    if let Some(section) = &finding.section {
        report(problems, section, "a common finding cannot have a section of a manual")
            .help("name the source in `from`, or give a `basis`");
    }
}

fn comes_from_somewhere(
    finding: &Finding,
    file: Origin<'_>,
    said: &mut HashSet<usize>,
    problems: &mut Problems,
) {
    let own = inherit(origin!(finding), file);
    single_source_is_named(own, &finding.name.place, said, problems);
    leads_somewhere(own, &finding.name.place, problems);
}

fn says_what_it_is(finding: &Finding, problems: &mut Problems) {
    let name = &finding.name.0;
    text::is_a_sentence(&finding.cause, [name], problems);
    text::is_a_sentence(&finding.fix, [name], problems);
    if finding.cause.0 == finding.fix.0 {
        report(problems, &finding.fix, "the fix only repeats the cause")
            .other(&finding.cause, "here");
    }
    is_a_phrase(&finding.read, problems);
    is_a_phrase(&finding.expected, problems);
}

/// The text becomes part of a sentence.
fn is_a_phrase(text: &At<Text>, problems: &mut Problems) {
    if text.0.ends_with('.') {
        report(problems, text, "this is a phrase, and ends without a full stop");
    }
}

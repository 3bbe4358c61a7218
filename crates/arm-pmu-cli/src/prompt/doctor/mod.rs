//! Finds out why counters read zero, from pasted text. [`dump`] parses the text, [`evidence`] assigns words to
//! registers, and the other modules find the causes. The texts of causes are the findings of the specs.

mod ask;
mod cci;
mod cci400;
mod cci5xx;
mod dump;
mod evidence;
mod l2c310;
mod linux;
mod mmu600;
mod perf;
mod run;
#[cfg(test)]
mod tests;
pub mod view;

use arm_pmu_tables::{Finding, FixableBy, Origin, Pmu};

use crate::base::documents::words;
use crate::base::failure::Failure;
use Weight::{Possible, Probable};
use dump::Dump;
pub use evidence::Evidence;
pub use run::run;

/// A cause that the dump does not exclude.
#[derive(Debug)]
pub struct Cause {
    pub reason: Reason,
    pub weight: Weight,
    pub evidence: Vec<String>,
    /// Another possible cause, if the dump does not show which of the two applies.
    pub or: Option<&'static str>,
    /// Observation that would decide whether this is the cause.
    pub next: Option<String>,
}

/// Text of a cause: a finding of the tables, or a cause in `perf` or the kernel.
#[derive(Clone, Debug)]
pub struct Reason {
    pub name: &'static str,
    pub cause: &'static str,
    pub fix: String,
    pub fixable_by: FixableBy,
    pub origin: Origin,
}

impl From<&Finding> for Reason {
    fn from(finding: &Finding) -> Self {
        let Finding { name, cause, fix, fixable_by, origin, .. } = *finding;
        Self { name, cause, fix: fix.to_owned(), fixable_by, origin }
    }
}

words! {
    /// Weight of a cause. The variants are in descending order.
    Weight {
        /// The dump excludes all other causes.
        Decided = "decided",
        /// The dump is typical of this cause.
        Probable = "probable",
        /// Other causes can produce the same dump.
        Possible = "possible",
    }
}

/// Result of a diagnosis.
#[derive(Debug)]
pub struct Report {
    pub pmu: Pmu,
    pub causes: Vec<Cause>,
    /// Observations that are not a cause, such as moving counters.
    pub remarks: Vec<String>,
}

impl Report {
    fn remark(&mut self, text: impl Into<String>) {
        self.remarks.push(text.into());
    }

    /// Adds the finding with this name, if the tables have it.
    fn add(&mut self, name: &str, weight: Weight, evidence: Vec<String>) -> Added<'_> {
        let finding = self.pmu.findings().find(|finding| finding.name == name);
        Added(finding.map(|finding| {
            let reason = finding.into();
            self.causes.push(Cause { reason, weight, evidence, or: None, next: None });
            self.causes.last_mut().expect("the new cause")
        }))
    }

    /// Adds a cause that is not in the tables. If several PMUs have the same cause, their evidence is merged.
    fn push(&mut self, reason: Reason, weight: Weight, evidence: Vec<String>) -> Added<'_> {
        let is_same = |one: &Cause| (&one.reason.fix, one.weight) == (&reason.fix, weight);
        let known = self.causes.iter().position(is_same).unwrap_or(self.causes.len());
        if known == self.causes.len() {
            self.causes.push(Cause { reason, weight, evidence: Vec::new(), or: None, next: None });
        }
        self.causes[known].evidence.extend(evidence);
        Added(Some(&mut self.causes[known]))
    }
}

/// A cause that was just added; `None` if the tables do not have its finding.
struct Added<'r>(Option<&'r mut Cause>);

impl Added<'_> {
    fn or(mut self, other: &'static str) -> Self {
        self.0.iter_mut().for_each(|cause| cause.or = Some(other));
        self
    }

    fn next(self, test: impl Into<String>) {
        if let Some(cause) = self.0 {
            cause.next = Some(test.into());
        }
    }
}

/// Diagnoses a dump. `pages` contains the base of each page of the PMU; it is empty if only kernel names are known.
pub fn diagnose(pmu: Pmu, pages: &[u64], dump: &Dump) -> Result<Report, Failure> {
    let mut report = Report { pmu, causes: Vec::new(), remarks: Vec::new() };
    let has_counts = linux::diagnose(pages, dump, &mut report);
    let evidence = Evidence::new(pmu, pages, dump);
    if evidence.is_empty() {
        if !has_counts {
            return Err(Failure::not_found(nothing_of(pmu, pages, dump)));
        }
        if !dump.words.is_empty() {
            report.remark("the text also has registers, which are ignored: name the PMU with its address or board");
        }
    } else if !evidence.answers(&mut report) {
        // The device does not respond, so its other values are meaningless.
    } else if writes_ignored(&evidence, &mut report) {
        // If writes are ignored, the registers do not contain the values that were written.
    } else {
        match family(pmu) {
            "cci400" => cci400::diagnose(&evidence, &mut report),
            "cci5xx" => cci5xx::diagnose(&evidence, &mut report),
            "mmu600" => mmu600::diagnose(pages, dump, &evidence, &mut report),
            "l2c-310" => l2c310::diagnose(&evidence, &mut report),
            _ => report.remark(format!(
                "for {pmu}, this command detects only failed accesses, and dumps in which all bits are 0 or all are 1"
            )),
        }
    }
    if pmu.is_ambiguous() && !report.causes.is_empty() {
        report.remark("the name of the PMU contains neither product nor unit, so the notes about pages apply to an MMU-600; name the IP, as in `arm-pmu doctor mmu700:tcu`");
    }
    report.causes.sort_by_key(|cause| cause.weight);
    report.causes.iter_mut().for_each(|cause| shorten(&mut cause.evidence));
    shorten(&mut report.remarks);
    Ok(report)
}

/// Name of the architecture or the IP. PMUs of one architecture have the same diagnosis.
fn family(pmu: Pmu) -> &'static str {
    pmu.ip.architecture.map_or(pmu.ip.name, |architecture| architecture.name)
}

/// Limits a list to the first entries.
fn shorten(texts: &mut Vec<String>) {
    const MOST: usize = 150;
    if let Some(more) = texts.len().checked_sub(MOST).filter(|more| *more > 0) {
        texts.truncate(MOST);
        texts.push(format!("and {more} more"));
    }
}

/// Reports writes that did not change a setting. Returns whether ignored writes are a probable cause.
fn writes_ignored(evidence: &Evidence, report: &mut Report) -> bool {
    let all = evidence.lost_writes();
    let Some(first) = all.first() else { return false };
    let mut text = Vec::new();
    for lost in &all {
        text.push(format!("{} was written", lost.written.text()));
        text.push(lost.read.text());
    }
    // If a setting still has its previous value, no other software has changed it since.
    let is_unchanged =
        all.iter().all(|lost| lost.before.is_some_and(|one| one.value == lost.read.value));
    let weight = if is_unchanged { Probable } else { Possible };
    let cause = report.add("WRITES_IGNORED", weight, text);
    if !is_unchanged {
        cause.or("INTERFERENCE: other software wrote it meanwhile").next(format!(
            "read {}, write another value to it, and read it again",
            arm_pmu_lookup::programming::element_name(first.read.register, None)
        ));
    }
    is_unchanged
}

/// Error for a dump of another device.
fn nothing_of(pmu: Pmu, pages: &[u64], dump: &Dump) -> String {
    if dump.words.is_empty() && dump.failed.is_empty() {
        let mut names: Vec<_> = dump.counts.iter().map(|count| count.pmu.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        return format!("all counts come from {}, and none from {pmu}", names.join(", "));
    }
    let first = dump.words.iter().map(|word| word.address).min().unwrap_or(0);
    let last = dump.words.iter().map(|word| word.address).max().unwrap_or(0);
    let pages: Vec<_> = pages.iter().map(|page| format!("0x{page:X}")).collect();
    format!(
        "the dump has addresses from 0x{first:X} to 0x{last:X}, and none is a register of {pmu} at {}; is --base right?",
        pages.join(" and ")
    )
}

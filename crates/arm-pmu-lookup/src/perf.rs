//! Writes terms and command lines for `perf` on Linux.

use std::fmt;

use arm_pmu_tables::{Alias, Dialect, EventOf, Input, MetricOf, Pmu, Selection, Space};
use serde::Serialize;

use crate::error::refuse;
use crate::kernel::{KernelPmu, Node, is_numbered, is_pmcg};
use crate::perf_name::{PerfName, What};
use crate::{Error, name, near};

/// A PMU with its kernel name.
#[derive(Clone, Debug)]
pub struct LinuxPmu {
    /// Name in sysfs and `perf`.
    pub name: String,
    pmu: Pmu,
    /// Whether sysfs has `format/` for the PMU. If so, terms use `event=`; otherwise `config=`.
    has_format: bool,
}

/// A term of `perf`; [`Display`](fmt::Display) formats it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Kernel name of the PMU.
    pub device: String,
    /// Name of the event in sysfs, or its number as `event=0x12`.
    pub event: String,
    /// Number of the source, if the PMU has several sources.
    pub source: Option<String>,
    /// Terms of a filter.
    pub filter: Option<String>,
    /// Name that perf prints.
    pub name: String,
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { device, event, source, filter, name } = self;
        write!(f, "{device}/{event}")?;
        source.iter().try_for_each(|source| write!(f, ",source={source}"))?;
        filter.iter().try_for_each(|filter| write!(f, ",{filter}"))?;
        write!(f, ",name={name}/")
    }
}

impl From<Term> for Event {
    fn from(term: Term) -> Self {
        Self { term: term.to_string(), name: term.name }
    }
}

/// An event on a command line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PerfEvent", deny_unknown_fields))]
pub struct Event {
    /// Name that perf prints.
    pub name: String,
    /// Term such as `CCI_550/event=0x12,source=2,name=SI2:WRITE_DATA_BEAT/`.
    pub term: String,
}

/// Kernel name of the PMU of the first cluster.
const FIRST_CLUSTER: &str = "arm_dsu_0";

impl LinuxPmu {
    /// Creates a PMU with the given name, or with the name in the tables. An SMMU PMU or the PMU of an unknown core
    /// needs a given name, because the name depends on the machine.
    ///
    /// # Errors
    ///
    /// Fails if Linux has no driver, or if the name is missing or not valid.
    pub fn new(pmu: Pmu, given: Option<&str>) -> Result<Self, Error> {
        let known = KernelPmu::of(pmu).filter(|known| known.node != Node::None);
        let (name, has_format) = match known {
            // The first cluster, unless another cluster is given.
            Some(known) if known.is_numbered() => {
                (given.unwrap_or(FIRST_CLUSTER), known.driver.has_format())
            }
            Some(known) => (known.name, known.driver.has_format()),
            None if is_pmcg(pmu) => {
                let missing = "each SMMU PMU has a different name in Linux; give the name, as in \
                               --pmu smmuv3_pmcg_2b442: the physical address of page 0 without its last three digits";
                (given.ok_or_else(|| Error::wrong_use(missing))?, true)
            }
            None if matches!(pmu.ip.space, Space::System) => {
                let missing = "the Linux name of this PMU depends on the machine; give the name, as in \
                               --pmu armv8_cortex_a53: ls /sys/bus/event_source/devices";
                (given.ok_or_else(|| Error::wrong_use(missing))?, true)
            }
            _ => return Err(Error::not_found(format!("Linux has no PMU for {pmu}"))),
        };
        let name = given.unwrap_or(name);
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            refuse!("`{name}` is not a name of a PMU");
        }
        Ok(Self { name: name.to_owned(), pmu, has_format })
    }

    /// Whether this is a core PMU, which can also count single processes.
    #[must_use]
    pub fn is_core(&self) -> bool {
        self.pmu.is_processor()
    }

    /// Returns the term with which `perf` counts an event, including the terms of a filter.
    ///
    /// # Errors
    ///
    /// Fails for cycles if the PMU's kernel driver has no event number for them.
    pub fn term(&self, what: What, filter: Option<&str>) -> Result<Term, Error> {
        let pmu = self.pmu;
        let other = |id| pmu.ip.counters.id.split(id);
        let (aliases, code) = match what {
            What::Cycles => pmu
                .ip
                .counters
                .cycles
                .as_ref()
                .map_or((&[][..], None), |counter| (counter.aliases, counter.code)),
            What::Event(Selection { of, .. }) => (of.event.aliases, Some(of.event.code)),
            What::Other(id) => (&[][..], other(id).map(|(code, _)| code)),
        };
        // A system can have several PMCGs and clusters, so the term needs a label.
        let label = (is_pmcg(pmu) || is_numbered(pmu)).then(|| self.name.clone());
        let name = PerfName::new(pmu, label, what).to_string();
        let unit = pmu.unit.map(|unit| unit.name);
        let is_name = |alias: &&Alias| alias.dialect() == Dialect::LinuxPerf && alias.is_of(unit);
        let alias = aliases.iter().find(is_name);
        let event = match (alias, code) {
            (Some(alias), _) => alias.name.to_owned(),
            (None, Some(code)) if self.has_format => format!("event=0x{code:02x}"),
            (None, Some(code)) => format!("config=0x{code:02x}"),
            (None, None) => {
                refuse!(
                    "no event number is known for the cycles of {pmu}; count perf's own event `cycles`"
                );
            }
        };
        // If an event has a single source, its kernel name includes the source.
        let source = match what {
            What::Event(Selection { of, source }) => source
                .filter(|_| alias.is_none() || of.group.sources.len() > 1)
                .map(|source| source.id),
            What::Cycles => None,
            What::Other(id) => other(id).and_then(|(_, source)| source),
        };
        Ok(Term {
            device: self.name.clone(),
            event,
            source: source.map(|source| source.to_string()),
            filter: filter.map(str::to_owned),
            name,
        })
    }
}

/// Topic of the top-down metrics of level 1.
pub const TOPDOWN: &str = "topdown";

/// Topic that replaces [`TOPDOWN`] on a core without slots.
pub const STALLS: &str = "stalls";

/// Returns the topics of a PMU, in the order of the metrics. [`STALLS`] can replace [`TOPDOWN`].
#[must_use]
pub fn topics(pmu: Pmu) -> Vec<&'static str> {
    let mut topics = Vec::new();
    for topic in pmu.metrics().flat_map(|of| of.metric.topics.iter().copied()) {
        let also = (topic == STALLS).then_some(TOPDOWN);
        for topic in also.into_iter().chain([topic]) {
            if !topics.contains(&topic) {
                topics.push(topic);
            }
        }
    }
    topics
}

/// Returns the metrics of a topic.
pub fn of_topic(pmu: Pmu, topic: &str) -> impl Iterator<Item = MetricOf> {
    pmu.metrics().filter(move |of| of.metric.topics.iter().any(|of| of.eq_ignore_ascii_case(topic)))
}

/// Whether a PMU of the tables has metrics of the topic.
#[must_use]
pub fn is_topic(text: &str) -> bool {
    Pmu::all().any(|pmu| of_topic(pmu, text).next().is_some())
}

/// Describes why a PMU has no metric for a topic: which events are missing, and which topics the
/// PMU has.
fn without_topic(pmu: Pmu, text: &str) -> Error {
    let topic = if text.eq_ignore_ascii_case(TOPDOWN) { STALLS } else { text };
    let mut lacking: Vec<&str> = Vec::new();
    for input in Pmu::all().flat_map(|pmu| of_topic(pmu, topic)).flat_map(|of| of.metric.inputs) {
        if let Input::Event(name) = input {
            if !lacking.contains(name) && pmu.find_events(name).next().is_none() {
                lacking.push(name);
            }
        }
    }
    let more = if lacking.len() > 4 { " and others" } else { "" };
    lacking.truncate(4);
    let has = match topics(pmu)[..] {
        [] => format!("`arm-pmu list {pmu} --metrics` shows its metrics"),
        ref topics => format!("it has the topics {}, as in -m {}", topics.join(", "), topics[0]),
    };
    let lacking = lacking.join(", ");
    Error::not_found(format!("{pmu} has no `{text}`: it lacks the events {lacking}{more}; {has}"))
}

/// Returns the inputs of each metric of a topic, or of one metric. A source follows the metric after a colon.
///
/// # Errors
///
/// Fails if the PMU has no such metric, or if the source is missing.
pub fn groups(pmu: Pmu, text: &str) -> Result<Vec<Vec<What>>, Error> {
    let mut metrics: Vec<_> = of_topic(pmu, text).collect();
    if metrics.is_empty() && text.eq_ignore_ascii_case(TOPDOWN) {
        metrics = of_topic(pmu, STALLS).collect();
    }
    match metrics.is_empty() {
        true if is_topic(text) => Err(without_topic(pmu, text)),
        true => Ok(vec![inputs(pmu, text)?]),
        false => metrics.iter().map(|of| inputs(pmu, of.metric.name)).collect(),
    }
}

/// Events of a metric: `METRIC`, or `METRIC:SOURCE` if the PMU's events have sources.
///
/// # Errors
///
/// Fails if the PMU has no such metric, or if its source is missing.
pub fn inputs(pmu: Pmu, text: &str) -> Result<Vec<What>, Error> {
    let whole: Vec<MetricOf> = pmu.find_metrics(text).collect();
    let (found, source) = match text.rsplit_once(':') {
        Some((name, source)) if whole.is_empty() => {
            (pmu.find_metrics(name).collect(), Some(source))
        }
        _ => (whole, None),
    };
    let metric = match found[..] {
        [metric] => metric,
        [] => {
            if let Some(failure) = name::unavailable(pmu, text) {
                return Err(failure);
            }
            let near =
                near::suggestion(text, pmu.metrics().map(|of| of.metric.name).chain(topics(pmu)));
            return Err(Error::not_found(format!("{pmu} has no metric `{text}`{near}")));
        }
        _ => {
            refuse!("`{text}` is a metric of several groups; write a group in front of it");
        }
    };
    let at = |of: EventOf| match (source, of.group.sources) {
        (Some(source), _) => of.at(source),
        (None, [] | [_]) => of.selections().next(),
        (None, _) => None,
    };
    let sources: Vec<_> = metric.group.sources.iter().map(|source| source.name).collect();
    let missing = || {
        let name = metric.metric.name;
        let first = sources.first().copied().unwrap_or_default();
        Error::wrong_use(format!(
            "{name} needs a source, as in {name}:{first}; there are {}",
            sources.join(", ")
        ))
    };
    let input = |input: Option<EventOf>| match (input, &pmu.ip.counters.cycles) {
        (Some(of), _) => at(of).map(What::Event).ok_or_else(missing),
        (None, Some(_)) => Ok(What::Cycles),
        (None, None) => Err(missing()),
    };
    metric.inputs().map(input).collect()
}

/// Command line of `perf stat` that counts groups of events while a program runs. Each PMU counts each group.
#[must_use]
pub fn stat_command(linux: &LinuxPmu, groups: &[Vec<Event>], program: &[String]) -> String {
    let system = if linux.is_core() { "" } else { " -a" };
    let mut command = format!("perf stat{system}");
    // All events of a perf group must be on one PMU.
    for group in groups {
        let terms: Vec<_> = group.iter().map(|event| event.term.as_str()).collect();
        // Terms contain no single quotes, so they can be enclosed in single quotes.
        command += &format!(" -e '{{{}}}'", terms.join(","));
    }
    if !program.is_empty() {
        command += &format!(" -- {}", quoted(program));
    }
    command
}

/// Quotes the words of a command for a shell.
#[must_use]
pub fn quoted(words: &[String]) -> String {
    words.iter().map(|word| quoted_word(word)).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for a shell.
fn quoted_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Notes about the counts of these events.
#[must_use]
pub fn notes(linux: &[LinuxPmu], all: &[What], filtered: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if linux.first().is_some_and(|linux| !linux.is_core()) {
        let of = match linux {
            [linux] => &linux.name,
            _ => "Each of these PMUs",
        };
        notes.push(format!(
            "{of} counts the whole system. With -p, or without -a, perf shows <not supported>; it cannot sample (perf \
             record)."
        ));
    }
    for one in all {
        let What::Event(selection) = one else { continue };
        if filtered && !selection.of.event.filterable {
            notes.push(format!("{} is counted for all StreamIDs.", selection.of.event.name));
        }
    }
    notes
}

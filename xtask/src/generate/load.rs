//! Reads the files under `specs/` into checked models.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result, anyhow, bail};
use arm_pmu_spec::file::read_regular;
use arm_pmu_spec::platform::known::KnownIp;
use arm_pmu_spec::platform::model::Platform;
use arm_pmu_spec::problem::Renderer;
use arm_pmu_spec::text::MAX_BYTES;
pub use arm_pmu_spec::text::decode;
use rayon::prelude::*;

use crate::generate::check::legend::{self, HasLegend};
use crate::generate::check::{self, Spec};
use crate::generate::model::{Ip, product};
use crate::generate::names;
use crate::generate::platforms;
use crate::generate::problem::{File, Files, KINDS, Problems, Source, Sources};
use crate::generate::shared;
use crate::generate::spec::architecture::Architecture;
use crate::generate::spec::events::Events;
use crate::generate::spec::read::Read;
use crate::generate::yaml::{self, Node};

/// Directory of the schemas of spec files. It is under `specs/`, but belongs to no IP.
pub const SCHEMAS: &str = "specs/schema";

/// Files that several IPs share.
const SHARED: [File; 7] = [
    File::Registers,
    File::CommonRegisters,
    File::Events,
    File::CommonEvents,
    File::CommonMetrics,
    File::SharedFindings,
    File::CommonFindings,
];

/// Checked models.
pub struct Loaded {
    pub ips: Vec<Ip>,
    /// Architectures with a driver for every core, treated as IPs.
    pub generic: Vec<Ip>,
    pub platforms: Vec<Platform>,
}

/// Reads and checks all IPs and platforms.
pub fn load(root: &Path) -> Result<Loaded> {
    let specs = Directories::read(root)?;
    let (mut ips, mut generic) = (Vec::new(), Vec::new());
    let mut report = String::new();
    let mut count = 0;
    let mut told: Vec<PathBuf> = Vec::new();
    let all = specs.ips()?;
    let parsed = Parsed::default();
    let read_one = |name: &String| One::read(&specs, all, &parsed, name);
    let mut read: Vec<One> = all.par_iter().map(read_one).collect();
    // Each architecture once, in the order of the IPs.
    let mut with_driver: Vec<String> = Vec::new();
    for name in read.iter_mut().filter_map(|one| one.with_driver.take()) {
        if !with_driver.contains(&name) {
            with_driver.push(name);
        }
    }
    read.par_extend(with_driver.par_iter().map(read_one));
    for one in read {
        let One { sources, errors, mut problems, ip, .. } = one;
        for error in &errors {
            count += 1;
            let _ = writeln!(report, "error: {error:#}\n");
        }
        // A problem in a shared file concerns each of its IPs, but is printed once.
        let mut known = false;
        for file in SHARED {
            let path = &sources.get(file).path;
            if problems.are_in(file) && told.contains(path) {
                problems.forget(file);
                known = true;
            } else if problems.are_in(file) {
                told.push(path.clone());
            }
        }
        match ip {
            Some(ip) if ip.is_generic() => generic.push(ip),
            Some(ip) => ips.push(ip),
            None if problems.is_empty() && errors.is_empty() && !known => {
                bail!("the checks let a wrong spec of `{}` pass", sources.ip)
            }
            None if problems.is_empty() => {}
            None => {
                count += problems.len();
                let _ = writeln!(report, "{}\n", problems.render(&sources, &Renderer::styled()));
            }
        }
    }
    for (nth, ip) in ips.iter().enumerate() {
        let before = &ips[..nth];
        let shared = before
            .iter()
            .find_map(|other| Some((other, ip.names().find(|name| other.is_called(name))?)));
        if let Some((other, shared)) = shared {
            count += 1;
            let _ = writeln!(report, "error: {}\n", same_name(ip, other, shared));
        }
    }
    for architecture in &specs.architectures {
        if !all.iter().any(|ip| architecture.names(ip)) {
            count += 1;
            let path = registers_of(&architecture.name);
            let _ = writeln!(report, "error: no IP has the registers in {}\n", path.display());
        }
    }
    let of = |name: &String| ips.iter().find(|ip| ip.name == *name);
    let known = |name| of(name).map_or_else(|| KnownIp::unchecked(name), platforms::known);
    let mut known: Vec<_> = all.iter().map(known).collect();
    let architectures = specs.architectures.iter().filter_map(|architecture| {
        let first = known.iter().find(|ip| architecture.names(&ip.name))?;
        first.architecture(&architecture.name)
    });
    known.extend(architectures.collect::<Vec<_>>());
    let platforms = platforms::load(root, &known)?;
    report += &platforms.report;
    count += platforms.count;
    if count == 0 {
        return Ok(Loaded { ips, generic, platforms: platforms.platforms });
    }
    let problems = if count == 1 { "problem" } else { "problems" };
    bail!("{report}{count} {problems}; nothing was written")
}

/// The files of one IP, or of an architecture with a driver.
struct One {
    sources: Sources,
    /// Errors from reading the files.
    errors: Vec<anyhow::Error>,
    problems: Problems,
    /// `None` if there is a problem or an error.
    ip: Option<Ip>,
    /// Name of the architecture, if it has a driver for every core.
    with_driver: Option<String>,
}

impl One {
    fn read(specs: &Directories, all: &[String], parsed: &Parsed, name: &str) -> Self {
        let (sources, errors) = specs.files(name);
        let mut problems = Problems::default();
        let (ip, with_driver) = checked(&sources, all, parsed, &mut problems);
        Self { sources, errors, problems, ip, with_driver }
    }
}

/// Reads and checks the files of one of these IPs. Also returns the name of its architecture, if the architecture has a
/// driver for every core.
pub fn checked(
    sources: &Sources,
    all: &[String],
    parsed: &Parsed,
    problems: &mut Problems,
) -> (Option<Ip>, Option<String>) {
    let spec = parse(sources, parsed, problems);
    let mut with_driver = None;
    if let Some(architecture) = spec.as_ref().and_then(|spec| spec.architecture.as_ref()) {
        check::architecture::implementations_are_there(architecture, all, problems);
        let driver = architecture.driver.as_ref();
        if driver.is_some_and(|driver| driver.counters.is_some()) {
            with_driver = Some(architecture.architecture.0.clone());
        }
    }
    let ip = spec.and_then(|spec| check::check(&sources.ip, &spec, problems));
    (ip.filter(|_| lines_are_short(sources, problems)), with_driver)
}

/// Formats the message for a problem: a look-up by this name would find both IPs.
fn same_name(ip: &Ip, other: &Ip, shared: &str) -> String {
    let Ip { name, title, .. } = ip;
    let of = [name, &other.name].map(|name| format!("`{name}`")).join(" and ");
    if ip.also.iter().chain(&other.also).any(|also| also.title == shared) {
        return format!(
            "{of} are both found by `{shared}`\n  = help: remove it from the `also` of one of them"
        );
    }
    format!(
        "{of} have the same product name, `{}`\n  = help: the product name is the word of the \
         `title` that equals the IP's name, otherwise the title; `{title}` has no word `{name}`",
        ip.product(),
    )
}

/// Returns the names of all IPs: the directories under `specs/`, which are also crates and features of
/// the facade.
pub fn names(root: &Path) -> Result<Vec<String>> {
    Directories::read(root)?.ips().map(<[String]>::to_vec)
}

/// Returns the names of all architectures that IPs share, which are also crates.
pub fn architectures(root: &Path) -> Result<Vec<String>> {
    let all = Directories::read(root)?.architectures;
    Ok(all.into_iter().map(|architecture| architecture.name).collect())
}

/// Returns the crates that have specs: IPs, and architectures that they share.
pub fn crates(root: &Path) -> Result<Vec<String>> {
    let specs = Directories::read(root)?;
    let mut all = specs.ips()?.to_vec();
    all.extend(specs.architectures.into_iter().map(|architecture| architecture.name));
    Ok(all)
}

/// Returns the IPs that [represent](Directories::representative_of) themselves: the first IP of each architecture, and
/// the IPs without an architecture.
pub fn representatives(root: &Path) -> Result<Vec<String>> {
    let specs = Directories::read(root)?;
    let represents_itself = |ip: &&String| specs.representative_of(ip) == **ip;
    Ok(specs.ips()?.iter().filter(represents_itself).cloned().collect())
}

/// The directories under `specs/`, one for each IP or architecture, in the order of their names.
pub struct Directories {
    specs: PathBuf,
    ips: Vec<String>,
    pub architectures: Vec<Shared>,
}

/// An architecture that IPs share.
pub struct Shared {
    pub name: String,
    /// Names in the registers file of the architecture, among them the names of its
    /// implementations. The file may contain mistakes.
    named: HashSet<String>,
}

impl Directories {
    pub fn read(root: &Path) -> Result<Self> {
        Self::below(root.join("specs"))
    }

    /// Reads the register files of all architectures once. Messages call this directory `specs`.
    pub fn below(specs: PathBuf) -> Result<Self> {
        let mut all = Vec::new();
        for entry in
            fs::read_dir(&specs).with_context(|| format!("cannot list {}", specs.display()))?
        {
            let entry = entry?;
            if entry.file_type()?.is_dir()
                && [SCHEMAS, platforms::SPECS]
                    .iter()
                    .all(|of| !Path::new(of).ends_with(entry.file_name()))
                && let Ok(name) = entry.file_name().into_string()
            {
                all.push(name);
            }
        }
        all.sort();
        let (mut ips, mut architectures) = (Vec::new(), Vec::new());
        let mut shared = HashSet::new();
        for name in all {
            match text(&on_disk(&specs, &registers_of(&name))) {
                Ok(text) if speaks_of_an_architecture(&text) => {
                    architectures.push(Shared::new(name, &text));
                }
                Ok(text) => {
                    shared.extend(shares(&text).map(str::to_owned));
                    ips.push(name);
                }
                Err(_) => ips.push(name),
            }
        }
        // A directory with only shared rows is no IP.
        ips.retain(|name| !shared.contains(name));
        Ok(Self { specs, ips, architectures })
    }

    pub fn ips(&self) -> Result<&[String]> {
        if self.ips.is_empty() {
            bail!("there is no directory in {}: no IP has specs", self.specs.display());
        }
        Ok(&self.ips)
    }

    /// Returns the architecture that lists the IP as an implementation.
    pub fn architecture_of(&self, ip: &str) -> Option<&str> {
        let of_ip = self.architectures.iter().find(|architecture| architecture.names(ip));
        of_ip.map(|architecture| architecture.name.as_str())
    }

    /// Returns the first IP of the same architecture, because the crates of all these IPs come from one template.
    /// Returns `ip` itself if it has no architecture.
    pub fn representative_of<'n>(&'n self, ip: &'n str) -> &'n str {
        let Some(architecture) = self.architecture_of(ip) else { return ip };
        let mut ips = self.ips.iter();
        let first = ips.find(|other| self.architecture_of(other) == Some(architecture));
        first.map_or(ip, String::as_str)
    }

    /// Returns the files of an IP, and the errors from reading them. A file that cannot be read, or an
    /// optional file that does not exist, has no text.
    pub fn files(&self, name: &str) -> (Sources, Vec<anyhow::Error>) {
        let on_disk = |path: &Path| on_disk(&self.specs, path);
        let mut errors = Vec::new();
        let mut read = |path: PathBuf, optional: bool| {
            // A dangling link exists, but cannot be read.
            let is_missing = || {
                let found = on_disk(&path).symlink_metadata();
                found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
            };
            if optional && is_missing() {
                return Source { path, text: None };
            }
            let text =
                text(&on_disk(&path)).with_context(|| format!("cannot read {}", path.display()));
            let text = text.map_err(|error| errors.push(error)).ok();
            Source { path, text }
        };
        let directory = PathBuf::from("specs").join(name);
        // An IP has this file if it describes its own registers instead of taking them from an
        // architecture.
        let own = registers_of(name);
        let has_own = on_disk(&own).symlink_metadata().is_ok();
        let architecture = if has_own { None } else { self.architecture_of(name) };
        let mut rows: Option<String> = None;
        let sources = Sources::new(name, |file| {
            let shared = rows.as_deref().or(architecture);
            let mut of_all = |name: &str| match shared {
                Some(shared) => read(Path::new("specs").join(shared).join(name), true),
                None => Source { path: directory.join(name), text: None },
            };
            match file {
                File::Registers => {
                    let registers = read(architecture.map_or(own.clone(), registers_of), false);
                    let text = registers.text.as_deref().filter(|_| has_own);
                    rows = text.and_then(shares).map(str::to_owned);
                    registers
                }
                File::CommonRegisters => match &rows {
                    Some(rows) => read(registers_of(rows), false),
                    None => Source { path: own.clone(), text: None },
                },
                File::CommonEvents => of_all("events.yaml"),
                File::CommonMetrics => of_all("metrics.yaml"),
                File::SharedFindings => of_all("findings.yaml"),
                File::Events => read(directory.join("events.yaml"), false),
                File::Metrics => read(directory.join("metrics.yaml"), true),
                File::Aliases => read(directory.join("aliases.yaml"), true),
                File::Findings => read(directory.join("findings.yaml"), true),
                File::CommonFindings => read(PathBuf::from("specs/findings.yaml"), true),
                File::Platform => unreachable!("an IP has no platform file"),
            }
        });
        if !has_own && architecture.is_none() && !self.architectures.is_empty() {
            let message = format!("no architecture has `{name}` among its implementations");
            errors = errors.into_iter().map(|error| error.context(message.clone())).collect();
        }
        (sources, errors)
    }
}

impl Shared {
    fn new(name: String, text: &str) -> Self {
        let named = |line: &str| {
            let line = line.trim_start_matches([' ', '-', '{']);
            let name = line.strip_prefix("name:")?.trim_start();
            name.split([' ', ',', '}']).next().map(str::to_owned)
        };
        Self { name, named: text.lines().filter_map(named).collect() }
    }

    /// Returns whether the architecture lists the IP as an implementation.
    fn names(&self, ip: &str) -> bool {
        self.named.contains(&names::of_ip(ip).module)
    }
}

/// Returns the file with the registers of an IP or an architecture.
fn registers_of(name: &str) -> PathBuf {
    Path::new("specs").join(name).join("registers.yaml")
}

fn on_disk(specs: &Path, path: &Path) -> PathBuf {
    path.strip_prefix("specs").map_or_else(|_| path.to_owned(), |path| specs.join(path))
}

pub fn speaks_of_an_architecture(registers: &str) -> bool {
    let keys = ["architecture:", "implementations:"];
    registers.lines().any(|line| keys.iter().any(|key| line.starts_with(key)))
}

/// Returns the directory of common rows that an IP's `registers.yaml` names with `shares`.
fn shares(registers: &str) -> Option<&str> {
    let name = registers.lines().find_map(|line| line.strip_prefix("shares: "))?;
    name.split(' ').next()
}

/// Returns the text of a spec file, without a byte order mark that an editor may have added.
fn text(path: &Path) -> Result<String> {
    decode(read_regular(path, MAX_BYTES, "a spec")?).map_err(|error| anyhow!(error))
}

/// Checks the length of all lines, and returns whether all are short enough.
fn lines_are_short(sources: &Sources, problems: &mut Problems) -> bool {
    for file in KINDS {
        if let Some(text) = sources.text(file) {
            arm_pmu_spec::text::has_short_lines(file, text, problems);
        }
    }
    problems.is_empty()
}

/// A file of an IP, and the architecture's file with the shared rows.
struct Layers<'s> {
    sources: &'s Sources,
    parsed: &'s Parsed,
    words: shared::Words,
    /// Names that formulas can use; empty until the events have been read.
    inputs: shared::Inputs,
    /// Whether every existing file could be read.
    whole: bool,
}

/// Parsed files that several IPs share, looked up by kind and text.
#[derive(Default)]
pub struct Parsed(Mutex<HashMap<(File, String), Slot>>);

type Slot = Arc<OnceLock<Option<Arc<Node>>>>;

impl Parsed {
    /// Parses the file, once for all IPs. A file with a mistake is parsed again for each IP, so that the mistake is
    /// reported for each.
    fn node(&self, file: File, text: &str, problems: &mut Problems) -> Option<Arc<Node>> {
        let parse = |problems: &mut Problems| yaml::parse(file, text, problems).map(Arc::new);
        if !SHARED.contains(&file) {
            return parse(problems);
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = Arc::clone(all.entry((file, text.to_owned())).or_default());
        drop(all);
        let known = slot.get_or_init(|| parse(&mut Problems::default()));
        known.clone().or_else(|| parse(problems))
    }
}

impl Layers<'_> {
    fn node(&mut self, file: File, problems: &mut Problems) -> Option<Arc<Node>> {
        let text = self.sources.text(file)?;
        let node = self.parsed.node(file, text, problems);
        self.whole &= node.is_some();
        node
    }

    fn one<T: Read>(&mut self, node: &Node, problems: &mut Problems) -> Option<T> {
        let read = T::read(node, problems);
        self.whole &= read.is_some();
        read
    }

    fn sourced<T: HasLegend>(&mut self, node: &Node, problems: &mut Problems) -> Option<T> {
        let mut read = self.one(node, problems);
        read.iter_mut().for_each(|file| legend::apply(file, problems));
        read
    }

    /// Returns both layers. If the IP has no file, its layer is `head` with all rows of the
    /// architecture. Without `head`, there are then no layers.
    fn both<T: HasLegend>(
        &mut self,
        [own, common]: [File; 2],
        head: Option<&Node>,
        problems: &mut Problems,
    ) -> (Option<T>, Option<T>) {
        let (own, common) = (self.node(own, problems), self.node(common, problems));
        let head = head.filter(|_| common.is_some());
        let Some(own) = own.as_deref().or(head) else { return (None, None) };
        let before = problems.len();
        let own = shared::split(own, problems).0;
        let common = common.map(|common| {
            let (all, of_ips) = shared::split(&common, problems);
            of_ips.unwrap_or(all)
        });
        let of_all = common
            .as_ref()
            .and_then(|common| self.sourced(&shared::with_head_of(common, &own), problems));
        // Otherwise a mistake in the architecture's file would be reported again for each row of
        // this file.
        let own = (problems.len() == before)
            .then(|| shared::completed(&own, common.as_ref(), &self.words, &self.inputs, problems))
            .flatten();
        self.whole &= own.is_some();
        (own.and_then(|own| self.sourced(&own, problems)), of_all)
    }
}

/// Parses the texts into a spec; returns `None` if the spec is too incomplete to check the rules.
fn parse(sources: &Sources, parsed: &Parsed, problems: &mut Problems) -> Option<Spec> {
    let (words, inputs) = (Vec::new(), shared::Inputs::new());
    let mut layers = Layers { sources, parsed, words, inputs, whole: true };
    let shared = sources.text(File::Registers).is_some_and(speaks_of_an_architecture);
    let registers = layers.node(File::Registers, problems);
    let architecture = registers.as_ref().filter(|_| shared);
    let architecture = architecture.and_then(|node| Architecture::read(node, problems));
    if let Some(architecture) = &architecture {
        layers.words = check::architecture::words(architecture, &sources.ip);
    }
    let files = [File::Events, File::CommonEvents];
    let (events, common_events) = layers.both::<Events>(files, None, problems);
    if let Some(events) = &events {
        let names = events.groups.iter().flat_map(|group| group.events.iter());
        layers.inputs.extend(names.map(|event| event.name.0.clone()));
        layers.inputs.extend(events.counters.cycles.iter().map(|_| "cycles".to_owned()));
    }
    let registers = if shared {
        let directory = sources.get(File::Registers).path.parent().and_then(Path::file_name);
        let directory = directory.unwrap_or_default().to_string_lossy();
        architecture.as_ref().and_then(|architecture| {
            let manual = events.as_ref().map(|events| &events.manual);
            check::architecture::project(architecture, &directory, &sources.ip, manual, problems)
        })
    } else {
        registers.and_then(|node| {
            let common = layers.node(File::CommonRegisters, problems);
            let title = node.get("title").and_then(Node::text).unwrap_or_default();
            let product = product(title, &sources.ip).to_owned();
            layers.words = vec![("{product}", product)];
            let own = shared::completed(
                &node,
                common.as_deref(),
                &layers.words,
                &layers.inputs,
                problems,
            );
            layers.whole &= own.is_some();
            own.and_then(|own| layers.sourced(&own, problems))
        })
    };
    // An IP without differences from its architecture needs none of these files.
    let is_missing = |file| sources.text(file).is_none();
    let is_any_missing = is_missing(File::Metrics) || is_missing(File::Findings);
    let has_rows = shared && events.is_some() && is_any_missing;
    let head = has_rows.then(|| layers.node(File::Events, problems)).flatten();
    let head = head.as_ref().map(|events| {
        shared::with(events, &|key, value| ["ip", "manual"].contains(&key).then(|| value.clone()))
    });
    let of_metrics = head.as_ref().filter(|_| is_missing(File::Metrics)).zip(events.as_ref());
    let of_metrics = of_metrics.and_then(|(head, events)| {
        let common = layers.node(File::CommonMetrics, problems)?;
        shared::without_metrics(head, &common, events)
    });
    let files = [File::Metrics, File::CommonMetrics];
    let (metrics, common_metrics) = layers.both(files, of_metrics.as_ref(), problems);
    let aliases = layers.node(File::Aliases, problems);
    let aliases = aliases.and_then(|node| layers.one(&node, problems));
    let files = [File::Findings, File::SharedFindings];
    let (findings, shared_findings) = layers.both(files, head.as_ref(), problems);
    let common = layers.node(File::CommonFindings, problems);
    let common = common.and_then(|node| layers.sourced(&node, problems));
    if !layers.whole {
        return None;
    }
    Some(Spec {
        registers: registers?,
        architecture,
        events: events?,
        common_events,
        common_metrics,
        metrics,
        aliases,
        findings,
        shared_findings,
        common,
    })
}

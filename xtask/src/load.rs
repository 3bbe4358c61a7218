//! From the files under `specs/` to checked models.

#[cfg(test)]
mod against_schema;
#[cfg(test)]
mod case;
#[cfg(test)]
pub mod good;
#[cfg(test)]
mod random;
#[cfg(test)]
mod stored_messages;

use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use annotate_snippets::Renderer;
use anyhow::{Context, Result, anyhow, bail};

use crate::check::{self, Spec};
use crate::files;
use crate::model::Ip;
use crate::problem::{File, Problems, Source, Sources};
use crate::spec::read::{Read, shown, suggest};
use crate::yaml;

/// Ten times the longest spec: some rules compare each line of a list with each of another.
const MAX_BYTES: u64 = 256 << 10;

/// The schemas of spec files: the one directory under `specs/` that is of no IP.
pub const SCHEMAS: &str = "specs/schema";

/// Checked models, and how long it took to get them.
pub struct Loaded {
    pub ips: Vec<Ip>,
    pub reading: Duration,
    pub checking: Duration,
}

/// Reads and checks the named IPs; all of them if none is named.
///
/// # Errors
///
/// With every problem of every IP.
pub fn load(root: &Path, named: &[String]) -> Result<Loaded> {
    let mut loaded = Loaded { ips: Vec::new(), reading: Duration::ZERO, checking: Duration::ZERO };
    let mut report = String::new();
    let mut count = 0;
    let mut common_told = false;
    for name in choose(root, named)? {
        let before = Instant::now();
        let (sources, errors) = read(root, &name);
        for error in &errors {
            count += 1;
            let _ = writeln!(report, "error: {error:#}\n");
        }
        let mut problems = Problems::default();
        let spec = parse(&sources, &mut problems);
        let between = Instant::now();
        let ip = spec.and_then(|spec| check::check(&name, &spec, &mut problems));
        loaded.reading += between - before;
        loaded.checking += between.elapsed();
        // What is wrong there is so for each IP, and is told once.
        let common_wrong = problems.are_in(File::CommonFindings);
        if common_told {
            problems.forget(File::CommonFindings);
        }
        common_told |= common_wrong;
        match ip {
            Some(ip) => loaded.ips.push(ip),
            None if problems.is_empty() && errors.is_empty() && !common_wrong => {
                bail!("the checks let a wrong spec of `{name}` pass")
            }
            None if problems.is_empty() => {}
            None => {
                count += problems.len();
                let _ = writeln!(report, "{}\n", problems.render(&sources, &Renderer::styled()));
            }
        }
    }
    if count == 0 {
        return Ok(loaded);
    }
    let problems = if count == 1 { "problem" } else { "problems" };
    bail!("{report}{count} {problems}; nothing was written")
}

/// The names of all IPs: the directories under `specs/`, which are also names of crates and of features
/// of the facade.
///
/// # Errors
///
/// If there is none, or they cannot be listed.
pub fn names(root: &Path) -> Result<Vec<String>> {
    let specs = root.join("specs");
    let mut all = Vec::new();
    for entry in fs::read_dir(&specs).with_context(|| format!("cannot list {}", specs.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir()
            && !Path::new(SCHEMAS).ends_with(entry.file_name())
            && let Ok(name) = entry.file_name().into_string()
        {
            all.push(name);
        }
    }
    all.sort();
    if all.is_empty() {
        bail!("there is no directory in {}: no IP has specs", specs.display());
    }
    Ok(all)
}

/// The names of the IPs to work on.
fn choose(root: &Path, named: &[String]) -> Result<Vec<String>> {
    let mut all = names(root)?;
    if named.is_empty() {
        return Ok(all);
    }
    for name in named {
        if !all.contains(name) {
            let all: Vec<_> = all.iter().map(String::as_str).collect();
            bail!("there is no specs/{}; {}", shown(name), suggest(name, &all));
        }
    }
    all.retain(|name| named.contains(name));
    Ok(all)
}

/// The files of an IP, and why they cannot be read. A file that cannot be read has no text, nor has one
/// that an IP may lack and does.
pub fn read(root: &Path, name: &str) -> (Sources, Vec<anyhow::Error>) {
    let mut errors = Vec::new();
    let mut read = |path: PathBuf, optional: bool| {
        // A link that leads nowhere is there, and cannot be read.
        let is_missing = || {
            let found = root.join(&path).symlink_metadata();
            found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
        };
        if optional && is_missing() {
            return Source { path, text: None };
        }
        let text =
            text(&root.join(&path)).with_context(|| format!("cannot read {}", path.display()));
        let text = text.map_err(|error| errors.push(error)).ok();
        Source { path, text }
    };
    let directory = PathBuf::from("specs").join(name);
    let sources = Sources {
        registers: read(directory.join("registers.yaml"), false),
        events: read(directory.join("events.yaml"), false),
        metrics: read(directory.join("metrics.yaml"), true),
        findings: read(directory.join("findings.yaml"), true),
        common_findings: read(PathBuf::from("specs/findings.yaml"), true),
    };
    (sources, errors)
}

/// The text of a spec file, without a byte order mark, which an editor may have put there.
fn text(path: &Path) -> Result<String> {
    decode(files::read_regular(path, MAX_BYTES, "a spec")?)
}

/// Bytes as the text of a spec.
fn decode(bytes: Vec<u8>) -> Result<String> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        anyhow!("line {line} is not UTF-8, the encoding of YAML")
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The texts as specs, if they are whole enough to apply the rules to.
pub fn parse(sources: &Sources, problems: &mut Problems) -> Option<Spec> {
    fn one<T: Read>(file: File, source: &Source, problems: &mut Problems) -> Option<T> {
        let node = yaml::parse(file, source.text.as_deref()?, problems)?;
        T::read(&node, problems)
    }
    let registers = one(File::Registers, &sources.registers, problems);
    let events = one(File::Events, &sources.events, problems);
    let metrics = one(File::Metrics, &sources.metrics, problems);
    let findings = one(File::Findings, &sources.findings, problems);
    let common = one(File::CommonFindings, &sources.common_findings, problems);
    let is_whole = |source: &Source, read: bool| source.text.is_none() || read;
    if !is_whole(&sources.metrics, metrics.is_some())
        || !is_whole(&sources.findings, findings.is_some())
        || !is_whole(&sources.common_findings, common.is_some())
    {
        return None;
    }
    Some(Spec { registers: registers?, events: events?, metrics, findings, common })
}

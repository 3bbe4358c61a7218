//! From the files under `specs/` to checked models.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use annotate_snippets::Renderer;
use anyhow::{Context, Result, bail};

use crate::check::{self, Spec};
use crate::model::Ip;
use crate::problem::{File, Problems, Source, Sources};
use crate::spec::read::{Read, suggest};
use crate::yaml;

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
    for name in choose(root, named)? {
        let before = Instant::now();
        let sources = match read(root, &name) {
            Ok(sources) => sources,
            Err(errors) => {
                for error in errors {
                    count += 1;
                    let _ = writeln!(report, "error: {error:#}\n");
                }
                continue;
            }
        };
        let mut problems = Problems::default();
        let spec = parse(&sources, &mut problems);
        let between = Instant::now();
        let ip = spec.and_then(|spec| check::check(&name, &spec, &mut problems));
        loaded.reading += between - before;
        loaded.checking += between.elapsed();
        match ip {
            Some(ip) => loaded.ips.push(ip),
            None if problems.is_empty() => bail!("the checks let a wrong spec of `{name}` pass"),
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

/// The names of the IPs to work on.
fn choose(root: &Path, named: &[String]) -> Result<Vec<String>> {
    let specs = root.join("specs");
    let mut all = Vec::new();
    for entry in
        std::fs::read_dir(&specs).with_context(|| format!("cannot list {}", specs.display()))?
    {
        let entry = entry?;
        if entry.file_type()?.is_dir()
            && let Ok(name) = entry.file_name().into_string()
        {
            all.push(name);
        }
    }
    all.sort();
    if named.is_empty() {
        return Ok(all);
    }
    for name in named {
        if !all.contains(name) {
            let all: Vec<_> = all.iter().map(String::as_str).collect();
            bail!("there is no specs/{name}; {}", suggest(name, &all));
        }
    }
    all.retain(|name| named.contains(name));
    Ok(all)
}

/// Both files of an IP, or why they cannot be read.
fn read(root: &Path, name: &str) -> Result<Sources, Vec<anyhow::Error>> {
    let read = |file: &str| -> Result<Source> {
        let path = PathBuf::from("specs").join(name).join(file);
        let full = root.join(&path);
        let context = || format!("cannot read {}", path.display());
        if full.metadata().with_context(context)?.len() > yaml::MAX_BYTES as u64 {
            bail!("{} has more than {} bytes", path.display(), yaml::MAX_BYTES);
        }
        let text = std::fs::read_to_string(full).with_context(context)?;
        // An editor's byte order mark is not part of the text.
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        Ok(Source { path, text })
    };
    match (read("registers.yaml"), read("events.yaml")) {
        (Ok(registers), Ok(events)) => Ok(Sources { registers, events }),
        (registers, events) => Err([registers.err(), events.err()].into_iter().flatten().collect()),
    }
}

/// The two texts as specs, if they are whole enough to apply the rules to.
pub fn parse(sources: &Sources, problems: &mut Problems) -> Option<Spec> {
    let registers = yaml::parse(File::Registers, &sources.registers.text, problems);
    let events = yaml::parse(File::Events, &sources.events.text, problems);
    let registers = registers.and_then(|node| Read::read(&node, problems));
    let events = events.and_then(|node| Read::read(&node, problems));
    Some(Spec { registers: registers?, events: events? })
}

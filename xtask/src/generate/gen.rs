//! `cargo xtask gen`.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use arm_pmu_spec::platform::model::Platform;
use rayon::prelude::*;

use crate::generate::emit::Macros;
use crate::generate::emit::common::Common;
use crate::generate::files::{self, Change};
use crate::generate::load::{self, Shared, load};
use crate::generate::model::{Architecture, Ip};
use crate::generate::{emit, implementation, manifests, overview, platforms, readme};

#[derive(clap::Args)]
pub struct Arguments {
    /// Directories under specs/ of the IPs to generate; IPs of the same architecture follow. Without one: all IPs
    #[arg(value_name = "IP")]
    ips: Vec<String>,
    /// Write nothing; fail if a generated file differs from the specs
    #[arg(long)]
    check: bool,
}

pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let before = Instant::now();
    let loaded = load(root, &arguments.ips)?;
    let architectures: Vec<_> = architectures(&loaded.ips)
        .into_iter()
        .map(|architecture| {
            let ips: Vec<&Ip> = loaded.ips.iter().filter(|ip| ip.is_of(architecture)).collect();
            let generic = loaded.generic.iter().find(|generic| generic.name == architecture.name);
            let macros = Macros::of(architecture, &ips, generic);
            (architecture, ips, generic, macros)
        })
        .collect();
    let mut jobs: Vec<Job> = Vec::new();
    for (architecture, ips, generic, macros) in &architectures {
        let directory = format!("crates/{}/src/generated", architecture.name);
        jobs.push((
            directory,
            Box::new(|| emit::architecture(architecture, ips, *generic, macros)),
        ));
    }
    for ip in &loaded.ips {
        let of_ip = architectures.iter().find(|(architecture, ..)| ip.is_of(architecture));
        let macros = of_ip.map(|(.., macros)| macros);
        jobs.push((directory(ip), Box::new(move || emit::emit(ip, macros))));
    }
    jobs.push((load::SCHEMAS.to_owned(), Box::new(emit::schemas)));
    let names = loaded.specs.ips()?;
    let made = jobs.par_iter().map(|(directory, make)| Ok((directory.clone(), make()?)));
    let (wanted, mut of_tables) =
        rayon::join(|| made.collect::<Result<Vec<_>>>(), || tables(root, &loaded, names));
    let mut wanted = wanted?;
    // Compared last, so that the files of each IP are listed together.
    let of_schemas = wanted.pop();
    of_tables.extend(platforms(root, loaded.platforms.as_deref())?);
    wanted.push((TABLES.to_owned(), of_tables));
    // Only if all specs were read, and not in a workspace without these crates.
    let everything = loaded.ips.len() == names.len() && root.join(FACADE).exists();
    if everything {
        let all = sorted(&loaded);
        let mut files = emit::facade::emit(&all);
        let platforms = loaded.platforms.as_deref().unwrap_or_default();
        files.extend(emit::platform_constants::emit(platforms, &loaded.ips));
        wanted.push((FACADE.to_owned() + "/src/generated", files));
        wanted.push((PRODUCTS.to_owned(), emit::products::emit(&loaded.ips)));
        wanted.push((KINDS.to_owned(), emit::kinds::emit(&loaded.ips)));
        wanted.push((DIAGNOSED.to_owned(), emit::kinds::devices(&loaded.ips)));
        let devices = emit::facade::devices(root, &all);
        wanted.push((DEVICES.to_owned() + "/src/generated", vec![devices]));
    }
    wanted.extend(of_schemas);
    let mut crates = Vec::new();
    if everything {
        crates.extend(manifests::compare(root, &sorted(&loaded))?);
        crates.extend(implementation::compare(root, &loaded.ips)?);
        crates.extend(overview::compare(root, &sorted(&loaded))?);
    }
    // Written first: the other files need the crate of a new IP, and READMEs need its features and page.
    if arguments.check {
        stale(&crates)?;
    } else {
        files::apply(&crates)?;
    }
    let mut changes = files::compare(root, &wanted)?;
    let of_specs = changes.len();
    let (readmes, of_pages) = readme::compare(root)?;
    changes.extend(of_pages);
    if arguments.check {
        stale(&changes)?;
    } else {
        files::apply(&changes)?;
    }
    let (changes, of_pages) = changes.split_at(of_specs);
    // Returns the number of files in a directory, and the number of changed files, in words.
    let done_in = |directory: &str| {
        let files = wanted.iter().filter(|(of, _)| Path::new(of).starts_with(directory));
        let files = files.map(|(_, files)| files.len()).sum();
        let is_there = |change: &&Change| change.path().starts_with(root.join(directory));
        (files, done(files, changes.iter().filter(is_there)))
    };
    for ip in &loaded.ips {
        let events: usize = ip.groups.iter().map(|group| group.events.len()).sum();
        let (name, registers) = (&ip.name, ip.registers.len());
        let (_, done) = done_in(&format!("crates/{name}"));
        outln!("{name}: {registers} registers, {events} events; {done}");
    }
    for (Architecture { name, .. }, ..) in &architectures {
        outln!("{name}: {}", done_in(&format!("crates/{name}")).1);
    }
    outln!("arm-pmu-tables: {}", done_in(TABLES).1);
    if readmes > 0 {
        outln!("READMEs: {}", done(readmes, of_pages.iter()));
    }
    outln!("{}: {}", load::SCHEMAS, done_in(load::SCHEMAS).1);
    outln!("done in {:.1} ms", before.elapsed().as_secs_f64() * 1e3);
    Ok(())
}

/// Returns all IPs by name, and the architectures with a driver for every core.
fn sorted(loaded: &load::Loaded) -> Vec<&Ip> {
    let mut all: Vec<&Ip> = loaded.ips.iter().chain(&loaded.generic).collect();
    all.sort_by_key(|ip| &ip.name);
    all
}

/// A directory, and the function that generates its files.
type Job<'s> = (String, Box<dyn Fn() -> Result<Vec<files::Generated>> + Send + Sync + 's>);

/// The crate with all IPs, each a feature.
const FACADE: &str = "crates/arm-pmu";

/// Directory of the products that a probe can find.
const PRODUCTS: &str = "crates/arm-pmu-core/src/driver/product";

/// Directory of the PMUs that a program can open under Linux.
const KINDS: &str = "crates/arm-pmu-linux/src/perf/generated";

/// Directory of the devices that a program can diagnose under Linux.
const DIAGNOSED: &str = "crates/arm-pmu-linux/src/mem/generated";

/// The crate of the simulated devices.
const DEVICES: &str = "crates/arm-pmu-sim";

/// Directory of the tables of all IPs.
const TABLES: &str = "crates/arm-pmu-tables/src/generated";

/// The tables of all IPs and architectures. Files of other IPs stay unchanged.
fn tables(root: &Path, loaded: &load::Loaded, ips: &[String]) -> Vec<files::Generated> {
    let read = sorted(loaded);
    let of = |name: &str| read.iter().find(|ip| ip.name == name);
    let commons = architectures(&loaded.ips).into_par_iter().map(|architecture| {
        let is_of_it = |ip: &&&Ip| ip.is_of(architecture);
        emit::tables::common(
            architecture,
            &read.iter().filter(is_of_it).copied().collect::<Vec<_>>(),
        )
    });
    let commons: Vec<Common> = commons.collect();
    let stored = |name: &str| as_it_is(root, emit::tables::file_name(name));
    let is_ip = |text: &str| text.contains("pub static IP: Ip");
    let (mut all, mut shared) = (ips.iter().map(String::as_str).collect::<Vec<_>>(), Vec::new());
    let mut files = Vec::new();
    for Shared { name, .. } in &loaded.specs.architectures {
        let common = commons.iter().find(|common| common.is_of(name));
        let file = match (of(name), common) {
            (Some(_), _) => None,
            (None, Some(common)) => Some(emit::tables::of_architecture(common)),
            (None, None) => stored(name),
        };
        match file {
            Some(file) if !is_ip(&file.text) => {
                shared.push(name.as_str());
                files.push(file);
            }
            None if of(name).is_none() => {}
            _ => all.push(name),
        }
    }
    all.sort_unstable();
    files.push(emit::tables::list(&all, &shared));
    let of_all = all.par_iter().filter_map(|name| {
        let Some(ip) = of(name) else { return stored(name) };
        let architecture = ip.architecture.as_ref();
        let of_ip = |common: &&Common| architecture.is_some_and(|of| common.is_of(&of.name));
        Some(emit::tables::emit(ip, commons.iter().find(of_ip)))
    });
    files.par_extend(of_all);
    files
}

/// Returns the tables of all platforms. If not all IPs were read, the tables stay unchanged,
/// because platforms refer to IPs.
fn platforms(root: &Path, platforms: Option<&[Platform]>) -> Result<Vec<files::Generated>> {
    let names = platforms::names(root)?;
    let mut files = vec![emit::platforms::list(&names)];
    if let Some(platforms) = platforms {
        files.extend(platforms.iter().map(emit::platforms::emit));
        return Ok(files);
    }
    let stored = names.iter().map(|name| as_it_is(root, emit::platforms::file_name(name)));
    files.extend(stored.flatten());
    Ok(files)
}

/// Returns a table file that stays unchanged. Returns `None` if the file does not exist.
fn as_it_is(root: &Path, name: String) -> Option<files::Generated> {
    let text = fs::read_to_string(root.join(TABLES).join(&name)).ok()?;
    Some(files::Generated { name, text })
}

/// Runs `gen --check` for all IPs.
pub fn check(root: &Path) -> Result<()> {
    run(root, &Arguments { ips: Vec::new(), check: true })
}

fn architectures(ips: &[Ip]) -> Vec<&Architecture> {
    let mut all: Vec<&Architecture> = Vec::new();
    for architecture in ips.iter().filter_map(|ip| ip.architecture.as_ref()) {
        if all.iter().all(|known| known.name != architecture.name) {
            all.push(architecture);
        }
    }
    all
}

/// Returns the directory of an IP's generated files.
fn directory(ip: &Ip) -> String {
    format!("crates/{}/src/generated", ip.name)
}

fn done<'c>(files: usize, changes: impl Iterator<Item = &'c Change>) -> String {
    let (removed, written): (Vec<_>, Vec<_>) =
        changes.partition(|change| matches!(change, Change::Remove { .. }));
    match (written.len(), removed.len()) {
        (0, 0) => format!("{files} files up to date"),
        (written, 0) => format!("{} written", count(written)),
        (0, removed) => format!("{} removed", count(removed)),
        (written, removed) => format!("{} written, {removed} removed", count(written)),
    }
}

fn count(files: usize) -> String {
    if files == 1 { "1 file".to_owned() } else { format!("{files} files") }
}

/// With `--check`, any change is a failure.
fn stale(changes: &[Change]) -> Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let list: Vec<_> = changes.iter().map(Change::describe).collect();
    bail!(
        "{}\n\nthe generated files are not what the specs say: run `cargo xtask gen`",
        list.join("\n")
    )
}

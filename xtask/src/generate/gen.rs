//! `cargo xtask gen`.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use rayon::prelude::*;

use crate::generate::emit::Macros;
use crate::generate::emit::common::Common;
use crate::generate::files::{self, Change};
use crate::generate::load::{self, load};
use crate::generate::model::{Architecture, Ip};
use crate::generate::{emit, implementation, manifests, overview, readme};

#[derive(clap::Args)]
pub struct Arguments {
    /// Write nothing; fail if a generated file differs from the specs
    #[arg(long)]
    check: bool,
}

pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let before = Instant::now();
    let loaded = load(root)?;
    let architectures: Vec<_> = architectures(&loaded.ips)
        .into_iter()
        .map(|architecture| {
            let ips: Vec<&Ip> = loaded.ips.iter().filter(|ip| ip.is_of(architecture)).collect();
            let generic = loaded.generic.iter().find(|generic| generic.name == architecture.name);
            let macros = Macros::of(architecture, &ips, generic);
            (architecture, ips, generic, macros)
        })
        .collect();
    let directory = |name: &str| format!("crates/{name}/src/generated");
    let of_architectures = architectures.par_iter().map(|(architecture, ips, generic, macros)| {
        let files = emit::architecture(architecture, ips, *generic, macros)?;
        Ok((directory(&architecture.name), files))
    });
    let of_ips = loaded.ips.par_iter().map(|ip| {
        let of_ip = architectures.iter().find(|(architecture, ..)| ip.is_of(architecture));
        Ok((directory(&ip.name), emit::emit(ip, of_ip.map(|(.., macros)| macros))?))
    });
    let made = of_architectures.chain(of_ips);
    let (wanted, of_tables) = rayon::join(|| made.collect::<Result<Vec<_>>>(), || tables(&loaded));
    let mut wanted = wanted?;
    wanted.push((TABLES.to_owned(), of_tables));
    // A workspace made by a test does not contain the crates that list all IPs.
    let is_whole = root.join("crates/arm-pmu").exists();
    let all = sorted(&loaded);
    if is_whole {
        let (ips, platforms) = (&loaded.ips, &loaded.platforms);
        let mut facade = emit::facade::emit(&all);
        facade.extend(emit::platform_constants::emit(platforms, ips));
        let files = [
            ("crates/arm-pmu/src/generated", facade),
            ("crates/arm-pmu-core/src/driver/product", emit::products::emit(ips)),
            ("crates/arm-pmu-linux/src/perf/generated", emit::kinds::emit(ips)),
            ("crates/arm-pmu-linux/src/mem/generated", emit::kinds::devices(ips)),
            ("crates/arm-pmu-sim/src/generated", vec![emit::facade::devices(root, &all)]),
        ];
        wanted.extend(files.map(|(directory, files)| (directory.to_owned(), files)));
    }
    wanted.push((load::SCHEMAS.to_owned(), emit::schemas()?));
    let mut crates = Vec::new();
    if is_whole {
        crates.extend(manifests::compare(root, &all)?);
        crates.extend(implementation::compare(root, &loaded.ips)?);
        crates.extend(overview::compare(root, &all)?);
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
    // Returns the number of changed files in a directory, in words.
    let done_in = |directory: &str| {
        let files = wanted.iter().filter(|(of, _)| Path::new(of).starts_with(directory));
        let files = files.map(|(_, files)| files.len()).sum();
        let is_there = |change: &&Change| change.path().starts_with(root.join(directory));
        done(files, changes.iter().filter(is_there))
    };
    for ip in &loaded.ips {
        let events: usize = ip.groups.iter().map(|group| group.events.len()).sum();
        let (name, registers) = (&ip.name, ip.registers.len());
        let done = done_in(&format!("crates/{name}"));
        outln!("{name}: {registers} registers, {events} events; {done}");
    }
    for (Architecture { name, .. }, ..) in &architectures {
        outln!("{name}: {}", done_in(&format!("crates/{name}")));
    }
    outln!("arm-pmu-tables: {}", done_in(TABLES));
    if readmes > 0 {
        outln!("READMEs: {}", done(readmes, of_pages.iter()));
    }
    outln!("{}: {}", load::SCHEMAS, done_in(load::SCHEMAS));
    outln!("done in {:.1} ms", before.elapsed().as_secs_f64() * 1e3);
    Ok(())
}

/// Returns all IPs by name, and the architectures with a driver for every core.
fn sorted(loaded: &load::Loaded) -> Vec<&Ip> {
    let mut all: Vec<&Ip> = loaded.ips.iter().chain(&loaded.generic).collect();
    all.sort_by_key(|ip| &ip.name);
    all
}

/// Directory of the tables of all IPs.
const TABLES: &str = "crates/arm-pmu-tables/src/generated";

/// The tables of all IPs, architectures and platforms.
fn tables(loaded: &load::Loaded) -> Vec<files::Generated> {
    let all = sorted(loaded);
    let commons = architectures(&loaded.ips).into_par_iter().map(|architecture| {
        let of: Vec<_> = all.iter().filter(|ip| ip.is_of(architecture)).copied().collect();
        emit::tables::common(architecture, &of)
    });
    let commons: Vec<Common> = commons.collect();
    let is_ip = |common: &&Common| all.iter().any(|ip| common.is_of(&ip.name));
    let shared: Vec<_> = commons.iter().filter(|common| !is_ip(common)).collect();
    let mut files = vec![emit::tables::list(&all, &shared), emit::words::emit()];
    files.extend(shared.into_iter().map(emit::tables::of_architecture));
    files.par_extend(all.par_iter().map(|ip| {
        let architecture = ip.architecture.as_ref();
        let of_ip = |common: &&Common| architecture.is_some_and(|of| common.is_of(&of.name));
        emit::tables::emit(ip, commons.iter().find(of_ip))
    }));
    files.push(emit::platforms::list(&loaded.platforms));
    files.extend(loaded.platforms.iter().map(emit::platforms::emit));
    files
}

/// Runs `gen --check`.
pub fn check(root: &Path) -> Result<()> {
    run(root, &Arguments { check: true })
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
    bail!("{}\n\nthe generated files differ from the specs: run `cargo xtask gen`", list.join("\n"))
}

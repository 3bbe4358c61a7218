//! Debian's packages for a guest, unpacked under `target/linux`.
//!
//! apt uses separate lists, a separate cache and a separate status file there. Therefore this
//! machine needs no second architecture, no installation and no root rights.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::system::System;
use crate::command::Program;

/// apt's list of Debian's own package sources, since Debian 12. Other package sources of a machine
/// may lack the architecture.
const SOURCES: &str = "/etc/apt/sources.list.d/debian.sources";

/// Returns the folder with the unpacked packages of this machine's release, or with newer packages of its backports.
/// Downloads the packages if the folder does not exist: 90 MB with apt's lists.
///
/// # Errors
///
/// Returns an error if the packages cannot be downloaded or unpacked.
pub fn unpacked(folder: &Path, backports: bool, system: &System) -> Result<PathBuf> {
    let unpacked = folder.join("root");
    if !unpacked.is_dir() {
        let (architecture, packages) = (system.architecture, system.packages.join(", "));
        outln!("loading {packages} for {architecture}, with their dependencies");
        load(folder, &unpacked, backports, system).with_context(|| {
            format!(
                "cannot get Debian's packages for {architecture}; this needs Debian 12 or later, {SOURCES} with a package \
                 source that can be reached, and permission to write to {}",
                folder.display()
            )
        })?;
    }
    Ok(unpacked)
}

fn load(folder: &Path, unpacked: &Path, backports: bool, system: &System) -> Result<()> {
    for part in ["state/lists/partial", "cache/archives/partial", "sources"] {
        fs::create_dir_all(folder.join(part))?;
    }
    // With an empty status file, apt sees no installed packages.
    fs::write(folder.join("status"), "")?;
    let sources = fs::read_to_string(SOURCES).with_context(|| format!("cannot read {SOURCES}"))?;
    fs::write(folder.join("sources/debian.sources"), &sources)?;
    let mut install = vec!["install", "--yes", "--download-only", "--no-install-recommends"];
    let suite = suite_of_backports()?;
    if backports {
        fs::write(folder.join("sources/backports.sources"), of_suite(&sources, &suite))?;
        install.extend(["--target-release", &suite]);
    }
    // If one of several package indexes is unavailable, only the packages that no other index lists
    // cannot be downloaded.
    if let Err(error) = apt(folder, system, &["update"]) {
        outln!("going on without an index of packages: {error:#}");
    }
    apt(folder, system, &[&install[..], system.packages].concat())?;

    // The folder is moved to its place when it is complete.
    let partial = tempfile::tempdir_in(folder)?;
    let archives = folder.join("cache/archives");
    for entry in fs::read_dir(&archives)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "deb") {
            let arguments = ["-x".as_ref(), file.as_os_str(), partial.path().as_os_str()];
            Program::new("dpkg-deb").arguments(arguments).run()?;
        }
    }
    fs::rename(partial.keep(), unpacked)?;
    fs::remove_dir_all(&archives)?;
    Ok(())
}

/// Returns the suite with the backports of this machine's release, for example
/// `bookworm-backports`.
fn suite_of_backports() -> Result<String> {
    let release = fs::read_to_string("/etc/os-release").context("cannot read /etc/os-release")?;
    let name = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    Ok(format!("{}-backports", name.context("/etc/os-release names no release")?))
}

/// Returns the first package source, but with another suite, because backports come from the same
/// server as the release.
fn of_suite(sources: &str, suite: &str) -> String {
    let first = sources.lines().take_while(|line| !line.is_empty());
    let lines = first.map(|line| match line.strip_prefix("Suites:") {
        Some(_) => format!("Suites: {suite}\n"),
        None => format!("{line}\n"),
    });
    lines.collect()
}

fn apt(folder: &Path, system: &System, arguments: &[&str]) -> Result<()> {
    let folder = folder.display();
    let options = [
        format!("APT::Architecture={}", system.architecture),
        format!("APT::Architectures={}", system.architecture),
        // Without this option, apt that runs as root would download as another user, who cannot
        // write to this folder.
        "APT::Sandbox::User=root".to_owned(),
        "Acquire::Languages=none".to_owned(),
        "Acquire::Retries=3".to_owned(),
        // Without this option, an index that cannot be downloaded is only a warning.
        "APT::Update::Error-Mode=any".to_owned(),
        format!("Dir::State={folder}/state"),
        format!("Dir::State::status={folder}/status"),
        format!("Dir::Cache={folder}/cache"),
        "Dir::Etc::sourcelist=/dev/null".to_owned(),
        format!("Dir::Etc::sourceparts={folder}/sources"),
    ];
    let options = options.iter().flat_map(|option| ["-o", option.as_str()]);
    Program::new("apt-get").arguments(["-qq"]).arguments(options).arguments(arguments).run()
}

//! Lists the crates that users can depend on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Deserialize;
use serde_json::Value;

use crate::command::cargo;
use crate::generate::load;

/// Crates for targets, in addition to the crates of IPs.
const COMMON: [&str; 3] = ["arm-pmu", "arm-pmu-core", "smmuv3-pmcg"];

/// Crates for hosts only.
const OF_THE_HOST: [&str; 4] =
    ["arm-pmu-derive", "arm-pmu-lookup", "arm-pmu-sim", "arm-pmu-tables"];

/// Features of the libraries that are off by default.
pub const FORMATS: [&str; 2] = ["defmt", "serde"];

/// Lists the crates that users can depend on.
pub fn all(root: &Path) -> Result<Vec<String>> {
    Ok(OF_THE_HOST.into_iter().map(str::to_owned).chain(on_target(root)?).collect())
}

/// Returns the crates that run on targets, not only on hosts.
pub fn on_target(root: &Path) -> Result<Vec<String>> {
    Ok(COMMON.into_iter().map(str::to_owned).chain(load::crates(root)?).collect())
}

/// Omits all IPs of an architecture except the first, because one template makes all of them.
pub fn without_repeated(root: &Path, mut crates: Vec<String>) -> Result<Vec<String>> {
    let specs = load::Directories::read(root)?;
    crates.retain(|name| specs.representative_of(name) == name);
    Ok(crates)
}

/// A package of the workspace, as Cargo describes it.
#[derive(Deserialize)]
pub struct Package {
    pub name: String,
    pub features: BTreeMap<String, Vec<String>>,
    targets: Vec<Target>,
    manifest_path: PathBuf,
    publish: Option<Vec<String>>,
    /// Metadata for programs other than Cargo.
    pub metadata: Value,
    /// Fields that a registry shows. A test of the manifests reads these fields.
    #[cfg(test)]
    #[serde(flatten)]
    pub other: Value,
}

/// A program, library, test or example.
#[derive(Deserialize)]
pub struct Target {
    pub name: String,
    kind: Vec<String>,
    pub src_path: PathBuf,
    /// Whether `cargo test` builds the target's unit tests.
    #[cfg(test)]
    pub test: bool,
}

impl Package {
    pub fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }

    /// Returns the targets of a kind, such as `example`.
    pub fn targets(&self, kind: &str) -> impl Iterator<Item = &Target> {
        self.targets.iter().filter(move |target| target.kind.iter().any(|one| one == kind))
    }
}

/// Returns the packages of the workspace.
pub fn packages(root: &Path) -> Result<Vec<Package>> {
    let metadata = cargo(root, &["metadata", "--no-deps", "--format-version", "1"]).output()?;
    let mut metadata: Value = serde_json::from_str(&metadata)?;
    Ok(serde_json::from_value(metadata["packages"].take())?)
}

/// Returns the packages to publish, in the order of their names.
pub fn published(root: &Path) -> Result<Vec<Package>> {
    let mut packages = packages(root)?;
    packages.retain(|package| package.publish.is_none());
    packages.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(packages)
}

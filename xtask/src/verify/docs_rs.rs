//! Builds the documentation of each package for the targets that its manifest asks for, with the features and flags of
//! the site that shows it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::command::cargo;
use crate::output::outln;
use crate::verify::api;
use crate::verify::arm::{Toolchain, or_skip};

/// Builds all pages; a warning is a failure.
///
/// # Errors
///
/// If a package asks for no targets, or a page has a problem.
pub fn build(root: &Path) -> Result<()> {
    let metadata = cargo(root, &["metadata", "--no-deps", "--format-version", "1"]).output()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let libraries = api::libraries(root)?;
    let mut of_targets: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in &libraries {
        let packages = metadata["packages"].as_array().context("packages")?;
        let package = packages.iter().find(|package| package["name"] == name.as_str());
        let settings = &package.context("a package of the workspace")?["metadata"]["docs"]["rs"];
        let targets = settings["targets"].as_array();
        let Some(targets) = targets.filter(|_| settings["all-features"] == true) else {
            bail!("crates/{name}/Cargo.toml: no `all-features = true` and `targets` for docs.rs");
        };
        for target in targets {
            let target = target.as_str().context("the name of a target")?;
            of_targets.entry(target.to_owned()).or_default().push(name);
        }
    }
    for (target, names) in of_targets {
        let Some(toolchain) = or_skip(
            &format!("pages for {target}"),
            Toolchain::of_figures(root, String::leak(target.clone())),
        )?
        else {
            continue;
        };
        outln!("{target}: {}", names.join(", "));
        let mut arguments = vec!["--quiet", "--release", "--no-deps", "--all-features", "--lib"];
        for name in names {
            arguments.extend(["--package", name]);
        }
        // With the labels of features.
        toolchain.documentation(root, &arguments, "--cfg docsrs --deny warnings").run()?;
    }
    Ok(())
}

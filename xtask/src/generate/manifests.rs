//! Manifests that list all IPs: `gen` adds missing IPs.
//!
//! `gen` removes no line: if a crate is gone, cargo's error names the line to remove.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value};

use crate::generate::emit::facade::shares_space;
use crate::generate::files::{self, Change};
use crate::generate::model::Ip;

/// Adds the missing IPs to a manifest. Returns `None` if the manifest lacks a table.
type Edit = fn(&mut DocumentMut, &[&Ip]) -> Option<()>;

/// Returns the changes that add missing IPs to the manifests of the workspace, of the facade and of
/// `arm-pmu-linux`.
pub fn compare(root: &Path, ips: &[&Ip]) -> Result<Vec<Change>> {
    let edits: [(&str, Edit); 3] = [
        ("Cargo.toml", workspace),
        ("crates/arm-pmu/Cargo.toml", facade),
        ("crates/arm-pmu-linux/Cargo.toml", linux),
    ];
    let mut changes = Vec::new();
    for (path, edit) in edits {
        let text =
            fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        let mut document: DocumentMut =
            text.parse().with_context(|| format!("cannot read {path}"))?;
        edit(&mut document, ips)
            .with_context(|| format!("{path} lacks tables that the manifest of a crate has"))?;
        changes.extend(files::compare_file(root.join(path), document.to_string())?);
    }
    Ok(changes)
}

/// Adds the crates as path dependencies.
fn workspace(document: &mut DocumentMut, ips: &[&Ip]) -> Option<()> {
    let workspace = document.get_mut("workspace")?.as_table_mut()?;
    let version = format!("={}", workspace.get("package")?.get("version")?.as_str()?);
    let dependencies = workspace.get_mut("dependencies")?.as_table_mut()?;
    add(dependencies, ips, |ip| {
        let mut table = InlineTable::new();
        table.insert("version", version.as_str().into());
        table.insert("path", format!("crates/{}", ip.name).into());
        Item::Value(Value::InlineTable(table))
    });
    Some(())
}

/// Adds a feature for each IP, and enables all of them by default.
fn facade(document: &mut DocumentMut, ips: &[&Ip]) -> Option<()> {
    let features = document.get_mut("features")?.as_table_mut()?;
    let all: Array = ips.iter().map(|ip| ip.name.as_str()).collect();
    let default = features.get_mut("default")?.as_array_mut()?;
    if !default.iter().map(Value::as_str).eq(all.iter().map(Value::as_str)) {
        let decor = default.decor().clone();
        *default = all;
        *default.decor_mut() = decor;
    }
    for ip in ips {
        if features.contains_key(&ip.name) {
            continue;
        }
        let mut crates: Array = [format!("dep:{}", ip.name)].into_iter().collect();
        if let Some(architecture) = ip.architecture.as_ref().filter(|_| shares_space(ip)) {
            crates.push(format!("dep:{}", architecture.name));
        }
        features.insert(&ip.name, Item::Value(Value::Array(crates)));
        let comment = format!("## {}\n", ip.title);
        features.key_mut(&ip.name)?.leaf_decor_mut().set_prefix(comment);
    }
    let dependencies = document.get_mut("dependencies")?.as_table_mut()?;
    add(dependencies, ips, |_| {
        let mut table = InlineTable::new();
        table.insert("workspace", true.into());
        table.insert("optional", true.into());
        Item::Value(Value::InlineTable(table))
    });
    Some(())
}

/// Adds `name.workspace = true` for each IP.
fn linux(document: &mut DocumentMut, ips: &[&Ip]) -> Option<()> {
    let dependencies = document.get_mut("dependencies")?.as_table_mut()?;
    add(dependencies, ips, |_| {
        let mut table = Table::new();
        table.set_dotted(true);
        table.insert("workspace", true.into());
        Item::Table(table)
    });
    Some(())
}

/// Adds the missing IPs, and then sorts all IPs. Crates of the workspace come before other
/// dependencies.
fn add(dependencies: &mut Table, ips: &[&Ip], item: impl Fn(&Ip) -> Item) {
    let missing: Vec<_> = ips.iter().filter(|ip| !dependencies.contains_key(&ip.name)).collect();
    if missing.is_empty() {
        return;
    }
    for ip in missing {
        dependencies.insert(&ip.name, item(ip));
    }
    let is_foreign = |item: &Item| item.get("workspace").is_none() && item.get("path").is_none();
    dependencies.sort_values_by(|one, of_one, other, of_other| {
        (is_foreign(of_one), one.get()).cmp(&(is_foreign(of_other), other.get()))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::good;

    fn edited(edit: fn(&mut DocumentMut, &[&Ip]) -> Option<()>, text: &str) -> String {
        let ip = good::load(&good::sources("demo")).0.expect("a good spec");
        let mut document: DocumentMut = text.parse().unwrap();
        edit(&mut document, &[&ip]).expect("the tables of a manifest");
        let once = document.to_string();
        edit(&mut document, &[&ip]).expect("the tables of a manifest");
        assert_eq!(document.to_string(), once, "nothing is added twice");
        once
    }

    #[test]
    fn missing_ips_are_added_in_their_places() {
        let text = "[workspace.package]\nversion = \"1.2.3\"\n\n[workspace.dependencies]\n# First.\n\
                    a = { path = \"a\" }\nz = { path = \"z\" }\n\nserde = \"1\"\n";
        let expected =
            text.replace("z = {", "demo = { version = \"=1.2.3\", path = \"crates/demo\" }\nz = {");
        assert_eq!(edited(workspace, text), expected);
        let text =
            "[dependencies]\na.workspace = true\nz.workspace = true\n# Calls.\nlibc = \"0.2\"\n";
        let expected = text.replace("z.w", "demo.workspace = true\nz.w");
        assert_eq!(edited(linux, text), expected);
    }
}

//! Name of a new IP.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::generate::names::{self, IpNames, is_identifier};

/// Name of a new IP in all its forms.
#[derive(Debug)]
pub struct Names {
    pub ip: IpNames,
    /// In sentences: `Cortex-A8`.
    pub title: String,
}

/// Names in the template, in the order of their replacements in `put_into`.
const TEMPLATE: [&str; 5] =
    ["SKELETON_IP", "SKELETON IP", "skeleton-ip", "skeleton_ip", "SkeletonIp"];

/// Words that cannot be names, because they have another meaning: crates of Rust, a feature in Cargo, and words that
/// YAML 1.1 or 1.2 reads as strings only in quotes.
const WORDS: &str = "alloc core default false n no null off on proc-macro std test true y yes";

impl Names {
    pub fn new(name: &str, title: Option<&str>) -> Result<Self> {
        let word = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
        if !starts || !name.split('-').all(word) || name.len() > 40 {
            bail!(
                "`{}` cannot be the name of an IP, because its crate has the same name: write \
                 small letters and digits, with hyphens between words, as in `cortex-a8`",
                name.escape_default()
            );
        }
        if WORDS.split(' ').any(|word| word == name) || !is_identifier(&names::of_ip(name).module) {
            bail!(
                "`{name}` cannot be the name of an IP: it is a word of Rust, Cargo or YAML; choose another, as in \
                 `{name}-pmu`"
            );
        }
        let title = title.map_or_else(|| name.to_uppercase(), str::to_owned);
        let plain = |c: char| c.is_ascii_alphanumeric() || " -/.".contains(c);
        let starts = title.starts_with(|c: char| c.is_ascii_alphanumeric());
        if !starts || !title.chars().all(plain) || title.len() > 60 {
            bail!(
                "`{}` cannot be a title: write at most 60 ASCII letters, digits, spaces, `-`, `/` and `.`",
                title.escape_default()
            );
        }
        Ok(Self { ip: names::of_ip(name), title })
    }

    pub fn are_free(&self, root: &Path) -> Result<()> {
        let IpNames { package, module, .. } = &self.ip;
        let lock = fs::read_to_string(root.join("Cargo.lock")).context("cannot read Cargo.lock")?;
        let is_package = lock.contains(&format!("\nname = \"{package}\"\n"));
        let mut paths = [
            format!("specs/{package}"),
            format!("crates/{package}"),
            format!("crates/arm-pmu-sim/src/{module}.rs"),
            format!("crates/arm-pmu-sim/src/{module}"),
        ]
        .into_iter();
        let taken = paths.find(|path| root.join(path).exists());
        if let Some(by) = taken.or(is_package.then(|| "a package in Cargo.lock".to_owned())) {
            bail!(
                "the name `{package}` is taken: there is {by}; choose another, as in `{package}-pmu`"
            );
        }
        Ok(())
    }

    /// Replaces the template's names in `template` by the names of the new IP.
    pub fn put_into(&self, template: &str) -> String {
        let IpNames { package, module, type_name, constant } = &self.ip;
        let own = [constant, &self.title, package, module, type_name];
        let mut text = String::with_capacity(template.len());
        let mut rest = template;
        // Replaces in one pass, so that a new name that contains a template name is not replaced
        // again.
        while let Some((at, nth)) = next(rest) {
            text.push_str(&rest[..at]);
            text.push_str(own[nth]);
            rest = &rest[at + TEMPLATE[nth].len()..];
        }
        text + rest
    }
}

/// Returns the first template name in the text, as its position and its index in `TEMPLATE`.
fn next(text: &str) -> Option<(usize, usize)> {
    let found = TEMPLATE.iter().enumerate().filter_map(|(nth, name)| Some((text.find(name)?, nth)));
    found.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_all_its_forms() {
        let names = Names::new("cortex-a8", Some("Cortex-A8")).unwrap();
        let text = "skeleton-ip skeleton_ip SkeletonIpEvent SKELETON_IP of SKELETON IP, skeleton";
        let put = "cortex-a8 cortex_a8 CortexA8Event CORTEX_A8 of Cortex-A8, skeleton";
        assert_eq!(names.put_into(text), put);
        assert_eq!(Names::new("cci600", None).unwrap().title, "CCI600");
        let names = Names::new("my-skeleton-ip", None).unwrap();
        assert_eq!(names.put_into("skeleton-ip skeleton_ip"), "my-skeleton-ip my_skeleton_ip");
    }

    #[test]
    fn invalid_crate_names_are_refused() {
        let long = "a".repeat(41);
        for name in [
            "", "-", "-a", "a-", "a--b", "8a", "A8", "a_b", "a b", "a/b", "../a", "a.b", "\u{e4}",
            "fn", "self", "core", "std", "test", "default", &long,
        ] {
            assert!(Names::new(name, None).is_err(), "{name}");
        }
        for title in ["", " A", "A: B", "A\nB", "\"", "\u{c4}", "{", "#", &"A".repeat(61)] {
            assert!(Names::new("a1", Some(title)).is_err(), "{title}");
        }
    }

    #[test]
    fn taken_names_get_a_suggestion() {
        for name in ["gen", "async", "proc-macro", "null", "on", "default"] {
            let error = Names::new(name, None).unwrap_err().to_string();
            assert!(error.contains(&format!("choose another, as in `{name}-pmu`")), "{error}");
            Names::new(&format!("{name}-pmu"), None).unwrap();
        }
        for name in ["gen1", "union", "nulls"] {
            Names::new(name, None).unwrap();
        }
    }
}

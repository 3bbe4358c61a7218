//! What a new IP is called.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use heck::ToUpperCamelCase;

use crate::names::is_identifier;

/// The name of a new IP in all its forms.
#[derive(Debug)]
pub struct Names {
    /// Of the crate: `cortex-a8`.
    pub package: String,
    /// In code: `cortex_a8`.
    pub ident: String,
    /// Of the simulated device: `CortexA8`.
    pub witness: String,
    /// In sentences: `Cortex-A8`.
    pub title: String,
}

/// The same of the template, the longer before what is a part of it.
const TEMPLATE: [&str; 5] =
    ["SKELETON_IP", "SKELETON IP", "skeleton-ip", "skeleton_ip", "SkeletonIp"];

impl Names {
    /// # Errors
    ///
    /// If it is no name for a crate, or the title cannot stand in a spec.
    pub fn new(name: &str, title: Option<&str>) -> Result<Self> {
        let word = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
        if !starts || !name.split('-').all(word) || name.len() > 40 {
            bail!(
                "`{}` cannot be the name of an IP: it is that of a crate, so write small letters and \
                 digits, with hyphens between words, as in `cortex-a8`",
                name.escape_default()
            );
        }
        let ident = name.replace('-', "_");
        if !is_identifier(&ident) || ["core", "std", "alloc", "test", "default"].contains(&name) {
            bail!("`{name}` cannot be the name of an IP: in Rust it means something else");
        }
        let title = title.map_or_else(|| name.to_uppercase(), str::to_owned);
        let plain = |c: char| c.is_ascii_alphanumeric() || " -/.".contains(c);
        if !title.starts_with(|c: char| c.is_ascii_alphanumeric()) || !title.chars().all(plain) {
            bail!("`{}` cannot be a title: write ASCII letters and digits", title.escape_default());
        }
        let witness = name.to_upper_camel_case();
        Ok(Self { package: name.to_owned(), ident, witness, title })
    }

    /// # Errors
    ///
    /// If something in the workspace has this name.
    pub fn are_free(&self, root: &Path) -> Result<()> {
        let Self { package, ident, witness, .. } = self;
        let taken = |by: &str| bail!("the name `{package}` is taken: there is {by}");
        for path in [
            format!("specs/{package}"),
            format!("crates/{package}"),
            format!("crates/arm-pmu-sim/src/{ident}.rs"),
            format!("crates/arm-pmu-sim/src/{ident}"),
            format!("xtask/{package}"),
        ] {
            // Also a link that leads nowhere.
            if root.join(&path).symlink_metadata().is_ok() {
                return taken(&path);
            }
        }
        let read = |path: &str| {
            fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))
        };
        // A member of the workspace beside the crates, or a library that it uses.
        if package == "xtask" || read("Cargo.lock")?.contains(&format!("\nname = \"{package}\"\n"))
        {
            return taken("a crate of this name in Cargo.lock");
        }
        let exported = read("crates/arm-pmu-sim/src/lib.rs")?;
        let exported = exported.lines().filter(|line| line.starts_with("pub use "));
        let mut words = exported.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric()));
        if words.any(|word| word == witness) {
            return taken(&format!("`{witness}` in crates/arm-pmu-sim/src/lib.rs"));
        }
        Ok(())
    }

    /// A text of the template with these names.
    pub fn put_into(&self, template: &str) -> String {
        let capitals = self.ident.to_uppercase();
        let own = [&capitals, &self.title, &self.package, &self.ident, &self.witness];
        let mut text = String::with_capacity(template.len());
        let mut rest = template;
        // In one go, so that a name that holds one of the template is not changed again.
        while let Some((at, nth)) = next(rest) {
            text.push_str(&rest[..at]);
            text.push_str(own[nth]);
            rest = &rest[at + TEMPLATE[nth].len()..];
        }
        text + rest
    }
}

/// The first name of the template: where it stands, and which it is.
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
    fn what_is_no_name_of_a_crate_is_refused() {
        let long = "a".repeat(41);
        for name in [
            "", "-", "-a", "a-", "a--b", "8a", "A8", "a_b", "a b", "a/b", "../a", "a.b", "\u{e4}",
            "fn", "self", "core", "std", "test", "default", &long,
        ] {
            assert!(Names::new(name, None).is_err(), "{name}");
        }
        for title in ["", " A", "A: B", "A\nB", "\"", "\u{c4}", "{", "#"] {
            assert!(Names::new("a1", Some(title)).is_err(), "{title}");
        }
    }
}

//! Name of a new IP.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result, anyhow, bail};
use proc_macro2::{TokenStream, TokenTree};

use super::skeleton::Skeleton;
use crate::generate::names::{self, IpNames, is_identifier};

/// Name of a new IP in all its forms.
#[derive(Debug)]
pub struct Names {
    pub ip: IpNames,
    /// In sentences: `Cortex-A8`.
    pub title: String,
}

/// Replacements for the template's names, with longer names before their parts.
const TEMPLATE: [&str; 5] =
    ["SKELETON_IP", "SKELETON IP", "skeleton-ip", "skeleton_ip", "SkeletonIp"];

/// Directory of the simulated devices.
const SIMULATOR: &str = "crates/arm-pmu-sim/src";

/// Crates that are part of Rust.
const SYSTEM_CRATES: [&str; 5] = ["alloc", "core", "proc-macro", "std", "test"];

/// Words that YAML 1.1 or 1.2 does not read as strings without quotes.
const YAML_WORDS: [&str; 9] = ["false", "n", "no", "null", "off", "on", "true", "y", "yes"];

/// Files outside of the template that rules cover, because a new name is used among their names.
const AROUND: [&str; 6] = [
    "crates/arm-pmu-sim/src/lib.rs",
    "crates/arm-pmu-sim/src/handle.rs",
    "crates/arm-pmu/src/lib.rs",
    "xtask/src/tests/against_device/mod.rs",
    "xtask/src/tests/against_device/memory.rs",
    "xtask/src/tests/against_device/fields.rs",
];

impl Names {
    /// # Errors
    ///
    /// Returns an error if the name is no crate name, or if a spec cannot hold the title.
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
        if let Some(meaning) = meaning(name) {
            bail!(
                "`{name}` cannot be the name of an IP: it is {meaning}; choose another, as in \
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

    /// # Errors
    ///
    /// Returns an error if an item in the workspace, or in a file that gets new lines, has this
    /// name.
    pub fn are_free(&self, root: &Path, skeleton: &Skeleton) -> Result<()> {
        let IpNames { package, module, type_name, .. } = &self.ip;
        let taken = |by: &str| {
            anyhow!(
                "the name `{package}` is taken: there is {by}; choose another, as in `{package}-pmu`"
            )
        };
        for path in [
            format!("specs/{package}"),
            format!("crates/{package}"),
            format!("crates/arm-pmu-sim/src/{module}.rs"),
            format!("crates/arm-pmu-sim/src/{module}"),
            format!("xtask/{package}"),
        ] {
            // A dangling link counts too.
            if root.join(&path).symlink_metadata().is_ok() {
                return Err(taken(&path));
            }
        }
        let read = |path: &str| {
            fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))
        };
        // Another member of the workspace, or a library that it uses.
        if package == "xtask" || read("Cargo.lock")?.contains(&format!("\nname = \"{package}\"\n"))
        {
            return Err(taken("a crate of this name in Cargo.lock"));
        }
        let exported =
            ["lib.rs", "generated/devices.rs"].map(|file| read(&format!("{SIMULATOR}/{file}")));
        let exported = exported.into_iter().collect::<Result<String>>()?;
        let exported = exported.lines().filter(|line| line.starts_with("pub use "));
        let mut words = exported.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric()));
        if words.any(|word| word == type_name) {
            return Err(taken(&format!("`{type_name}` in {SIMULATOR}")));
        }
        // Any other conflict in the new files and lines: with a type, a module, or a test file.
        for (path, text) in skeleton.texts() {
            let stems = path.split(['/', '.']).map(str::to_owned);
            let words = if path.ends_with(".rs") { identifiers(text) } else { Ok(BTreeSet::new()) };
            let words = words.with_context(|| format!("cannot read the template of {path}"))?;
            let words = words.into_iter().chain(stems).filter(|word| !of_template(word));
            if let Some(word) = self.is_one_of(words) {
                return Err(taken(&format!("`{word}` in the files that this makes")));
            }
        }
        for path in AROUND.iter().chain(skeleton.around) {
            let words = identifiers(&read(path)?).with_context(|| format!("cannot read {path}"))?;
            if let Some(word) = self.is_one_of(words.into_iter()) {
                return Err(taken(&format!("`{word}` in {path}")));
            }
        }
        // The facade depends on the crate, so a module of this name would hide it in the facade's
        // tests and examples.
        let facade = "crates/arm-pmu";
        let mut modules = BTreeSet::new();
        modules_in(&root.join(facade), &mut modules)
            .with_context(|| format!("cannot read {facade}"))?;
        if modules.contains(module) {
            return Err(taken(&format!("a module `{module}` in {facade}")));
        }
        // The table of all PMUs defines a module for each unit in tests: `cci400_r0`.
        let table = read("crates/arm-pmu/src/generated/pmus.rs")?;
        if table.lines().any(|line| line.trim() == format!("{module} {{")) {
            return Err(taken(&format!("a PMU `{module}` in {facade}")));
        }
        Ok(())
    }

    /// Returns the first of these words that equals a form of the name.
    fn is_one_of(&self, words: impl Iterator<Item = String>) -> Option<String> {
        let IpNames { module, type_name, constant, .. } = &self.ip;
        let event_type = names::event_type(module);
        let of_device = format!("Of{type_name}");
        let forms = [module, type_name, constant, &event_type, &of_device];
        let mut words = words;
        words.find(|word| forms.contains(&word))
    }

    /// Returns a text of the template with these names.
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

/// Returns the meaning that a name already has in a language of the new files.
fn meaning(name: &str) -> Option<&'static str> {
    let device = |of: &str| {
        let number = name.strip_prefix(of).unwrap_or_default();
        number.len() == 1 && number.chars().all(|c| c.is_ascii_digit())
    };
    if !is_identifier(&names::of_ip(name).module) {
        Some("a keyword of Rust")
    } else if SYSTEM_CRATES.contains(&name) {
        Some("a crate that comes with Rust")
    } else if name == "default" {
        Some("a feature with a meaning of its own in Cargo")
    } else if YAML_WORDS.contains(&name) {
        Some("no text in YAML")
    } else if ["aux", "con", "nul", "prn"].contains(&name) || device("com") || device("lpt") {
        Some("no name of a file on Windows")
    } else {
        None
    }
}

/// Returns all identifiers in a Rust file, without its documentation.
fn identifiers(text: &str) -> Result<BTreeSet<String>> {
    let mut words = BTreeSet::new();
    let tokens = TokenStream::from_str(text).map_err(|error| anyhow!("{error}"))?;
    each_identifier(tokens, &mut |_, word| {
        words.insert(word.to_owned());
    });
    Ok(words)
}

/// Visits each identifier, together with the identifier right before it.
fn each_identifier(tokens: TokenStream, each: &mut impl FnMut(&str, &str)) {
    let mut before = String::new();
    for token in tokens {
        let word = match token {
            TokenTree::Ident(ident) => {
                let word = ident.to_string();
                each(&before, &word);
                word
            }
            TokenTree::Group(group) => {
                each_identifier(group.stream(), each);
                String::new()
            }
            _ => String::new(),
        };
        before = word;
    }
}

/// Collects the names of all modules in the Rust files of a directory.
fn modules_in(directory: &Path, modules: &mut BTreeSet<String>) -> Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            modules_in(&path, modules)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            // A file that the compiler must reject need not be valid Rust.
            let Ok(tokens) = TokenStream::from_str(&fs::read_to_string(&path)?) else { continue };
            each_identifier(tokens, &mut |before, word| {
                if before == "mod" {
                    modules.insert(word.to_owned());
                }
            });
        }
    }
    Ok(())
}

/// Returns whether a word is a name of the template, which the new name replaces.
fn of_template(word: &str) -> bool {
    TEMPLATE.iter().any(|name| word.contains(name))
}

/// Returns the first name of the template, with its position.
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
        for (name, meaning) in [
            ("gen", "a keyword of Rust"),
            ("async", "a keyword of Rust"),
            ("yield", "a keyword of Rust"),
            ("proc-macro", "a crate that comes with Rust"),
            ("null", "no text in YAML"),
            ("on", "no text in YAML"),
            ("com1", "no name of a file on Windows"),
            ("aux", "no name of a file on Windows"),
        ] {
            let error = Names::new(name, None).unwrap_err().to_string();
            assert!(error.contains(&format!("it is {meaning}; choose another")), "{error}");
            assert!(error.contains(&format!("`{name}-pmu`")), "{error}");
            Names::new(&format!("{name}-pmu"), None).unwrap();
        }
        for name in ["gen1", "com", "com10", "union", "nulls"] {
            Names::new(name, None).unwrap();
        }
    }

    #[test]
    fn identifiers_in_documentation_are_ignored() {
        let text = "/// Some text.\nstruct State { port: u8 }\nmod inner { fn f() {} }\n";
        let words = identifiers(text).unwrap();
        assert!(["State", "port", "inner", "f"].iter().all(|word| words.contains(*word)));
        assert!(!words.contains("Some") && !words.contains("text"));
    }
}

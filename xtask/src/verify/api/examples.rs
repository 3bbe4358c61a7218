//! That whoever comes upon an item in the pages of a crate finds an example of it.
//!
//! A page has an example if it has code, or a link called `Example` to a page that has one. Each module has to. Other
//! items have to if their module has none: a module's example counts for its items.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// What has a page of its own.
const WITH_PAGE: [&str; 10] = [
    "module",
    "struct",
    "enum",
    "union",
    "trait",
    "function",
    "macro",
    "constant",
    "static",
    "type_alias",
];

/// How a link to an example is called.
const LINK: &str = "[Example](";

/// The pages of all crates.
#[derive(Default)]
pub struct Pages {
    /// By the path of the item.
    pages: BTreeMap<String, Page>,
}

/// The page of an item.
struct Page {
    has_code: bool,
    /// The path of the item that its link to an example leads to.
    example: Option<String>,
    is_module: bool,
    /// The path of the module that it is shown in.
    module: Option<String>,
}

impl Pages {
    /// Adds the pages of a crate, as rustdoc describes it for other programs.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn add(&mut self, description: &PathBuf) -> Result<()> {
        let text =
            fs::read_to_string(description).with_context(|| description.display().to_string())?;
        self.add_crate(&serde_json::from_str(&text)?)
    }

    fn add_crate(&mut self, description: &Value) -> Result<()> {
        let root = description["root"].as_u64().context("rustdoc names no root")?;
        let mut of_crate = Crate { description, pages: self, inside: BTreeSet::new() };
        of_crate.walk(root, None);
        Ok(())
    }

    /// How many pages there are.
    ///
    /// # Errors
    ///
    /// If a page has no example, or a link called `Example` leads to none.
    pub fn check(&self) -> Result<usize> {
        let mut missing = Vec::new();
        for (path, page) in &self.pages {
            let own = self.has_example(path, &mut BTreeSet::new());
            let of_module = || {
                let module = page.module.as_ref().filter(|_| !page.is_module);
                module.is_some_and(|module| self.has_example(module, &mut BTreeSet::new()))
            };
            // A link that leads nowhere is a mistake, whatever its module has.
            if !own && (page.example.is_some() || !of_module()) {
                missing.push(path.as_str());
            }
        }
        if !missing.is_empty() {
            bail!(
                "these pages have no example, no link `{LINK}..)` to one, and are not in a module with one:\n  {}",
                missing.join("\n  ")
            );
        }
        Ok(self.pages.len())
    }

    /// Whether the page has one itself. `seen` are the paths that led here.
    fn has_example<'p>(&'p self, path: &'p str, seen: &mut BTreeSet<&'p str>) -> bool {
        let Some(page) = self.pages.get(path).filter(|_| seen.insert(path)) else { return false };
        page.has_code || page.example.as_ref().is_some_and(|next| self.has_example(next, seen))
    }
}

/// A crate whose pages are being added.
struct Crate<'d, 'p> {
    description: &'d Value,
    pages: &'p mut Pages,
    /// The modules that led to an item.
    inside: BTreeSet<u64>,
}

impl<'d> Crate<'d, '_> {
    /// Adds the page of an item and of its contents.
    fn walk(&mut self, id: u64, module: Option<&str>) {
        let item = &self.description["index"][id.to_string()];
        let Some((kind, inner)) = item["inner"].as_object().and_then(|inner| inner.iter().next())
        else {
            return;
        };
        if is_hidden(item) {
            return;
        }
        if kind == "use" {
            // What another crate defines has its page there.
            if let Some(used) = inner["id"].as_u64() {
                self.used(used, inner["is_glob"] == true, module);
            }
            return;
        }
        if !WITH_PAGE.contains(&kind.as_str()) {
            return;
        }
        // An item that several modules show has one page, under the first.
        let path = self.path(id, item, module);
        let docs = item["docs"].as_str().unwrap_or_default();
        let page = Page {
            has_code: has_code(docs),
            example: self.example(item, docs),
            is_module: kind == "module",
            module: module.map(str::to_owned),
        };
        self.pages.pages.entry(path.clone()).or_insert(page);
        if kind == "module" && self.inside.insert(id) {
            for next in inner["items"].as_array().into_iter().flatten().filter_map(Value::as_u64) {
                self.walk(next, Some(&path));
            }
            self.inside.remove(&id);
        }
    }

    fn used(&mut self, id: u64, is_glob: bool, module: Option<&str>) {
        let inner = &self.description["index"][id.to_string()]["inner"];
        match inner["module"]["items"].as_array() {
            Some(items) if is_glob => {
                for next in items.iter().filter_map(Value::as_u64) {
                    self.walk(next, module);
                }
            }
            _ => self.walk(id, module),
        }
    }

    /// The path of an item in all crates, as rustdoc writes it.
    fn path(&self, id: u64, item: &Value, module: Option<&str>) -> String {
        self.named(id).unwrap_or_else(|| {
            let name = item["name"].as_str().unwrap_or_default();
            module.map_or_else(|| name.to_owned(), |module| format!("{module}::{name}"))
        })
    }

    fn named(&self, id: u64) -> Option<String> {
        let path = self.description["paths"][id.to_string()]["path"].as_array()?;
        let names: Vec<_> = path.iter().filter_map(Value::as_str).collect();
        Some(names.join("::"))
    }

    /// Where the link to an example leads. An empty path if rustdoc does not know.
    fn example(&self, item: &'d Value, docs: &str) -> Option<String> {
        let (_, target) = docs.split_once(LINK)?;
        let end = target.find(')')?;
        // A function is named with its own.
        let target = &target[..end + usize::from(target[..end].ends_with('('))];
        let id = item["links"][target].as_u64();
        Some(id.and_then(|id| self.named(id)).unwrap_or_default())
    }
}

/// Whether rustdoc leaves the item out.
fn is_hidden(item: &Value) -> bool {
    let attributes = item["attrs"].as_array();
    attributes.into_iter().flatten().any(|attribute| attribute.to_string().contains("hidden"))
}

/// Whether there is a block of code in Rust, which is compiled as a test.
fn has_code(docs: &str) -> bool {
    let page = documents::Document { path: String::new(), text: docs.to_owned() };
    page.blocks().iter().any(|block| {
        let mut words = block.kind.split(',').map(str::trim);
        words.all(|word| matches!(word, "" | "rust" | "no_run" | "should_panic"))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A crate `c` with a module `m` that has a function `f`; each with its text.
    fn checked(of_crate: &str, of_module: &str, of_function: &str) -> Result<usize> {
        let links = json!({ "crate": 0, "f": 2 });
        let item = |name: &str, docs: &str, inner: Value| json!({ "name": name, "docs": docs, "attrs": [], "links": links, "inner": inner });
        let description = json!({
            "root": 0,
            "index": {
                "0": item("c", of_crate, json!({ "module": { "items": [1] } })),
                "1": item("m", of_module, json!({ "module": { "items": [2] } })),
                "2": item("f", of_function, json!({ "function": {} })),
            },
            "paths": { "0": { "path": ["c"] }, "1": { "path": ["c", "m"] }, "2": { "path": ["c", "m", "f"] } },
        });
        let mut pages = Pages::default();
        pages.add_crate(&description)?;
        pages.check()
    }

    const CODE: &str = "Text.\n\n```\nf();\n```\n";

    #[test]
    fn a_module_example_covers_items_not_submodules() {
        assert_eq!(checked(CODE, CODE, "").expect("examples"), 3);
        let missing = checked(CODE, "", CODE).unwrap_err().to_string();
        assert!(missing.ends_with("with one:\n  c::m"), "{missing}");
        let missing = checked(CODE, "", "").unwrap_err().to_string();
        assert!(missing.ends_with("with one:\n  c::m\n  c::m::f"), "{missing}");
    }

    #[test]
    fn a_link_counts_if_it_leads_to_an_example() {
        assert!(checked(CODE, "[Example](crate)", "").is_ok());
        assert!(checked("[Example](f)", "[Example](f)", CODE).is_ok());
        assert!(checked(CODE, "[Example](other)", "").is_err());
        assert!(checked(CODE, CODE, "[Example](f)").is_err());
        assert!(checked("[Example](f)", CODE, "[Example](crate)").is_err());
    }

    #[test]
    fn text_is_no_example() {
        assert!(has_code("```rust\nf();\n```") && has_code("```no_run\nf();\n```"));
        assert!(!has_code("```text\nf\n```") && !has_code("```rust,ignore\nf();\n```"));
        assert!(
            !has_code("```sh\nls\n```\ntext\n") && has_code("```sh\nls\n```\n```\nf();\n```\n")
        );
    }
}

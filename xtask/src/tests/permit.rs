//! No public item of a crate gives the permit that a location is made with: only described registers are
//! reached (ARCHITECTURE.md, invariant 7).

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit_mut::{VisitMut, visit_item_impl_mut};
use syn::{
    Fields, File, ImplItem, Item, ItemConst, ItemImpl, ItemStruct, ItemUse, Visibility, parse_file,
};

use crate::generate::load;

const PERMIT: &str = "PERMIT";

/// The Rust files of a crate.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// How often the tokens have this word.
fn count(tokens: TokenStream, word: &str) -> usize {
    let of_one = |token| match token {
        TokenTree::Group(group) => count(group.stream(), word),
        TokenTree::Ident(ident) => usize::from(ident == word),
        _ => 0,
    };
    tokens.into_iter().map(of_one).sum()
}

fn count_in(item: &impl quote::ToTokens, word: &str) -> usize {
    count(item.to_token_stream(), word)
}

fn is_private(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Inherited)
}

/// Whether a module of spaces has the types and the permit, and nothing that gives the permit away.
fn keeps_the_permit(file: &File) -> Result<(), String> {
    for item in &file.items {
        let keeps = match item {
            Item::Struct(ItemStruct { ident, attrs, fields: Fields::Unnamed(fields), .. }) => {
                let is_harmless = |attribute: &syn::Attribute| {
                    attribute.path().is_ident("doc")
                        || attribute.path().is_ident("derive")
                            && count_in(attribute, "Default") == 0
                };
                ident == "Permit"
                    && fields.unnamed.iter().all(|field| is_private(&field.vis))
                    && attrs.iter().all(is_harmless)
            }
            Item::Const(ItemConst { ident, vis: Visibility::Restricted(vis), .. }) => {
                ident == PERMIT && vis.path.is_ident("super")
            }
            Item::Enum(space) => space.variants.is_empty(),
            Item::Impl(ItemImpl { trait_: Some((path, _)), items, .. }) => {
                let ours = ["Space", "MemorySpace", "Cp15Space", "SysregSpace", "TwoPages"];
                path.segments.last().is_some_and(|last| ours.iter().any(|name| last.ident == name))
                    && items.iter().all(|item| match item {
                        ImplItem::Const(_) => count_in(item, PERMIT) == 0,
                        ImplItem::Type(_) => true,
                        _ => false,
                    })
            }
            _ => false,
        };
        if !keeps {
            return Err(quote::quote!(#item).to_string());
        }
    }
    Ok(())
}

/// Where a file of registers may name the permit: in private imports, and in the locations of registers. The macro
/// `register!` of core puts it only there.
#[derive(Default)]
struct Uses(usize);

impl VisitMut for Uses {
    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        let is_register =
            call.path.segments.iter().map(|part| &part.ident).eq(["arm_pmu_core", "register"]);
        self.0 += usize::from(is_register && count(call.tokens.clone(), PERMIT) == 1);
    }

    fn visit_item_use_mut(&mut self, item: &mut ItemUse) {
        if is_private(&item.vis) {
            self.0 += count_in(item, PERMIT);
        }
    }

    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        for item in &item.items {
            if let ImplItem::Const(location) = item
                && location.ident == "LOCATION"
            {
                self.0 += usize::from(count_in(location, PERMIT) == 1);
            }
        }
        visit_item_impl_mut(self, item);
    }
}

#[test]
fn no_item_gives_a_permit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut spaces = 0;
    for package in load::crates(&root).expect("crates") {
        for path in sources(&root.join("crates").join(package).join("src")) {
            let text = fs::read_to_string(&path).expect("a source");
            let mut file = parse_file(&text).expect("Rust");
            let is_generated = path.components().any(|part| part.as_os_str() == "generated");
            if is_generated && path.ends_with("space.rs") {
                let kept = keeps_the_permit(&file);
                assert!(kept.is_ok(), "{}: {}", path.display(), kept.unwrap_err());
                spaces += 1;
                continue;
            }
            let mut uses = Uses::default();
            if is_generated {
                uses.visit_file_mut(&mut file);
            }
            assert_eq!(count_in(&file, PERMIT), uses.0, "{}", path.display());
        }
    }
    assert!(spaces >= 5, "{spaces} files with spaces");
}

#[test]
fn a_leaked_permit_is_noticed() {
    let space =
        "pub struct Permit(()); pub(super) const PERMIT: Permit = Permit(()); pub enum Space {}";
    let kept = |more: &str| {
        keeps_the_permit(&parse_file(&format!("{space} {more}")).expect("Rust")).is_ok()
    };
    assert!(kept(""));
    assert!(kept(
        "impl arm_pmu_core::bus::Space for Space { type Key = usize; type Permit = Permit; }"
    ));
    for more in [
        "impl Permit { pub const fn new() -> Self { PERMIT } }",
        "impl Default for Permit { fn default() -> Self { PERMIT } }",
        "impl arm_pmu_core::bus::MemorySpace for Space { const GIVEN: Permit = PERMIT; }",
        "pub const GIVEN: Permit = PERMIT;",
        "pub(crate) fn permit() -> Permit { PERMIT }",
        "pub use self::PERMIT as GIVEN;",
        "pub struct Open(pub Permit);",
    ] {
        assert!(!kept(more), "{more}");
    }
    let uses = |text: &str| {
        let mut file = parse_file(text).expect("Rust");
        let mut uses = Uses::default();
        uses.visit_file_mut(&mut file);
        count_in(&file, PERMIT) == uses.0
    };
    assert!(uses(
        "mod a { use x::PERMIT; impl R for S { const LOCATION: L = L::at(PERMIT, 0); } }"
    ));
    assert!(uses("mod a { use x::PERMIT; arm_pmu_core::register! { at(PERMIT, 0x4); } }"));
    assert!(!uses("given! { PERMIT }"));
    assert!(!uses("pub use x::PERMIT;"));
    assert!(!uses("pub const GIVEN: Permit = PERMIT;"));
    assert!(!uses("fn given() -> Permit { PERMIT }"));
}

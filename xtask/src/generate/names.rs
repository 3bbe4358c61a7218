//! Rust names of the items in the specs.
//!
//! svd2rust's conversion names registers and fields, because its output uses these names; heck
//! names all other items.

use heck::{ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};
use proc_macro2::{Ident, Span};
use svd2rust::config::{Config, IdentFormats};

thread_local! {
    static CONFIG: Config = {
        let mut config = Config::default();
        config.ident_formats = IdentFormats::default_theme();
        config
    };
}

pub fn svd2rust_config() -> Config {
    CONFIG.with(Config::clone)
}

fn svd2rust_name(name: &str, format: &str) -> String {
    CONFIG.with(|config| svd2rust::util::ident(name, config, format, Span::call_site()).to_string())
}

/// Returns the name of a register's module, which is also the name of the view's method.
pub fn register_module(name: &str) -> String {
    svd2rust_name(name, "register_mod")
}

pub fn register_spec(name: &str) -> String {
    svd2rust_name(name, "register_spec")
}

/// Returns the method that returns a field.
pub fn field_accessor(name: &str) -> String {
    let name = svd2rust_name(name, "field_accessor");
    // As in svd2rust: a field must not hide the methods `bits` and `set` of readers and writers.
    if ["bits", "set"].contains(&name.as_str()) { name + "_" } else { name }
}

/// Returns the alias of a field's reader type.
pub fn field_reader(name: &str) -> String {
    svd2rust_name(name, "field_reader")
}

pub fn field_values(name: &str) -> String {
    svd2rust_name(name, "enum_name")
}

/// Returns the name of a type or a variant.
pub fn type_name(name: &str) -> String {
    name.to_upper_camel_case()
}

pub fn block_type(name: &str) -> String {
    type_name(name) + "Block"
}

pub fn block_accessor(name: &str) -> String {
    format!("{}s", name.to_snake_case())
}

pub fn page_view(name: &str) -> String {
    type_name(name) + "Registers"
}

pub fn page_offset(name: &str) -> String {
    name.to_shouty_snake_case()
}

pub fn unit_module(name: &str) -> String {
    name.to_snake_case()
}

pub fn low_word(name: &str) -> String {
    format!("{name}_LO")
}

pub fn high_word(name: &str) -> String {
    format!("{name}_HI")
}

#[must_use]
pub fn event_type(group: &str) -> String {
    type_name(group) + "Event"
}

pub fn source_type(group: &str) -> String {
    type_name(group) + "Source"
}

/// Names that an IP has in Cargo, in code, and in other places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IpNames {
    /// Name of the crate, the feature and the directories: `cortex-a8`.
    pub package: String,
    /// Name of the crate in code, and of files and modules: `cortex_a8`.
    pub module: String,
    /// Of types: `CortexA8`.
    pub type_name: String,
    /// Name of Rust constants and C macros: `CORTEX_A8`.
    pub constant: String,
}

/// Returns all names of an IP, from its directory name under `specs/`.
#[must_use]
pub fn of_ip(name: &str) -> IpNames {
    IpNames {
        package: name.to_owned(),
        module: name.replace('-', "_"),
        type_name: type_name(name),
        constant: constant(name),
    }
}

/// Returns the name of a Rust constant or C macro for a name in a spec.
///
/// Unlike a conversion of words, this keeps different names different: `A_1` is not `A1`.
#[must_use]
pub fn constant(name: &str) -> String {
    name.replace('-', "_").to_ascii_uppercase()
}

pub fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Returns whether the name can be an identifier; keywords of edition 2024 cannot.
pub fn is_identifier(name: &str) -> bool {
    // syn does not reject the keyword `gen`.
    name != "gen" && syn::parse_str::<Ident>(name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_not_identifiers() {
        // Strict and reserved keywords of edition 2024, from the Rust Reference.
        let keywords = "_ as async await break const continue crate dyn else enum extern false fn for if impl \
                        in let loop match mod move mut pub ref return self Self static struct super trait \
                        true type unsafe use where while abstract become box do final gen macro override \
                        priv try typeof unsized virtual yield";
        for keyword in keywords.split_whitespace() {
            assert!(!is_identifier(keyword), "{keyword}");
        }
        // Weak keywords can be identifiers.
        for name in ["union", "auto", "raw", "safe", "default", "macro_rules", "generate"] {
            assert!(is_identifier(name), "{name}");
        }
    }
}

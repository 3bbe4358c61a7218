//! The Rust names of the items in the specs.
//!
//! Registers and fields are named by svd2rust, because its output uses those names; heck names the
//! rest.

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

/// The configuration of svd2rust.
pub fn svd2rust_config() -> Config {
    CONFIG.with(Config::clone)
}

fn svd2rust_name(name: &str, format: &str) -> String {
    CONFIG.with(|config| svd2rust::util::ident(name, config, format, Span::call_site()).to_string())
}

/// The module of a register, and the method that gives it.
pub fn register_module(name: &str) -> String {
    svd2rust_name(name, "register_mod")
}

/// The type of a register.
pub fn register_spec(name: &str) -> String {
    svd2rust_name(name, "register_spec")
}

/// The method that returns a field.
pub fn field_accessor(name: &str) -> String {
    let name = svd2rust_name(name, "field_accessor");
    // Like svd2rust, so as not to hide methods of the readers and writers.
    if ["bits", "set"].contains(&name.as_str()) { name + "_" } else { name }
}

/// The alias of the type that reads a field.
pub fn field_reader(name: &str) -> String {
    svd2rust_name(name, "field_reader")
}

/// The enum of the values of a field that have a name.
pub fn field_values(name: &str) -> String {
    svd2rust_name(name, "enum_name")
}

/// The view of a block.
pub fn block_type(name: &str) -> String {
    format!("{}Block", name.to_upper_camel_case())
}

/// The method that gives all blocks.
pub fn block_accessor(name: &str) -> String {
    format!("{}s", name.to_snake_case())
}

/// The space of a page.
pub fn page_type(name: &str) -> String {
    name.to_upper_camel_case()
}

/// The view of a page.
pub fn page_view(name: &str) -> String {
    format!("{}Registers", name.to_upper_camel_case())
}

/// The constant that says where a page is.
pub fn page_offset(name: &str) -> String {
    name.to_shouty_snake_case()
}

/// The module of a unit.
pub fn unit_module(name: &str) -> String {
    name.to_snake_case()
}

/// The low word of a register of 64 bits.
pub fn low_word(name: &str) -> String {
    format!("{name}_LO")
}

/// The high word of a register of 64 bits.
pub fn high_word(name: &str) -> String {
    format!("{name}_HI")
}

/// The variant of an event.
pub fn event_variant(name: &str) -> String {
    name.to_upper_camel_case()
}

/// The variant of a finding.
pub fn finding_variant(name: &str) -> String {
    name.to_upper_camel_case()
}

/// The variant of a source: source names are short and stay as the manual writes them.
pub fn source_variant(name: &str) -> String {
    name.to_owned()
}

/// The enum of the events of a group.
#[must_use]
pub fn event_type(group: &str) -> String {
    format!("{}Event", group.to_upper_camel_case())
}

/// The enum of the sources of a group.
pub fn source_type(group: &str) -> String {
    format!("{}Source", group.to_upper_camel_case())
}

/// The variant of a group among all groups.
pub fn group_variant(group: &str) -> String {
    group.to_upper_camel_case()
}

/// The type of a metric.
pub fn metric_type(name: &str) -> String {
    name.to_upper_camel_case()
}

/// The name of an IP in each place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IpNames {
    /// Name of its crate, its feature, and its directories: `cortex-a8`.
    pub package: String,
    /// Name of its crate in code, and of files and modules: `cortex_a8`.
    pub module: String,
    /// Of types: `CortexA8`.
    pub type_name: String,
    /// Of constants in Rust and macros in C: `CORTEX_A8`.
    pub constant: String,
}

/// All names of an IP, from the name of its directory under `specs/`.
#[must_use]
pub fn of_ip(name: &str) -> IpNames {
    IpNames {
        package: name.to_owned(),
        module: name.replace('-', "_"),
        type_name: name.to_upper_camel_case(),
        constant: constant(name),
    }
}

/// A name of a spec as constants in Rust and macros in C have it.
///
/// Unlike a conversion of words, it keeps names apart that differ: `A_1` is not `A1`.
#[must_use]
pub fn constant(name: &str) -> String {
    name.replace('-', "_").to_ascii_uppercase()
}

/// An identifier of one of these names.
pub fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Whether it can be an identifier; keywords of edition 2024 cannot.
pub fn is_identifier(name: &str) -> bool {
    // syn does not reject this keyword.
    name != "gen" && syn::parse_str::<Ident>(name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_not_identifiers() {
        // The Reference, chapter Keywords: strict and reserved ones of edition 2024.
        let keywords = "_ as async await break const continue crate dyn else enum extern false fn for if impl \
                        in let loop match mod move mut pub ref return self Self static struct super trait \
                        true type unsafe use where while abstract become box do final gen macro override \
                        priv try typeof unsized virtual yield";
        for keyword in keywords.split_whitespace() {
            assert!(!is_identifier(keyword), "{keyword}");
        }
        // Weak ones can be.
        for name in ["union", "auto", "raw", "safe", "default", "macro_rules", "generate"] {
            assert!(is_identifier(name), "{name}");
        }
    }

    #[test]
    fn an_ip_has_its_name_in_all_forms() {
        let names = of_ip("cci-600");
        let forms = [&names.package, &names.module, &names.type_name, &names.constant];
        assert_eq!(forms, ["cci-600", "cci_600", "Cci600", "CCI_600"]);
    }
}

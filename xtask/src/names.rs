//! The Rust names of what the specs name.
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

/// The one configuration with which svd2rust is called.
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

/// The type that stands for a register.
pub fn register_spec(name: &str) -> String {
    svd2rust_name(name, "register_spec")
}

/// The method that gives a field.
pub fn field_accessor(name: &str) -> String {
    let name = svd2rust_name(name, "field_accessor");
    // As svd2rust does, so as not to hide methods of the readers and writers.
    if ["bits", "set"].contains(&name.as_str()) { name + "_" } else { name }
}

/// The alias of the type that reads a field.
pub fn field_reader(name: &str) -> String {
    svd2rust_name(name, "field_reader")
}

/// The alias of the type that writes a field.
pub fn field_writer(name: &str) -> String {
    svd2rust_name(name, "field_writer")
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

/// An identifier of one of these names.
pub fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Whether it can be an identifier; keywords cannot.
pub fn is_identifier(name: &str) -> bool {
    syn::parse_str::<Ident>(name).is_ok()
}

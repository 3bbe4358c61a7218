//! Compiles the generated code of an IP that uses every feature of the language.

#[rustfmt::skip]
#[allow(dead_code, unused_imports)]
#[path = "good/demo/generated/mod.rs"]
mod generated;

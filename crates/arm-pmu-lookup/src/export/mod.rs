//! The tables as files for other programs.

pub mod c;
pub mod csv;
pub mod json;
pub mod svd;
mod word;

/// A file to write.
#[derive(Debug)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// A name as macros in C have it.
///
/// Unlike a conversion of words, it keeps names apart that differ: `A_1` is not `A1`.
#[must_use]
pub fn constant(name: &str) -> String {
    name.replace('-', "_").to_ascii_uppercase()
}

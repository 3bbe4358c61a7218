//! Exports the tables as files for other programs.

pub mod c;
pub mod csv;
pub mod json;
pub mod svd;
mod word;

/// A file to write.
#[derive(Debug)]
pub struct File {
    /// Name of the file.
    pub name: String,
    /// Content of the file.
    pub text: String,
}

/// Converts a name to the form of C macros.
///
/// Different names such as `A_1` and `A1` stay different; a conversion word by word would make them
/// equal.
#[must_use]
pub fn constant(name: &str) -> String {
    name.replace('-', "_").to_ascii_uppercase()
}

//! The output of a command.

use serde::Serialize;

use crate::base::failure::Failure;

/// Output of a command.
#[derive(Debug)]
pub struct Answer {
    pub text: String,
    /// Whether a search found anything.
    pub found: bool,
    /// Notes for standard error.
    pub warnings: Vec<String>,
    /// Exit status of a measured program.
    pub status: Option<u8>,
}

impl Answer {
    pub fn text(text: String) -> Self {
        Self { text, found: true, warnings: Vec::new(), status: None }
    }

    pub fn json(document: &impl Serialize) -> Result<Self, Failure> {
        Ok(Self::text(serde_json::to_string_pretty(document)? + "\n"))
    }
}

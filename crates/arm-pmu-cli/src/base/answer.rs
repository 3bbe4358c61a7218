//! The output of a command.

use serde::Serialize;

use crate::base::failure::{Failure, NOT_FOUND};

/// Output of a command.
#[derive(Debug)]
pub struct Answer {
    pub text: String,
    /// Notes for standard error.
    pub warnings: Vec<String>,
    /// Exit status of the command, or of a measured program.
    pub status: u8,
}

impl Answer {
    pub fn text(text: String) -> Self {
        Self { text, warnings: Vec::new(), status: 0 }
    }

    /// Sets the exit status of a search that found nothing.
    pub fn or_not_found(self, found: bool) -> Self {
        if found { self } else { Self { status: NOT_FOUND, ..self } }
    }

    pub fn json(document: &impl Serialize) -> Result<Self, Failure> {
        Ok(Self::text(serde_json::to_string_pretty(document)? + "\n"))
    }
}

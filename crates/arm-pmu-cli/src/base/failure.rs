//! Failures and their exit statuses.

use std::io;
use std::path::Path;

/// Reason for a missing answer.
#[derive(Debug)]
pub struct Failure {
    /// Exit status of `arm-pmu`. If it could not measure a program, the status is 125 or more, because the program
    /// itself can return a lower status.
    pub status: u8,
    pub text: String,
}

pub const NOT_FOUND: u8 = 1;

impl Failure {
    /// No entry has that name or number.
    pub fn not_found(text: impl Into<String>) -> Self {
        Self { status: NOT_FOUND, text: text.into() }
    }

    /// The request is wrong, or has more than one meaning.
    pub fn wrong_use(text: impl Into<String>) -> Self {
        Self { status: 2, text: text.into() }
    }

    pub fn unreadable(file: &str, why: impl std::fmt::Display) -> Self {
        Self::wrong_use(format!("{file} cannot be read: {why}"))
    }

    pub fn unwritable(path: &Path, error: io::Error) -> Self {
        Self::wrong_use(format!("`{}` cannot be written: {error}", path.display()))
    }

    pub fn with(self, more: &str) -> Self {
        Self { text: self.text + more, ..self }
    }
}

/// Returns `Failure::wrong_use` from the calling function, with the arguments of `format!`.
macro_rules! refuse {
    ($($text:tt)*) => {
        return Err($crate::base::failure::Failure::wrong_use(format!($($text)*)))
    };
}

pub(crate) use refuse;

impl From<arm_pmu_lookup::Error> for Failure {
    fn from(error: arm_pmu_lookup::Error) -> Self {
        match error {
            arm_pmu_lookup::Error::NotFound(text) => Self::not_found(text),
            error => Self::wrong_use(error.to_string()),
        }
    }
}

/// The answer could not be printed.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::wrong_use(format!("the output cannot be written: {error}"))
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

//! Failures and their exit statuses.

use std::io;

/// Reason for a missing answer.
#[derive(Debug)]
pub enum Failure {
    /// No entry has that name or number.
    NotFound(String),
    /// The request is wrong, or has more than one meaning.
    WrongUse(String),
    /// The answer could not be printed.
    Output(io::Error),
    /// A program was not measured. Exit statuses below 125 belong to programs.
    #[cfg(target_os = "linux")]
    NotMeasured { status: u8, text: String },
}

pub const NOT_FOUND: u8 = 1;

impl Failure {
    pub fn not_found(text: impl Into<String>) -> Self {
        Self::NotFound(text.into())
    }

    pub fn wrong_use(text: impl Into<String>) -> Self {
        Self::WrongUse(text.into())
    }

    pub fn with(self, more: &str) -> Self {
        match self {
            Self::NotFound(text) => Self::NotFound(text + more),
            Self::WrongUse(text) => Self::WrongUse(text + more),
            other => other,
        }
    }

    pub fn exit_status(&self) -> u8 {
        match self {
            Self::NotFound(_) => NOT_FOUND,
            Self::WrongUse(_) | Self::Output(_) => 2,
            #[cfg(target_os = "linux")]
            Self::NotMeasured { status, .. } => *status,
        }
    }
}

/// Returns from the function with the error of a wrong use, whose text is formatted.
macro_rules! refuse {
    ($($text:tt)*) => {
        return Err($crate::base::failure::Failure::wrong_use(format!($($text)*)))
    };
}

pub(crate) use refuse;

impl From<arm_pmu_lookup::Error> for Failure {
    fn from(error: arm_pmu_lookup::Error) -> Self {
        match error {
            arm_pmu_lookup::Error::NotFound(text) => Self::NotFound(text),
            error => Self::WrongUse(error.to_string()),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound(text) | Self::WrongUse(text) => f.write_str(text),
            #[cfg(target_os = "linux")]
            Self::NotMeasured { text, .. } => f.write_str(text),
            Self::Output(error) => write!(f, "the output cannot be written: {error}"),
        }
    }
}

//! Errors of look-ups.

use std::fmt;

/// Reason for a missing answer: a message for the user, without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No entry has this name or number.
    NotFound(String),
    /// The request is wrong, or has more than one meaning.
    WrongUse(String),
}

impl Error {
    pub(crate) fn not_found(text: impl Into<String>) -> Self {
        Self::NotFound(text.into())
    }

    pub(crate) fn wrong_use(text: impl Into<String>) -> Self {
        Self::WrongUse(text.into())
    }
}

/// Makes the calling function return a wrong-use error with a formatted text.
macro_rules! refuse {
    ($($text:tt)*) => {
        return Err($crate::Error::wrong_use(format!($($text)*)))
    };
}

pub(crate) use refuse;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(text) | Self::WrongUse(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}

//! Grade and origin of a fact.

use crate::words::words;

words! {
    /// Grade of a fact.
    Confidence {
        /// Read in a document of Arm.
        "A" => A,
        /// The same in two or more independent sources.
        "B" => B,
        /// In one source.
        "C" => C,
        /// Inferred.
        "D" => D,
    }
}

/// Grade and origin of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Origin {
    /// Grade of the fact.
    pub confidence: Confidence,
    /// The place in the [manual](crate::Ip::manual).
    pub section: Option<&'static str>,
    /// The source that replaces the manual.
    pub source: Option<&'static str>,
}

impl Confidence {
    /// A fact without a place.
    pub(crate) const fn nowhere(self) -> Origin {
        Origin { confidence: self, section: None, source: None }
    }

    /// A fact of this section of the manual.
    pub(crate) const fn section(self, section: &'static str) -> Origin {
        Origin { section: Some(section), ..self.nowhere() }
    }

    /// A fact of this source.
    #[must_use]
    pub const fn source(self, source: &'static str) -> Origin {
        Origin { source: Some(source), ..self.nowhere() }
    }
}

impl Origin {
    /// The same, with a source.
    pub(crate) const fn and(self, source: &'static str) -> Self {
        Self { source: Some(source), ..self }
    }
}

//! Confidence and origin of facts.

use crate::Confidence;

/// Confidence and origin of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Origin {
    /// Confidence in the fact.
    pub confidence: Confidence,
    /// Section of the [manual](crate::Ip::manual).
    pub section: Option<&'static str>,
    /// Source other than the manual.
    pub source: Option<&'static str>,
}

impl Confidence {
    /// Origin without a section or source.
    pub(crate) const fn nowhere(self) -> Origin {
        Origin { confidence: self, section: None, source: None }
    }

    /// Returns an origin: this section of the manual.
    pub(crate) const fn section(self, section: &'static str) -> Origin {
        Origin { section: Some(section), ..self.nowhere() }
    }

    /// Origin in this source.
    #[must_use]
    pub const fn source(self, source: &'static str) -> Origin {
        Origin { source: Some(source), ..self.nowhere() }
    }
}

impl Origin {
    /// Returns the same origin, with this source added.
    pub(crate) const fn and(self, source: &'static str) -> Self {
        Self { source: Some(source), ..self }
    }
}

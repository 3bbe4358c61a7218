//! The spec language: what `specs/<ip>/*.yaml` may say. `specs/README.md` describes it for people.

pub mod aliases;
pub mod architecture;
pub mod declare;
pub mod events;
pub mod findings;
pub mod formula;
pub mod metrics;
pub mod read;
pub mod registers;
pub mod scalar;
pub mod schema;

use declare::mapping;
use read::At;
use scalar::{Confidence, Name, Text};

/// A kind of file, by its name without the `.yaml`, and what makes its schema.
type Described = (&'static str, fn() -> serde_json::Value);

/// The files, and what may stand in each. `common-findings` is the one that belongs to no IP.
pub const FILES: [Described; 7] = [
    ("architecture", || {
        schema::document::<architecture::Architecture>("Registers of an architecture")
    }),
    ("registers", || schema::document::<registers::Registers>("Registers of an IP")),
    ("events", || schema::document::<events::Events>("Events of an IP")),
    ("metrics", || schema::document::<metrics::Metrics>("Metrics of an IP")),
    ("findings", || schema::document::<findings::Findings>("What a diagnosis of an IP can find")),
    ("aliases", || {
        schema::document::<aliases::Aliases>(
            "Names that other programs have for the events of an IP",
        )
    }),
    ("common-findings", || {
        schema::document::<findings::CommonFindings>("What a diagnosis of several IPs can find")
    }),
];

mapping! {
    /// The document that a file is held against.
    "a manual" => Manual {
        /// The document number.
        required id: Text,
        /// The issues that were read, if `id` does not say which.
        optional issue: Text,
        required title: Text,
    }
}

mapping! {
    /// A document or program as a source of facts.
    "an entry of the legend" => LegendEntry {
        /// Its name in `from`.
        required name: At<Name>,
        required title: Text,
        /// Its number, with the issue.
        optional id: Text,
        /// The parts or issues that were read, if not all of it.
        optional issue: Text,
        /// The confidence of a fact that only this source has; C if left out.
        optional grade: At<Confidence>,
        /// Only in an architecture: the implementations that it describes. For others its facts
        /// are inferred.
        list of: At<Name>,
        /// Only in an architecture: whether it is the manual of an implementation.
        flag manual: bool,
    }
}

/// Where a fact comes from. Each mapping that can have these keys holds them in this form.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'s> {
    pub section: Option<&'s At<Text>>,
    pub confidence: Option<&'s At<Confidence>>,
    pub source: Option<&'s At<Text>>,
}

/// Gives a mapping's own keys as an [`Origin`].
macro_rules! origin {
    ($mapping:expr) => {
        $crate::generate::spec::Origin {
            section: $mapping.section.as_ref(),
            confidence: $mapping.confidence.as_ref(),
            source: $mapping.source.as_ref(),
        }
    };
}
pub(crate) use origin;

//! The spec language: the keys of `specs/<ip>/*.yaml`. `specs/README.md` documents the language.

pub mod aliases;
pub mod architecture;
pub mod events;
pub mod findings;
pub mod formula;
pub mod metrics;
pub mod registers;
pub mod scalar;

use arm_pmu_spec::declare::plain;
pub use arm_pmu_spec::legend::LegendEntry;
pub(crate) use arm_pmu_spec::origin;
pub use arm_pmu_spec::origin::Origin;
pub use arm_pmu_spec::{declare, read, schema};
use scalar::Text;

/// A kind of file, by its name without `.yaml`, and the function that builds its schema.
type Described = (&'static str, fn() -> serde_json::Value);

/// Kinds of spec files, with their keys. `common-findings` is the only file that belongs to no IP.
pub const FILES: [Described; 8] = [
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
    ("platform", || {
        schema::document::<arm_pmu_spec::platform::language::Platform>(
            "Which IP is where in a system on chip",
        )
    }),
];

plain! {
    /// Manual of an IP.
    "a manual" => ManualSpec, Manual {
        /// The document number.
        required id: Text,
        /// Issues that were read, if `id` does not name the issue.
        optional issue: Text,
        required title: Text,
    }
}

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
use arm_pmu_spec::platform::language::Platform;
pub use arm_pmu_spec::{declare, read, schema};
use read::Read as _;
use scalar::Text;

/// A kind of file: its name without `.yaml`, the title of its schema, and the function that builds the schema.
type Described = (&'static str, &'static str, fn(&mut schema::Definitions) -> schema::Value);

/// Kinds of spec files, with their keys. `common-findings` is the only file that belongs to no IP.
pub const FILES: [Described; 8] = [
    ("architecture", "Registers of an architecture", architecture::Architecture::describe),
    ("registers", "Registers of an IP", registers::Registers::describe),
    ("events", "Events of an IP", events::Events::describe),
    ("metrics", "Metrics of an IP", metrics::Metrics::describe),
    ("findings", "What a diagnosis of an IP can find", findings::Findings::describe),
    (
        "aliases",
        "Names that other programs have for the events of an IP",
        aliases::Aliases::describe,
    ),
    (
        "common-findings",
        "What a diagnosis of several IPs can find",
        findings::CommonFindings::describe,
    ),
    ("platform", "The IPs of a system on chip, and where they are", Platform::describe),
];

plain! {
    /// Manual of an IP.
    "a manual" => ManualSpec, Manual {
        /// The document number.
        required id: Text,
        /// The issues of the manual that were read, unless `id` contains the issue.
        optional issue: Text,
        required title: Text,
    }
}

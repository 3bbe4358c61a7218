// Included for each core that is identified by its Main ID Register.

use product::events::COUNTERS;

/// Number of counters whose registers the spec describes.
const DESCRIBED: usize = COUNTERS;
const IDENTITY: u32 = Device::MIDR;
/// A Cortex-A8.
const OTHER: u32 = 0x410F_C080;
const REFUSED: ProbeErrorKind = ProbeErrorKind::Processor { main_id: OTHER };

include!("tests.rs");

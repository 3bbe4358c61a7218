// Included for each core that is known by its Main ID Register.

use product::events::COUNTERS;

const IDENTITY: u32 = Device::MIDR;
/// A Cortex-A8, and cores with another part number or another implementer.
const OTHERS: [u32; 3] = [0x410F_C080, Device::MIDR ^ 1 << 15, Device::MIDR ^ 1 << 28];

include!("tests.rs");

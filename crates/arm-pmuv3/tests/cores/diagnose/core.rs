// Included for each core that is identified by its Main ID Register.

use product::events::COUNTERS;

const IDENTITY: u32 = Device::MIDR;
/// Main ID Registers of a Cortex-A8, and of cores with another part number or implementer.
const OTHERS: [u32; 3] = [0x410F_C080, Device::MIDR ^ 1 << 15, Device::MIDR ^ 1 << 28];

include!("tests.rs");

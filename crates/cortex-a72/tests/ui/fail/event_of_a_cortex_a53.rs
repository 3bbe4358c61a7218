use arm_pmu_sim::CortexA72;
use cortex_a72::{CortexA72Event, Pmu};

fn main() {
    let device = CortexA72::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, ..] = pmu.counters();
    // Event 0x0C of a Cortex-A53.
    first.count(CortexA72Event::PcWriteRetired);
}

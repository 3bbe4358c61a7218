//! Correct versions of the cases that fail.

use arm_pmu_sim::CortexA9;
use cortex_a9::{CortexA9Event, Pmu};

fn main() {
    let device = CortexA9::new();
    let mut pmu = Pmu::new(device.bus());
    let [a, _b, _c, _d, _e, f] = pmu.counters();
    a.count(CortexA9Event::InstRenamed);
    f.count(CortexA9Event::L1dCache);
    let pmu = pmu.start().stop();
    assert_eq!(pmu.counts()[5].exact(), Ok(0));
}

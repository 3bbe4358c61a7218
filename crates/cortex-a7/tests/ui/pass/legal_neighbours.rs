//! Correct versions of the cases that fail.

use arm_pmu_sim::CortexA7;
use cortex_a7::{CortexA7Event, Filter, Pmu};

fn main() {
    let device = CortexA7::new();
    let mut pmu = Pmu::new(device.bus());
    let [a, _b, _c, d] = pmu.counters();
    a.count(CortexA7Event::InstRetired);
    d.count(CortexA7Event::L1dCache);
    pmu.count_in(Filter::USER);
    let pmu = pmu.start().stop();
    assert_eq!(pmu.counts()[3].exact(), Ok(0));
}

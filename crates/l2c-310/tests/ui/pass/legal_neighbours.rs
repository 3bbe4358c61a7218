//! Correct versions of the cases that fail.

use arm_pmu_sim::L2c310;
use l2c_310::{L2c310Event, Pmu};

fn main() {
    let device = L2c310::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, second] = pmu.counters();
    first.count(L2c310Event::DataReadRequest);
    second.count(L2c310Event::DataReadHit);
    pmu.interrupt([true, false]);
    let running = pmu.start();
    assert_eq!(running.stop().counts()[1].exact(), Ok(0));
}

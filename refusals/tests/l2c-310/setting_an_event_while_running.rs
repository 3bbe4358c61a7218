use arm_pmu_sim::L2c310;
use l2c_310::{L2c310Event, Pmu};

fn main() {
    let device = L2c310::new();
    let mut running = Pmu::new(device.bus()).start();
    let [first, ..] = running.counters();
    first.count(L2c310Event::DataReadHit);
}

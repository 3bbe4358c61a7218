//! Correct versions of the cases that fail.

use arm_pmu_sim::SkeletonIp;
use skeleton_ip::Pmu;

fn main() {
    let device = SkeletonIp::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c, _d, _e, _f] = pmu.counters();
}

use arm_pmu_sim::Cci550;
use cci550::Pmu;

fn main() {
    let device = Cci550::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c, _d, _e, _f, _g, _h, _i] = pmu.counters();
}

use arm_pmu_sim::Cci500;
use cci500::Pmu;

fn main() {
    let device = Cci500::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c, _d, _e, _f, _g, _h, _i] = pmu.counters();
}

use arm_pmu_sim::Cci550;
use cci550::Pmu;

fn main() {
    let device = Cci550::new();
    let mut running = Pmu::new(device.bus()).start();
    let [_reads, ..] = running.counters();
}

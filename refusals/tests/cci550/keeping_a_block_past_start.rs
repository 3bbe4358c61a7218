use arm_pmu_sim::Cci550;
use cci550::Pmu;

fn main() {
    let device = Cci550::new();
    let mut pmu = Pmu::new(device.bus());
    let [block, ..] = pmu.registers().counters();
    let _running = pmu.start();
    block.count_control().write(|w| w.enable().clear_bit());
}

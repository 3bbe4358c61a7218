use arm_pmu_sim::Cci550;
use cci550::Pmu;

fn main() {
    let device = Cci550::new();
    let mut pmu = Pmu::new(device.bus());
    let pmcr = pmu.registers().pmcr();
    let _running = pmu.start();
    pmcr.modify(|_, w| w.cen().clear_bit());
}

use arm_pmu::cci400::{S3, SlaveEvent};
use arm_pmu::measure::measure;
use arm_pmu_sim::Cci550;

fn main() {
    let device = Cci550::new();
    let mut pmu = arm_pmu::cci550::Pmu::new(device.bus());
    let _ = measure(&mut pmu, [S3.event(SlaveEvent::ReadRequestAny)], || ());
}

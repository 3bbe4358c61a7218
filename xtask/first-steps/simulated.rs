//! A measurement on a simulated device: a first program with a driver.

use arm_pmu_sim::{Cci550, Security};
use cci550::{Pmu, SI3, SlaveEvent, measure};

fn main() -> Result<(), cci550::AssignError> {
    let device = Cci550::new();
    let mut pmu = Pmu::new(device.bus());
    let reads = SI3.event(SlaveEvent::ReadRequestAny);
    let work = || device.signal(reads, Security::NonSecure, 1_000);
    println!("{}", measure(&mut pmu, [reads], work)?);
    Ok(())
}

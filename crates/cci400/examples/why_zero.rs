//! Diagnosis of a CCI-400 that counts nothing.
//!
//! The state of a ZynqMP after reset: the cycle counter runs, every event counts zero, and no
//! register shows that NIDEN is LOW. In this example, the interconnect is simulated. On a board,
//! the bus is `Mmio::new(base)`.
//!
//! `cargo run -p cci400 --example why_zero`

use arm_pmu_sim::{Cci400, Security};
use cci400::{
    AssignError, Bus, Diagnose, EventOrCycles, Pmu, S3, SlaveEvent, measure, registers::Space,
};

fn main() -> Result<(), AssignError> {
    let device = Cci400::new();
    // The processors cause this traffic, whether or not the PMU counts it.
    let work = || {
        device.signal(
            cci400::S3.event(cci400::SlaveEvent::ReadRequestAny),
            Security::NonSecure,
            10_000,
        );
        device.clock(250_000);
    };
    let mut pmu = Pmu::new(device.bus());

    device.set_niden(false);
    println!("The state that the boot loader left:\n");
    reads_of_processors(&mut pmu, work)?;

    device.set_niden(true);
    println!("\nAfter the boot loader was fixed:\n");
    reads_of_processors(&mut pmu, work)
}

/// Counts reads, and prints a diagnosis if nothing is counted. This function is the same on a
/// board.
fn reads_of_processors<B: Bus<Space = Space>>(
    pmu: &mut Pmu<B>,
    work: impl Fn(),
) -> Result<(), AssignError> {
    let reads = EventOrCycles::Event(S3.event(SlaveEvent::ReadRequestAny));
    let measurement = measure(pmu, [reads, EventOrCycles::Cycles], &work)?;
    println!("{measurement}");
    if measurement.all_zero_without(EventOrCycles::Cycles) {
        println!("\nNothing was counted.\n\n{}", pmu.diagnose_with(Some(reads), work));
    }
    Ok(())
}

//! Two PMUs in one run and one report: a CCI-400 with its cycle counter, and a CCI-550.
//!
//! One function sets up, runs and reads any PMU of the family; to measure two at once, the work of one
//! measurement is the other. It runs on simulated devices with made-up traffic:
//!
//! ```text
//! cargo run -p arm-pmu --example two_pmus
//! ```

use std::fmt::Display;

use arm_pmu::{AssignError, CycleCounter, EventOrCycles, Measurement, measure};
use arm_pmu::{cci400, cci550};
use arm_pmu_sim::{Cci400, Cci550, Security};

fn main() -> Result<(), AssignError> {
    let (cluster, fabric) = (Cci400::new(), Cci550::new());
    let mut near = cci400::Pmu::new(cluster.bus());
    let mut far = cci550::Pmu::new(fabric.bus());

    let reads = EventOrCycles::Event(cci400::S3.event(cci400::SlaveEvent::ReadRequestAny));
    let beats = cci550::SI0.event(cci550::SlaveEvent::ReadDataBeat);
    let misses = cci550::Selection::from(cci550::GlobalEvent::SnoopFilterMissBank0Or1);

    let cycles = cycles_of(&near);
    let outer = measure(&mut near, [reads, cycles], || {
        measure(&mut far, [beats, misses], || traffic(&cluster, &fabric))
    })?;
    report("CCI-400", &outer);
    report("CCI-550", &outer.output?);
    Ok(())
}

/// What selects the cycles of a PMU. A PMU without a cycle counter is refused by the compiler.
fn cycles_of<M: CycleCounter>(_: &M) -> M::Selection {
    M::CYCLES
}

fn report<S: Display, R, const N: usize>(title: &str, measurement: &Measurement<S, R, N>) {
    println!("{title}\n{measurement}");
}

fn traffic(cluster: &Cci400, fabric: &Cci550) {
    for _ in 0..1_000 {
        cluster.signal(3, 0x00, Security::NonSecure, 3);
        cluster.clock(40);
        fabric.signal(0x0, 0x08, Security::NonSecure, 12);
        fabric.signal(0xF, 0x04, Security::NonSecure, 1);
    }
}

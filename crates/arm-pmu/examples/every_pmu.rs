//! One function measures a metric on every PMU of the family, whatever it is.
//!
//! It runs on simulated devices with made-up work:
//!
//! ```text
//! cargo run -p arm-pmu --example every_pmu
//! ```

use std::fmt::Display;

use arm_pmu::{AssignError, Metric, Monitor, measure};
use arm_pmu::{arm11, cci400, cci500, cci550, cortex_a8, mmu600};
use arm_pmu_sim::{Arm11, Cci400, Cci500, Cci550, CortexA8, Mmu600, Security, Stream};

/// Measures what a metric of two inputs needs, and prints the figure, what it means, and the counts.
fn show<M, T>(title: &str, pmu: &mut M, metric: T, work: impl FnOnce()) -> Result<(), AssignError>
where
    M: Monitor<Selection: Display + PartialEq>,
    T: Metric<Selection = M::Selection, Events = [M::Selection; 2]>,
{
    let measured = measure(pmu, metric.events(), work)?;
    println!("{title} ({} counters)", M::COUNTERS);
    println!("{}\n{measured}\n", metric.explain(measured.metric(&metric)));
    Ok(())
}

fn main() -> Result<(), AssignError> {
    let core = Arm11::arm1176();
    let mut pmu = arm11::arm1176::Pmu::new(core.bus());
    show("ARM1176", &mut pmu, arm11::arm1176::metrics::BranchPredictionRatio, || {
        core.signal(0x05, 20_000);
        core.signal(0x06, 1_100);
    })?;

    let core = CortexA8::new();
    let mut pmu = cortex_a8::Pmu::new(core.bus());
    show("Cortex-A8", &mut pmu, cortex_a8::metrics::L2CacheMissRatio, || {
        core.signal(0x43, 9_000);
        core.signal(0x44, 450);
    })?;

    let interconnect = Cci400::new();
    let mut pmu = cci400::Pmu::new(interconnect.bus());
    show("CCI-400", &mut pmu, cci400::metrics::SnoopHitRate(cci400::S3), || {
        interconnect.signal(3, 0x03, Security::NonSecure, 4_000);
        interconnect.signal(3, 0x0A, Security::NonSecure, 900);
    })?;

    let interconnect = Cci500::new();
    let mut pmu = cci500::Pmu::new(interconnect.bus());
    show("CCI-500", &mut pmu, cci500::metrics::MasterReadDataStallShare(cci500::MI0), || {
        interconnect.signal(0x8, 0x00, Security::NonSecure, 16_000);
        interconnect.signal(0x8, 0x03, Security::NonSecure, 800);
    })?;

    let interconnect = Cci550::new();
    let mut pmu = cci550::Pmu::new(interconnect.bus());
    show("CCI-550", &mut pmu, cci550::metrics::SnoopFilterMissRatioBank0Or1, || {
        interconnect.signal(0xF, 0x00, Security::NonSecure, 7_000);
        interconnect.signal(0xF, 0x04, Security::NonSecure, 700);
    })?;

    let walks = Mmu600::tcu();
    let mut pmu = mmu600::tcu::Pmu::new(walks.page0(), walks.page1());
    show("MMU-600 TCU", &mut pmu, mmu600::tcu::metrics::WalksPerRequest, || {
        walks.signal(0x01, Stream::non_secure(7), 3_000);
        walks.signal(0x02, Stream::non_secure(7), 60);
    })
}

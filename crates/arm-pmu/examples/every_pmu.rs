//! One function measures every PMU of the family, whatever it is.
//!
//! It runs on simulated devices with made-up work:
//!
//! ```text
//! cargo run -p arm-pmu --example every_pmu
//! ```

use std::fmt::Display;

use arm_pmu::{AssignError, EventOrCycles, Inexact, Monitor, measure};
use arm_pmu::{arm11, cci400, cci500, cci550, cortex_a8, mmu600};
use arm_pmu_sim::{Arm11, Cci400, Cci500, Cci550, CortexA8, Mmu600, Security, Stream};

/// How often each of two things happened, and how they compare.
fn compare<M>(
    title: &str,
    pmu: &mut M,
    two: [M::Selection; 2],
    work: impl FnOnce(),
) -> Result<(), AssignError>
where
    M: Monitor<Selection: Display>,
{
    let measured = measure(pmu, two, work)?;
    let [part, whole] = measured.counts.map(|count| count.exact());
    let ratio = match share(part, whole) {
        Ok(Some(percent)) => format!("{percent:.1} %"),
        Ok(None) => "nothing to compare with".to_owned(),
        Err(why) => why.to_string(),
    };
    println!("{title} ({} counters): {ratio}\n{measured}\n", M::COUNTERS);
    Ok(())
}

fn share(part: Result<u32, Inexact>, whole: Result<u32, Inexact>) -> Result<Option<f64>, Inexact> {
    let (part, whole) = (f64::from(part?), f64::from(whole?));
    Ok((whole != 0.0).then(|| 100.0 * part / whole))
}

fn main() -> Result<(), AssignError> {
    let core = Arm11::arm1176();
    let mut pmu = arm11::arm1176::Pmu::new(core.bus());
    let two = [arm11::Arm1176Event::BranchMispredicted, arm11::Arm1176Event::BranchExecuted];
    compare("ARM1176", &mut pmu, two.map(Into::into), || {
        core.signal(0x05, 20_000);
        core.signal(0x06, 1_100);
    })?;

    let core = CortexA8::new();
    let mut pmu = cortex_a8::Pmu::new(core.bus());
    let two = [cortex_a8::CortexA8Event::L2CacheMiss, cortex_a8::CortexA8Event::L2CacheAccess];
    compare("Cortex-A8", &mut pmu, two.map(Into::into), || {
        core.signal(0x43, 9_000);
        core.signal(0x44, 450);
    })?;

    let interconnect = Cci400::new();
    let mut pmu = cci400::Pmu::new(interconnect.bus());
    let two = [cci400::SlaveEvent::ReadDataSnoopHit, cci400::SlaveEvent::ReadRequestShareable];
    let two = two.map(|event| EventOrCycles::Event(cci400::S3.event(event)));
    compare("CCI-400", &mut pmu, two, || {
        interconnect.signal(3, 0x03, Security::NonSecure, 4_000);
        interconnect.signal(3, 0x0A, Security::NonSecure, 900);
    })?;

    let interconnect = Cci500::new();
    let mut pmu = cci500::Pmu::new(interconnect.bus());
    let two = [cci500::MasterEvent::ReadDataStall, cci500::MasterEvent::ReadDataBeat];
    compare("CCI-500", &mut pmu, two.map(|event| cci500::MI0.event(event)), || {
        interconnect.signal(0x8, 0x00, Security::NonSecure, 16_000);
        interconnect.signal(0x8, 0x03, Security::NonSecure, 800);
    })?;

    let interconnect = Cci550::new();
    let mut pmu = cci550::Pmu::new(interconnect.bus());
    let two = [
        cci550::GlobalEvent::SnoopFilterMissBank0Or1,
        cci550::GlobalEvent::SnoopFilterAccessBank0Or1,
    ];
    compare("CCI-550", &mut pmu, two.map(cci550::Selection::from), || {
        interconnect.signal(0xF, 0x00, Security::NonSecure, 7_000);
        interconnect.signal(0xF, 0x04, Security::NonSecure, 700);
    })?;

    let walks = Mmu600::tcu();
    let mut pmu = mmu600::tcu::Pmu::new(walks.page0(), walks.page1());
    let two = [mmu600::TcuEvent::TlbMiss, mmu600::TcuEvent::Transaction];
    compare("MMU-600 TCU", &mut pmu, two.map(Into::into), || {
        walks.signal(0x01, Stream::non_secure(7), 3_000);
        walks.signal(0x02, Stream::non_secure(7), 60);
    })
}

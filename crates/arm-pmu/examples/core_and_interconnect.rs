//! Cores and their interconnect in one report: the four Cortex-A53 of a ZynqMP, and its CCI-400.
//!
//! The platform says to which interface of the CCI-400 the cluster of the cores is connected. A PMU of a core belongs
//! to that core, so each core measures its own part of the work, and the interconnect is measured around them all. The
//! example runs on simulated devices with made-up work, one core after the other:
//!
//! ```text
//! cargo run -p arm-pmu --example core_and_interconnect
//! ```

use arm_pmu::cci400::metrics::SnoopHitRate;
use arm_pmu::cci400::{self, SlaveEvent};
use arm_pmu::cortex_a53::metrics::{InstructionsPerCycle, L1DataCacheMissRatio};
use arm_pmu::cortex_a53::{self, CortexA53Event};
use arm_pmu::event::EventOrCycles;
use arm_pmu::measure::{AssignError, measure};
use arm_pmu::platforms::zynqmp::cci400::APU;
use arm_pmu::report::{Report, Row, Section};
use arm_pmu_sim::{Cci400, CortexA53, Security};

fn main() -> Result<(), AssignError> {
    let interconnect = Cci400::new();
    let cores = [(); 4].map(|()| CortexA53::new());
    let mut far = cci400::Pmu::new(interconnect.bus());
    let mut near = cores.each_ref().map(|core| cortex_a53::Pmu::new(core.bus()));

    let (per_cycle, missed, hit) = (InstructionsPerCycle, L1DataCacheMissRatio, SnoopHitRate(APU));
    let ([instructions, cycles], [refills, accesses]) = (per_cycle.events(), missed.events());
    let of_core = [instructions, cycles, refills, accesses];
    let [hits, requests] = hit.events();
    let of_interconnect = [hits, requests, EventOrCycles::Cycles];

    let far = measure(&mut far, of_interconnect, || {
        let of_each = near.iter_mut().zip(&cores).zip(1..);
        of_each
            .map(|((pmu, core), nth)| measure(pmu, of_core, || work(core, nth, &interconnect)))
            .collect::<Result<Vec<_>, _>>()
    })?;
    let near = far.output.as_ref().map_err(|error| *error)?;

    let hit = Row::metric(&"of the shareable reads, another cache served", far.metric(&hit));
    let of_far = (&far, hit);
    let near: Vec<_> = near
        .iter()
        .map(|one| {
            let per_cycle = Row::metric(&"instructions per cycle", one.metric(&per_cycle));
            (one, [per_cycle, Row::metric(&"of the accesses miss in L1", one.metric(&missed))])
        })
        .collect();
    let titles: Vec<_> = (0..near.len()).map(|nth| format!("Cortex-A53, core {nth}")).collect();
    let mut sections = vec![Section { title: &"CCI-400", rows: &of_far }];
    sections.extend(titles.iter().zip(&near).map(|(title, rows)| Section { title, rows }));
    print!("{}", Report::new(&sections).bars(20));
    Ok(())
}

/// Runs a thousand rounds on a core. The later the core, the more it misses. Another cache has half of what it reads.
fn work(core: &CortexA53, nth: u32, interconnect: &Cci400) {
    for _ in 0..1_000 {
        core.signal(CortexA53Event::InstRetired, 400);
        core.signal(CortexA53Event::L1dCache, 120);
        core.signal(CortexA53Event::L1dCacheRefill, 2 * nth);
        core.clock(500 + 50 * u64::from(nth));
        let read = |event: SlaveEvent, times| {
            interconnect.signal(APU.event(event), Security::NonSecure, times);
        };
        read(SlaveEvent::ReadRequestShareable, 2 * nth);
        read(SlaveEvent::ReadDataSnoopHit, nth);
        interconnect.clock(250);
    }
}

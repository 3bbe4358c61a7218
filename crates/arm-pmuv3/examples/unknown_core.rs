//! One program for any core with PMUv3: it reads the set of common events from the core.
//!
//! The example runs on simulated cores: a Cortex-A53, a Cortex-A72, and a core with all common events. The work is
//! made up:
//!
//! ```text
//! cargo run -p arm-pmuv3 --example unknown_core
//! ```

use arm_pmu_sim::{ArmPmuv3, CortexA53, CortexA72};
use arm_pmuv3::metrics::{BackEndStallShare, InstructionsPerCycle, L1DataCacheMissRatio};
use arm_pmuv3::{
    AssignError, Bus, CommonEvent, EventOrCycles, Metric, Pmu, Selection, Space, measure,
};

/// Prints three metrics of some work, if the core has their events. Use on hardware:
///
/// ```text
/// let bus = unsafe { arm_pmuv3::Sysreg::new() };
/// let debug_features = bus.debug_features();
/// survey(Pmu::probe(bus, debug_features)?, work)?;
/// ```
fn survey<B: Bus<Space = Space>>(mut pmu: Pmu<B>, work: &dyn Fn()) -> Result<(), AssignError> {
    println!("A core with {} of the 92 common events", pmu.common_events().len());
    print(&mut pmu, &InstructionsPerCycle, work)?;
    print(&mut pmu, &L1DataCacheMissRatio, work)?;
    print(&mut pmu, &BackEndStallShare, work)?;
    println!();
    Ok(())
}

/// Counts the events of a metric and prints its value, if the core has the events.
fn print<B: Bus<Space = Space>, M>(
    pmu: &mut Pmu<B>,
    metric: &M,
    work: &dyn Fn(),
) -> Result<(), AssignError>
where
    M: Metric<Selection = EventOrCycles<Selection>, Events = [EventOrCycles<Selection>; 2]>,
{
    let name = M::ABOUT.name;
    if pmu.common_events().has_events_of(metric) {
        let value = measure(pmu, metric.events(), work)?.metric(metric);
        println!("{name:>26}: {value}");
    } else {
        println!("{name:>26}: this core does not have the events");
    }
    Ok(())
}

/// Common events of the work, each with its count.
const WORK: [(CommonEvent, u32); 4] = [
    (CommonEvent::InstRetired, 900_000),
    (CommonEvent::L1dCache, 300_000),
    (CommonEvent::L1dCacheRefill, 12_000),
    (CommonEvent::StallBackend, 250_000),
];

/// Runs the survey on a simulated core. The work causes only events that the core has.
macro_rules! on {
    ($core:ident) => {{
        let core = $core::new();
        let work = || {
            for (event, times) in WORK.iter().filter(|(of, _)| $core::EVENTS.contains(&of.code())) {
                core.signal_raw(event.code(), *times);
            }
            core.clock(1_000_000);
        };
        survey(Pmu::new(core.bus()), &work)
    }};
}

fn main() -> Result<(), AssignError> {
    on!(CortexA53)?;
    on!(CortexA72)?;
    on!(ArmPmuv3)
}

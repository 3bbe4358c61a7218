//! A core and its interconnect in one report: a Cortex-A7 of the Versatile Express TC2, and the CCI-400 there.
//!
//! The platform says to which interface of the CCI-400 the cluster of the core is connected. The example runs on
//! simulated devices with made-up work:
//!
//! ```text
//! cargo run -p arm-pmu --example core_and_interconnect
//! ```

use arm_pmu::cci400::r0::metrics::ReadTrackerStallShare;
use arm_pmu::cci400::r0::{self, SlaveEvent};
use arm_pmu::cortex_a7::metrics::InstructionsPerCycle;
use arm_pmu::cortex_a7::{self, CortexA7Event};
use arm_pmu::measure::{AssignError, measure};
use arm_pmu::platforms::vexpress_tc2::cci400::LITTLE;
use arm_pmu::report::{Report, Row, Section};
use arm_pmu_sim::{Cci400, CortexA7, Security};

fn main() -> Result<(), AssignError> {
    let (core, interconnect) = (CortexA7::new(), Cci400::new());
    let mut near = cortex_a7::Pmu::new(core.bus());
    let mut far = r0::Pmu::new(interconnect.bus());

    let (per_cycle, stalled) = (InstructionsPerCycle, ReadTrackerStallShare(LITTLE));
    let ([instructions, cycles], [stalls, clock]) = (per_cycle.events(), stalled.events());
    let of_core = [instructions, CortexA7Event::L2dCacheRefill.into(), cycles];
    let of_interconnect = [LITTLE.event(SlaveEvent::ReadRequestAny).into(), stalls, clock];

    let far = measure(&mut far, of_interconnect, || {
        measure(&mut near, of_core, || work(&core, &interconnect))
    })?;
    let near = far.output.as_ref().map_err(|error| *error)?;
    let of_far = Row::metric(&"of the cycles, reads waited", far.metric(&stalled));
    let of_near = Row::metric(&"instructions per cycle", near.metric(&per_cycle));
    let sections = [
        Section { title: &"CCI-400", rows: &(&far, of_far) },
        Section { title: &"Cortex-A7", rows: &(near, of_near) },
    ];
    print!("{}", Report::new(&sections).bars(20));
    Ok(())
}

/// Runs a thousand rounds that each miss twice in the L2 cache and wait for the interconnect.
fn work(core: &CortexA7, interconnect: &Cci400) {
    for round in 0..1_000 {
        core.signal_raw(0x08, 400);
        core.signal_raw(0x17, 2);
        core.clock(900);
        interconnect.signal_raw(4, 0x00, Security::NonSecure, 2);
        interconnect.clock(450);
        if round % 20 == 0 {
            interconnect.signal(
                LITTLE.event(SlaveEvent::ReadTrackerFullStall),
                Security::NonSecure,
                12,
            );
        }
    }
}

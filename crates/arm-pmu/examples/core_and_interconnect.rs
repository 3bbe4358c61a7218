//! A core and its interconnect, a Cortex-A8 and a CCI-400, in one report.
//!
//! It runs on simulated devices with made-up work:
//!
//! ```text
//! cargo run -p arm-pmu --example core_and_interconnect
//! ```

use arm_pmu::cci400::metrics::ReadTrackerStallShare;
use arm_pmu::cci400::{self, S0, SlaveEvent};
use arm_pmu::cortex_a8::metrics::InstructionsPerCycle;
use arm_pmu::cortex_a8::{self, CortexA8Event};
use arm_pmu::measure::{AssignError, measure};
use arm_pmu::report::{Report, Row, Section};
use arm_pmu_sim::{Cci400, CortexA8, Security};

fn main() -> Result<(), AssignError> {
    let (core, interconnect) = (CortexA8::new(), Cci400::new());
    let mut near = cortex_a8::Pmu::new(core.bus());
    let mut far = cci400::Pmu::new(interconnect.bus());

    let (per_cycle, stalled) = (InstructionsPerCycle, ReadTrackerStallShare(S0));
    let ([instructions, cycles], [stalls, clock]) = (per_cycle.events(), stalled.events());
    let of_core = [instructions, CortexA8Event::L2CacheMiss.into(), cycles];
    let of_interconnect = [S0.event(SlaveEvent::ReadRequestAny).into(), stalls, clock];

    let far = measure(&mut far, of_interconnect, || {
        measure(&mut near, of_core, || work(&core, &interconnect))
    })?;
    let near = far.output.as_ref().map_err(|error| *error)?;
    let of_far = Row::metric(&"of the cycles, reads waited", far.metric(&stalled));
    let of_near = Row::metric(&"instructions per cycle", near.metric(&per_cycle));
    let sections = [
        Section { title: &"CCI-400", rows: &(&far, of_far) },
        Section { title: &"Cortex-A8", rows: &(near, of_near) },
    ];
    print!("{}", Report::new(&sections).bars(20));
    Ok(())
}

/// Runs a thousand rounds that each miss twice in the L2 cache and wait for the interconnect.
fn work(core: &CortexA8, interconnect: &Cci400) {
    for round in 0..1_000 {
        core.signal_raw(0x08, 400);
        core.signal_raw(0x44, 2);
        core.clock(900);
        interconnect.signal_raw(0, 0x00, Security::NonSecure, 2);
        interconnect.clock(450);
        if round % 20 == 0 {
            interconnect.signal(
                S0.event(SlaveEvent::ReadTrackerFullStall),
                Security::NonSecure,
                12,
            );
        }
    }
}

//! Cores and their interconnect in one report: the four Cortex-A53 of a ZynqMP, and its CCI-400.
//!
//! The CCI-400 starts counting before the first core and stops after the last core. The PMU of a core is accessible
//! only from that core, so each core creates a driver and counts its own part of the work. Each PMU has more events
//! to count than counters, so there are several passes. In each pass, all PMUs are programmed and the work runs once.
//!
//! The example runs on simulated devices with made-up work, and each core is a thread:
//!
//! ```text
//! cargo run -p arm-pmu --example core_and_interconnect
//! ```
//!
//! To run it on a board, replace `board.rs`.

mod board;

use arm_pmu::cci400::events::SlaveSource;
use arm_pmu::cci400::metrics::{ReadDataStallShare, ReadRequestsPerCycle, SnoopHitRate};
use arm_pmu::cortex_a53::metrics::{
    BranchMispredictionRatio, InstructionsPerCycle, L1DataCacheMissRatio, L2CacheMissRatio,
};
use arm_pmu::event::EventOrCycles;
use arm_pmu::platforms::zynqmp::cci400::{APU, HPC};
use arm_pmu::report::{Report, Row, Section};
use arm_pmu::schedule::{EventSet, EventSetError, Passes};
use arm_pmu::{cci400, cortex_a53};
use board::{Board, CORES};

type OfInterconnect = EventOrCycles<cci400::Selection>;
type OfCore = EventOrCycles<cortex_a53::Selection>;

/// Seven events for four counters: reads of the cores, and reads of the programmable logic through the HPC ports.
fn of_interconnect() -> Result<EventSet<OfInterconnect, 10>, EventSetError> {
    let mut set = EventSet::new();
    for source in [APU, HPC] {
        set.add_group(&SnoopHitRate(source).events())?;
        set.add_group(&ReadRequestsPerCycle(source).events())?;
    }
    set.add_group(&ReadDataStallShare(APU).events())?;
    Ok(set)
}

/// Seven events for six counters.
fn of_core() -> Result<EventSet<OfCore, 8>, EventSetError> {
    let mut set = EventSet::new();
    set.add_group(&InstructionsPerCycle.events())?;
    set.add_group(&L1DataCacheMissRatio.events())?;
    set.add_group(&L2CacheMissRatio.events())?;
    set.add_group(&BranchMispredictionRatio.events())?;
    Ok(set)
}

fn main() -> Result<(), EventSetError> {
    let board = Board::new();
    // On the board: cci400::Pmu::probe(unsafe { cci400::Mmio::new(BASE as usize) })?, with the platform's BASE
    let mut interconnect = cci400::Pmu::new(board.interconnect());
    let mut far = Passes::of(of_interconnect()?.schedule(&mut interconnect)?);
    let set = of_core()?;
    let near = board.on_each_core([(); CORES], |core, ()| {
        // On the board: cortex_a53::Pmu::new(unsafe { cortex_a53::Sysreg::new() })
        let mut pmu = cortex_a53::Pmu::new(core.bus());
        set.schedule(&mut pmu).map(Passes::of)
    });
    let mut near = near.into_iter().collect::<Result<Vec<_>, _>>()?;

    let passes = near.iter().map(Passes::number).chain([far.number()]).max().unwrap_or(0);
    for pass in 0..passes {
        let of_each = far.run_pass(pass, &mut interconnect, || {
            board.on_each_core(&mut near, |core, near| {
                // A driver works only on its core, so each core creates a driver. `new` accesses no register.
                let mut pmu = cortex_a53::Pmu::new(core.bus());
                near.run_pass(pass, &mut pmu, || core.work())
            })
        })?;
        of_each.into_iter().collect::<Result<(), _>>()?;
    }
    print(&far, &near);
    Ok(())
}

fn print(far: &Passes<OfInterconnect, 10>, near: &[Passes<OfCore, 8>]) {
    let hit = |source: SlaveSource| far.metric(&SnoopHitRate(source));
    let per_cycle = |source: SlaveSource| far.metric(&ReadRequestsPerCycle(source));
    let stalled = far.metric(&ReadDataStallShare(APU));
    let events: Vec<_> = far.pairs().filter(|(what, _)| *what != EventOrCycles::Cycles).collect();
    let differ = difference(far);
    let rows = [
        Row::text(&"passes", &differ),
        Row::metric(&"of the cores' shareable reads hit in another cache", hit(APU)),
        Row::metric(&"of the logic's shareable reads hit in a cache", hit(HPC)),
        Row::metric(&"core reads per cycle", per_cycle(APU)),
        Row::metric(&"logic reads per cycle", per_cycle(HPC)),
        Row::metric(&"of the cycles, read data waited for the cores", stalled),
    ];
    let of_far = (events.as_slice(), rows);

    let differ: Vec<_> = near.iter().map(difference).collect();
    let of_near = near.iter().zip(&differ).map(|(near, differ)| {
        let [instructions, cycles] = InstructionsPerCycle.events().map(|of| (of, near.amount(of)));
        let rows = [
            Row::text(&"passes", differ),
            Row::metric(&"instructions per cycle", near.metric(&InstructionsPerCycle)),
            Row::metric(&"of the L1 accesses miss", near.metric(&L1DataCacheMissRatio)),
            Row::metric(&"of the L2 accesses miss", near.metric(&L2CacheMissRatio)),
            Row::metric(&"of the branches mispredicted", near.metric(&BranchMispredictionRatio)),
        ];
        ([instructions, cycles], rows)
    });
    let of_near: Vec<_> = of_near.collect();
    let titles: Vec<_> = (0..CORES).map(|core| format!("Cortex-A53, core {core}")).collect();

    let mut sections = vec![Section { title: &"CCI-400", rows: &of_far }];
    sections.extend(titles.iter().zip(&of_near).map(|(title, rows)| Section { title, rows }));
    print!("{}", Report::new(&sections).bars(20));
}

/// Describes how much the cycle counts of the passes differ. A large spread shows that the runs were not equal.
fn difference<S: Copy + PartialEq, const N: usize>(passes: &Passes<S, N>) -> String {
    match passes.spread() {
        Ok(spread) => format!("differ by {spread}"),
        Err(why) => format!("differ by an unknown amount: {why}"),
    }
}

//! Branch prediction ratio of an ARM1176: 1 - mispredicted / executed (AN195, section 5).
//!
//! The example runs on a simulated core with made-up workloads. Some workloads have no result:
//!
//! ```text
//! cargo run -p arm11 --example branch_prediction
//! ```
//!
//! On hardware, only the bus differs: `unsafe { Cp15::new() }`.

use std::error::Error;

use arm_pmu_sim::Arm11;
use arm11::arm_pmu_core::report::{Report, Row, Section};
use arm11::arm1176::metrics::BranchPredictionRatio;
use arm11::arm1176::{Arm1176Event, Pmu};
use arm11::{Divider, Metric};

/// A workload: its name, its effect on the core, and the divider of the cycle counter.
type Workload = (&'static str, fn(&Arm11), Divider);

const WORKLOADS: [Workload; 7] = [
    ("copy a buffer", |core| work(core, 20_000, 150, 340_000), Divider::By1),
    ("binary search", |core| work(core, 60_000, 21_700, 480_000), Divider::By1),
    // After reset, every taken branch counts as mispredicted.
    ("prediction off", |core| work(core, 60_000, 51_300, 690_000), Divider::By1),
    ("straight line", |core| work(core, 0, 0, 900), Divider::By1),
    // The cycle counter does not wrap, because it counts only every 64th cycle.
    ("a minute's work", minute, Divider::By64),
    ("too long for CCNT", minute, Divider::By1),
    ("with a debugger", debugged, Divider::By1),
];

fn main() -> Result<(), Box<dyn Error>> {
    let core = Arm11::arm1176();
    let mut pmu = Pmu::probe(core.bus(), core.midr()).map_err(|error| error.kind())?;
    let [branches, mispredicted] = pmu.counters();
    branches.count(Arm1176Event::BranchExecuted);
    mispredicted.count(Arm1176Event::BranchMispredicted);

    for (name, work, divider) in WORKLOADS {
        pmu.cycle_counter().count(divider);
        let running = pmu.start();
        work(&core);
        pmu = running.stop();

        let [branches, mispredicted] = pmu.counts();
        let counted = [
            (Arm1176Event::BranchExecuted.into(), branches.into()),
            (Arm1176Event::BranchMispredicted.into(), mispredicted.into()),
        ];
        let of_clock = if divider == Divider::By64 { "cycles / 64" } else { "cycles" };
        let rows = [
            Row::events(&of_clock, pmu.cycles().into()),
            Row::metric(&"predicted", BranchPredictionRatio.find(counted)),
        ];
        let sections = [Section { title: &name, rows: &(counted, rows) }];
        print!("{}", Report::new(&sections).bars(20));
        if let Some(lost) = pmu.interference() {
            println!("{lost}");
        }
        println!();
    }
    println!("{}", BranchPredictionRatio::ABOUT);
    Ok(())
}

fn work(core: &Arm11, branches: u32, mispredicted: u32, cycles: u64) {
    core.signal(Arm1176Event::BranchExecuted, branches);
    core.signal(Arm1176Event::BranchMispredicted, mispredicted);
    core.clock(cycles);
}

/// At 700 MHz.
fn minute(core: &Arm11) {
    for _ in 0..60 {
        work(core, 77_000_000, 4_100_000, 700_000_000);
    }
}

/// Other software reprograms counter 1.
fn debugged(core: &Arm11) {
    work(core, 10_000, 1_000, 80_000);
    core.other_owner_selects(1, 0x07);
    work(core, 10_000, 1_000, 80_000);
}

//! Instructions per cycle and L2 cache misses of a Cortex-A8.
//!
//! The example runs on a simulated core with made-up workloads:
//!
//! ```text
//! cargo run -p cortex-a8 --example instructions_per_cycle
//! ```
//!
//! `report.rs` needs a bus and a writer for text, for example a serial port. The bare-metal image
//! in `xtask/firmware` uses the same file, and `cargo xtask arm test` runs it on QEMU.

mod report;

use std::error::Error;

use arm_pmu_sim::CortexA8;
use cortex_a8::{CortexA8Event, Pmu};

fn main() -> Result<(), Box<dyn Error>> {
    let core = CortexA8::new();
    // On a core: let bus = unsafe { cortex_a8::Cp15::new() }; let main_id = bus.main_id();
    let (bus, main_id) = (core.bus(), CortexA8::MIDR);
    let mut pmu = Pmu::probe(bus, main_id).map_err(|error| error.kind())?;
    let mut text = String::new();
    for workload in WORKLOADS {
        let (stopped, figures) = report::measure(pmu, || workload.run(&core));
        report::write(&mut text, workload.name, &figures)?;
        pmu = stopped;
    }
    print!("{text}");
    Ok(())
}

/// A piece of code, with invented numbers of the events that it causes.
struct Workload {
    name: &'static str,
    cycles: u64,
    instructions: u32,
    accesses: u32,
    misses: u32,
}

const WORKLOADS: [Workload; 5] = [
    Workload { name: "copy in L1", cycles: 100_000, instructions: 131_072, accesses: 0, misses: 0 },
    Workload {
        name: "copy in L2",
        cycles: 310_000,
        instructions: 131_072,
        accesses: 16_384,
        misses: 12,
    },
    Workload {
        name: "list in DRAM",
        cycles: 9_800_000,
        instructions: 262_144,
        accesses: 131_072,
        misses: 118_400,
    },
    // More cycles than the cycle counter can hold without `Divider::By64`.
    Workload {
        name: "long wait",
        cycles: 5_000_000_000,
        instructions: 40_000,
        accesses: 900,
        misses: 850,
    },
    Workload { name: "nothing", cycles: 0, instructions: 0, accesses: 0, misses: 0 },
];

impl Workload {
    fn run(&self, core: &CortexA8) {
        let signal = |event: CortexA8Event, times| core.signal(event, times);
        core.clock(self.cycles);
        signal(CortexA8Event::InstructionExecuted, self.instructions);
        signal(CortexA8Event::L2CacheAccess, self.accesses);
        signal(CortexA8Event::L2CacheMiss, self.misses);
    }
}

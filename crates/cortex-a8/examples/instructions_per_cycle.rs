//! How many instructions a Cortex-A8 executes in a cycle, and how often its L2 cache misses.
//!
//! It runs on a simulated core with made-up workloads:
//!
//! ```text
//! cargo run -p cortex-a8 --example instructions_per_cycle
//! ```
//!
//! `report` is what an image without operating system would take over as it is: it needs a bus and
//! something to write text to, a serial port for example.

use std::error::Error;

use arm_pmu_sim::CortexA8;
use cortex_a8::{CortexA8Event, Pmu};

fn main() -> Result<(), Box<dyn Error>> {
    let core = CortexA8::new();
    // On a core: let bus = unsafe { cortex_a8::CoreCp15::new() }; let main_id = bus.main_id();
    let (bus, main_id) = (core.bus(), CortexA8::MIDR);
    let mut pmu = Pmu::probe(bus, main_id).map_err(|refused| refused.reason)?;
    let mut text = String::new();
    report::header(&mut text)?;
    for workload in WORKLOADS {
        let (stopped, figures) = report::measure(pmu, || workload.run(&core));
        report::row(&mut text, workload.name, &figures)?;
        pmu = stopped;
    }
    print!("{text}");
    Ok(())
}

/// Without heap, floating point and operating system.
mod report {
    use core::fmt;

    use cortex_a8::{Bus, CortexA8Event, Count, Cp15, Divider, Mode, Pmu};

    /// What was counted of one workload.
    pub struct Figures {
        cycles: Count,
        instructions: Count,
        accesses: Count,
        misses: Count,
    }

    /// Measures one workload, with a privileged driver or one in User mode.
    pub fn measure<B: Bus<Space = Cp15>, M: Mode>(
        mut pmu: Pmu<B, M>,
        work: impl FnOnce(),
    ) -> (Pmu<B, M>, Figures) {
        let [instructions, accesses, misses, unused] = pmu.counters();
        instructions.count(CortexA8Event::InstructionExecuted);
        accesses.count(CortexA8Event::L2CacheAccess);
        misses.count(CortexA8Event::L2CacheMiss);
        unused.off();
        pmu.cycle_counter().count(Divider::By1);
        let running = pmu.start();
        work();
        let pmu = running.stop();
        let [instructions, accesses, misses, _] = pmu.counts();
        let figures = Figures { cycles: pmu.cycles(), instructions, accesses, misses };
        (pmu, figures)
    }

    pub fn header(out: &mut impl fmt::Write) -> fmt::Result {
        writeln!(
            out,
            "{:<14} {:>13} {:>13} {:>9} {:>13} {:>13} {:>9}",
            "", "cycles", "instructions", "IPC", "L2 accesses", "misses", "ratio"
        )
    }

    pub fn row(out: &mut impl fmt::Write, name: &str, figures: &Figures) -> fmt::Result {
        let Figures { cycles, instructions, accesses, misses } = *figures;
        let per_cycle = Ratio(instructions, cycles);
        let ratio = Ratio(misses, accesses);
        writeln!(
            out,
            "{name:<14} {cycles:>13} {instructions:>13} {per_cycle:>9} {accesses:>13} {misses:>13} \
             {ratio:>9}"
        )
    }

    /// One count divided by another.
    struct Ratio(Count, Count);

    impl fmt::Display for Ratio {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let Self(dividend, divisor) = self;
            match (dividend.exact(), divisor.exact()) {
                // What overflowed or was lost is no number to divide.
                (Err(_), _) | (_, Err(_)) => f.pad("unknown"),
                (_, Ok(0)) => f.pad("-"),
                (Ok(dividend), Ok(divisor)) => {
                    let (dividend, divisor) = (u64::from(dividend), u64::from(divisor));
                    let thousandths = (dividend * 1_000 + divisor / 2) / divisor;
                    let width = f.width().unwrap_or(0).saturating_sub(".000".len());
                    write!(f, "{:width$}.{:03}", thousandths / 1_000, thousandths % 1_000)
                }
            }
        }
    }
}

/// What a piece of code does to the core, made up.
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
    // More cycles than the cycle counter can hold: `Divider::By64` is for that.
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
        let signal = |event: CortexA8Event, times| core.signal(event.code() as u8, times);
        core.clock(self.cycles);
        signal(CortexA8Event::InstructionExecuted, self.instructions);
        signal(CortexA8Event::L2CacheAccess, self.accesses);
        signal(CortexA8Event::L2CacheMiss, self.misses);
    }
}

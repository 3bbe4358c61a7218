//! The measurement and its table, without a heap, floating point or an operating system.

use core::fmt;

use cortex_a8::arm_pmu_core::report::{Report, Row, Section};
use cortex_a8::metrics::{InstructionsPerCycle, L2CacheMissRatio};
use cortex_a8::{Bus, CortexA8Event, Count, Divider, EventOrCycles, Metric, Mode, Pmu, Space};

/// Measurement of one workload.
pub struct Figures {
    pub cycles: Count,
    pub instructions: Count,
    /// Accesses or misses of the L2 cache.
    pub accesses: Count,
    /// Accesses or misses of the L2 cache.
    pub misses: Count,
}

/// Measures one workload, with a driver in a privileged mode or in User mode.
pub fn measure<B: Bus<Space = Space>, M: Mode>(
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

pub fn write(out: &mut impl fmt::Write, name: &str, figures: &Figures) -> fmt::Result {
    let Figures { cycles, instructions, accesses, misses } = *figures;
    let counted = [
        (EventOrCycles::Cycles, cycles.into()),
        (CortexA8Event::InstructionExecuted.into(), instructions.into()),
        (CortexA8Event::L2CacheAccess.into(), accesses.into()),
        (CortexA8Event::L2CacheMiss.into(), misses.into()),
    ];
    let rows = [
        Row::metric(&"instructions per cycle", InstructionsPerCycle.find(counted)),
        Row::metric(&"of the L2 accesses miss", L2CacheMissRatio.find(counted)),
    ];
    let sections = [Section { title: &name, rows: &(counted, rows) }];
    writeln!(out, "{}", Report::new(&sections).bars(20))
}

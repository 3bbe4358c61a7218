//! The measurement and its table: without heap, floating point and operating system.

use core::fmt;

use cortex_a8::{
    Bus, CortexA8Event, Count, Cp15, Divider, Mode, Percent, Pmu, Report, Row, Section,
};

/// What was counted of one workload.
pub struct Figures {
    pub cycles: Count,
    pub instructions: Count,
    /// Of the L2 cache.
    pub accesses: Count,
    /// Of the L2 cache.
    pub misses: Count,
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

pub fn write(out: &mut impl fmt::Write, name: &str, figures: &Figures) -> fmt::Result {
    let Figures { cycles, instructions, accesses, misses } = *figures;
    let miss_ratio = Percent { part: misses.into(), whole: accesses.into() };
    let per_cycle = Ratio(instructions, cycles);
    let rows = [
        Row::events(&"cycles", cycles.into()),
        Row::events(&"instructions", instructions.into()),
        Row::events(&"accesses to L2", accesses.into()),
        Row::events(&"misses of L2", misses.into()),
        Row::percent(&"of the accesses miss", miss_ratio),
        Row::figure(&"instructions per cycle", &per_cycle),
    ];
    writeln!(out, "{}", Report::new(&[Section { title: &name, rows: &rows }]).bars(20))
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
                write!(f, "{}.{:03}", thousandths / 1_000, thousandths % 1_000)
            }
        }
    }
}

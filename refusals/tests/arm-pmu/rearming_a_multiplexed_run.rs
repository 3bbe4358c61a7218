use core::num::NonZeroU32;

use arm_pmu::cci550::{Mmio, Pmu};
use arm_pmu::measure::Rearm;
use arm_pmu::schedule::MultiplexedRun;

fn rearm(run: &mut MultiplexedRun<Pmu<Mmio>, 8>) {
    run.running().unwrap().rearm(0, NonZeroU32::MIN);
}

fn main() {}

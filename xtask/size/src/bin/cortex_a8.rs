//! One event of a Cortex-A8.
#![cfg_attr(target_os = "none", no_std, no_main)]
#![allow(unsafe_code)]

use cortex_a8::{CortexA8Event, Cp15, Pmu};
use size::{answer, work};

/// Counts one event around [`work`].
// The entry point of the program: nothing else has this name.
#[cfg_attr(target_os = "none", unsafe(no_mangle))]
extern "C" fn _start(result: &mut u32) -> u32 {
    // SAFETY: the program is alone on the core, and privileged.
    let mut pmu = Pmu::new(unsafe { Cp15::new() });
    let [counter, ..] = pmu.counters();
    counter.count(CortexA8Event::InstructionExecuted);
    let running = pmu.start();
    work();
    let pmu = running.stop();
    let [count, ..] = pmu.counts();
    answer(count, result)
}

#[cfg(not(target_os = "none"))]
fn main() {}
